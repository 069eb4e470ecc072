//! An XHTML document with the positions of its tags and words, so that elements can be put around
//! words while every other byte stays as it is.

use std::ops::Range;

use quick_xml::{
    Reader,
    escape::resolve_html5_entity,
    events::{BytesStart, Event},
};

use super::tokens::{Token, Tokens};

/// More than a document has; each open element takes memory.
const MAX_DEPTH: usize = 4_000;

const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// A document that elements can be added to.
pub(super) struct Document {
    /// The words of the text that elements can be put around.
    pub(super) tokens: Vec<Token>,
    /// In order.
    pub(super) tags: Vec<Tag>,
    /// Stretches of such text without tags.
    pub(super) runs: Vec<Range<usize>>,
    /// The position of `</head>`.
    pub(super) head_end: usize,
    /// A start of ids that no id of the document has.
    pub(super) id_prefix: String,
    /// Its ids, with the token that follows each.
    pub(super) places: Vec<(String, usize)>,
}

pub(super) struct Tag {
    pub(super) range: Range<usize>,
    pub(super) kind: TagKind,
    pub(super) content: Content,
    /// The position of the other tag of the element.
    pub(super) partner: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagKind {
    Open,
    Close,
    Empty,
}

/// What an element is, for a `span` in it and around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Phrasing content, whose text may be in a `span`, and which may be in one itself.
    Phrase,
    /// As `Phrase`, but words do not go on over its tags.
    Separate,
    /// Takes text only, and may be in a `span` itself.
    Text,
    /// A block whose text may be in a `span`.
    Block,
    /// Holds blocks, and no text.
    Frame,
    /// Pronunciations of `ruby`: nothing in it is touched. It may be in a `span` with its `ruby`.
    Annotation,
    /// Nothing in it is touched, nor is it in a `span`.
    Closed,
}

fn content(name: &str) -> Content {
    match name {
        "a" | "abbr" | "b" | "bdi" | "bdo" | "cite" | "code" | "data" | "del" | "dfn" | "em" | "i"
        | "ins" | "kbd" | "mark" | "q" | "s" | "samp" | "small" | "span" | "strong" | "time" | "u"
        | "var" | "wbr" => Content::Phrase,
        "sub" | "sup" | "ruby" | "br" | "img" | "rb" => Content::Separate,
        "rt" | "rp" | "rtc" => Content::Annotation,
        "body" | "div" | "section" | "article" | "aside" | "header" | "footer" | "main" | "p" | "h1"
        | "h2" | "h3" | "h4" | "h5" | "h6" | "blockquote" | "li" | "dd" | "dt" | "td" | "th" | "caption"
        | "figure" | "figcaption" | "address" | "pre" | "details" | "summary" => Content::Block,
        "html" | "ul" | "ol" | "dl" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "hgroup" => {
            Content::Frame
        }
        _ => Content::Closed,
    }
}

impl Document {
    /// `None` when the document is not well-formed, not XHTML or has no head.
    pub(super) fn parse(source: &str) -> Option<Self> {
        let mut parser = Parser {
            source,
            tokens: Tokens::default(),
            tags: Vec::new(),
            runs: Vec::new(),
            open: Vec::new(),
            head_end: None,
            ids: Vec::new(),
            places: Vec::new(),
        };
        parser.parse()?;
        let mut id_prefix = "lt".to_owned();
        while parser.ids.iter().any(|id| id.starts_with(&id_prefix)) {
            id_prefix.push('t');
        }
        Some(Self {
            tokens: parser.tokens.list,
            tags: parser.tags,
            runs: parser.runs,
            head_end: parser.head_end?,
            id_prefix,
            places: parser.places,
        })
    }
}

struct Parser<'a> {
    source: &'a str,
    tokens: Tokens,
    tags: Vec<Tag>,
    runs: Vec<Range<usize>>,
    /// Open elements: the position of the tag, and whether text in it may be in a `span`.
    open: Vec<(usize, bool)>,
    head_end: Option<usize>,
    /// Ids that begin as ours do.
    ids: Vec<String>,
    places: Vec<(String, usize)>,
}

