//! What is written for machines and for clicking: Markdown links and pronunciations, tags,
//! addresses, handles. Which endings make an address, and how it is spelled, is a language's own.

use super::{Language, Reader};
use crate::{front_end::scan, markup::Kind};

/// A name of letters, digits and underscores, as in handles and hashtags.
pub(in crate::front_end) fn name_end(t: &str, at: usize) -> usize {
    scan::run(t, at, |c| c.is_alphanumeric() || c == '_')
}

/// How a language reads what is written for machines.
pub(in crate::front_end) trait Links<'a>: Language<'a> {
    /// The names of the tags that are not read.
    const TAGS: &'static [&'static str];

    /// What a sign in an address is called.
    fn sign(&self, c: char) -> Option<&'static str>;

    /// Digits in an address.
    fn digits(&self, digits: &str) -> String;

    /// Reads the run of letters up to `stop` in an address from `from` to `end`.
    fn label(r: &mut Reader<'a, Self>, from: usize, stop: usize, end: usize);

    /// Reads the address or the file name that starts here, if one does.
    fn address(r: &mut Reader<'a, Self>) -> bool;

    /// Whether what brackets up to `end` hold is a footnote's mark.
    fn is_footnote(r: &Reader<'a, Self>, inner: &str, end: usize) -> bool;
}

/// `[pause 1s]`, `[word](/ipa/)`, `[text](target)`, `[1]`.
pub(in crate::front_end) fn bracket<'a, L: Links<'a>>(r: &mut Reader<'a, L>) -> bool {
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
    let is_footnote = L::is_footnote(r, inner, close + 1);
    if is_footnote {
        r.skip(close + 1);
    }
    is_footnote
}

/// `<https://…>`, `<b>`, `<br/>`.
pub(in crate::front_end) fn tag<'a, L: Links<'a>>(r: &mut Reader<'a, L>) -> bool {
    // `<amy@example.com>`, as in the head of a mail.
    let is_mail =
        r.rest().split_once('>').is_some_and(|(inner, _)| inner.contains('@') && !inner.contains(' '));
    if r.rest().starts_with("<http") || is_mail {
        let opened = r.at;
        r.skip(opened + 1);
        if !L::address(r) {
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
    if !L::TAGS.contains(&r.rest()[1..close].trim_matches(['/', ' '])) {
        return false;
    }
    r.space(r.at + close + 1);
    true
}

/// A host with what may stand before and after it.
pub(in crate::front_end) struct Address<'a> {
    /// What stands before an `@`; empty without one.
    pub(in crate::front_end) local: &'a str,
    /// The parts of the host; there are at least two.
    pub(in crate::front_end) labels: Vec<&'a str>,
    /// The last part of the host.
    pub(in crate::front_end) ending: &'a str,
    /// No path follows the host.
    pub(in crate::front_end) is_bare: bool,
}

impl<'a> Address<'a> {
    /// Takes apart what may be an address without a scheme.
    pub(in crate::front_end) fn of(written: &'a str) -> Option<Self> {
        let host_end = written.find(['/', '?', '#', ':']).unwrap_or(written.len());
        let host = &written[..host_end];
        let (local, domain) = host.split_once('@').unwrap_or(("", host));
        let labels: Vec<&str> = domain.split('.').collect();
        let allowed = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let plain = labels.iter().all(|label| !label.is_empty() && label.chars().all(allowed));
        let ending = labels.last().filter(|_| plain && labels.len() >= 2)?;
        Some(Self { local, ending, labels, is_bare: host_end == written.len() })
    }

    /// Whether it is that of a mailbox.
    pub(in crate::front_end) fn is_e_mail(&self) -> bool {
        let letters = self.ending.chars().all(|c| c.is_ascii_alphabetic());
        !self.local.is_empty() && letters && self.ending.len() >= 2
    }

    /// Whether it starts with `www`.
    pub(in crate::front_end) fn is_of_the_web(&self) -> bool {
        self.labels[0].eq_ignore_ascii_case("www")
    }

    /// Whether only digits stand before the ending.
    pub(in crate::front_end) fn is_number(&self) -> bool {
        let before = &self.labels[..self.labels.len() - 1];
        before.iter().all(|label| label.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

/// Reads an address with a scheme up to `end`: `None` when there is no scheme, else whether it is
/// known and was read.
pub(in crate::front_end) fn with_scheme<'a, L: Links<'a>>(r: &mut Reader<'a, L>, end: usize) -> Option<bool> {
    let (scheme, _) = scan::slice(r.t, r.at..end).split_once("://")?;
    let known = ["http", "https", "ftp", "sftp", "file"].contains(&scheme.to_lowercase().as_str());
    if known {
        spell(r, r.at + scheme.len() + 3, end);
    }
    Some(known)
}

/// Says an address or a file name: words as they are, numbers, and the signs by name.
pub(in crate::front_end) fn spell<'a, L: Links<'a>>(r: &mut Reader<'a, L>, from: usize, end: usize) {
    let end = if scan::slice(r.t, from..end).ends_with('/') { end - 1 } else { end };
    r.skip(from);
    while r.at < end {
        let Some(c) = r.char() else { break };
        let next = r.at + c.len_utf8();
        if c.is_ascii_digit() {
            let stop = scan::digits(r.t, r.at).min(end);
            let words = r.language.digits(scan::slice(r.t, r.at..stop));
            r.say(&words, stop);
        } else if c.is_alphabetic() {
            let stop = scan::letters(r.t, r.at).min(end);
            L::label(r, from, stop, end);
        } else if let Some(name) = r.language.sign(c) {
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

/// Reads letters up to `stop`, a word at each capital after a small letter, or before two of them.
pub(in crate::front_end) fn camel<'a, L: Language<'a>>(r: &mut Reader<'a, L>, stop: usize) {
    while r.at < stop {
        let mut previous = ' ';
        let mut cut = stop;
        let letters = scan::slice(r.t, r.at..stop);
        for (offset, c) in letters.char_indices() {
            // `BBCNews`: two small letters after a capital make a word, one may be a plural.
            let mut after = letters[offset..].chars().skip(1);
            let opens =
                previous.is_uppercase() && after.by_ref().take(2).filter(|c| c.is_lowercase()).count() == 2;
            if c.is_uppercase() && (previous.is_lowercase() || opens) {
                cut = r.at + offset;
                break;
            }
            previous = c;
        }
        let word = scan::slice(r.t, r.at..cut).to_owned();
        r.say(&word, cut);
    }
}

/// `@john_doe`.
pub(in crate::front_end) fn handle<'a, L: Links<'a>>(r: &mut Reader<'a, L>) -> bool {
    let mut end = name_end(r.t, r.at + 1);
    if end == r.at + 1 {
        return false;
    }
    while scan::tail(r.t, end).starts_with('.')
        && scan::char_at(r.t, end + 1).is_some_and(|c| c.is_lowercase() || c.is_ascii_digit())
    {
        end = name_end(r.t, end + 1);
    }
    let at = r.language.sign('@').unwrap_or_default();
    r.say(at, r.at + 1);
    // `@maria.silva`
    while let Some(dot) = scan::slice(r.t, r.at..end).find('.') {
        name(r, r.at + dot);
        let sign = r.language.sign('.').unwrap_or_default();
        r.say(sign, r.at + 1);
    }
    name(r, end);
    true
}

/// A handle or a tag: words at capitals, underscores and digits.
pub(in crate::front_end) fn name<'a, L: Language<'a>>(r: &mut Reader<'a, L>, end: usize) {
    while r.at < end {
        let Some(c) = r.char() else { break };
        if c.is_ascii_digit() {
            L::inside_word(r);
        } else if c.is_alphabetic() {
            let stop = scan::letters(r.t, r.at).min(end);
            camel(r, stop);
        } else {
            r.skip(r.at + c.len_utf8());
        }
    }
}
