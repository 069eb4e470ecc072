//! What is written for machines and for clicking: Markdown links and pronunciations, web and e-mail
//! addresses, file names, hashtags, handles, footnote marks.

use super::{Reader, acronyms, numbers};
use crate::{
    front_end::{
        scan,
        spanish::text::figures::{self, Form},
    },
    markup::Kind,
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
        Some('[') => bracket(r),
        Some('!') if r.rest().starts_with("![") => {
            r.skip(r.at + 1);
            true
        }
        Some('<') => tag(r),
        Some('@') => handle(r),
        Some('#') => hash(r),
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
    let numbers = !inner.is_empty()
        && inner.len() <= 16
        && r.before().is_some_and(|c| c.is_alphabetic() || ".,;:!?\"')".contains(c))
        && inner.split([',', ' ', '-', '–']).all(|number| {
            number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0')
        })
        && scan::edge(r.t, close + 1);
    if numbers {
        r.skip(close + 1);
    }
    numbers
}

/// `<https://…>`, `<b>`, `<br/>`.
fn tag(r: &mut Reader<'_>) -> bool {
    const TAGS: [&str; 16] =
        ["a", "b", "br", "code", "div", "em", "h1", "h2", "h3", "hr", "i", "li", "p", "span", "strong", "u"];
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
    if !TAGS.contains(&r.rest()[1..close].trim_matches(['/', ' '])) {
        return false;
    }
    r.space(r.at + close + 1);
    true
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
    if let Some((scheme, _)) = written.split_once("://") {
        let known = ["http", "https", "ftp", "sftp", "file"].contains(&scheme.to_lowercase().as_str());
        if known {
            spell(r, r.at + scheme.len() + 3, end);
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
    let e_mail = !local.is_empty() && letters && last.len() >= 2;
    // A full stop without a space after it ("Se fue.De ahí") is no address: endings are in small
    // letters, and what is before is no number.
    let digits =
        labels[..labels.len() - 1].iter().all(|label| label.bytes().all(|byte| byte.is_ascii_digit()));
    let site =
        labels[0].eq_ignore_ascii_case("www") || (DOMAINS.contains(last) && !digits && labels[0].len() > 1);
    let file = FILES.contains(&last.to_lowercase().as_str()) && host_end == written.len();
    if !(e_mail || site || file) {
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
            let words =
                if digits.len() <= 4 { numbers::plain(digits, Form::Alone) } else { numbers::code(digits) };
            r.say(&words, stop);
        } else if c.is_alphabetic() {
            let stop = scan::letters(r.t, r.at).min(end);
            label(r, stop);
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

/// `@ana_ruiz`.
fn handle(r: &mut Reader<'_>) -> bool {
    let end = scan::run(r.t, r.at + 1, |c| c.is_alphanumeric() || c == '_');
    if end == r.at + 1 {
        return false;
    }
    r.say("arroba", r.at + 1);
    name(r, end);
    true
}

/// `#MeToo`, `#1`.
fn hash(r: &mut Reader<'_>) -> bool {
    let start = r.at + 1;
    let end = scan::run(r.t, start, |c| c.is_alphanumeric() || c == '_');
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
