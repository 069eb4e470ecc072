//! Names the language of a short text by its commonest words, where its trigrams leave it open. The
//! words need not be of one language only: "de" counts for four, and a language is named only when it
//! has clearly more of them than any other.

use whatlang::Lang;

/// The fewest words that count.
const MIN_HITS: usize = 3;

/// One word in this many must be among the common ones of its language. In prose it is every second
/// or third.
const MAX_WORDS_PER_HIT: usize = 5;

/// Articles, pronouns, prepositions and auxiliary verbs, in lower case. The languages that Lectern
/// reads, and those that would be taken for them.
#[rustfmt::skip]
const COMMON_WORDS: &[(Lang, &[&str])] = &[
    (Lang::Fra, &[
        "le", "la", "les", "l", "un", "une", "des", "du", "de", "d", "et", "est", "dans", "que", "qu", "qui", "pour",
        "pas", "sur", "au", "aux", "avec", "il", "elle", "nous", "vous", "je", "j", "ce", "c", "cette", "son", "sa",
        "ses", "plus", "par", "mais", "ne", "n", "se", "s", "en", "était", "avait", "ont", "sont", "à", "où", "très",
        "leur", "ils", "lui", "comme", "tout",
    ]),
    (Lang::Ita, &[
        "il", "lo", "la", "i", "gli", "le", "l", "un", "uno", "una", "di", "d", "del", "dello", "della", "dell", "dei",
        "delle", "che", "e", "è", "in", "non", "per", "con", "si", "da", "dal", "dalla", "al", "allo", "alla", "all",
        "ai", "nel", "nella", "nell", "sono", "era", "aveva", "ma", "anche", "come", "più", "questo", "questa",
        "quando", "su", "sul", "sulla", "suo", "sua", "fino", "c", "ho", "ha", "io", "mi", "a", "tra", "fra", "quel",
        "quella", "ed", "cui", "poi", "dove", "né",
    ]),
    (Lang::Por, &[
        "o", "a", "os", "as", "um", "uma", "de", "do", "da", "dos", "das", "que", "e", "é", "em", "no", "na", "nos",
        "nas", "não", "por", "para", "com", "se", "ao", "aos", "à", "às", "mais", "mas", "como", "era", "seu", "sua",
        "foi", "ele", "ela", "até", "muito", "pelo", "pela", "num", "numa", "eu", "já", "ou", "quando", "lhe",
    ]),
    (Lang::Spa, &[
        "el", "la", "los", "las", "un", "una", "de", "del", "que", "y", "es", "en", "no", "por", "para", "con", "se",
        "al", "lo", "más", "pero", "como", "era", "su", "sus", "fue", "él", "ella", "hasta", "muy", "este", "esta",
        "cuando", "ya", "le", "había", "yo", "me", "o", "cuyo", "a",
    ]),
    (Lang::Deu, &[
        "der", "die", "das", "und", "ist", "nicht", "ein", "eine", "einen", "einem", "einer", "den", "dem", "des", "zu",
        "zum", "zur", "mit", "von", "vom", "auf", "für", "sich", "im", "in", "am", "an", "er", "sie", "es", "wir",
        "ich", "auch", "als", "war", "hatte", "bis", "so", "aus", "wie", "nach", "bei", "aber", "noch",
    ]),
    (Lang::Cat, &[
        "el", "la", "els", "les", "l", "un", "una", "uns", "de", "d", "del", "dels", "que", "i", "és", "en", "no", "per",
        "amb", "se", "al", "als", "va", "més", "però", "com", "era", "seu", "seva", "fins", "aquest", "aquesta", "molt",
        "ell", "ella", "hi", "s", "vam", "a",
    ]),
    (Lang::Ron, &[
        "și", "în", "este", "un", "o", "de", "la", "cu", "pe", "care", "nu", "din", "că", "mai", "lui", "ei", "dar", "a",
        "al", "ale", "fost", "era", "până", "sa", "se", "am", "au", "le",
    ]),
    (Lang::Nld, &[
        "de", "het", "een", "en", "van", "in", "is", "dat", "niet", "met", "op", "voor", "zijn", "was", "hij", "zij",
        "ze", "we", "ik", "naar", "te", "er", "aan", "ook", "als", "om", "had", "langs", "die",
    ]),
    (Lang::Lat, &[
        "et", "in", "est", "non", "cum", "ad", "ut", "qui", "quae", "quod", "sed", "si", "ex", "de", "ab", "per", "aut",
        "esse", "sunt", "se", "a", "hoc", "ac", "nec",
    ]),
    (Lang::Hin, &[
        "है", "हैं", "में", "के", "की", "का", "को", "से", "और", "ने", "पर", "था", "थी", "थे", "यह", "वह", "एक", "नहीं", "भी", "कि", "जो",
        "हो", "इस", "उस", "तो", "ही", "कर", "लिए", "गया", "गई", "वे", "मैं", "अपने", "अपनी",
        "कृपया", "साथ", "बाद", "तक", "बहुत", "कुछ", "हम", "आप", "कोई", "क्या", "अब", "दो", "पास",
    ]),
    (Lang::Mar, &["आहे", "आहेत", "आणि", "होते", "होता", "होती", "नाही", "हे", "ते", "तो", "ती", "एक", "या", "मी", "तर", "पण", "ही", "त्या"]),
    (Lang::Nep, &["छ", "छन्", "र", "को", "मा", "ले", "हुन्छ", "थियो", "पनि", "यो", "त्यो", "एक", "गर्न", "भएको", "हो", "का", "की", "तर"]),
];

/// The language that has clearly the most common words in the text, if any. `guess` is the most
/// likely language by trigrams: when both agree, a small lead is enough.
pub(super) fn detect(text: &str, guess: Option<Lang>) -> Option<Lang> {
    let lower = text.to_lowercase();
    let mut hits = [0_usize; COMMON_WORDS.len()];
    let mut words = 0_usize;
    for word in lower.split(|c: char| !is_letter(c)).filter(|word| !word.is_empty()) {
        words += 1;
        for (hits, (_, known)) in hits.iter_mut().zip(COMMON_WORDS) {
            *hits += usize::from(known.contains(&word));
        }
    }
    let mut ranked: Vec<(usize, Lang)> =
        hits.into_iter().zip(COMMON_WORDS.iter().map(|(lang, _)| *lang)).collect();
    ranked.sort_by_key(|(hits, _)| std::cmp::Reverse(*hits));
    let [(most, lang), (second, _), ..] = ranked[..] else { return None };
    let leads = if guess == Some(lang) { most > second } else { most >= 2 * second.max(1) };
    (most >= MIN_HITS && most * MAX_WORDS_PER_HIT >= words && leads).then_some(lang)
}

/// Devanagari has signs inside words that are no letters by themselves.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\u{93C}' | '\u{94D}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_lead_is_needed() {
        let text = "Ieri sera abbiamo camminato lungo il fiume fino al vecchio mulino.";
        assert_eq!(detect(text, None), Some(Lang::Ita));
        assert_eq!(detect("Era de madera", None), None);
        assert_eq!(detect("वह एक बूढ़ा आदमी था और नदी के किनारे अकेला रहता था।", None), Some(Lang::Hin));
        assert_eq!(detect("", Some(Lang::Fra)), None);
    }
}
