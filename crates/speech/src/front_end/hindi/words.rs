//! Tables of words: abbreviations, months, units, currencies, and where a phrase begins.

/// Abbreviations without their last full stop, and what is said. Those in capitals of Latin letters
/// are the English front end's.
pub(super) const ABBREVIATIONS: &[(&str, &str)] = &[
    ("डॉ", "डॉक्टर"),
    ("डा", "डॉक्टर"),
    ("प्रो", "प्रो\u{95E}ेसर"),
    ("पं", "पंडित"),
    ("स्व", "स्वर्गीय"),
    ("कु", "कुमारी"),
    ("सुश्री", "सुश्री"),
    ("श्री", "श्री"),
    ("इंजी", "इंजीनियर"),
    ("मो", "मोहम्मद"),
    ("ले", "ले\u{95E}्टिनेंट"),
    ("जन", "जनरल"),
    ("रु", "रुपये"),
    ("पै", "पैसे"),
    ("नं", "नंबर"),
    ("सं", "संख्या"),
    ("क्र", "क्रमांक"),
    ("पृ", "पृष्ठ"),
    ("उदा", "उदाहरण"),
    ("दि", "दिनांक"),
    ("अ.भा", "अखिल भारतीय"),
    ("ई.पू", "ईसा पूर्व"),
    ("ई", "ईस्वी"),
    ("वि.सं", "विक्रम संवत"),
    ("प्रा.लि", "प्राइवेट लिमिटेड"),
    ("प्रा", "प्राइवेट"),
    ("लि", "लिमिटेड"),
    ("उ.प्र", "उत्तर प्रदेश"),
    ("म.प्र", "मध्य प्रदेश"),
    ("हि.प्र", "हिमाचल प्रदेश"),
    ("कि.मी", "किलोमीटर"),
    ("कि.ग्रा", "किलोग्राम"),
    ("से.मी", "सेंटीमीटर"),
    ("मि.मी", "मिलीमीटर"),
    ("मि.ली", "मिलीलीटर"),
    ("मि.ग्रा", "मिलीग्राम"),
];

/// What follows an abbreviation of which the others are the same word without one: only these are
/// spelled out when a digit follows.
pub(super) const BEFORE_A_NUMBER: &[&str] = &["ई", "दि", "ले", "जन", "मो", "लि", "कु", "सं", "पै"];

/// The months.
pub(super) const MONTHS: [&str; 12] =
    ["जनवरी", "\u{95E}रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर"];

/// Other spellings of months.
pub(super) const MONTHS_TOO: &[&str] = &["फरवरी", "सितम्बर", "अक्तूबर", "अक्टुबर", "नवम्बर", "दिसम्बर", "अप्रेल"];

/// Words before or after which a number of four digits is a year.
pub(super) const BEFORE_A_YEAR: &[&str] = &["सन", "सन्", "वर्ष", "साल"];
pub(super) const AFTER_A_YEAR: &[&str] = &["ई.", "ई", "ईस्वी", "ईसवी"];

/// Powers that stand between an amount and its currency.
pub(super) const SCALES: &[&str] =
    &["सौ", "ह\u{95B}ार", "हजार", "लाख", "करो\u{95C}", "अरब", "खरब", "मिलियन", "बिलियन"];

/// Measures in words before which halves and quarters have words of their own.
pub(super) const MEASURES: &[&str] = &[
    "किलो",
    "लीटर",
    "घंटे",
    "घंटा",
    "घंटों",
    "साल",
    "वर्ष",
    "महीने",
    "दिन",
    "गुना",
    "गुणा",
    "इंच",
    "\u{95E}ुट",
    "फुट",
    "\u{95E}ीट",
    "फीट",
    "एक\u{95C}",
    "बीघा",
    "मीटर",
    "किलोमीटर",
    "चम्मच",
    "कप",
    "टन",
    "मिनट",
];

/// Words after which a Roman numeral is a plain number.
pub(super) const NUMBERED: &[&str] = &[
    "अध्याय",
    "भाग",
    "खंड",
    "खण्ड",
    "कक्षा",
    "अनुच्छेद",
    "धारा",
    "अनुसूची",
    "सर्ग",
    "अंक",
    "दृश्य",
    "प्रकार",
    "टाइप",
    "श्रेणी",
    "स्तर",
    "चरण",
    "ग्रुप",
    "समूह",
    "पाठ",
    "परिशिष्ट",
    "तालिका",
    "सूची",
];

/// Words before which a Roman numeral is an ordinal.
pub(super) const CENTURIES: &[&str] = &["सदी", "शताब्दी", "शती"];

/// Names of kings, queens and popes, after which even a single letter is a numeral.
pub(super) const KINGS: &[&str] = &[
    "एलिजाबेथ",
    "एलि\u{95B}ाबेथ",
    "जॉर्ज",
    "चार्ल्स",
    "लुई",
    "हेनरी",
    "एडवर्ड",
    "विलियम",
    "जेम्स",
    "पॉल",
    "फ्रांसिस",
    "बेनेडिक्ट",
    "रामसेस",
    "चन्द्रगुप्त",
    "चंद्रगुप्त",
    "कृष्णदेव",
    "नेपोलियन",
    "पीटर",
    "कैथरीन",
    "निकोलस",
    "शाहआलम",
];

/// A currency: its name for one and for several, and its hundredth part.
pub(super) struct Currency {
    pub(super) one: &'static str,
    pub(super) several: &'static str,
    pub(super) part: &'static str,
}

