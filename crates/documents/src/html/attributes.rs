//! Counts the attributes of a page's tags before it is read. The tokenizer compares each attribute
//! with all before it, so a tag with very many takes quadratic time.
//!
//! This follows the tokenizer's rules for tags, quotes, comments and scripts: a byte that only one
//! of the two takes for a quote would hide everything after it. Where the two could differ, this
//! counts too many.

use super::{elements, syntax::Syntax};

const MAX_ATTRIBUTES: usize = 400;

/// Whether a tag has too many attributes.
pub(super) fn is_flooded(source: &str, syntax: Syntax) -> bool {
    let mut scanner = Scanner { bytes: source.as_bytes(), at: 0, syntax };
    while let Some(tag) = scanner.tag() {
        if tag.attributes > MAX_ATTRIBUTES {
            return true;
        }
    }
    false
}

struct Tag {
    /// The number of attributes, including repeated ones.
    attributes: usize,
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    syntax: Syntax,
}

impl Scanner<'_> {
    fn tag(&mut self) -> Option<Tag> {
        loop {
            self.find(b"<")?;
            let start = self.at;
            match (self.bytes.get(start), self.bytes.get(start + 1)) {
                (Some(first), _) if first.is_ascii_alphabetic() => return Some(self.start_tag()),
                (Some(b'/'), Some(first)) if first.is_ascii_alphabetic() => {
                    self.at += 1;
                    self.name();
                    return Some(self.attributes().0);
                }
                (Some(b'!'), _) => self.declaration(),
                (Some(b'/' | b'?'), _) => {
                    self.find(b">");
                }
                _ => {}
            }
        }
    }

    /// Skips a comment, a CDATA section or a declaration, from its exclamation mark on.
    fn declaration(&mut self) {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"!--") {
            self.at += 3;
            self.comment();
        } else if rest.starts_with(b"![CDATA[") && self.syntax == Syntax::Xhtml {
            self.find(b"]]>");
        } else {
            self.find(b">");
        }
    }

    /// Skips the rest of a comment after `<!--`.
    fn comment(&mut self) {
        let rest = &self.bytes[self.at..];
        if let Some(mark) = [&b">"[..], b"->"].into_iter().find(|mark| rest.starts_with(mark)) {
            self.at += mark.len();
            return;
        }
        while self.find(b"--").is_some() {
            // The last two of several dashes count.
            while self.bytes.get(self.at) == Some(&b'-') {
                self.at += 1;
            }
            let rest = &self.bytes[self.at..];
            if let Some(mark) = [&b">"[..], b"!>"].into_iter().find(|mark| rest.starts_with(mark)) {
                self.at += mark.len();
                return;
            }
        }
    }

    /// A start tag with the raw text after it, if any.
    fn start_tag(&mut self) -> Tag {
        let name = self.name();
        let (tag, closed) = self.attributes();
        if closed && self.syntax == Syntax::Xhtml {
            return tag;
        }
        match name.as_slice() {
            b"script" => self.script(),
            b"plaintext" => self.at = self.bytes.len(),
            name if elements::RAW.iter().any(|raw_text| raw_text.as_bytes() == name) => self.raw_text(name),
            _ => {}
        }
        tag
    }

    /// The name of a tag in lower case, cut where it cannot match any more.
    fn name(&mut self) -> Vec<u8> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| !is_separator(*byte) && *byte != b'>') {
            self.at += 1;
        }
        self.bytes[start..self.at].iter().take(16).map(u8::to_ascii_lowercase).collect()
    }

    /// The rest of a tag, and whether it is self-closing.
    fn attributes(&mut self) -> (Tag, bool) {
        let mut attributes = 0;
        loop {
            let gap = self.at;
            self.skip(is_separator);
            match self.bytes.get(self.at) {
                None => return (Tag { attributes }, false),
                Some(b'>') => {
                    let closed = self.bytes[gap..self.at].ends_with(b"/");
                    self.at += 1;
                    return (Tag { attributes }, closed);
                }
                Some(_) => {
                    attributes += 1;
                    // A name may start with an equals sign.
                    self.at += 1;
                    self.skip(|byte| !is_separator(byte) && !matches!(byte, b'>' | b'='));
                    self.value();
                }
            }
        }
    }

    /// The value of an attribute, if it has one.
    fn value(&mut self) {
        self.skip(|byte| byte.is_ascii_whitespace());
        if self.bytes.get(self.at) != Some(&b'=') {
            return;
        }
        self.at += 1;
        self.skip(|byte| byte.is_ascii_whitespace());
        match self.bytes.get(self.at).copied() {
            Some(quote @ (b'"' | b'\'')) => {
                self.at += 1;
                self.find(&[quote]);
            }
            _ => self.skip(|byte| !byte.is_ascii_whitespace() && byte != b'>'),
        }
    }

    /// Skips text up to the end tag of that name.
    fn raw_text(&mut self, name: &[u8]) {
        while self.find(b"</").is_some() {
            if self.is_name(self.at, name) {
                self.at -= 2;
                return;
            }
        }
    }

    /// Skips a script. An end tag does not count where a comment has opened another script.
    fn script(&mut self) {
        let (mut hidden, mut inner) = (false, false);
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if !hidden && rest.starts_with(b"<!--") {
                // The same dashes may end the comment that they start.
                self.at += 2;
                hidden = true;
            } else if hidden && rest.starts_with(b"-->") {
                self.at += 3;
                (hidden, inner) = (false, false);
            } else if rest.starts_with(b"</") && self.is_name(self.at + 2, b"script") {
                if !inner {
                    return;
                }
                inner = false;
                self.at += 2;
            } else if hidden && !inner && rest.starts_with(b"<") && self.is_name(self.at + 1, b"script") {
                inner = true;
                self.at += 1;
            } else {
                self.at += 1;
            }
        }
    }

    /// Whether this name, and not a longer one, is at a position.
    fn is_name(&self, at: usize, name: &[u8]) -> bool {
        let end = at + name.len();
        self.bytes.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && self.bytes.get(end).is_some_and(|byte| is_separator(*byte) || *byte == b'>')
    }

    /// Moves to after the next `mark`, or to the end.
    fn find(&mut self, mark: &[u8]) -> Option<()> {
        while let Some(place) = self.bytes[self.at..].iter().position(|byte| *byte == mark[0]) {
            self.at += place;
            if self.bytes[self.at..].starts_with(mark) {
                self.at += mark.len();
                return Some(());
            }
            self.at += 1;
        }
        self.at = self.bytes.len();
        None
    }

    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|byte| is_skipped(*byte)) {
            self.at += 1;
        }
    }
}

fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'/'
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use html5ever::{
        buffer_queue::BufferQueue,
        tendril::StrTendril,
        tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
    };
    use proptest::prelude::*;

    use super::{Scanner, is_flooded};
    use crate::html::{elements, syntax::Syntax};

    /// The number of attributes of each tag that the tokenizer finds.
    struct Sink(Syntax, RefCell<Vec<usize>>);

    impl TokenSink for Sink {
        type Handle = ();

        fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
            let Token::TagToken(tag) = token else { return TokenSinkResult::Continue };
            self.1.borrow_mut().push(tag.attrs.len());
            if tag.kind == TagKind::EndTag {
                TokenSinkResult::Continue
            } else {
                elements::content_model(&tag, self.0)
            }
        }

        fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
            self.0 == Syntax::Xhtml
        }
    }

    fn tokenized(source: &str, syntax: Syntax) -> Vec<usize> {
        let tokenizer = Tokenizer::new(Sink(syntax, RefCell::default()), TokenizerOpts::default());
        let queue = BufferQueue::default();
        queue.push_back(StrTendril::from_slice(source));
        let _ = tokenizer.feed(&queue);
        tokenizer.end();
        tokenizer.sink.1.into_inner()
    }

    fn item_counts(source: &str, syntax: Syntax) -> Vec<usize> {
        let mut scanner = Scanner { bytes: source.as_bytes(), at: 0, syntax };
        std::iter::from_fn(|| scanner.tag()).map(|tag| tag.attributes).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// For each tag of the tokenizer, the scanner finds one with at least as many attributes.
        /// Negative control: when the scanner skipped the tags that end raw text, it found fewer.
        #[test]
        fn tags_are_what_the_tokenizer_takes_for_tags(
            scanner in "(<(/?)(p|a|script|style|title|plaintext)[ />]|<!--|-->|--!>|--|<!|<\\?|</|<!\\[CDATA\\[|\\]\\]>|<!DOCTYPE |=|\"|'|>|<|/| |\n|!|-|a|b=|c ){0,60}",
        ) {
            for syntax in [Syntax::Html, Syntax::Xhtml] {
                let (expected, found) = (tokenized(&scanner, syntax), item_counts(&scanner, syntax));
                // The tokenizer drops a tag that is cut off by the end of the page.
                prop_assert!(found.len() >= expected.len() && found.len() <= expected.len() + 1, "{expected:?} {found:?}");
                for (expected, found) in expected.iter().zip(&found) {
                    prop_assert!(found >= expected, "{:?}: {:?} {:?}", scanner, expected, found);
                }
            }
        }
    }

    #[test]
    fn quotes_comments_and_scripts_hide_no_flood() {
        let flood = (0..500).fold(String::new(), |flood, n| flood + " a" + &n.to_string());
        for before in [
            "<p",
            "</p",
            "<p x= \">\"",
            "<p x =\n'>'",
            "<p x==\"><p",
            "<p \"><p x=\"\"",
            "<!--<p x=\"--><p",
            "<!--><p",
            "<!x=\"><p",
            "<?x=\"><p",
            "<script>\"<p x='\"</script",
            "<script><!--<script>x='</script>--></script><p",
            "<style>a<b x='</style><p",
            "<title><p x='</title ",
        ] {
            assert!(is_flooded(&format!("{before}{flood}>"), Syntax::Html), "{before}");
        }
        for plain in [
            format!("<p title=\"{flood}\">"),
            format!("<p title = '{flood}'>"),
            format!("<script>if (a <b {flood}) </script>"),
            format!("<!-- <p {flood}> -->"),
            format!("<style><p {flood}></style>"),
            "<p a=1 b='2' c>".repeat(500),
        ] {
            assert!(!is_flooded(&plain, Syntax::Html), "{plain}");
        }
    }
}
