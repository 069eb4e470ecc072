//! From the tree of an XML document to pieces: which elements and attributes there are, where they may
//! stand, and what they mean.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use roxmltree::{Document, Node, ParsingOptions, TextPos};

use super::{
    DEEPEST, attributes,
    characters::{extent, is_between_blocks, runs},
    pieces::{Content, Feature, Piece, Ssml, SsmlError, Style, VoiceName},
    places::Places,
    say_as::SayAs,
    strict,
};
use crate::{
    front_end::Pause,
    language::Language,
    markup::LONGEST_PAUSES_MS,
    phonemes::{ipa_of, x_sampa_to_ipa},
};

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const SSML: &str = "http://www.w3.org/2001/10/synthesis";
const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The most bytes of a pronunciation, and of the text that it is for.
const LONGEST_PRONUNCIATION: usize = 290;

/// The most characters of a mark's name.
const LONGEST_NAME: usize = 200;

/// What may stand inside an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Nothing.
    Nothing,
    /// Text only.
    Text,
    /// Text and elements that are no paragraphs or sentences.
    Words,
    /// As [`Inside::Words`], and sentences.
    Sentences,
    /// As the element around it.
    SameAsOutside,
}

/// The elements, their attributes besides `xml:lang` and `xml:id`, and what may stand in them.
const ELEMENTS: [(&str, &[&str], Inside); 13] = [
    ("p", &["onlangfailure"], Inside::Sentences),
    ("s", &["onlangfailure"], Inside::Words),
    ("break", &["strength", "time"], Inside::Nothing),
    ("emphasis", &["level"], Inside::Words),
    ("prosody", &["rate", "pitch", "volume", "range", "contour", "duration"], Inside::SameAsOutside),
    ("say-as", &["interpret-as", "format", "detail"], Inside::Text),
    ("sub", &["alias"], Inside::Text),
    ("phoneme", &["alphabet", "ph", "type"], Inside::Text),
    ("lang", &["onlangfailure"], Inside::SameAsOutside),
    ("voice", &["name"], Inside::SameAsOutside),
    ("mark", &["name"], Inside::Nothing),
    ("w", &["role"], Inside::Words),
    ("speak", &["version", "onlangfailure"], Inside::SameAsOutside),
];

impl Ssml {
    /// Reads a text in SSML that is spoken at this speed.
    ///
    /// # Errors
    /// [`SsmlError`]: not well-formed, an element or attribute that is not known or not here, or a value
    /// out of range.
    pub fn parse(text: &str, speed: f32) -> Result<Self, SsmlError> {
        let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
        let document =
            Document::parse_with_options(text, options).map_err(|error| malformed(&error, text))?;
        strict::check(&document, text)?;
        let root = document.root_element();
        let mut reader = Reader {
            text,
            speed,
            ssml: Self::default(),
            voices: HashMap::new(),
            features: HashSet::new(),
            places: Places::of(text),
        };
        if root.tag_name().name() != "speak" {
            return Err(reader.wrong(root, format!("the text must be in <speak>, not <{}>", name_of(root))));
        }
        reader.ssml.styles.push(Style::default());
        let around = Around { style: 0, depth: 0, paragraphs: true, sentences: true };
        reader.element(root, around)?;
        if reader.ssml.pauses_ms > LONGEST_PAUSES_MS {
            let (sum, most) = (reader.ssml.pauses_ms as f64 / 1000.0, LONGEST_PAUSES_MS / 1000);
            return Err(reader.wrong(root, format!("the breaks add up to {sum} s, and may to {most} s")));
        }
        Ok(reader.ssml)
    }
}

