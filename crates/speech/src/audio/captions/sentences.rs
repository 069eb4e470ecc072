//! Where sentences end in captions, and the abbreviations that end none.

use super::marks::sets_no_spaces;

/// Ends with a full stop and no sentence, mostly. The languages share one table, because a caption
/// may have words of several; an abbreviation that is also a word of another language is left out.
#[rustfmt::skip]
const ABBREVIATIONS: &[&str] = &[
    // English.
    "Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "St.", "Mt.", "Rev.", "Gen.", "Col.", "Capt.", "Lt.", "vs.", "No.", "e.g.",
    "i.e.",
    // French.
    "MM.", "Mgr.", "J.-C.", "J.-B.", "J.-P.", "p. ex.", "av.", "env.", "éd.", "St-", "Ste.", "cf.", "Cf.",
    // Italian.
    "Sig.", "sig.", "Sig.ra", "Sigg.", "Dott.", "dott.", "Dott.ssa", "Prof.ssa", "prof.", "Avv.", "avv.", "Ing.", "ing.",
    "On.", "Mons.", "Geom.", "Gent.mo", "Egr.", "SS.", "S.p.A.", "Spett.",
    // Spanish and Portuguese.
    "Sr.", "Sra.", "Srta.", "Sres.", "Sto.", "Sta.", "Dra.", "Dres.", "Ud.", "Uds.", "Vd.", "Vds.", "Avda.", "Av.", "Excmo.",
    "Excma.", "Ilmo.", "Ilma.", "Lic.", "Arq.", "Mons.", "Fr.", "Exmo.", "Exma.", "Profa.", "Eng.", "Cia.", "Ltda.", "Cel.",
    "Cap.", "Fco.", "aprox.", "EE.UU.", "EE.", "Dña.", "Dª.", "V.", "sr.", "sra.", "dr.",
    // German.
    "Hr.", "z.B.", "z. B.", "d.h.", "bzw.", "Nr.", "Str.", "Bd.", "Hl.", "ggf.", "evtl.", "ca.", "Dipl.", "u.a.",
];

/// Abbreviations before a number. Without one after them they may be words: "a work of art."
#[rustfmt::skip]
const BEFORE_NUMBERS: &[&str] = &[
    "p.", "pp.", "S.", "pág.", "págs.", "pag.", "pagg.", "art.", "arts.", "Art.", "cap.", "caps.", "chap.", "Chap.", "fig.",
    "Fig.", "vol.", "Vol.", "t.", "núm.", "Núm.", "nº.", "n.", "N.", "no.", "num.", "tel.", "Tel.", "Abb.", "Kap.", "sez.",
    "tav.", "pl.", "col.", "ch.", "sec.",
];

/// Marks that may follow the end of a sentence; French sets a space before some.
const CLOSERS: [char; 22] = [
    '"', '\'', '”', '’', ')', ']', '»', '›', '*', '_', '」', '』', '）', '】', '》', '〉', '〕', '］', '｣',
    '〟', ' ', '\u{A0}',
];

/// Whether a sentence ends with a text that `next` follows.
pub(super) fn ends_sentence(text: &str, next: &str) -> bool {
    let body = text.trim_end_matches(CLOSERS);
    let first = next.chars().find(|c| c.is_alphanumeric());
    let goes_on = first.is_some_and(char::is_lowercase);
    let quoted = body.len() < text.len() && text.ends_with(['」', '』', '”', '）']);
    match body.chars().next_back() {
        // In Chinese and Japanese this is a pause in speaking as often as an end.
        Some('…') => !goes_on && !first.is_some_and(sets_no_spaces),
        Some('!' | '?') => !goes_on,
        // 「行く。」と彼は言った: the sentence goes on after the quotation.
        Some('。' | '！' | '？' | '｡' | '．') => {
            !(quoted && next.starts_with(['と', 'っ', 'な', 'の']))
        }
        Some('।' | '॥' | '‼' | '⁇' | '⁈' | '⁉') => true,
        Some('.') => {
            let bare = body.trim_start_matches(|c: char| !c.is_alphanumeric());
            let last = bare.rsplit(char::is_whitespace).next().unwrap_or(bare);
            // French and Italian write an article in front: "l'av.", "dell'On."
            let last = last.rsplit(['\'', '’']).next().unwrap_or(last);
            // A single letter with a full stop is an initial.
            let initial = last.chars().count() == 2 && last.starts_with(char::is_uppercase) && last != "I.";
            let numbered = BEFORE_NUMBERS.contains(&last)
                && next.trim_start().starts_with(|c: char| c.is_ascii_digit() || "IVXLC".contains(c));
            !goes_on && !initial && !numbered && ![bare, last].iter().any(|word| ABBREVIATIONS.contains(word))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::ends_sentence;

    #[test]
    fn abbreviations_end_no_sentence_and_sentences_do() {
        for (text, next) in [
            ("Mr.", "Hyde"),
            ("MM.", "Thénardier"),
            ("M.", "Madeleine"),
            ("J.-C.", "Les"),
            ("l’av.", "Foch"),
            ("Sig.", "Antonio"),
            ("dott.", "Verdi"),
            ("dell’On.", "Rossi"),
            ("Sra.", "Dolores"),
            ("Ud.", "Pedro"),
            ("D.", "Quijote"),
            ("Exmo.", "Senhor"),
            ("art.", "12"),
            ("pág.", "45"),
            ("cap.", "IV"),
            ("Nr.", "5"),
            ("「行く。」", "と彼は"),
            ("我……", "我不知道"),
            ("!", "dit-il"),
        ] {
            assert!(!ends_sentence(text, next), "{text} {next}");
        }
        for (text, next) in [
            ("art.", "He"),
            ("Bonjour !", "Il"),
            ("« Bonjour ! »", "Il"),
            ("fine.»", "Poi"),
            ("である。", "名前"),
            ("「行く。」", "彼は"),
            ("来了！”", "他说"),
            ("है।", "वह"),
            ("है ।", "वह"),
            ("Vraiment…", "Il"),
            ("libro.", "Después"),
        ] {
            assert!(ends_sentence(text, next), "{text} {next}");
        }
    }
}
