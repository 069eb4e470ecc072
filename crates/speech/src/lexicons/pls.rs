//! The W3C's Pronunciation Lexicon Specification 1.0: an XML file of lexemes.

use roxmltree::{Document, Node, ParsingOptions};

use super::{Entry, Said};

/// Why a file is not such a lexicon.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct PlsError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub problem: String,
}

/// The most nodes of a file: a lexeme with two spellings and white space has a dozen.
const MOST_NODES: u32 = 40 * super::MOST_ENTRIES as u32;

const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// The entries of a file, one for each grapheme, and the language that it names.
///
/// # Errors
/// [`PlsError`], when it is not well-formed, no lexicon, or in an alphabet that is not known here.
pub fn from_pls(text: &str) -> Result<(Option<String>, Vec<Entry>), PlsError> {
    if let Some(at) = flooded(text) {
        let before = &text[..at];
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.lines().next_back().map_or(0, |last| last.chars().count()) as u32 + 1;
        let problem = format!("the element has more than {MOST_ATTRIBUTES} attributes");
        return Err(PlsError { line, column, problem });
    }
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let position = error.pos();
        let problem = match error {
            roxmltree::Error::NodesLimitReached => {
                format!("the file is too large: a lexicon has at most {} entries", super::MOST_ENTRIES)
            }
            _ => format!("the file is not well-formed XML: {error}"),
        };
        PlsError { line: position.row, column: position.col, problem }
    })?;
    let root = document.root_element();
    let wrong = |node: Node<'_, '_>, problem: String| {
        let position = document.text_pos_at(node.range().start);
        PlsError { line: position.row, column: position.col, problem }
    };
    if root.tag_name().name() != "lexicon" {
        return Err(wrong(root, format!("the root element must be lexicon, not {}", root.tag_name().name())));
    }
    let alphabet = root.attribute("alphabet").unwrap_or("ipa");
    let mut entries = Vec::new();
    for lexeme in root.children().filter(|child| child.has_tag_name_of("lexeme")) {
        let said = said(lexeme, alphabet).map_err(|(node, problem)| wrong(node, problem))?;
        let mut graphemes = lexeme.children().filter(|child| child.has_tag_name_of("grapheme")).peekable();
        if graphemes.peek().is_none() {
            return Err(wrong(lexeme, "the lexeme has no grapheme".to_owned()));
        }
        // Checked here, because a file of a few megabytes can say a long text in place of many words.
        let (Said::Ipa(text) | Said::XSampa(text) | Said::Alias(text)) = &said;
        let mut longest = text.len();
        for grapheme in graphemes {
            if entries.len() >= super::MOST_ENTRIES {
                let problem = format!("the file has more than {} entries", super::MOST_ENTRIES);
                return Err(wrong(lexeme, problem));
            }
            let word = words(grapheme);
            longest = longest.max(word.len());
            // No character has more than four bytes; the entry is checked exactly later.
            if longest > 4 * super::LONGEST_ENTRY {
                let problem = format!("an entry may have {} characters", super::LONGEST_ENTRY);
                return Err(wrong(lexeme, problem));
            }
            entries.push(Entry { word, said: said.clone() });
        }
    }
    Ok((root.attribute((XML, "lang")).map(str::to_owned), entries))
}

/// The most attributes of an element. The parser compares each of them with all others.
const MOST_ATTRIBUTES: usize = 100;

/// Where an element has too many attributes.
fn flooded(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let skipped =
        |at: usize, end: &str| text[at..].find(end).map_or(bytes.len(), |found| at + found + end.len());
    let mut at = 0;
    while let Some(open) = text[at..].find('<').map(|found| at + found) {
        at = match &bytes[open..] {
            [b'<', b'!', b'-', b'-', ..] => skipped(open + 4, "-->"),
            [b'<', b'!', b'[', ..] => skipped(open + 3, "]]>"),
            [b'<', b'?', ..] => skipped(open + 2, "?>"),
            _ => {
                let (mut attributes, mut quote, mut end) = (0, None, open + 1);
                while let Some(&byte) = bytes.get(end) {
                    match (quote, byte) {
                        (Some(open), byte) if byte == open => quote = None,
                        (None, b'"' | b'\'') => quote = Some(byte),
                        (None, b'>') => break,
                        (None, b'=') => attributes += 1,
                        _ => {}
                    }
                    if attributes > MOST_ATTRIBUTES {
                        return Some(open);
                    }
                    end += 1;
                }
                end
            }
        };
    }
    None
}