/// An error of the parser, in plain words.
fn malformed(error: &roxmltree::Error, text: &str) -> SsmlError {
    let position = error.pos();
    let problem = match error {
        roxmltree::Error::UnknownNamespace(prefix, _) if VENDORS.contains(&prefix.as_str()) => {
            of_vendor(text, position)
        }
        roxmltree::Error::DtdDetected => "a document type (<!DOCTYPE>) is not allowed".to_owned(),
        roxmltree::Error::UnknownEntityReference(name, _) => {
            format!("the entity &{name}; is not known; there are &amp; &lt; &gt; &quot; and &apos;")
        }
        _ => {
            let problem = error.to_string();
            // The position is said in front.
            let problem = problem.rsplit_once(" at ").map_or(problem.as_str(), |(before, _)| before);
            format!("the text is not well-formed XML: {problem}")
        }
    };
    SsmlError { line: position.row, column: position.col, problem }
}

/// What other services put before the names of their own elements and attributes, which their texts need not declare.
const VENDORS: [&str; 3] = ["amazon", "google", "mstts"];

/// That an element or attribute of another service is not supported.
fn of_vendor(text: &str, position: TextPos) -> String {
    let line = text.split('\n').nth(position.row as usize - 1).unwrap_or_default();
    let at = line.char_indices().nth(position.col as usize - 1).map_or(line.len(), |(at, _)| at);
    let (before, rest) = line.split_at(at);
    // The parser says the place of an element's first character, of its name or that of an attribute.
    let is_element = rest.starts_with('<') || before.ends_with('<');
    let name = written_name(rest.strip_prefix('<').unwrap_or(rest));
    if is_element {
        format!("the element {name} is not supported; there are {}", element_names())
    } else {
        format!("the attribute {name} is not supported")
    }
}

fn element_names() -> String {
    ELEMENTS.map(|(name, ..)| name).join(", ")
}

/// The name that a text begins with.
fn written_name(text: &str) -> &str {
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>' | '=' | '<'));
    &text[..end.unwrap_or(text.len())]
}

/// What is known of the place of an element.
#[derive(Debug, Clone, Copy)]
struct Around {
    style: usize,
    depth: usize,
    /// Whether a paragraph may stand here.
    paragraphs: bool,
    /// Whether a sentence may stand here.
    sentences: bool,
}

pub(super) struct Reader<'input> {
    text: &'input str,
    pub(super) speed: f32,
    pub(super) ssml: Ssml,
    /// The index of each voice.
    voices: HashMap<String, usize>,
    /// The features that are known, by element and voice.
    features: HashSet<(&'static str, Option<usize>)>,
    places: Places<'input>,
}

impl<'input> Reader<'input> {
    fn element(&mut self, node: Node<'_, 'input>, around: Around) -> Result<(), SsmlError> {
        let (name, inside) = self.check(node, around)?;
        let mut style = self.ssml.styles[around.style];
        self.language(node, &mut style)?;
        let course = self.begin_course(node, name, style.delivery)?;
        self.deliver(node, name, &mut style)?;
        let style = self.style(style, around.style);
        match (name, inside) {
            ("break", _) => self.pause(node, style),
            ("mark", _) => self.mark(node, style),
            (_, Inside::Text) => self.words(node, name, style),
            _ => {
                let around = Around {
                    style,
                    depth: around.depth + 1,
                    paragraphs: around.paragraphs && inside == Inside::SameAsOutside,
                    sentences: around.sentences
                        && matches!(inside, Inside::SameAsOutside | Inside::Sentences),
                };
                let pause = match name {
                    "p" => Some(Pause::Paragraph),
                    "s" => Some(Pause::Sentence),
                    _ => None,
                };
                // What stands before it ends, too.
                self.end(pause, style, node.range().start);
                self.children(node, around)?;
                self.end(pause, style, node.range().end);
                self.end_course(course);
                Ok(())
            }
        }
    }

