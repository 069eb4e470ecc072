//! Web and e-mail addresses: words are said as words, signs by their names.

use super::{Like, Said, Scanner, latin};
use crate::front_end::{japanese::numbers::one_by_one, scan};

/// Endings that make `word.ending` an address.
const DOMAINS: [&str; 18] = [
    "com", "org", "net", "jp", "edu", "gov", "info", "io", "co", "ai", "app", "dev", "uk", "tv", "me", "biz",
    "eu", "de",
];

/// Endings that make `word.ending` the name of a file.
const FILES: [&str; 30] = [
    "pdf", "txt", "csv", "zip", "jpg", "jpeg", "png", "gif", "svg", "mp3", "mp4", "wav", "mov", "html",
    "css", "js", "ts", "py", "rs", "json", "xml", "yaml", "yml", "toml", "xlsx", "xls", "docx", "pptx",
    "exe", "log",
];

/// The longest address that is looked for.
const LONGEST: usize = 300;

/// Reads the address that starts here.
pub(super) fn read(s: &mut Scanner<'_>) -> bool {
    if s.before().is_some_and(|c| c.is_ascii_alphanumeric()) {
        return false;
    }
    let belongs = |c: char| c.is_ascii_alphanumeric() || "-_.~:/?#@%&=+".contains(c);
    let end = scan::run(s.t, s.at, belongs).min(s.at + LONGEST);
    let written = s.t[s.at..end].trim_end_matches(['.', ':', '?', '/', '-', '&', '#']);
    let bare = ["https://", "http://"].iter().find_map(|scheme| written.strip_prefix(scheme));
    if bare.is_none() && !is_address(written) {
        return false;
    }
    let start = s.at + (written.len() - bare.unwrap_or(written).len());
    s.at = start;
    for part in parts(bare.unwrap_or(written)) {
        let end = s.at + part.len();
        match said(s, part) {
            Some(said) if said.is_empty() => s.at = end,
            Some(said) => s.word(end, &said, Like::Noun),
            None => s.push(end, Said::English, Like::Noun),
        }
    }
    true
}

/// A part of an address; `None` when it is an English word.
fn said(s: &Scanner<'_>, part: &str) -> Option<String> {
    let name = match part {
        "." => "ドット",
        "/" => "スラッシュ",
        "@" => "アットマーク",
        "-" => "ハイフン",
        "_" => "アンダーバー",
        ":" => "コロン",
        "?" => "クエスチョンマーク",
        "=" => "イコール",
        "&" => "アンド",
        "#" => "シャープ",
        "%" => "パーセント",
        "+" => "プラス",
        "~" => "チルダ",
        "com" => "コム",
        "org" => "オーグ",
        "net" => "ネット",
        "www" => "ダブリューダブリューダブリュー",
        _ => "",
    };
    if !name.is_empty() {
        return Some(name.to_owned());
    }
    if FILES.contains(&part) && !matches!(part, "zip" | "log") {
        return latin::spelled(part);
    }
    if part.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(one_by_one(part).concat());
    }
    if !part.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Some(String::new());
    }
    if part.len() <= 2 { latin::spelled(part) } else { latin::japanese(s, part) }
}

/// `name@host.ending`, `host.ending`, `host.ending/path`.
fn is_address(written: &str) -> bool {
    let host = written.rsplit_once('@').map_or(written, |(_, host)| host);
    let host = host.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let mut labels = host.rsplit('.');
    let ends = labels.next().is_some_and(|ending| DOMAINS.contains(&ending) || FILES.contains(&ending));
    let labels: Vec<&str> = labels.collect();
    ends && !labels.is_empty()
        && labels.iter().all(|label| {
            !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
        })
}

/// Runs of letters, runs of digits, and single signs.
fn parts(address: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(c) = scan::char_at(address, from) {
        let end = if c.is_ascii_digit() {
            scan::digits(address, from)
        } else if c.is_ascii_alphabetic() {
            scan::run(address, from, |c| c.is_ascii_alphabetic())
        } else {
            from + c.len_utf8()
        };
        parts.push(&address[from..end]);
        from = end;
    }
    parts
}