/// The currency of a sign.
pub(super) fn currency(sign: char) -> Option<Currency> {
    let (one, several, part) = match sign {
        '₹' | '₨' => ("रुपया", "रुपये", "पैसे"),
        '$' => ("डॉलर", "डॉलर", "सेंट"),
        '€' => ("यूरो", "यूरो", "सेंट"),
        '£' => ("पाउंड", "पाउंड", "पेंस"),
        '¥' => ("येन", "येन", ""),
        _ => return None,
    };
    Some(Currency { one, several, part })
}

/// Units after a number; longer ones stand before those that they begin with.
pub(super) const UNITS: &[(&str, &str)] = &[
    ("कि.मी./घंटा", "किलोमीटर प्रति घंटा"),
    ("किमी/घंटा", "किलोमीटर प्रति घंटा"),
    ("कि.मी.", "किलोमीटर"),
    ("किमी", "किलोमीटर"),
    ("कि.ग्रा.", "किलोग्राम"),
    ("किग्रा", "किलोग्राम"),
    ("से.मी.", "सेंटीमीटर"),
    ("सेमी", "सेंटीमीटर"),
    ("मि.मी.", "मिलीमीटर"),
    ("मिमी", "मिलीमीटर"),
    ("मि.ली.", "मिलीलीटर"),
    ("मिली", "मिलीलीटर"),
    ("मि.ग्रा.", "मिलीग्राम"),
    ("मी.", "मीटर"),
    ("मी", "मीटर"),
    ("मिग्रा", "मिलीग्राम"),
    ("ग्रा", "ग्राम"),
    ("ली", "लीटर"),
    ("वर्ग मी", "वर्ग मीटर"),
    ("वर्ग किमी", "वर्ग किलोमीटर"),
    ("डिग्री से.", "डिग्री सेल्सियस"),
    ("ग्रा.", "ग्राम"),
    ("ली.", "लीटर"),
    ("मि.", "मिनट"),
    ("से.", "सेकंड"),
    ("रु.", "रुपये"),
    ("रु", "रुपये"),
    ("km/h", "किलोमीटर प्रति घंटा"),
    ("kmph", "किलोमीटर प्रति घंटा"),
    ("m/s", "मीटर प्रति सेकंड"),
    ("km²", "वर्ग किलोमीटर"),
    ("m²", "वर्ग मीटर"),
    ("m³", "घन मीटर"),
    ("km", "किलोमीटर"),
    ("cm", "सेंटीमीटर"),
    ("mm", "मिलीमीटर"),
    ("m", "मीटर"),
    ("kg", "किलोग्राम"),
    ("mg", "मिलीग्राम"),
    ("gm", "ग्राम"),
    ("g", "ग्राम"),
    ("ml", "मिलीलीटर"),
    ("L", "लीटर"),
    ("l", "लीटर"),
    ("kWh", "किलोवॉट घंटा"),
    ("kW", "किलोवॉट"),
    ("MW", "मेगावॉट"),
    ("W", "वॉट"),
    ("TB", "टेराबाइट"),
    ("GB", "गीगाबाइट"),
    ("MB", "मेगाबाइट"),
    ("KB", "किलोबाइट"),
    ("kB", "किलोबाइट"),
    ("GHz", "गीगाहर्ट\u{95B}"),
    ("MHz", "मेगाहर्ट\u{95B}"),
    ("Hz", "हर्ट\u{95B}"),
    ("°C", "डिग्री सेल्सियस"),
    ("°F", "डिग्री \u{95E}ारेनहाइट"),
    ("°से.", "डिग्री सेल्सियस"),
    ("°से", "डिग्री सेल्सियस"),
    ("°", "डिग्री"),
    ("%", "प्रतिशत"),
    ("‰", "प्रति ह\u{95B}ार"),
];

/// The names of the Latin letters.
pub(super) const LATIN: [&str; 26] = [
    "ए",
    "बी",
    "सी",
    "डी",
    "ई",
    "ए\u{95E}",
    "जी",
    "एच",
    "आई",
    "जे",
    "के",
    "एल",
    "एम",
    "एन",
    "ओ",
    "पी",
    "क्यू",
    "आर",
    "एस",
    "टी",
    "यू",
    "वी",
    "डब्ल्यू",
    "एक्स",
    "वाई",
    "\u{95B}ेड",
];

/// Words that begin a clause.
pub(super) const CLAUSES: &[&str] = &[
    "और",
    "या",
    "लेकिन",
    "मगर",
    "परंतु",
    "परन्तु",
    "किंतु",
    "किन्तु",
    "क्योंकि",
    "कि",
    "जो",
    "जब",
    "जहाँ",
    "जिसने",
    "जिससे",
    "तो",
    "ताकि",
    "यदि",
    "अगर",
    "हालाँकि",
    "हालांकि",
    "बल्कि",
    "इसलिए",
    "तथा",
    "एवं",
    "जबकि",
    "फिर",
];

/// Whether a word, which may have dots inside, is an abbreviation; its last stop is not part of it.
pub(super) fn abbreviation(word: &str) -> Option<&'static str> {
    ABBREVIATIONS.iter().find(|(own, _)| *own == word).map(|(_, said)| *said)
}

/// Whether a word is a month's name.
pub(super) fn is_month(word: &str) -> bool {
    MONTHS.contains(&word) || MONTHS_TOO.contains(&word)
}

/// Whether a word is the name of a Latin letter, as in an initial.
pub(super) fn is_initial(word: &str) -> bool {
    LATIN.contains(&word)
}
