//! Recognizes pages whose fonts do not say which letters they show. Their text is signs, words in
//! mixed scripts, or control characters, which are glyph numbers. Only text that looks like no
//! language is refused; in doubt, a page is read.

use std::collections::{HashMap, HashSet};

use pdf_oxide::PdfDocument;
use unicode_script::{Script, UnicodeScript};

use super::{fonts::FontUsage, page::Page, panics::catch_panics};
use crate::{Reason, Unreadable, characters};

/// A page with fewer characters is too short to judge.
const MIN_CHARACTERS: usize = 150;

/// The number of fonts that are named, and of pages searched for them.
const MAX_FONTS: usize = 3;
const MAX_PAGES: usize = 3;

const MAX_NAME_CHARACTERS: usize = 60;

/// Refuses a document if most of its text cannot be decoded.
///
/// # Errors
/// [`Unreadable`] that names the fonts.
pub(super) fn check(pdf: &PdfDocument, pages: &[Page]) -> Result<(), Unreadable> {
    let (mut readable, mut unreadable) = (0.0, 0.0);
    let mut undecoded: Vec<usize> = Vec::new();
    for page in pages {
        let text: Vec<&str> = page.fragments.iter().map(|part| part.text.as_str()).collect();
        let is_undecoded = is_undecoded(&text.join(" "));
        let length = |is: &dyn Fn(&FontUsage) -> bool| -> f64 {
            page.fonts.values().filter(|usage| is(usage)).map(|usage| usage.length).sum()
        };
        let all = length(&|_| true);
        let unknown = if is_undecoded { all } else { length(&FontUsage::is_glyph_numbers) };
        readable += all - unknown;
        unreadable += unknown;
        if unknown * 2.0 > all {
            undecoded.push(page.index);
        }
    }
    if unreadable <= readable {
        return Ok(());
    }
    Err(Unreadable::new(Reason::NoText, message(&names(pdf, &undecoded))))
}

fn message(fonts: &[String]) -> String {
    let named = if fonts.is_empty() { String::new() } else { format!(" ({})", fonts.join(", ")) };
    format!(
        "The PDF's fonts{named} do not say which letters they show. Run text recognition (OCR) on it, or send the \
         document that it was made from."
    )
}

/// The names of the most used fonts of these pages.
fn names(pdf: &PdfDocument, pages: &[usize]) -> Vec<String> {
    let mut fonts: HashMap<String, usize> = HashMap::new();
    for &page in pages.iter().take(MAX_PAGES) {
        for letter in catch_panics(|| pdf.extract_chars(page).ok()).unwrap_or_default() {
            // A font subset has a prefix of six letters.
            let name = letter.font_name.split_once('+').map_or(letter.font_name.as_str(), |(_, name)| name);
            // The file may give a name of any length.
            if let Some(name) = characters::one_line(name, MAX_NAME_CHARACTERS) {
                *fonts.entry(name).or_default() += 1;
            }
        }
    }
    let mut fonts: Vec<(String, usize)> = fonts.into_iter().collect();
    fonts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    fonts.into_iter().take(MAX_FONTS).map(|(name, _)| name).collect()
}

/// Whether a page's text looks like no language.
fn is_undecoded(text: &str) -> bool {
    // Rows of dots or dashes are leaders or blanks to fill in, so a repeated sign counts once.
    let mut before = ' ';
    let (mut letters, mut figures, mut signs) = (0_usize, 0_usize, 0_usize);
    for c in text.chars() {
        if c.is_alphabetic() || unicode_normalization::char::is_combining_mark(c) {
            letters += 1;
        } else if c.is_numeric() {
            figures += 1;
        } else if !c.is_whitespace() && c != before && !is_drawn(c) {
            signs += 1;
        }
        before = if c.is_whitespace() { before } else { c };
    }
    let all = letters + figures + signs;
    if all < MIN_CHARACTERS || whatlang::detect(text).is_some_and(|found| found.is_reliable()) {
        return false;
    }
    let words: Vec<&str> =
        text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).collect();
    let mixed = words.iter().filter(|word| is_mixed(word)).count();
    let of_signs = signs * 5 >= all * 3 && letters * 4 < all && figures * 4 < all;
    of_signs || words.len() >= 10 && mixed * 4 >= words.len()
}

/// Box drawing, arrows, mathematical signs and pictographs, which may fill a real page.
fn is_drawn(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2BFF}' | '\u{1D400}'..='\u{1D7FF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Whether a word mixes scripts that no language writes together.
fn is_mixed(word: &str) -> bool {
    let scripts: HashSet<Script> = word
        .chars()
        .map(|c| match c.script() {
            // Chinese, Japanese and Korean mix these scripts.
            Script::Hiragana | Script::Katakana | Script::Hangul | Script::Bopomofo => Script::Han,
            // Greek letters are common in formulas and units.
            Script::Greek => Script::Latin,
            script => script,
        })
        .filter(|script| !matches!(script, Script::Common | Script::Inherited | Script::Unknown))
        .collect();
    scripts.len() > 1
        && !(scripts.len() == 2 && scripts.contains(&Script::Han) && scripts.contains(&Script::Latin))
}

#[cfg(test)]
mod tests {
    use super::{is_undecoded, message};

    #[test]
    fn fonts_without_names_are_not_named() {
        assert!(message(&[]).starts_with("The PDF's fonts do not say"));
        assert!(message(&["Bem".to_owned(), "Cmr".to_owned()]).starts_with("The PDF's fonts (Bem, Cmr) do"));
    }

    #[test]
    fn signs_and_mixed_scripts_are_no_text() {
        assert!(is_undecoded(&"\" % & % ’ % , -./01 * % & 2 % ( )%* + ! $ ".repeat(10)));
        assert!(is_undecoded(&"ÎԔ́ïߙ ÏòϸÎóϣķϙʆϢ WOඥzǊÇ ÊӍΉÇ º܅èbರÇ ۉĬۉīۈīۉĪ ࠌ˺ߓ ".repeat(10)));
    }

    #[test]
    fn texts_of_all_scripts_tables_formulas_code_and_names_are_text() {
        for text in [
            "Однажды весною, в час небывало жаркого заката, в Москве появились два гражданина. ",
            "春はあけぼの。やうやう白くなりゆく山ぎは、少し明かりて、紫だちたる雲の細くたなびきたる。",
            "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. USB케이블 ",
            "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। ",
            "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. ",
            "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם. ",
            "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ",
            "12.5 % 13,004.00 (4.2) $ 17 – 3.1 % 99 * 2020 1,234 5/6 ",
            "f(x) = a x² + b x + c; Δ = b² − 4ac; x₁,₂ = (−b ± √Δ)/(2a); μm, Ωm, αx ≤ βy ",
            "if (a[i] != b[j]) { return -1; } /* {}; */ x = y->z; for (;;) { i++; } ",
            "Smith, J. Q.; Kishi, D.; Ó Briain, T.; Nguyễn, V. A.; Łukasz, K. ",
            "Chapter 1 .......................... 12 Chapter 2 ........................ 45 ",
            "<div class=\"a\"> <b>x</b> && || {{ y }} </div> ",
        ] {
            assert!(!is_undecoded(&text.repeat(10)), "{text}");
        }
        assert!(!is_undecoded("% & !"), "too short to tell");
    }
}
