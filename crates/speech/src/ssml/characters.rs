//! The text of an XML document: which of it is said, and where each of its characters stands.

use std::ops::Range;

use roxmltree::Node;

/// How many empty elements between two blocks are looked over: a text of nothing else takes no longer.
const MOST_SKIPPED: usize = 16;

/// Whether a text is only the white space that separates paragraphs and sentences in the file.
pub(super) fn is_between_blocks(text: Node<'_, '_>) -> bool {
    let is_space = text.text().is_some_and(|text| text.chars().all(char::is_whitespace));
    let mut neighbors = [beside(text, |node| node.prev_sibling()), beside(text, |node| node.next_sibling())]
        .into_iter()
        .flatten();
    is_space && neighbors.any(is_block)
}

/// The nearest element or text on one side that is neither a comment nor an empty element.
fn beside<'a, 'input>(
    node: Node<'a, 'input>,
    next: fn(Node<'a, 'input>) -> Option<Node<'a, 'input>>,
) -> Option<Node<'a, 'input>> {
    let skipped = |node: &Node<'_, '_>| {
        let is_space = || node.text().is_some_and(|text| text.chars().all(char::is_whitespace));
        node.is_comment()
            || node.is_pi()
            || (node.is_text() && is_space())
            || matches!(node.tag_name().name(), "break" | "mark")
    };
    let mut at = next(node);
    for _ in 0..MOST_SKIPPED {
        match at.filter(&skipped) {
            Some(found) => at = next(found),
            None => break,
        }
    }
    at
}

/// Whether an element is a paragraph or a sentence, or contains one.
fn is_block(node: Node<'_, '_>) -> bool {
    node.is_element() && node.descendants().any(|inner| matches!(inner.tag_name().name(), "p" | "s"))
}

/// The bytes of a node. The parser makes one node of text and the CDATA beside it, and says the bytes of
/// the first part only: a text reaches to the next node or to the end of its element.
pub(super) fn extent(node: Node<'_, '_>, text: &str) -> Range<usize> {
    let range = node.range();
    if !node.is_text() {
        return range;
    }
    let next = node.next_sibling().map(|next| next.range().start);
    let end = || {
        let parent = node.parent()?.range();
        Some(parent.start + text.get(parent)?.rfind("</")?)
    };
    range.start..next.or_else(end).unwrap_or(range.end)
}

/// The characters of a text node as they stand in the document, and each entity by itself.
pub(super) fn runs(text: &str, range: Range<usize>) -> Vec<(Range<usize>, Option<char>)> {
    const OPENS: &str = "<![CDATA[";
    let mut runs = Vec::new();
    let mut put = |range: Range<usize>, character: Option<char>| {
        if !range.is_empty() {
            runs.push((range, character));
        }
    };
    let (mut at, mut from) = (range.start, range.start);
    while at < range.end {
        let rest = &text[at..range.end];
        if let Some(inner) = rest.strip_prefix(OPENS) {
            put(from..at, None);
            let length = inner.find("]]>").unwrap_or(inner.len());
            let start = at + OPENS.len();
            put(start..start + length, None);
            at = (start + length + "]]>".len()).min(range.end);
            from = at;
        } else if rest.starts_with("\r\n") {
            // The parser makes one character of the two.
            put(from..at, None);
            at += 1;
            from = at;
        } else if let Some((length, character)) = entity(rest) {
            put(from..at, None);
            put(at..at + length, Some(character));
            at += length;
            from = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    put(from..range.end, None);
    runs
}

/// The entity at the start of a text: its length and what it stands for. The parser has checked it.
fn entity(text: &str) -> Option<(usize, char)> {
    let inner = text.strip_prefix('&')?;
    let name = &inner[..inner.find(';')?];
    let character = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((name.len() + 2, character))
}