    /// Whether an element is known and may stand here with its attributes.
    fn check(&self, node: Node<'_, 'input>, around: Around) -> Result<(&'static str, Inside), SsmlError> {
        if around.depth > DEEPEST {
            return Err(self.wrong(node, format!("elements may be nested {DEEPEST} deep")));
        }
        let is_ours = node.tag_name().namespace().is_none_or(|namespace| namespace == SSML);
        let known = ELEMENTS.iter().find(|(name, ..)| is_ours && *name == node.tag_name().name());
        let Some(&(name, attributes, inside)) = known else {
            let (name, all) = (name_of(node), element_names());
            return Err(self.wrong(node, format!("the element {name} is not supported; there are {all}")));
        };
        let misplaced = match name {
            "speak" => around.depth > 0,
            "p" => !around.paragraphs,
            "s" => !around.sentences,
            _ => false,
        };
        if misplaced {
            let outer = node.parent().map(name_of).unwrap_or_default();
            return Err(self.wrong(node, format!("the element {name} may not stand inside {outer}")));
        }
        if inside == Inside::Nothing && node.children().any(|child| child.is_element() || child.is_text()) {
            return Err(self.wrong(node, format!("the element {name} must be empty")));
        }
        for attribute in node.attributes() {
            let (namespace, attribute_name) = (attribute.namespace(), attribute.name());
            let is_known = match namespace {
                Some(XML) => matches!(attribute_name, "lang" | "id" | "base" | "space"),
                Some(SCHEMA_INSTANCE) => name == "speak",
                Some(_) => false,
                None => attributes.contains(&attribute_name),
            };
            if !is_known {
                let takes =
                    if attributes.is_empty() { "no others".to_owned() } else { attributes.join(", ") };
                let written =
                    written_name(self.text.get(attribute.range().start..).unwrap_or(attribute_name));
                let problem = format!("the attribute {written} of {name} is not supported; it takes {takes}");
                return Err(self.wrong_at(attribute.range().start, problem));
            }
        }
        Ok((name, inside))
    }

    /// The language that an element says.
    fn language(&mut self, node: Node<'_, 'input>, style: &mut Style) -> Result<(), SsmlError> {
        let name = node.tag_name().name();
        let Some(tag) = node.attribute((XML, "lang")) else {
            return if name == "lang" {
                Err(self
                    .wrong(node, "lang needs the attribute xml:lang, such as xml:lang=\"fr-FR\"".to_owned()))
            } else {
                Ok(())
            };
        };
        let language: Language = tag
            .parse()
            .map_err(|error| self.attribute_wrong(node, "xml:lang", &format!("is wrong: {error}")))?;
        if name == "speak" {
            self.ssml.language = Some(language);
        } else {
            style.language = Some(language);
            if name == "lang" {
                self.feature("lang", node, style.voice);
            }
        }
        Ok(())
    }

    /// What an element makes of voice and delivery.
    fn deliver(
        &mut self,
        node: Node<'_, 'input>,
        name: &'static str,
        style: &mut Style,
    ) -> Result<(), SsmlError> {
        let delivery = &mut style.delivery;
        match name {
            "voice" => {
                let slug = node.attribute("name").map(str::trim).filter(|slug| !slug.is_empty());
                let Some(slug) = slug else {
                    let problem = "voice needs the attribute name, the slug of an e-reader";
                    return Err(self.wrong(node, problem.to_owned()));
                };
                style.voice = Some(self.voice(slug, node));
            }
            "emphasis" => {
                let level = node.attribute("level").unwrap_or("moderate");
                attributes::emphasis(level, delivery)
                    .map_err(|why| self.attribute_wrong(node, "level", &why))?;
                self.feature("emphasis", node, style.voice);
            }
            "prosody" => self.prosody(node, style)?,
            _ => {}
        }
        Ok(())
    }

    fn children(&mut self, node: Node<'_, 'input>, around: Around) -> Result<(), SsmlError> {
        for child in node.children() {
            if child.is_element() {
                self.element(child, around)?;
            } else if child.is_text() && !is_between_blocks(child) {
                self.characters(child, around.style);
            }
        }
        Ok(())
    }

