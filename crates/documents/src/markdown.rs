//! Reads Markdown without its markup. Footnotes are kept apart and pictures dropped; code is read as it
//! is.

use std::collections::{HashMap, HashSet};

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, MetadataBlockKind, Options, Parser, Tag, TagEnd};

use crate::{
    Document, Limits, Unreadable,
    builder::{Builder, ChaptersFrom, Metadata},
    decoding,
    html::{self, Syntax},
};

mod front_matter;

/// Reads Markdown. `is_markup` decides whether text such as `[word](/ipa/)` is a pronunciation; of
/// any other link only the text is read.
pub(crate) fn read(
    bytes: &[u8],
    limits: &Limits,
    is_markup: &dyn Fn(&str) -> bool,
) -> Result<Document, Unreadable> {
    let source = decoding::plain(bytes);
    let source = source.trim_start_matches('\u{FEFF}');
    let mut writer = Writer::new(limits);
    let mut events = Parser::new_ext(source, options());
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) if may_be_pronunciation(&dest_url) => {
                let inside: Vec<Event<'_>> =
                    events.by_ref().take_while(|event| *event != Event::End(TagEnd::Link)).collect();
                match pronunciation(&inside, &dest_url).filter(|text| is_markup(text)) {
                    Some(text) => writer.event(Event::Text(text.into()))?,
                    None => inside.into_iter().try_for_each(|event| writer.event(event))?,
                }
            }
            event => writer.event(event)?,
        }
        if writer.builder.is_full() {
            break;
        }
    }
    writer.builder.finish(writer.metadata, ChaptersFrom::Headings)
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
}

/// Whether a link's target looks like `/ipa/`; the speech rules decide whether it is.
fn may_be_pronunciation(target: &str) -> bool {
    let inner = target.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).unwrap_or_default();
    !inner.is_empty() && !inner.contains(['/', '(', ')']) && inner.chars().any(|c| !c.is_ascii() || c == '\'')
}

/// The source of a link that contains only text, emphasized or not.
fn pronunciation(inside: &[Event<'_>], target: &str) -> Option<String> {
    let mut word = String::new();
    for event in inside {
        match event {
            Event::Text(text) => word.push_str(text),
            Event::SoftBreak => word.push(' '),
            Event::Start(Tag::Emphasis | Tag::Strong) | Event::End(TagEnd::Emphasis | TagEnd::Strong) => {}
            _ => return None,
        }
    }
    Some(format!("[{word}]({target})"))
}

struct Writer {
    builder: Builder,
    metadata: Metadata,
    /// The number of open pictures, which are not read.
    skipped_depth: usize,
    /// The keys of notes by their labels.
    notes: HashMap<String, usize>,
    /// The open notes; only the outermost is one.
    open_notes: Vec<usize>,
    /// The next item number of each open list, if it has numbers.
    lists: Vec<Option<u32>>,
    code: bool,
    /// The text of front matter or of an HTML block while it is open.
    block_text: Option<String>,
}

impl Writer {
    fn new(limits: &Limits) -> Self {
        Self {
            builder: Builder::new(limits),
            metadata: Metadata::default(),
            skipped_depth: 0,
            notes: HashMap::new(),
            open_notes: Vec::new(),
            lists: Vec::new(),
            code: false,
            block_text: None,
        }
    }

    fn event(&mut self, event: Event<'_>) -> Result<(), Unreadable> {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag)?,
            Event::Text(text) | Event::Html(text) if self.block_text.is_some() => {
                self.block_text.get_or_insert_default().push_str(&text);
            }
            _ if self.skipped_depth > 0 => {}
            Event::Text(text) if self.code => self.code_lines(&text),
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.builder.text(&text);
            }
            Event::SoftBreak => self.builder.soft_break(),
            Event::HardBreak => self.builder.line_break(),
            Event::Rule => self.builder.scene_break(),
            Event::InlineHtml(tag) if tag.to_ascii_lowercase().starts_with("<br") => {
                self.builder.line_break();
            }
            Event::FootnoteReference(label) => {
                let key = self.note_key(&label);
                self.builder.refer_to_note(key);
            }
            Event::Html(_) | Event::InlineHtml(_) | Event::TaskListMarker(_) => {}
        }
        Ok(())
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.builder.heading(number(*level)),
            Tag::List(first) => {
                self.builder.paragraph();
                self.lists.push(first.map(|first| u32::try_from(first).unwrap_or(u32::MAX)));
            }
            Tag::Item => {
                let next = self.lists.last_mut().and_then(Option::as_mut);
                let own = next.map(|next| std::mem::replace(next, next.saturating_add(1)));
                self.builder.item(own.map(|number| format!("{number}.")));
            }
            Tag::TableCell => self.builder.cell(),
            Tag::CodeBlock(kind) => {
                self.builder.paragraph();
                self.code = matches!(kind, CodeBlockKind::Fenced(_) | CodeBlockKind::Indented);
            }
            Tag::FootnoteDefinition(label) => {
                let key = self.note_key(label);
                if self.open_notes.is_empty() {
                    self.builder.begin_note();
                }
                self.open_notes.push(key);
            }
            Tag::Image { .. } => self.skipped_depth += 1,
            Tag::MetadataBlock(_) | Tag::HtmlBlock => self.block_text = Some(String::new()),
            Tag::Link { .. }
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript => {}
            Tag::Paragraph
            | Tag::BlockQuote(_)
            | Tag::Table(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition => self.builder.paragraph(),
        }
    }

    fn end(&mut self, tag: TagEnd) -> Result<(), Unreadable> {
        match tag {
            TagEnd::FootnoteDefinition => {
                if let Some(key) = self.open_notes.pop().filter(|_| self.open_notes.is_empty()) {
                    self.builder.end_note(key);
                }
            }
            TagEnd::Image => self.skipped_depth = self.skipped_depth.saturating_sub(1),
            TagEnd::MetadataBlock(kind) => {
                let block = self.block_text.take().unwrap_or_default();
                let separator = if kind == MetadataBlockKind::YamlStyle { ':' } else { '=' };
                front_matter::read(&block, separator, &mut self.metadata);
            }
            TagEnd::HtmlBlock => {
                let block = self.block_text.take().unwrap_or_default();
                if self.skipped_depth == 0 {
                    html::write_page(&block, Syntax::Html, &HashSet::new(), None, &[], &mut self.builder)?;
                }
            }
            TagEnd::CodeBlock => {
                self.code = false;
                self.builder.paragraph();
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.builder.item(None);
            }
            TagEnd::Item => self.builder.item(None),
            TagEnd::TableCell
            | TagEnd::Link
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript => {}
            _ => self.builder.paragraph(),
        }
        Ok(())
    }

    fn note_key(&mut self, label: &str) -> usize {
        let next = self.notes.len();
        *self.notes.entry(label.to_owned()).or_insert(next)
    }

    /// Keeps lines of code; an empty line ends a paragraph.
    fn code_lines(&mut self, text: &str) {
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                if line.trim().is_empty() { self.builder.paragraph() } else { self.builder.line_break() }
            }
            self.builder.text(line);
        }
    }
}

fn number(level: HeadingLevel) -> u8 {
    level as u8
}
