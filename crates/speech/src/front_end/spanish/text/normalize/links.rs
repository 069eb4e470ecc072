//! What is written for machines and for clicking: Markdown links and pronunciations, web and e-mail
//! addresses, file names, hashtags, handles, footnote marks.

use super::{Reader, Spanish, acronyms, reading};
use crate::front_end::{
    normalize::links::{self, Address, Links, camel, name_end, spell},
    scan,
    spanish::text::figures::{self, Form},
};

/// Endings that make `word.ending` an address.
const DOMAINS: [&str; 33] = [
    "com", "org", "net", "edu", "gov", "gob", "mil", "int", "info", "io", "ai", "app", "dev", "es", "mx",
    "ar", "cl", "co", "pe", "uy", "ve", "uk", "us", "de", "fr", "it", "pt", "eu", "cat", "tv", "me", "blog",
    "xyz",
];

/// Endings that make `word.ending` a file.
const FILES: [&str; 38] = [
    "pdf", "doc", "docx", "txt", "md", "csv", "xls", "xlsx", "ppt", "pptx", "png", "jpg", "jpeg", "gif",
    "svg", "webp", "mp3", "mp4", "wav", "ogg", "flac", "avi", "mov", "mkv", "zip", "gz", "tar", "rar", "exe",
    "py", "js", "rs", "html", "css", "json", "xml", "epub", "mobi",
];

/// Reads what starts here, if it is one of these.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    match r.char() {
        Some('[') => links::bracket(r),
        Some('!') if r.rest().starts_with("![") => {
            r.skip(r.at + 1);
            true
        }
        Some('<') => links::tag(r),
        Some('@') => links::handle(r),
        Some('#') => hash(r),
        Some(c) if c.is_alphanumeric() => address(r),
        _ => false,
    }
}

impl<'a> Links<'a> for Spanish<'a> {
    const TAGS: &'static [&'static str] =
        &["a", "b", "br", "code", "div", "em", "h1", "h2", "h3", "hr", "i", "li", "p", "span", "strong", "u"];

    fn sign(c: char) -> Option<&'static str> {
        Some(match c {
            '.' => "punto",
            '/' => "barra",
            '-' => "guion",
            '_' => "guion bajo",
            '?' => "interrogación",
            '=' => "igual",
            '&' => "y",
            '#' => "almohadilla",
            ':' => "dos puntos",
            '@' => "arroba",
            '%' => "por ciento",
            '+' => "más",
            '~' => "virgulilla",
            _ => return None,
        })
    }

    fn digits(&self, digits: &str) -> String {
        if digits.len() <= 4 { reading::plain(digits, Form::Alone) } else { reading::code(digits) }
    }

    fn label(r: &mut Reader<'a>, _: usize, stop: usize, _: usize) {
        label(r, stop);
    }

    fn address(r: &mut Reader<'a>) -> bool {
        address(r)
    }

    fn is_footnote(r: &Reader<'a>, inner: &str, end: usize) -> bool {
        let is_number = |number: &str| {
            number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0')
        };
        !inner.is_empty()
            && inner.len() <= 16
            && r.before().is_some_and(|c| c.is_alphabetic() || ".,;:!?\"')".contains(c))
            && inner.split([',', ' ', '-', '–']).all(is_number)
            && scan::edge(r.t, end)
    }
}

/// `https://ejemplo.es/a?b=1`, `www.ejemplo.com`, `ana@ejemplo.es`, `informe.pdf`.
fn address(r: &mut Reader<'_>) -> bool {
    let rest = r.rest();
    let end = r.at + rest.find([' ', '"', '<', '>', '[', ']', '(', ')', '—', '…']).unwrap_or(rest.len());
    let written =
        scan::slice(r.t, r.at..end).trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~']);
    let end = r.at + written.len();
    if !written.contains('.') && !written.contains("://") {
        return false;
    }
    if let Some(known) = links::with_scheme(r, end) {
        return known;
    }
    let Some(address) = Address::of(written) else { return false };
    // A full stop without a space after it ("Se fue.De ahí") is no address: endings are in small
    // letters, and what is before is no number.
    let site = address.is_of_the_web()
        || (DOMAINS.contains(&address.ending) && !address.is_number() && address.labels[0].len() > 1);
    let file = FILES.contains(&address.ending.to_lowercase().as_str()) && address.is_bare;
    if !(address.is_e_mail() || site || file) {
        return false;
    }
    spell(r, r.at, end);
    true
}

/// A run of letters in an address: what cannot be read is spelled.
fn label(r: &mut Reader<'_>, stop: usize) {
    let word = scan::slice(r.t, r.at..stop);
    let lower = word.to_lowercase();
    let dotted = r.before() == Some('.');
    if lower == "www" {
        r.say("tres uves dobles", stop);
        return;
    }
    let is_file = FILES.contains(&lower.as_str()) && !acronyms::is_word(&word.to_uppercase());
    let is_ending = dotted && ((lower.len() == 2 && lower != "es") || is_file);
    let is_short = word.chars().count() <= 4 && lower != "org" && !acronyms::is_readable(word);
    let words = if is_ending || is_short { acronyms::spelled(word) } else { String::new() };
    if words.is_empty() {
        camel(r, stop);
    } else {
        r.say(&words, stop);
    }
}

/// `#MeToo`, `#1`.
fn hash(r: &mut Reader<'_>) -> bool {
    let start = r.at + 1;
    let end = name_end(r.t, start);
    let word = scan::slice(r.t, start..end);
    if word.is_empty() {
        return false;
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        r.say("número", start);
        let words = figures::cardinal(word, Form::Alone);
        r.say(&words, end);
        return true;
    }
    r.say("hashtag", start);
    links::name(r, end);
    true
}
