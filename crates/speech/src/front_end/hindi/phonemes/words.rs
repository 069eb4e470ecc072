//! Words that are not stressed or not pronounced as their letters say. The voices were taught with
//! espeak-ng's output; what is here was found by comparing with it.

/// Pronouns, postpositions, conjunctions and auxiliary verbs that lean on another word.
const LEANING: &[&str] = &[
    "मैं",
    "मुझे",
    "मेरा",
    "मेरी",
    "मेरे",
    "हम",
    "हमे",
    "हमारा",
    "हमारी",
    "हमारे",
    "आप",
    "आपको",
    "आपका",
    "आपकी",
    "आपके",
    "तुम",
    "तुम्हें",
    "तुम्हारा",
    "तुम्हारी",
    "तुम्हारे",
    "तू",
    "तुझे",
    "तेरा",
    "यह",
    "ये",
    "इस्से",
    "इसका",
    "इन्हें",
    "इनका",
    "वह",
    "वो",
    "वे",
    "उस्से",
    "उसका",
    "उसकी",
    "उसके",
    "उन्हे",
    "उनका",
    "उनकी",
    "उनके",
    "का",
    "की",
    "के",
    "को",
    "तक",
    "बिना",
    "में",
    "से",
    "क्या",
    "और",
    "य",
    "अगर",
    "यदि",
    "हूँ",
    "हो",
    "है",
    "हैं",
    "था",
    "थे",
    "थी",
    "थीं",
    "रहा",
    "रहे",
    "रही",
];

/// Words with a reading of their own.
const IRREGULAR: &[(&str, &str)] = &[
    ("क्रिकेट", "kɾˈɪkɪt"),
    ("राष्ट्रपति", "ɾˌaːʃtɾapˈati"),
    ("सेनापति", "sˌenaːpˈati"),
    ("कुलपति", "kulpˈati"),
    ("लखनऊ", "lˈʌkʰnˈəu"),
    ("महाराज", "mˌahaːɾˈaːɟ"),
    ("महारानी", "mˌahaːɾˈaːni"),
    ("महाभारत", "mahˈaːbhaːɾˌat"),
    ("महासागर", "mˌahaːsaːɡˈaɾ"),
    ("महादेव", "mˌahaːdˈeʋ"),
    ("मतदान", "matdˈaːn"),
    ("मतदाता", "matdˈaːtaː"),
    ("रक्तदान", "ɾaktdˈaːn"),
    ("हलचल", "halcˈal"),
    ("सीताराम", "sˌɪtaːɾˈaːm"),
    ("भूतकाल", "bhʊtkˈaːl"),
    ("राजमाता", "raːɟmˈaːtaː"),
];

/// In, which is heard at the end of a clause.
pub(super) const IN: &str = "में";

/// Whether a word leans on another, so that it has no primary stress.
pub(super) fn leans(word: &str) -> bool {
    LEANING.contains(&word)
}

/// The phonemes of a word with a reading of its own.
pub(super) fn irregular(word: &str) -> Option<&'static str> {
    IRREGULAR.iter().find(|(own, _)| *own == word).map(|(_, said)| *said)
}
