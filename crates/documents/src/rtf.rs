//! Reads RTF: the text as the author sees it with all changes accepted. Headings come from styles and
//! outline levels. Notes are kept apart; pictures, comments, running heads and hidden text are left
//! out.
//!
//! `tokens` splits the file, this module follows its groups (`group`), and `text` collects paragraphs.
//! `words` and `code_pages` are the tables of what words and numbers stand for.

use std::collections::HashMap;

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

use crate::{
    Document, Limits, Reason, Unreadable,
    builder::{Builder, ChaptersFrom, Metadata},
    language::windows_tag,
};

mod code_pages;
mod group;
mod styles;
mod text;
mod tokens;
mod words;

use group::{AtEnd, Font, Group};
use styles::Style;
use text::{Format, Text};
use tokens::{Token, Tokens};
use words::Destination;

/// How many bytes of a property are kept until it is cleaned up.
const MAX_FIELD_BYTES: usize = 4_000;

/// Reads a document.
///
/// # Errors
/// [`Unreadable`], with `damaged` when the file ends inside its text.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let mut builder = Builder::new(limits);
    let mut reader = Reader::new(&mut builder, limits.depth);
    let start = bytes.iter().position(|byte| *byte == b'{').unwrap_or(bytes.len());
    for token in Tokens::new(&bytes[start..]) {
        reader.token(token);
        if reader.is_done || reader.text.is_full() {
            break;
        }
    }
    reader.flush();
    // A missing last brace is no loss, but text that ends before its paragraph does is cut off.
    let is_whole = reader.is_done
        || reader.text.is_full()
        || (reader.around.len() <= 1 && reader.untracked == 0 && reader.text.is_between_paragraphs());
    if !is_whole {
        let message = "The RTF file is damaged: its end is missing, perhaps because a transfer was interrupted. Send the whole file again.";
        return Err(Unreadable::new(Reason::Damaged, message));
    }
    let language = reader.text.finish();
    let metadata = Metadata {
        title: reader.text.title.take().or(given(reader.title)),
        author: given(reader.author),
        copyright: None,
        language: language.map(str::to_owned),
        cover: None,
    };
    builder.finish(metadata, ChaptersFrom::Headings)
}

fn given(text: String) -> Option<String> {
    Some(text).filter(|text| !text.trim().is_empty())
}

struct Reader<'a> {
    text: Text<'a>,
    group: Group,
    /// The groups around the open one.
    around: Vec<Group>,
    /// The most groups whose state is kept, and how many are open beyond them.
    depth: usize,
    untracked: usize,
    is_done: bool,
    /// Bytes to decode together: a character may have two.
    pending: Vec<u8>,
    /// How many characters of a fallback are still to be left out.
    skipped: usize,
    /// The first half of a character of two units.
    high_surrogate: Option<u32>,
    /// Whether the next word's destination may be left out.
    is_optional: bool,
    encoding: &'static Encoding,
    default_font: i32,
    fonts: HashMap<i32, Font>,
    /// The font and the style being declared.
    font: i32,
    style: Style,
    title: String,
    author: String,
}

impl<'a> Reader<'a> {
    fn new(builder: &'a mut Builder, depth: usize) -> Self {
        Self {
            text: Text::new(builder),
            group: Group::outermost(),
            around: Vec::new(),
            depth,
            untracked: 0,
            is_done: false,
            pending: Vec::new(),
            skipped: 0,
            high_surrogate: None,
            is_optional: false,
            encoding: WINDOWS_1252,
            default_font: 0,
            fonts: HashMap::new(),
            font: 0,
            style: Style::default(),
            title: String::new(),
            author: String::new(),
        }
    }

    fn token(&mut self, token: Token<'_>) {
        match token {
            Token::Open => self.open(),
            Token::Close => self.close(),
            Token::Plain(bytes) => {
                let skipped = self.skipped.min(bytes.len());
                self.skipped -= skipped;
                self.pending.extend_from_slice(&bytes[skipped..]);
            }
            Token::Byte(byte) | Token::Symbol(byte @ (b'\\' | b'{' | b'}')) => self.byte(byte),
            Token::Symbol(symbol) => self.symbol(symbol),
            Token::Word(name, number) => self.word(name, number),
        }
    }

    fn byte(&mut self, byte: u8) {
        if self.skipped > 0 {
            self.skipped -= 1;
        } else {
            self.pending.push(byte);
        }
    }