impl Parser<'_> {
    fn parse(&mut self) -> Option<()> {
        let bom = if self.source.starts_with('\u{FEFF}') { 3 } else { 0 };
        let mut reader = Reader::from_str(&self.source[bom..]);
        reader.config_mut().check_end_names = true;
        reader.config_mut().allow_unmatched_ends = false;
        loop {
            let start = bom + usize::try_from(reader.buffer_position()).ok()?;
            let event = reader.read_event().ok()?;
            let end = bom + usize::try_from(reader.buffer_position()).ok()?;
            let range = start..end;
            match event {
                Event::Start(tag) | Event::Empty(tag) => {
                    let is_empty = self.source[..end].ends_with("/>");
                    self.start(&tag, range, is_empty)?;
                }
                Event::End(_) => self.end(range)?,
                Event::Text(_) => self.text(range),
                Event::GeneralRef(name) => {
                    let c = match name.resolve_char_ref() {
                        Ok(Some(c)) => Some(c),
                        Ok(None) => resolve_html5_entity(&name).and_then(|text| text.chars().next()),
                        Err(_) => return None,
                    };
                    self.character(c.unwrap_or(' '), range);
                }
                Event::CData(_) => self.tokens.separate(),
                Event::Comment(_) | Event::PI(_) | Event::Decl(_) | Event::DocType(_) => {}
                Event::Eof => return self.open.is_empty().then_some(()),
            }
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, range: Range<usize>, is_empty: bool) -> Option<()> {
        let name = tag.name();
        if self.tags.is_empty() {
            // Only then is an element without prefix that is added one of XHTML.
            let is_xhtml = tag
                .attributes()
                .flatten()
                .any(|attribute| attribute.key.as_ref() == "xmlns" && *attribute.value == *XHTML);
            (name.as_ref() == "html" && is_xhtml).then_some(())?;
        }
        let mut content = content(name.as_ref());
        let mut has_date = false;
        for attribute in tag.attributes().flatten() {
            if attribute.key.as_ref() == "id" {
                self.places.push((attribute.value.clone().into_owned(), self.tokens.list.len()));
            }
            match attribute.key.as_ref() {
                "id" | "name" if attribute.value.starts_with("lt") => {
                    self.ids.push(attribute.value.into_owned());
                }
                "datetime" => has_date = true,
                // Another vocabulary from here on.
                "xmlns" if *attribute.value != *XHTML => content = Content::Closed,
                _ => {}
            }
        }
        // The text of such an element is the date that others read.
        if name.as_ref() == "time" && !has_date {
            content = Content::Text;
        }
        if !matches!(content, Content::Phrase) {
            self.tokens.separate();
        }
        let inside = self.open.last().map(|(tag, _)| self.tags[*tag].content);
        let is_inside_closed = matches!(inside, Some(Content::Closed | Content::Annotation));
        if let Some(inside) = inside.filter(|_| is_inside_closed) {
            content = inside;
        }
        let at = self.tags.len();
        let kind = if is_empty { TagKind::Empty } else { TagKind::Open };
        self.tags.push(Tag { range, kind, content, partner: at });
        if is_empty {
            return Some(());
        }
        let takes_spans = !is_inside_closed
            && matches!(content, Content::Phrase | Content::Separate | Content::Text | Content::Block);
        self.open.push((at, takes_spans));
        (self.open.len() <= MAX_DEPTH).then_some(())
    }

    fn end(&mut self, range: Range<usize>) -> Option<()> {
        let (open, _) = self.open.pop()?;
        let content = self.tags[open].content;
        if !matches!(content, Content::Phrase) {
            self.tokens.separate();
        }
        if self.head_end.is_none() && self.source[range.clone()].trim_end_matches('>').trim_end() == "</head"
        {
            self.head_end = Some(range.start);
        }
        self.tags[open].partner = self.tags.len();
        self.tags.push(Tag { range, kind: TagKind::Close, content, partner: open });
        Some(())
    }

    fn takes_spans(&self) -> bool {
        self.open.last().is_some_and(|(_, takes_spans)| *takes_spans)
    }

    fn text(&mut self, range: Range<usize>) {
        if self.takes_spans() {
            for (at, c) in self.source[range.clone()].char_indices() {
                let at = range.start + at;
                self.tokens.push(c, at..at + c.len_utf8());
            }
            self.extend_run(range);
        }
    }

    fn character(&mut self, c: char, range: Range<usize>) {
        if self.takes_spans() {
            self.tokens.push(c, range.clone());
            self.extend_run(range);
        }
    }

    /// References divide text for the reader only.
    fn extend_run(&mut self, range: Range<usize>) {
        match self.runs.last_mut() {
            Some(run) if run.end == range.start => run.end = range.end,
            _ => self.runs.push(range),
        }
    }
}
