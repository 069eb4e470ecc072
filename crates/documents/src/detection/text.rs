//! Tells HTML, FictionBook, flat `OpenDocument` files, Markdown and plain text apart. Text is Markdown
//! only if it clearly is: reading a star aloud is a smaller mistake than dropping one that the author
//! wrote.

use crate::{Kind, decoding};

/// How many bytes of the file are inspected.
const SNIFF_BYTES: usize = 256 << 10;

/// A flat `OpenDocument` file declares dozens of namespaces in its first tag.
const MAX_ROOT_TAG_BYTES: usize = 8_192;

/// The kind of a text; `None` if the bytes are not text.
pub(super) fn kind(head: &[u8]) -> Option<Kind> {
    let head = &head[..head.len().min(SNIFF_BYTES)];
    let text = decoding::markup(whole_characters(head));
    if !is_text(&text) {
        return None;
    }
    Some(match markup(&text) {
        Some(Markup::Html) => Kind::Html,
        Some(Markup::FictionBook) => Kind::Fb2,
        Some(Markup::OpenDocument) => Kind::Odt,
        Some(Markup::Other) => return None,
        None if is_markdown(&text) => Kind::Markdown,
        None => Kind::PlainText,
    })
}

/// The bytes without an incomplete UTF-8 character at the end.
fn whole_characters(head: &[u8]) -> &[u8] {
    match std::str::from_utf8(head) {
        Err(error) if error.error_len().is_none() => &head[..error.valid_up_to()],
        _ => head,
    }
}

/// Whether decoded bytes are text: no zeros and hardly any control characters. One or two are
/// allowed in a line or more.
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
    FictionBook,
    /// Text in one flat file.
    OpenDocument,
    Other,
}

/// Whether a text starts like HTML, or like other XML.
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
        // The comment is longer than the inspected bytes.
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
    if tag == "fictionbook" {
        return Some(Markup::FictionBook);
    }
    if rest.starts_with("<office:document ") {
        let start = &rest[..rest.floor_char_boundary(MAX_ROOT_TAG_BYTES)];
        let tag = start.split_once('>').map_or(start, |(tag, _)| tag);
        let is_text = tag.contains("mimetype=\"application/vnd.oasis.opendocument.text\"");
        return Some(if is_text { Markup::OpenDocument } else { Markup::Other });
    }
    if tag == "html" || (HTML_TAGS.contains(&tag.as_str()) && closes_a_tag(rest)) {
        return Some(Markup::Html);
    }
    xml.then_some(Markup::Other)
}

/// Tags that may start an HTML fragment.
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

/// Whether a text is clearly Markdown: it has two signs that rarely occur elsewhere. Stars around
/// words, dashes before lines and underlined headings are as common in plain text, so they do not
/// count.
fn is_markdown(text: &str) -> bool {
    let mut signs = 0;
    if front_matter(text) {
        signs += 2;
    }
    let mut before = "";
    let mut lines = text.lines().map(str::trim_end).peekable();
    while let Some(line) = lines.next() {
        let blank_before = before.is_empty();
        let blank_after = lines.peek().is_none_or(|next| next.is_empty());
        if is_heading(line) && blank_before {
            signs += if blank_after { 2 } else { 1 };
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

/// Counts `[words](target)` whose target looks like a link.
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

/// In plain text, `[word](/wɜːd/)` gives a pronunciation.
fn is_pronunciation(target: &str) -> bool {
    target.split(')').next().is_some_and(|target| {
        target.len() > 2
            && target.starts_with('/')
            && target.ends_with('/')
            && !target[1..target.len() - 1].contains('/')
    })
}
