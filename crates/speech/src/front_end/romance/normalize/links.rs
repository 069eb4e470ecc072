//! What is written for machines and for clicking: Markdown links and pronunciations, web and e-mail
//! addresses, file names, hashtags, handles, footnote marks.

use super::{Reader, State, reading};
use crate::front_end::{
    normalize::links::{self, Address, Links, camel, name_end, spell},
    romance::{acronyms, figures::Form},
    scan,
};

/// Endings that make `word.ending` an address.
const DOMAINS: &[&str] = &[
    "com", "org", "net", "edu", "gov", "gob", "mil", "int", "info", "io", "ai", "app", "dev", "es", "mx",
    "ar", "cl", "co", "pe", "uy", "ve", "uk", "us", "de", "fr", "it", "pt", "eu", "cat", "tv", "me", "blog",
    "xyz", "br", "ch", "be", "ca", "gl", "ly",
];

/// Endings that make `word.ending` a file.
const FILES: &[&str] = &[
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

impl<'a> Links<'a> for State<'a> {
    const TAGS: &'static [&'static str] =
        &["a", "b", "br", "code", "div", "em", "h1", "h2", "h3", "hr", "i", "li", "p", "span", "strong", "u"];

    fn sign(&self, c: char) -> Option<&'static str> {
        self.grammar.signs().in_addresses.iter().find(|(sign, _)| *sign == c).map(|(_, name)| *name)
    }

    fn digits(&self, digits: &str) -> String {
        if digits.len() <= 4 {
            reading::plain(self.grammar, digits, Form::Alone)
        } else {
            reading::code(self.grammar, digits)
        }
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
    let signs = r.signs();
    let dotted = r.before() == Some('.');
    if lower == "www" {
        r.say(r.signs().www, stop);
        return;
    }
    let is_file = FILES.contains(&lower.as_str()) && !acronyms::is_word(signs, &word.to_uppercase());
    let is_ending = dotted && ((lower.len() == 2 && !is_said(&lower)) || is_file);
    let is_short = word.chars().count() <= 4
        && !["org", "gov", "gouv", "gob", "univ"].contains(&lower.as_str())
        && !acronyms::is_readable(&signs.syllables, word);
    let words = if is_ending || is_short { acronyms::spelled(signs, word) } else { String::new() };
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
        r.say(r.signs().number, start);
        let words = r.cardinal(word, Form::Alone);
        r.say(&words, end);
        return true;
    }
    r.say(r.signs().hashtag, start);
    while r.at < end {
        let stop = scan::letters(r.t, r.at).min(end);
        let run = scan::slice(r.t, r.at..stop);
        // `#BBB24`: an acronym, but `#MUNDIAL` is a word.
        let acronym = !run.is_empty()
            && run.chars().all(char::is_uppercase)
            && (run.len() <= 3 || !acronyms::is_readable(&r.signs().syllables, run))
            && !acronyms::is_word(r.signs(), run);
        if acronym {
            let words = acronyms::spelled(r.signs(), run);
            r.say(&words, stop);
        } else {
            let stop = if stop > r.at { stop } else { scan::run(r.t, r.at, |c| !c.is_alphabetic()).min(end) };
            links::name(r, stop);
        }
    }
    true
}

/// Endings of two letters that are read as words.
fn is_said(ending: &str) -> bool {
    matches!(ending, "es" | "it")
}