    /// Text as it stands, and its entities.
    fn characters(&mut self, node: Node<'_, 'input>, style: usize) {
        for (range, character) in runs(self.text, extent(node, self.text)) {
            let raw = &self.text[range.clone()];
            let content = match character {
                None => Content::Text(raw.to_owned()),
                Some(c) => Content::Instead { read: c.to_string(), shown: c.to_string() },
            };
            let paid = if character.is_some() { 1 } else { raw.chars().count() };
            self.put(content, style, range, paid as u32);
        }
    }

    fn pause(&mut self, node: Node<'_, 'input>, style: usize) -> Result<(), SsmlError> {
        let ms = match (node.attribute("time"), node.attribute("strength")) {
            (Some(time), strength) => {
                if let Some(strength) = strength {
                    attributes::strength_ms(strength)
                        .map_err(|why| self.attribute_wrong(node, "strength", &why))?;
                }
                attributes::break_ms(time.trim()).map_err(|why| self.attribute_wrong(node, "time", &why))?
            }
            (None, strength) => attributes::strength_ms(strength.unwrap_or("medium"))
                .map_err(|why| self.attribute_wrong(node, "strength", &why))?,
        };
        self.ssml.pauses_ms += u64::from(ms);
        self.put(Content::Break { ms }, style, node.range(), 0);
        Ok(())
    }

    fn mark(&mut self, node: Node<'_, 'input>, style: usize) -> Result<(), SsmlError> {
        let name = node.attribute("name").filter(|name| !name.is_empty());
        let Some(name) = name else {
            return Err(self.wrong(node, "mark needs the attribute name".to_owned()));
        };
        if name.chars().count() > LONGEST_NAME {
            let why = format!("must be at most {LONGEST_NAME} characters");
            return Err(self.attribute_wrong(node, "name", &why));
        }
        self.put(Content::Mark(name.to_owned()), style, node.range(), 0);
        Ok(())
    }

    /// The elements that have text only.
    fn words(&mut self, node: Node<'_, 'input>, name: &'static str, style: usize) -> Result<(), SsmlError> {
        if let Some(inner) = node.children().find(Node::is_element) {
            let problem = format!("the element {} may not stand inside {name}", name_of(inner));
            return Err(self.wrong(inner, problem));
        }
        let text: String = node.children().filter(Node::is_text).filter_map(|child| child.text()).collect();
        let source = match (node.first_child(), node.last_child()) {
            (Some(first), Some(last)) => first.range().start..extent(last, self.text).end,
            _ => node.range(),
        };
        let (content, paid) = match name {
            "say-as" => (self.say_as(node, text.clone())?, text.chars().count()),
            "phoneme" => {
                let voice = self.ssml.styles[style].voice;
                self.feature("phoneme", node, voice);
                (self.phoneme(node, text.clone())?, text.chars().count())
            }
            _ => {
                let alias = node.attribute("alias").filter(|alias| !alias.trim().is_empty());
                let Some(alias) = alias else {
                    return Err(self.wrong(node, "sub needs the attribute alias, what is said".to_owned()));
                };
                let paid = alias.chars().count();
                (Content::Instead { read: alias.to_owned(), shown: text }, paid)
            }
        };
        self.put(content, style, source, paid as u32);
        Ok(())
    }

    fn say_as(&mut self, node: Node<'_, 'input>, text: String) -> Result<Content, SsmlError> {
        let Some(kind) = node.attribute("interpret-as") else {
            return Err(self.wrong(node, "say-as needs the attribute interpret-as".to_owned()));
        };
        let kind = SayAs::parse(kind).map_err(|why| self.attribute_wrong(node, "interpret-as", &why))?;
        let format = node.attribute("format").map(str::to_owned);
        if let Some(format) = &format {
            kind.check_format(format).map_err(|why| self.attribute_wrong(node, "format", &why))?;
        }
        Ok(Content::SayAs { text, kind, format })
    }

