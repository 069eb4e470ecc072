//! What XML forbids and the parser accepts: processing instructions that are named `xml` in any case or have a
//! colon in their name, declarations with unknown values, references to code points that are not characters, and
//! prefixes that cannot be declared.

use std::ops::Range;

use roxmltree::{Document, Node};

use super::{characters::extent, pieces::SsmlError};

/// Checks what the parser has taken.
pub(super) fn check(document: &Document<'_>, text: &str) -> Result<(), SsmlError> {
    let fault = |node: Node<'_, '_>| {
        if node.is_pi() {
            instruction(text, node)
        } else if node.is_text() {
            reference(text, extent(node, text))
        } else if node.is_element() {
            start_tag(text, node.range())
        } else {
            None
        }
    };
    let found = document.descendants().find_map(fault);
    let Some((byte, problem)) = found.or_else(|| declaration(text)) else { return Ok(()) };
    let position = document.text_pos_at(byte);
    let problem = format!("the text is not well-formed XML: {problem}");
    Err(SsmlError { line: position.row, column: position.col, problem })
}

/// A byte and what is wrong there.
type Fault = (usize, String);

fn instruction(text: &str, node: Node<'_, '_>) -> Option<Fault> {
    let target = node.pi()?.target;
    let after = text.get(node.range())?.strip_prefix("<?")?.strip_prefix(target)?;
    let apart = after.starts_with(char::is_whitespace) || after.starts_with("?>");
    let wrong = target.eq_ignore_ascii_case("xml") || target.contains(':') || !apart;
    wrong.then(|| (node.range().start, format!("a processing instruction cannot be named {target}")))
}

/// The first reference in a stretch to a character that XML does not have.
fn reference(text: &str, range: Range<usize>) -> Option<Fault> {
    const CDATA: &str = "<![CDATA[";
    let stretch = text.get(range.clone())?;
    let mut at = 0;
    while let Some(next) = stretch[at..].find(['&', '<']) {
        at += next;
        let rest = &stretch[at..];
        if rest.starts_with(CDATA) {
            at += rest.find("]]>").unwrap_or(rest.len());
            continue;
        }
        let number = rest.strip_prefix("&#").and_then(|rest| rest.split(';').next());
        if let Some(number) = number.filter(|number| !names_a_character(number)) {
            return Some((range.start + at, format!("&#{number}; is not a character of XML")));
        }
        at += 1;
    }
    None
}

fn names_a_character(number: &str) -> bool {
    let code = match number.strip_prefix('x') {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
        None => number.parse(),
    };
    let character = code.ok().and_then(char::from_u32);
    character.is_some_and(|c| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..))
}

/// What is wrong in the start of an element: its name, or an attribute.
fn start_tag(text: &str, element: Range<usize>) -> Option<Fault> {
    let name_end = |rest: &str| rest.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>' | '='));
    let source = text.get(element.clone())?.strip_prefix('<')?;
    if source.starts_with(':') {
        return Some((element.start, "a name cannot begin with a colon".to_owned()));
    }
    let mut rest = source[name_end(source)?..].trim_start();
    while !rest.starts_with(['/', '>']) {
        let at = element.start + 1 + source.len() - rest.len();
        let (name, after) = rest.split_at(name_end(rest)?);
        let value = after.trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next()?;
        let inside = &value[quote.len_utf8()..];
        let start = element.start + 1 + source.len() - inside.len();
        let (value, more) = inside.split_once(quote)?;
        let declares_nothing = name.starts_with("xmlns:") && value.is_empty();
        if name == "xmlns:xmlns" || declares_nothing || name.starts_with(':') {
            return Some((at, format!("the attribute {name} is not allowed here")));
        }
        if let Some(fault) = reference(text, start..start + value.len()) {
            return Some(fault);
        }
        rest = more.trim_start();
    }
    None
}

/// What is wrong in the declaration of a document.
fn declaration(text: &str) -> Option<Fault> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let (inner, _) = text[start..].strip_prefix("<?xml")?.split_once("?>")?;
    if !inner.starts_with(char::is_whitespace) {
        return None;
    }
    values(inner).find_map(|(name, value)| {
        let fits = match name {
            "version" => value.strip_prefix("1.").is_some_and(|minor| is_all(minor, |c| c.is_ascii_digit())),
            "encoding" => {
                value.starts_with(|c: char| c.is_ascii_alphabetic())
                    && is_all(value, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
            }
            _ => matches!(value, "yes" | "no"),
        };
        (!fits).then(|| (start, format!("the XML declaration cannot have {name}={value:?}")))
    })
}

fn is_all(text: &str, is: fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(is)
}

/// The names and values of a declaration, whose form the parser has checked.
fn values(declaration: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = declaration;
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next()?;
        let (value, more) = after[quote.len_utf8()..].split_once(quote)?;
        rest = more;
        Some((name.trim(), value))
    })
}
