//! What is written for machines and for clicking: Markdown links and pronunciations, web and e-mail
//! addresses, file names, hashtags, handles, footnote marks.

use super::{English, Reader, codes, numbers, paths, reading, scan};
use crate::front_end::normalize::links::{self, Address, Links, camel, name_end, spell};

/// Endings that make `word.ending` an address.
const DOMAINS: [&str; 27] = [
    "com", "org", "net", "edu", "gov", "mil", "int", "info", "io", "co", "ai", "app", "dev", "uk", "us",
    "de", "fr", "jp", "eu", "ca", "au", "ch", "tv", "me", "ly", "gg", "xyz",
];

/// Endings of files and names of countries that make an address only before a path: `docs.rs/serde`.
const SITES: [&str; 6] = ["rs", "sh", "is", "to", "so", "pl"];

/// Endings that make `word.ending` a file.
const FILES: [&str; 62] = [
    "pdf", "doc", "docx", "txt", "md", "csv", "tsv", "xls", "xlsx", "ppt", "pptx", "png", "jpg", "jpeg",
    "gif", "svg", "webp", "mp3", "mp4", "wav", "ogg", "flac", "opus", "avi", "mov", "mkv", "zip", "gz",
    "tar", "rar", "exe", "dll", "bat", "sh", "py", "js", "ts", "rs", "go", "rb", "java", "cpp", "hpp",
    "html", "htm", "css", "json", "xml", "yaml", "yml", "toml", "ini", "cfg", "conf", "log", "sql", "epub",
    "mobi", "iso", "dmg", "php", "bak",
];

/// Endings said as words; the others are spelled, which capitals tell the pronouncer.
const SAID: [&str; 22] = [
    "com", "org", "net", "edu", "gov", "mil", "info", "app", "dev", "doc", "zip", "tar", "bat", "java",
    "flac", "opus", "conf", "log", "toml", "bak", "mobi", "co",
];

/// Reads what starts here, if it is one of these kinds.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    match r.char() {
        Some('[') => links::bracket(r),
        Some('!') if r.rest().starts_with("![") => {
            r.skip(r.at + 1);
            true
        }
        Some('<') => links::tag(r),
        Some('@') => handle(r),
        Some('#') => hash(r),
        Some('/' | '~') => path(r),
        Some('.') => path(r) || dotted_file(r),
        Some(c) if c.is_alphanumeric() => forum(r) || path(r) || address(r),
        _ => false,
    }
}

impl<'a> Links<'a> for English<'a> {
    const TAGS: &'static [&'static str] = &[
        "a",
        "b",
        "blockquote",
        "br",
        "code",
        "div",
        "em",
        "h1",
        "h2",
        "h3",
        "hr",
        "i",
        "li",
        "p",
        "s",
        "span",
        "strong",
        "sub",
        "sup",
        "u",
        "ul",
    ];

    fn sign(&self, c: char) -> Option<&'static str> {
        Some(match c {
            '.' => "dot",
            '/' => "slash",
            '-' => "dash",
            '_' => "underscore",
            '?' => "question mark",
            '=' => "equals",
            '&' => "and",
            '#' => "hash",
            ':' => "colon",
            '@' => "at",
            '%' => "percent",
            '+' => "plus",
            '~' => "tilde",
            '\\' => "backslash",
            _ => return None,
        })
    }

    fn digits(&self, digits: &str) -> String {
        match digits.parse::<u64>() {
            Ok(value) if digits.len() == 4 && !digits.starts_with('0') => self.figures.year(value),
            Ok(value) if digits.len() <= 2 && !digits.starts_with('0') => self.figures.number(value),
            _ => reading::code(digits),
        }
    }

    fn label(r: &mut Reader<'a>, from: usize, stop: usize, end: usize) {
        label(r, from, stop, end);
    }

    fn address(r: &mut Reader<'a>) -> bool {
        address(r)
    }

    fn is_footnote(r: &Reader<'a>, inner: &str, end: usize) -> bool {
        let mark = inner.strip_prefix('^').unwrap_or(inner);
        !mark.is_empty()
            && (mark.len() < inner.len() || marks_footnote(r, mark, end))
            && mark.len() <= 16
            && mark.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '–' | '-'))
            && mark.split(|c: char| !c.is_ascii_digit()).all(|number| number.len() <= 3)
    }
}

/// Whether numbers in brackets up to `end` can be a footnote's mark where they stand, and not an
/// index (`array[0]`) or a number that starts a list: text that may be meant to be read is read.
fn marks_footnote(r: &Reader<'_>, mark: &str, end: usize) -> bool {
    let from_zero = mark.split(|c: char| !c.is_ascii_digit()).any(|number| number.starts_with('0'));
    let in_code = r.t.contains("[0]") || r.t.contains("()") || r.t.contains(['=', '{', '}']);
    let goes_on = match scan::char_at(r.t, end) {
        Some('.') => !scan::edge(r.t, end + 1),
        Some(c) => !matches!(c, ' ' | ',' | ';' | ':' | '!' | '?' | ')' | '"' | '\'' | '[' | '—' | '–'),
        None => false,
    };
    if from_zero || in_code || goes_on {
        return false;
    }
    let head = scan::slice(r.t, ..r.at);
    let tight = head.strip_suffix(' ').unwrap_or(head);
    match tight.chars().next_back() {
        None => false,
        Some(c) if c.is_alphabetic() => {
            let stem = tight.trim_end_matches(char::is_alphabetic);
            let word = scan::slice(tight, stem.len()..);
            let in_prose =
                !stem.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '@'));
            let indexed = ["arr", "array", "args", "argv", "buf", "list", "vec"].contains(&word);
            in_prose && word.chars().count() > 1 && !(indexed && tight.len() == head.len())
        }
        Some(c) => {
            c.is_ascii_digit()
                || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '"' | '\'' | ')' | ']' | '…' | '%')
        }
    }
}