    fn phoneme(&mut self, node: Node<'_, 'input>, text: String) -> Result<Content, SsmlError> {
        let Some(ph) = node.attribute("ph").map(str::trim).filter(|ph| !ph.is_empty()) else {
            return Err(self.wrong(node, "phoneme needs the attribute ph, the pronunciation".to_owned()));
        };
        if text.trim().is_empty() {
            return Err(self.wrong(node, "phoneme needs the text that it pronounces".to_owned()));
        }
        if ph.len() > LONGEST_PRONUNCIATION || text.len() > LONGEST_PRONUNCIATION {
            let problem = format!("a phoneme's text and ph may have {LONGEST_PRONUNCIATION} bytes each");
            return Err(self.wrong(node, problem));
        }
        let unknown = |symbol: char, alphabet: &str| {
            format!("has {symbol:?}, which is not a symbol of {alphabet} that the voices can say")
        };
        let ipa = match node.attribute("alphabet").unwrap_or("ipa") {
            "ipa" => ph.to_owned(),
            "x-sampa" => x_sampa_to_ipa(ph)
                .map_err(|symbol| self.attribute_wrong(node, "ph", &unknown(symbol, "X-SAMPA")))?,
            other => {
                let why = format!("must be ipa or x-sampa, not {other:?}");
                return Err(self.attribute_wrong(node, "alphabet", &why));
            }
        };
        let said =
            ipa_of(&ipa).map_err(|symbol| self.attribute_wrong(node, "ph", &unknown(symbol, "IPA")))?;
        if !said.chars().any(char::is_alphabetic) {
            return Err(self.attribute_wrong(node, "ph", "has no sound"));
        }
        Ok(Content::Phoneme { text, ipa: said })
    }

    fn end(&mut self, pause: Option<Pause>, style: usize, at: usize) {
        if let Some(pause) = pause {
            self.put(Content::End(pause), style, at..at, 0);
        }
    }

    fn put(&mut self, content: Content, style: usize, source: Range<usize>, paid: u32) {
        self.ssml.pieces.push(Piece { content, style, source, paid });
    }

    /// The index of a style, which is often that of the element around.
    fn style(&mut self, style: Style, outer: usize) -> usize {
        if self.ssml.styles[outer] == style {
            return outer;
        }
        self.ssml.styles.push(style);
        self.ssml.styles.len() - 1
    }

    fn voice(&mut self, name: &str, node: Node<'_, 'input>) -> usize {
        if let Some(found) = self.voices.get(name) {
            return *found;
        }
        let (line, column) = self.places.line_and_column(node.range().start);
        let index = self.ssml.voices.len();
        self.voices.insert(name.to_owned(), index);
        self.ssml.voices.push(VoiceName { name: name.to_owned(), line, column });
        index
    }

    pub(super) fn feature(&mut self, element: &'static str, node: Node<'_, 'input>, voice: Option<usize>) {
        if self.features.insert((element, voice)) {
            let (line, column) = self.places.line_and_column(node.range().start);
            self.ssml.features.push(Feature { element, voice, line, column });
        }
    }

    pub(super) fn attribute_wrong(&self, node: Node<'_, 'input>, attribute: &str, why: &str) -> SsmlError {
        let name = attribute.strip_prefix("xml:").unwrap_or(attribute);
        let at = node.attributes().find(|one| one.name() == name);
        let at = at.map_or(node.range().start, |one| one.range().start);
        self.wrong_at(at, format!("{attribute} of {} {why}", node.tag_name().name()))
    }

    fn wrong(&self, node: Node<'_, 'input>, problem: String) -> SsmlError {
        self.wrong_at(node.range().start, problem)
    }

    fn wrong_at(&self, byte: usize, problem: String) -> SsmlError {
        let (line, column) = self.places.line_and_column(byte);
        SsmlError { line, column, problem }
    }
}

/// What people wrote as the name of an element, with its prefix.
fn name_of(node: Node<'_, '_>) -> String {
    let written = node.document().input_text().get(node.range().start..);
    let name = written.and_then(|text| text.strip_prefix('<')).map(written_name);
    name.unwrap_or_else(|| node.tag_name().name()).to_owned()
}
