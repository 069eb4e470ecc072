//! What is written for machines and for clicking: Markdown links and pronunciations, web and e-mail
//! addresses, file names, hashtags, handles, footnote marks.

use super::{Reader, codes, numbers, scan};
use crate::markup::Kind;

/// Endings that make `word.ending` an address.
const DOMAINS: [&str; 27] = [
    "com", "org", "net", "edu", "gov", "mil", "int", "info", "io", "co", "ai", "app", "dev", "uk", "us",
    "de", "fr", "jp", "eu", "ca", "au", "ch", "tv", "me", "ly", "gg", "xyz",
];

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

/// Reads what starts here, if it is one of these.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    match r.char() {
        Some('[') => bracket(r),
        Some('!') if r.rest().starts_with("![") => {
            r.skip(r.at + 1);
            true
        }
        Some('<') => tag(r),
        Some('@') => handle(r),
        Some('#') => hash(r),
        Some('/') => path(r),
        Some('.') => dotted_file(r),
        Some(c) if c.is_alphanumeric() => address(r),
        _ => false,
    }
}

/// `[pause 1s]`, `[word](/ipa/)`, `[text](target)`, `[1]`.
fn bracket(r: &mut Reader<'_>) -> bool {
    if let Some(markup) = r.clean.markup_at(r.at) {
        // The silence itself is made where utterances are planned.
        if let Kind::Pronunciation { word, ipa } = &markup.kind {
            let ipa = scan::slice(r.t, ipa.clone()).trim().to_owned();
            r.out.pronounce(scan::slice(r.t, word.clone()).trim(), ipa, word.clone());
        }
        r.skip(markup.range.end);
        return true;
    }
    let start = r.at + 1;
    let Some(close) = scan::tail(r.t, start).find([']', '[']).map(|offset| start + offset) else {
        return false;
    };
    if !scan::tail(r.t, close).starts_with(']') {
        return false;
    }
    let inner = scan::slice(r.t, start..close);
    let target =
        scan::tail(r.t, close + 1).strip_prefix('(').and_then(|rest| rest.find(')').map(|end| &rest[..end]));
    // Text in brackets before text in brackets is no link.
    if let Some(target) = target
        && (!target.contains(' ') || target.contains('"'))
    {
        r.skip(start);
        r.run(close);
        r.skip(close + 1 + target.len() + 2);
        return true;
    }
    let mark = inner.strip_prefix('^').unwrap_or(inner);
    let numbers = !mark.is_empty()
        && (mark.len() < inner.len() || marks_footnote(r, mark, close + 1))
        && mark.len() <= 16
        && mark.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '–' | '-'))
        && mark.split(|c: char| !c.is_ascii_digit()).all(|number| number.len() <= 3);
    if numbers {
        r.skip(close + 1);
    }
    numbers
}

/// Whether numbers in brackets up to `end` can be a footnote's mark where they stand, and not an
/// index (`array[0]`) or a number that a list starts with: what may be meant to be read is read.
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

