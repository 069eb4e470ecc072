//! A look at a page before it is read: how many attributes its tags have. The tokenizer compares each attribute of a
//! tag with all before it, so that a tag of very many costs the square of their number.
//!
//! This follows the tokenizer's rules of what is a tag, a quote, a comment and a script, because each byte that one
//! takes for a quote and the other does not hides what follows. Where they could differ this counts too many.

use super::{Syntax, elements};

/// A tag has no more attributes than this.
const MOST: usize = 400;

/// Whether a tag has more attributes than any would.
pub(super) fn is_flooded(source: &str, syntax: Syntax) -> bool {
    let mut page = Page { bytes: source.as_bytes(), at: 0, syntax };
    while let Some(tag) = page.tag() {
        if tag.attributes > MOST {
            return true;
        }
    }
    false
}

/// A tag.
struct Tag {
    /// How many attributes it has, the same one twice counted twice.
    attributes: usize,
}

struct Page<'a> {
    bytes: &'a [u8],
    at: usize,
    syntax: Syntax,
}

impl Page<'_> {
    /// The next tag.
    fn tag(&mut self) -> Option<Tag> {
        loop {
            self.find(b"<")?;
            let start = self.at;
            match (self.bytes.get(start), self.bytes.get(start + 1)) {
                (Some(first), _) if first.is_ascii_alphabetic() => return Some(self.opened()),
                (Some(b'/'), Some(first)) if first.is_ascii_alphabetic() => {
                    self.at += 1;
                    self.name();
                    return Some(self.attributes().0);
                }
                (Some(b'!'), _) => self.declared(),
                (Some(b'/' | b'?'), _) => {
                    self.find(b">");
                }
                _ => {}
            }
        }
    }

    /// Behind `<!`.
    fn declared(&mut self) {
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

    /// Behind `<!--`.
    fn comment(&mut self) {
        let rest = &self.bytes[self.at..];
        if let Some(mark) = [&b">"[..], b"->"].into_iter().find(|mark| rest.starts_with(mark)) {
            self.at += mark.len();
            return;
        }
        while self.find(b"--").is_some() {
            // Of more than two dashes the last two count.
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

    /// A tag that opens, with the text behind it that is no markup.
    fn opened(&mut self) -> Tag {
        let name = self.name();
        let (tag, closed) = self.attributes();
        if closed && self.syntax == Syntax::Xhtml {
            return tag;
        }
        match name.as_slice() {
            b"script" => self.script(),
            b"plaintext" => self.at = self.bytes.len(),
            name if elements::RAW.iter().any(|raw| raw.as_bytes() == name) => self.raw(name),
            _ => {}
        }
        tag
    }

    /// The name of a tag, in lower case; no more of it than tells.
    fn name(&mut self) -> Vec<u8> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| !is_gap(*byte) && *byte != b'>') {
            self.at += 1;
        }
        self.bytes[start..self.at].iter().take(16).map(u8::to_ascii_lowercase).collect()
    }

    /// The rest of a tag, and whether it closes itself.
    fn attributes(&mut self) -> (Tag, bool) {
        let mut attributes = 0;
        loop {
            let gap = self.at;
            self.skip(is_gap);
            match self.bytes.get(self.at) {
                None => return (Tag { attributes }, false),
                Some(b'>') => {
                    let closed = self.bytes[gap..self.at].ends_with(b"/");
                    self.at += 1;
                    return (Tag { attributes }, closed);
                }
                Some(_) => {
                    attributes += 1;
                    // A sign of equality may begin a name.
                    self.at += 1;
                    self.skip(|byte| !is_gap(byte) && !matches!(byte, b'>' | b'='));
                    self.value();
                }
            }
        }
    }

    /// What may follow the name of an attribute.
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

    /// Text up to the end tag of that name.
    fn raw(&mut self, name: &[u8]) {
        while self.find(b"</").is_some() {
            if self.is_name(self.at, name) {
                self.at -= 2;
                return;
            }
        }
    }

    /// A script: its end tag is none where a comment in it has opened another script.
    fn script(&mut self) {
        let (mut hidden, mut inner) = (false, false);
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if !hidden && rest.starts_with(b"<!--") {
                // The same dashes may end what they began.
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

    /// Whether a whole name stands at a place.
    fn is_name(&self, at: usize, name: &[u8]) -> bool {
        let end = at + name.len();
        self.bytes.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && self.bytes.get(end).is_some_and(|byte| is_gap(*byte) || *byte == b'>')
    }

    /// Goes behind the next `mark`, or to the end.
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

/// What parts attributes.
fn is_gap(byte: u8) -> bool {
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

    use super::{Page, is_flooded};
    use crate::html::{Syntax, elements};

    /// What the tokenizer finds: of each tag how many attributes it has.
    struct Sink(Syntax, RefCell<Vec<usize>>);

    impl TokenSink for Sink {
        type Handle = ();

        fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
            let Token::TagToken(tag) = token else { return TokenSinkResult::Continue };
            self.1.borrow_mut().push(tag.attrs.len());
            if tag.kind == TagKind::EndTag {
                TokenSinkResult::Continue
            } else {
                elements::content(&tag, self.0)
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

    fn counted(source: &str, syntax: Syntax) -> Vec<usize> {
        let mut page = Page { bytes: source.as_bytes(), at: 0, syntax };
        std::iter::from_fn(|| page.tag()).map(|tag| tag.attributes).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// No tag escapes: for each that the tokenizer finds, this has found one with as many attributes at least. With
        /// tags that end something passed over it found fewer.
        #[test]
        fn tags_are_what_the_tokenizer_takes_for_tags(
            page in "(<(/?)(p|a|script|style|title|plaintext)[ />]|<!--|-->|--!>|--|<!|<\\?|</|<!\\[CDATA\\[|\\]\\]>|<!DOCTYPE |=|\"|'|>|<|/| |\n|!|-|a|b=|c ){0,60}",
        ) {
            for syntax in [Syntax::Html, Syntax::Xhtml] {
                let (expected, found) = (tokenized(&page, syntax), counted(&page, syntax));
                // A tag that the end of the page cuts off is none to the tokenizer.
                prop_assert!(found.len() >= expected.len() && found.len() <= expected.len() + 1, "{expected:?} {found:?}");
                for (expected, found) in expected.iter().zip(&found) {
                    prop_assert!(found >= expected, "{:?}: {:?} {:?}", page, expected, found);
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