    fn symbol(&mut self, symbol: u8) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        self.flush();
        match symbol {
            b'*' => self.is_optional = true,
            // A backslash at the end of a line ends a paragraph.
            b'\r' | b'\n' => self.end_paragraph(),
            _ => self.push(words::symbol(symbol)),
        }
    }

    fn open(&mut self) {
        self.flush();
        self.skipped = 0;
        if self.around.len() >= self.depth {
            self.untracked += 1;
            return;
        }
        self.around.push(self.group);
        self.group.at_end = AtEnd::Nothing;
    }

    fn close(&mut self) {
        self.flush();
        self.skipped = 0;
        self.is_optional = false;
        if self.untracked > 0 {
            self.untracked -= 1;
            return;
        }
        match self.group.at_end {
            AtEnd::Nothing => {}
            AtEnd::EndNote => self.text.end_note(),
            AtEnd::EndTextBox => self.text.end_text_box(),
            AtEnd::AddStyle => self.text.styles.add(&std::mem::take(&mut self.style)),
        }
        let ended = self.group.destination;
        if let Some(group) = self.around.pop() {
            self.group = group;
        }
        if ended == Destination::Fonts && self.group.destination == Destination::Text {
            self.use_font(self.default_font);
        }
        // What follows the last brace is no text.
        self.is_done = self.around.is_empty();
    }

    fn word(&mut self, name: &str, number: Option<i32>) {
        if let Some(character) = words::character(name) {
            if self.skipped > 0 {
                self.skipped -= 1;
                return;
            }
            self.flush();
            return self.push(character);
        }
        self.flush();
        self.skipped = 0;
        let is_optional = std::mem::take(&mut self.is_optional);
        if is_optional && !words::is_known(name) {
            self.group.destination = Destination::Skipped;
        }
        if self.group.destination == Destination::Skipped {
            return;
        }
        if !self.begin_destination(name) {
            self.property(name, number);
        }
    }

    /// Starts the destination of a word, if it has one.
    fn begin_destination(&mut self, name: &str) -> bool {
        let destination = match (self.group.destination, name) {
            (Destination::Drawing, "shptxt" | "dptxbxtext") => {
                self.begin_text_box();
                return true;
            }
            // Programs that know no shapes draw it again.
            (Destination::Drawing, "shprslt") => Destination::Skipped,
            (Destination::Alternatives, "ud") => Destination::Text,
            (Destination::Drawing | Destination::Alternatives, _) => return false,
            (Destination::Text, "footnote") => {
                self.begin_note();
                return true;
            }
            (Destination::Properties, "title") => Destination::Title,
            (Destination::Properties, "author") => Destination::Author,
            _ => match words::destination(name) {
                Some(destination) => destination,
                None => return false,
            },
        };
        self.group.destination = destination;
        true
    }

    fn begin_note(&mut self) {
        if self.group.at_end == AtEnd::Nothing && !self.group.hides_text() && self.text.begin_note() {
            self.group.at_end = AtEnd::EndNote;
        } else {
            self.group.destination = Destination::Skipped;
        }
    }

    fn begin_text_box(&mut self) {
        if self.group.at_end == AtEnd::Nothing && !self.group.hides_text() && self.text.begin_text_box() {
            self.group.at_end = AtEnd::EndTextBox;
            self.group.destination = Destination::Text;
            self.group.format = Format::default();
        } else {
            self.group.destination = Destination::Skipped;
        }
    }

    /// Changes the state of the group, or ends a block.
    fn property(&mut self, name: &str, number: Option<i32>) {
        match (self.group.destination, name) {
            (_, "ansicpg") => self.set_encoding(code_pages::of_code_page(number.unwrap_or(0))),
            (_, "mac") => self.set_encoding(Some(MACINTOSH)),
            (_, "deff") => self.default_font = number.unwrap_or(0),
            (_, "uc") => self.group.fallback = usize::try_from(number.unwrap_or(1)).unwrap_or(0).min(16),
            (_, "u") => self.unicode(number.unwrap_or(0)),
            (Destination::Fonts, _) => self.font_property(name, number.unwrap_or(0)),
            (Destination::Styles, _) => self.style_property(name, number),
            (_, "f") => self.use_font(number.unwrap_or(0)),
            (Destination::Text, _) => self.text_property(name, number),
            _ => {}
        }
    }

    fn font_property(&mut self, name: &str, number: i32) {
        match name {
            "f" => {
                self.font = number;
                self.fonts.insert(number, Font::default());
            }
            "fcharset" | "cpg" => {
                if let Some(font) = self.fonts.get_mut(&self.font) {
                    let is_charset = name == "fcharset";
                    font.encoding = if is_charset {
                        code_pages::of_charset(number)
                    } else {
                        code_pages::of_code_page(number).or(font.encoding)
                    };
                    font.is_symbols |= is_charset && number == code_pages::SYMBOLS;
                }
            }
            _ => {}
        }
    }

    fn style_property(&mut self, name: &str, number: Option<i32>) {
        match name {
            "s" => self.style.number = number.unwrap_or(0),
            "sbasedon" => self.style.based_on = number,
            "outlinelevel" => self.style.outline_level = number,
            // Styles of words and sections have no paragraphs.
            "cs" | "ds" | "ts" => {
                self.group.destination = Destination::Skipped;
                self.group.at_end = AtEnd::Nothing;
                return;
            }
            _ => return,
        }
        self.group.at_end = AtEnd::AddStyle;
    }

    fn text_property(&mut self, name: &str, number: Option<i32>) {
        let is_on = number != Some(0);
        let is_hidden = self.group.hides_text();
        let format = &mut self.group.format;
        match name {
            "par" | "sect" | "nestcell" => self.end_paragraph(),
            "cell" if !is_hidden => self.text.end_cell(self.group.format),
            "row" => self.text.end_row(),
            "pard" => *format = Format::default(),
            "s" => format.style = number.unwrap_or(0),
            "outlinelevel" => format.outline_level = number,
            "intbl" => format.in_table = is_on,
            "dropcapt" => format.is_drop_cap = is_on,
            "v" => self.group.is_hidden = is_on,
            "deleted" => self.group.is_deleted = is_on,
            "lang" => self.group.language = number.and_then(windows_tag),
            "plain" => {
                (self.group.is_hidden, self.group.is_deleted) = (false, false);
                self.group.language = None;
                self.use_font(self.default_font);
            }
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        // The mark of a paragraph may be hidden or deleted, too.
        if self.group.destination == Destination::Text && !self.group.hides_text() {
            self.text.end_paragraph(self.group.format);
        }
    }

    fn set_encoding(&mut self, encoding: Option<&'static Encoding>) {
        if let Some(encoding) = encoding {
            self.encoding = encoding;
            self.group.encoding = encoding;
        }
    }

    fn use_font(&mut self, number: i32) {
        let font = self.fonts.get(&number).copied().unwrap_or_default();
        self.group.encoding = font.encoding.unwrap_or(self.encoding);
        self.group.is_symbols = font.is_symbols;
    }

    /// A character by its number; its fallback follows.
    fn unicode(&mut self, number: i32) {
        self.skipped = self.group.fallback;
        let unit = if number < 0 { number + 0x1_0000 } else { number };
        let unit = u32::try_from(unit).unwrap_or(0);
        let high = self.high_surrogate.take();
        let code = match (high, unit) {
            (_, 0xD800..=0xDBFF) => {
                self.high_surrogate = Some(unit);
                return;
            }
            (Some(high), 0xDC00..=0xDFFF) => 0x1_0000 + ((high - 0xD800) << 10) + (unit - 0xDC00),
            // Characters of fonts of symbols.
            (_, 0xF000..=0xF0FF) => return,
            _ => unit,
        };
        if let Some(character) = char::from_u32(code) {
            self.push(character.encode_utf8(&mut [0; 4]));
        }
    }

    /// Decodes the pending bytes.
    fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.pending);
        self.high_surrogate = None;
        self.is_optional = false;
        if self.group.destination == Destination::Skipped {
            return;
        }
        if self.group.is_symbols {
            let text: String =
                bytes.iter().filter(|byte| byte.is_ascii()).map(|byte| char::from(*byte)).collect();
            return self.push(&text);
        }
        let encoding = self.group.encoding;
        self.push(&encoding.decode_without_bom_handling(&bytes).0);
    }

    fn push(&mut self, text: &str) {
        let field = match self.group.destination {
            Destination::Text if self.group.hides_text() => return,
            Destination::Text => return self.text.push(text, self.group.language),
            // Letters of a font of symbols are bullets.
            Destination::Label if self.group.is_symbols => return,
            Destination::Label => return self.text.push_label(text),
            Destination::Styles => return self.style.push_name(text),
            Destination::Title => &mut self.title,
            Destination::Author => &mut self.author,
            _ => return,
        };
        if field.len() < MAX_FIELD_BYTES {
            field.push_str(text);
        }
    }
}