/// `<https://…>`, `<b>`, `<br/>`.
fn tag(r: &mut Reader<'_>) -> bool {
    const TAGS: [&str; 21] = [
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
    if r.rest().starts_with("<http") {
        let opened = r.at;
        r.skip(opened + 1);
        if !address(r) {
            r.skip(opened);
            return false;
        }
        if r.rest().starts_with('>') {
            r.skip(r.at + 1);
        }
        return true;
    }
    let Some(close) = r.rest().char_indices().take(16).find(|(_, c)| *c == '>').map(|(offset, _)| offset)
    else {
        return false;
    };
    let name = r.rest()[1..close].trim_matches(['/', ' ']);
    if !TAGS.contains(&name) {
        return false;
    }
    r.out.space(r.at..r.at + close + 1);
    r.skip(r.at + close + 1);
    true
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
    if let Some((scheme, _)) = written.split_once("://") {
        let known = ["http", "https", "ftp", "sftp", "file"].contains(&scheme.to_lowercase().as_str());
        if known {
            let from = r.at + scheme.len() + 3;
            spell(r, from, end);
        }
        return known;
    }
    let host_end = written.find(['/', '?', '#', ':']).unwrap_or(written.len());
    let host = &written[..host_end];
    let (local, domain) = host.split_once('@').unwrap_or(("", host));
    let labels: Vec<&str> = domain.split('.').collect();
    let plain = labels
        .iter()
        .all(|label| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_'));
    let Some(last) = labels.last().filter(|_| plain && labels.len() >= 2) else { return false };
    let letters = last.chars().all(|c| c.is_ascii_alphabetic());
    let ending = last.to_lowercase();
    let e_mail = !local.is_empty() && letters && last.len() >= 2;
    // A full stop without a space after it ("He went.So did I") is no address: endings are in small
    // letters.
    let site = labels[0].eq_ignore_ascii_case("www")
        || (DOMAINS.contains(&ending.as_str())
            && ending == *last
            && !(labels[0].len() == 1 && last.len() == 1));
    let file = FILES.contains(&ending.as_str()) && (host_end == written.len());
    if !(e_mail || site || file) || labels.iter().all(|label| label.len() == 1) {
        return false;
    }
    // "or.me" and its like, where both sides are short words, are still addresses; "3.de" is not.
    if labels[..labels.len() - 1].iter().all(|label| label.chars().all(|c| c.is_ascii_digit()))
        && !e_mail
        && !site
    {
        return false;
    }
    spell(r, r.at, end);
    true
}

/// Says an address or a file name: words as they are, numbers, and the signs by name.
fn spell(r: &mut Reader<'_>, from: usize, end: usize) {
    let end = if scan::slice(r.t, from..end).ends_with('/') { end - 1 } else { end };
    r.skip(from);
    while r.at < end {
        let Some(c) = r.char() else { break };
        let next = r.at + c.len_utf8();
        if c.is_ascii_digit() {
            let stop = scan::digits(r.t, r.at).min(end);
            let digits = scan::slice(r.t, r.at..stop);
            let words = match digits.parse::<u64>() {
                Ok(value) if digits.len() == 4 && !digits.starts_with('0') => r.figures.year(value),
                Ok(value) if digits.len() <= 2 && !digits.starts_with('0') => r.figures.number(value),
                _ => numbers::code(digits),
            };
            r.say(&words, stop);
        } else if c.is_alphabetic() {
            let stop = scan::letters(r.t, r.at).min(end);
            label(r, from, stop, end);
        } else if let Some(name) = sign_name(c) {
            r.say(name, next);
        } else {
            r.skip(next);
        }
    }
    // The slash at the end is not said.
    if r.rest().starts_with('/') {
        r.skip(r.at + 1);
    }
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

/// Reads letters up to `stop`, a word at each capital after a small letter.
fn camel(r: &mut Reader<'_>, stop: usize) {
    while r.at < stop {
        let mut previous = ' ';
        let mut cut = stop;
        for (offset, c) in scan::slice(r.t, r.at..stop).char_indices() {
            if c.is_uppercase() && previous.is_lowercase() {
                cut = r.at + offset;
                break;
            }
            previous = c;
        }
        let word = scan::slice(r.t, r.at..cut).to_owned();
        r.say(&word, cut);
    }
}

fn sign_name(c: char) -> Option<&'static str> {
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

/// `@john_doe`.
fn handle(r: &mut Reader<'_>) -> bool {
    let end = scan::run(r.t, r.at + 1, |c| c.is_alphanumeric() || c == '_');
    if end == r.at + 1 {
        return false;
    }
    r.say("at", r.at + 1);
    name(r, end);
    true
}

/// `#MeToo`, `#1`, `#ff8800`.
fn hash(r: &mut Reader<'_>) -> bool {
    let start = r.at + 1;
    let end = scan::run(r.t, start, |c| c.is_alphanumeric() || c == '_');
    let word = scan::slice(r.t, start..end);
    if word.is_empty() {
        return false;
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        r.say("number", start);
        return numbers::read(r);
    }
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let is_color = [3, 4, 6, 8].contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_color && (has_digit || word.bytes().all(|byte| byte == word.as_bytes()[0])) {
        let words = format!("hex {}", codes::hex_words(word));
        r.say(&words, end);
        return true;
    }
    r.say("hashtag", start);
    name(r, end);
    true
}

/// A handle or a tag: words at capitals, underscores and digits.
fn name(r: &mut Reader<'_>, end: usize) {
    while r.at < end {
        let Some(c) = r.char() else { break };
        if c.is_ascii_digit() {
            numbers::inside(r);
        } else if c.is_alphabetic() {
            let stop = scan::letters(r.t, r.at).min(end);
            camel(r, stop);
        } else {
            r.skip(r.at + c.len_utf8());
        }
    }
}

/// `/usr/local/bin`: at least two slashes.
fn path(r: &mut Reader<'_>) -> bool {
    if !matches!(r.before(), None | Some(' ' | '(' | '"')) {
        return false;
    }
    let end = scan::run(r.t, r.at, |c| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-'));
    let end = r.at + scan::slice(r.t, r.at..end).trim_end_matches('.').len();
    let written = scan::slice(r.t, r.at..end);
    if written.matches('/').count() < 2
        || written.contains("//")
        || !written[1..].starts_with(char::is_alphabetic)
    {
        return false;
    }
    spell(r, r.at, end);
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
