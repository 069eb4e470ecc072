//! Text: HTML, Markdown or plain. Markdown only where it clearly is: reading a star aloud is a small fault, swallowing
//! one that the author wrote is a larger one.

use crate::{Kind, decoding};

/// So many bytes are looked at.
const LOOKED_AT: usize = 256 << 10;

/// The kind of a text; `None` when the bytes are no text.
pub(super) fn kind(head: &[u8]) -> Option<Kind> {
    let head = &head[..head.len().min(LOOKED_AT)];
    let text = decoding::markup(whole_characters(head));
    if !is_text(&text) {
        return None;
    }
    Some(match markup(&text) {
        Some(Markup::Html) => Kind::Html,
        Some(Markup::Other) => return None,
        None if is_markdown(&text) => Kind::Markdown,
        None => Kind::PlainText,
    })
}

/// The bytes without a UTF-8 character that the end cuts in two.
fn whole_characters(head: &[u8]) -> &[u8] {
    match std::str::from_utf8(head) {
        Err(error) if error.error_len().is_none() => &head[..error.valid_up_to()],
        _ => head,
    }
}

/// Whether decoded bytes are a text: no zeros, next to no control characters; a stray one or two in any line or more.
fn is_text(text: &str) -> bool {
    let (mut strange, mut all) = (0_usize, 0_usize);
    for c in text.chars() {
        all += 1;
        match c {
            '\0' => return false,
            '\n' | '\r' | '\t' | '\u{C}' | '\u{B}' | '\u{1A}' | '\u{1B}' | '\u{85}' => {}
            c if c.is_control() || c == char::REPLACEMENT_CHARACTER => strange += 1,
            _ => {}
        }
    }
    strange * 50 <= all || (strange <= 2 && all >= 20)
}

enum Markup {
    Html,
    Other,
}

/// Whether a text starts as HTML does, or as XML that is something else.
fn markup(text: &str) -> Option<Markup> {
    let mut rest = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    let mut xml = false;
    loop {
        let skipped = if rest.starts_with("<!--") {
            rest.find("-->").map(|end| end + 3)
        } else if rest.starts_with("<?") {
            xml = true;
            rest.find("?>").map(|end| end + 2)
        } else {
            break;
        };
        // A comment longer than what is looked at.
        let Some(skipped) = skipped else { return Some(if xml { Markup::Other } else { Markup::Html }) };
        rest = rest[skipped..].trim_start();
    }
    let name = |rest: &str, lead: &str| -> String {
        let rest = rest.get(lead.len()..).unwrap_or_default();
        rest.chars().take_while(char::is_ascii_alphanumeric).take(12).collect::<String>().to_ascii_lowercase()
    };
    if rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype")) {
        let of = rest[9..].trim_start().get(..4).unwrap_or_default();
        return Some(if of.eq_ignore_ascii_case("html") { Markup::Html } else { Markup::Other });
    }
    if !rest.starts_with('<') {
        return None;
    }
    let tag = name(rest, "<");
    if tag == "html" || (HTML_TAGS.contains(&tag.as_str()) && closes_a_tag(rest)) {
        return Some(Markup::Html);
    }
    xml.then_some(Markup::Other)
}

/// What a fragment of HTML may start with.
const HTML_TAGS: &[&str] = &[
    "head",
    "body",
    "title",
    "meta",
    "link",
    "style",
    "script",
    "base",
    "main",
    "article",
    "section",
    "header",
    "nav",
    "aside",
    "footer",
    "div",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "dl",
    "table",
    "blockquote",
    "pre",
    "figure",
    "span",
    "a",
    "b",
    "i",
    "em",
    "strong",
    "center",
    "font",
    "img",
    "hr",
    "br",
];

fn closes_a_tag(text: &str) -> bool {
    text.contains("</") || text.contains("/>") || text.contains("<p>") || text.contains("<br>")
}

/// Whether a text is clearly Markdown: two signs that hardly stand in anything else. Stars around words, dashes before
/// lines and underlined headings stand in plain text just as well, and count for nothing.
fn is_markdown(text: &str) -> bool {
    let mut signs = 0;
    if front_matter(text) {
        signs += 2;
    }
    let mut before = "";
    let mut lines = text.lines().map(str::trim_end).peekable();
    while let Some(line) = lines.next() {
        let blank_before = before.is_empty();
        let blank_behind = lines.peek().is_none_or(|next| next.is_empty());
        if is_heading(line) && blank_before {
            signs += if blank_behind { 2 } else { 1 };
        } else if (line.starts_with("```") || line.starts_with("~~~"))
            && line[3..].chars().all(|c| c.is_ascii_alphanumeric())
            || (is_table_rule(line) && before.contains('|'))
        {
            signs += 2;
        }
        signs += links(line) * 2;
        if signs >= 2 {
            return true;
        }
        before = line;
    }
    false
}

fn front_matter(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{FEFF}').lines();
    lines.next().is_some_and(|line| line.trim_end() == "---")
        && lines.clone().next().is_some_and(|line| line.contains(':'))
        && lines.take(100).any(|line| line.trim_end() == "---")
}

/// `# Title`, not `#tag`, not `#!/bin/sh`, not `# # #`.
fn is_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|&byte| byte == b'#').count();
    (1..=6).contains(&level)
        && line[level..].starts_with(' ')
        && line[level..].chars().any(char::is_alphanumeric)
}

fn is_table_rule(line: &str) -> bool {
    line.contains("---") && line.contains('|') && line.bytes().all(|byte| b"|-: ".contains(&byte))
}

/// `[words](target)`, where the target looks like one.
fn links(line: &str) -> usize {
    line.match_indices("](")
        .filter(|(at, _)| {
            let target = &line[at + 2..];
            let looks = ["http://", "https://", "#", "/", "./", "../", "mailto:"]
                .iter()
                .any(|start| target.starts_with(start))
                || target
                    .split(')')
                    .next()
                    .is_some_and(|target| target.contains('.') && !target.contains(' '));
            looks && target.contains(')') && line[..*at].contains('[') && !is_pronunciation(target)
        })
        .count()
}

/// `[word](/wɜːd/)` gives a pronunciation in plain text.
fn is_pronunciation(target: &str) -> bool {
    target.split(')').next().is_some_and(|target| {
        target.len() > 2
            && target.starts_with('/')
            && target.ends_with('/')
            && !target[1..target.len() - 1].contains('/')
    })
}