/// `https://example.com/a?b=1`, `www.example.com`, `example.co.uk`, `joe@example.com`,
/// `report.pdf`.
fn address(r: &mut Reader<'_>) -> bool {
    let rest = r.rest();
    let end = r.at + rest.find([' ', '"', '<', '>', '[', ']', '—', '…']).unwrap_or(rest.len());
    let mut end = r.at
        + scan::slice(r.t, r.at..end)
            .trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~'])
            .len();
    if scan::slice(r.t, r.at..end).ends_with(')') && !scan::slice(r.t, r.at..end).contains('(') {
        end = r.at + scan::slice(r.t, r.at..end).trim_end_matches([')', '.', ',']).len();
    }
    let written = scan::slice(r.t, r.at..end);
    if !written.contains('.') && !written.contains("://") {
        return false;
    }
    let end = if written.ends_with("'s") { end - 2 } else { end };
    let written = scan::slice(r.t, r.at..end);
    if let Some(known) = links::with_scheme(r, end) {
        return known;
    }
    let Some(address) = Address::of(written) else { return false };
    let (first, ending) = (address.labels[0], address.ending.to_lowercase());
    let e_mail = address.is_e_mail();
    // A full stop without a space after it ("He went.So did I") is no address: endings are in small
    // letters.
    let site = address.is_of_the_web()
        || (!address.is_bare && address.labels.len() == 2 && SITES.contains(&address.ending))
        || (DOMAINS.contains(&ending.as_str())
            && ending == address.ending
            && !(first.len() == 1 && ending.len() == 1));
    let file = FILES.contains(&ending.as_str()) && address.is_bare;
    if !(e_mail || site || file) || address.labels.iter().all(|label| label.len() == 1) {
        return false;
    }
    // "or.me" and its like, where both sides are short words, are still addresses; "3.de" is not.
    if address.is_number() && !e_mail && !site {
        return false;
    }
    spell(r, r.at, end);
    true
}

/// A run of letters in an address: an ending that is spelled is put in capitals.
fn label(r: &mut Reader<'_>, from: usize, stop: usize, end: usize) {
    let word = scan::slice(r.t, r.at..stop);
    let lower = word.to_lowercase();
    let after_dot = r.at > from && r.before() == Some('.');
    let closes = stop >= end
        || !scan::slice(r.t, stop..end).starts_with(|c: char| c.is_alphanumeric())
        || lower == "mp";
    let is_ending = after_dot
        && closes
        && (DOMAINS.contains(&lower.as_str()) || FILES.contains(&lower.as_str()) || lower == "mp");
    if lower == "www" || (is_ending && !SAID.contains(&lower.as_str())) {
        let spelled = word.to_uppercase();
        r.say(&spelled, stop);
        return;
    }
    // `johnSmith` has two words.
    camel(r, stop);
}

/// `#MeToo`, `#1`, `#ff8800`.
fn hash(r: &mut Reader<'_>) -> bool {
    let start = r.at + 1;
    let end = name_end(r.t, start);
    let word = scan::slice(r.t, start..end);
    if word.is_empty() {
        return false;
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        let names = reading::names_something(r.word_before(), word);
        r.say("number", start);
        if names {
            let words = reading::name_code(r, word);
            r.say(&words, end);
            return true;
        }
        return numbers::read(r);
    }
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    // `Lot #A1234`
    if has_digit && reading::takes_name(r.word_before()) {
        r.say("number", start);
        links::name(r, end);
        return true;
    }
    let is_color = [3, 4, 6, 8].contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_color && (has_digit || word.bytes().all(|byte| byte == word.as_bytes()[0])) {
        let words = format!("hex {}", codes::hex_words(word));
        r.say(&words, end);
        return true;
    }
    r.say("hashtag", start);
    links::name(r, end);
    true
}

/// `/usr/local/bin`, `src/main.rs`.
fn path(r: &mut Reader<'_>) -> bool {
    paths::read(r, |ending| FILES.contains(&ending) || ending == "so")
}

/// `@jane_doe`, `@the.real.bob`.
fn handle(r: &mut Reader<'_>) -> bool {
    if !links::handle(r) {
        return false;
    }
    while r.rest().starts_with('.') && scan::char_at(r.t, r.at + 1).is_some_and(char::is_lowercase) {
        r.say("dot", r.at + 1);
        let end = name_end(r.t, r.at);
        links::name(r, end);
    }
    true
}

/// `r/rust`, `u/someone`: the forums and people of one large site.
fn forum(r: &mut Reader<'_>) -> bool {
    let rest = r.rest();
    if !matches!(r.before(), None | Some(' ' | '('))
        || !(rest.starts_with("r/") || rest.starts_with("u/"))
        || !scan::char_at(r.t, r.at + 2).is_some_and(char::is_alphabetic)
    {
        return false;
    }
    r.copy(r.at + 1);
    r.say("slash", r.at + 1);
    let end = name_end(r.t, r.at);
    links::name(r, end);
    true
}

/// `.gitignore`, `.pdf`.
fn dotted_file(r: &mut Reader<'_>) -> bool {
    if !matches!(r.before(), None | Some(' ' | '(' | '"'))
        || !scan::char_at(r.t, r.at + 1).is_some_and(char::is_alphabetic)
    {
        return false;
    }
    let end = scan::run(r.t, r.at + 1, char::is_alphanumeric);
    r.say("dot", r.at + 1);
    // The ending is judged by the dot before it.
    label(r, r.at - 1, scan::letters(r.t, r.at).min(end), end);
    true
}