/// What a lexeme says: the pronunciation or alias that it prefers, or its first.
fn said<'a, 'input>(lexeme: Node<'a, 'input>, alphabet: &str) -> Result<Said, (Node<'a, 'input>, String)> {
    let says = |node: &Node<'_, '_>| node.has_tag_name_of("phoneme") || node.has_tag_name_of("alias");
    let is_preferred = |node: &Node<'_, '_>| node.attribute("prefer") == Some("true");
    let mut all = lexeme.children().filter(says);
    let preferred = lexeme.children().filter(says).find(is_preferred).or_else(|| all.next());
    let Some(node) = preferred else {
        return Err((lexeme, "the lexeme has no phoneme and no alias".to_owned()));
    };
    if node.has_tag_name_of("alias") {
        return Ok(Said::Alias(words(node)));
    }
    match node.attribute("alphabet").unwrap_or(alphabet) {
        "ipa" => Ok(Said::Ipa(words(node))),
        name if name.eq_ignore_ascii_case("x-sampa") => Ok(Said::XSampa(words(node))),
        other => Err((node, format!("the alphabet {other:?} is not known; there are ipa and x-sampa"))),
    }
}

/// The text of a node in one line.
fn words(node: Node<'_, '_>) -> String {
    let text: String = node.descendants().filter(Node::is_text).filter_map(|text| text.text()).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

trait NodeExt {
    /// Whether it is an element of this name, in the format's name space or none.
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl NodeExt for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lexicon_has_an_entry_for_each_grapheme() {
        let text = r#"<?xml version="1.0" encoding="UTF-8"?>
            <lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa" xml:lang="en-US">
              <lexeme><grapheme>judgment</grapheme><grapheme>judgement</grapheme><phoneme>ˈdʒʌdʒ.mənt</phoneme></lexeme>
              <lexeme><grapheme>W3C</grapheme><alias>World Wide Web Consortium</alias></lexeme>
              <lexeme><grapheme>read</grapheme><phoneme>ɹiːd</phoneme><phoneme prefer="true" alphabet="x-sampa">rEd</phoneme></lexeme>
            </lexicon>"#;
        let (language, entries) = from_pls(text).unwrap();
        assert_eq!(language.as_deref(), Some("en-US"));
        let entry = |word: &str, said: Said| Entry { word: word.to_owned(), said };
        assert_eq!(
            entries,
            [
                entry("judgment", Said::Ipa("ˈdʒʌdʒ.mənt".to_owned())),
                entry("judgement", Said::Ipa("ˈdʒʌdʒ.mənt".to_owned())),
                entry("W3C", Said::Alias("World Wide Web Consortium".to_owned())),
                entry("read", Said::XSampa("rEd".to_owned())),
            ]
        );
    }

    // Not seen to fail yet: without the limits, the first should take terabytes and the last one hours.
    #[test]
    fn a_file_that_floods_is_refused_at_once() {
        let lexicon = |inside: &str| format!("<lexicon alphabet=\"ipa\">{inside}</lexicon>");
        let phoneme = |text: &str| format!("<phoneme>{text}</phoneme>");
        let many = "<grapheme>a</grapheme>".repeat(20_000);
        let attributes: Vec<String> = (0..200_000).map(|at| format!("a{at}=\"\"")).collect();
        let attributes = attributes.join(" ");
        for (text, expected) in [
            (
                lexicon(&format!("<lexeme>{many}{}</lexeme>", phoneme(&"a".repeat(1_000_000)))),
                "may have 1000 characters",
            ),
            (lexicon(&format!("<lexeme>{many}{}</lexeme>", phoneme("a"))), "more than 10000 entries"),
            (
                lexicon(&format!("<lexeme><grapheme>a</grapheme>{}</lexeme>", phoneme("a")).repeat(100_000)),
                "the file is too large: a lexicon has at most 10000 entries",
            ),
            (format!("<!-- don't --><?x '?><lexicon {attributes}/>"), "more than 100 attributes"),
        ] {
            let refused = from_pls(&text).unwrap_err().to_string();
            assert!(refused.contains(expected), "{refused}");
        }
    }

    #[test]
    fn other_files_and_alphabets_are_refused_with_their_place() {
        for (text, expected) in [
            ("<lexicon", "not well-formed"),
            ("<!DOCTYPE x [<!ENTITY a 'b'>]><lexicon/>", "not well-formed"),
            ("<speak/>", "the root element must be lexicon"),
            ("<lexicon><lexeme><phoneme>a</phoneme></lexeme></lexicon>", "has no grapheme"),
            ("<lexicon><lexeme><grapheme>a</grapheme></lexeme></lexicon>", "no phoneme and no alias"),
            (
                "<lexicon alphabet=\"x-cmu\"><lexeme><grapheme>a</grapheme><phoneme>AH0</phoneme></lexeme></lexicon>",
                "the alphabet \"x-cmu\" is not known",
            ),
        ] {
            let refused = from_pls(text).unwrap_err().to_string();
            assert!(refused.contains(expected), "{text}: {refused}");
        }
    }
}
