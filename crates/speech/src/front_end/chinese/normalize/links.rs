//! Addresses of the web and of e-mail: words as words, digits one by one, signs by their names.

use super::{Reader, scan::is_latin};
use crate::front_end::{
    chinese::figures::digits as digit_words,
    scan::{digits, run, slice, tail},
};

/// Last parts of names of computers that are taken for an address without `www.` or a scheme.
const ENDINGS: [&str; 22] = [
    "com", "cn", "org", "net", "edu", "gov", "io", "co", "tv", "me", "info", "app", "dev", "hk", "tw", "jp",
    "uk", "de", "top", "xyz", "cc", "ai",
];

/// Longer runs are no addresses.
const MOST: usize = 300;

/// Reads the address that comes next.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let fresh = !r.before().is_some_and(|c| is_latin(c) || matches!(c, '@' | '.' | '-' | '_'));
    if !fresh || !r.char().is_some_and(|c| c.is_ascii_alphanumeric()) {
        return false;
    }
    let start = r.at;
    let end = run(r.t, start, |c| c.is_ascii_alphanumeric() || "._%+-@:/?=&#~".contains(c));
    let end = start + slice(r.t, start..end).trim_end_matches(['.', ':', '/', '?', '-', '~', '&', '=']).len();
    let written = slice(r.t, start..end);
    if written.len() > MOST || !is_address(written) {
        return false;
    }
    if let Some(scheme) = written.find("://") {
        r.skip(start + scheme + 3);
    }
    while r.at < end {
        let at = r.at;
        let letters = run(r.t, at, |c| c.is_ascii_alphabetic());
        let figures = digits(r.t, at);
        if letters > at {
            r.latin(slice(r.t, at..letters), letters);
        } else if figures > at {
            let words = digit_words(slice(r.t, at..figures));
            r.number(&words, figures);
        } else {
            let name = r.char().map_or("", sign);
            if name.is_empty() {
                r.skip(at + 1);
            } else {
                r.say(name, at + 1);
            }
        }
    }
    true
}

fn is_address(written: &str) -> bool {
    let rest = written.split_once("://").map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest));
    if let Some((scheme, rest)) = rest {
        return matches!(scheme.as_str(), "http" | "https" | "ftp") && !rest.is_empty();
    }
    if let Some((local, host)) = written.split_once('@') {
        return !local.is_empty() && host.contains('.') && !host.contains('@');
    }
    let host = written.split(['/', ':', '?', '#']).next().unwrap_or_default();
    if host.to_ascii_lowercase().starts_with("www.") {
        return true;
    }
    host.rsplit_once('.').is_some_and(|(name, ending)| {
        let ending = ending.to_ascii_lowercase();
        name.contains(|c: char| c.is_ascii_alphabetic()) && ENDINGS.contains(&ending.as_str())
    })
}

/// What a sign in an address is called.
pub(super) fn sign(c: char) -> &'static str {
    match c {
        '.' => "点",
        '@' => "艾特",
        '/' => "斜杠",
        '-' => "杠",
        '_' => "下划线",
        ':' => "冒号",
        '?' => "问号",
        '=' => "等于",
        '&' => "和",
        '+' => "加",
        '#' => "井号",
        '%' => "百分号",
        _ => "",
    }
}

/// Whether a point at the reader's place joins letters or digits: `Node.js`, `v2.0`.
pub(super) fn joins(r: &Reader<'_>) -> bool {
    let next = tail(r.t, r.at + 1).chars().next();
    r.before().is_some_and(is_latin) && next.is_some_and(is_latin)
}
