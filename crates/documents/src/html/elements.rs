//! The meaning of elements and attributes for reading aloud.

use html5ever::tokenizer::{Tag, TokenSinkResult, states::RawKind};

use super::syntax::Syntax;
use crate::{
    ChapterRole,
    roles::{TypedRole, of_types},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementKind {
    Heading(u8),
    Paragraph,
    /// Any other block.
    Block,
    Preformatted,
    List,
    Item,
    Table,
    Row,
    Cell,
    LineBreak,
    Rule,
    Link,
    Raised,
    Quoted,
    /// The title of the page.
    Title,
    /// Metadata of the page.
    Meta,
    Main,
    Article,
    /// The header or footer of the page or of an article.
    HeaderFooter,
    Aside,
    Form,
    Formula,
    /// Never read.
    Skipped,
    /// Only changes the appearance of text.
    Inline,
}

impl ElementKind {
    pub(super) fn is_block(self) -> bool {
        !matches!(
            self,
            Self::LineBreak
                | Self::Link
                | Self::Raised
                | Self::Quoted
                | Self::Inline
                | Self::Skipped
                | Self::Title
                | Self::Meta
                | Self::Formula
        )
    }
}

/// An element at its start tag.
pub(super) struct Element<'a> {
    pub kind: ElementKind,
    /// The number of elements opened before it, the same in each pass.
    pub ordinal: u32,
    /// Whether it has no content; `close` is not called for it.
    pub void: bool,
    pub tag: &'a Tag,
}

impl Element<'_> {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.tag
            .attrs
            .iter()
            .find(|attribute| &*attribute.name.local == name)
            .map(|attribute| &*attribute.value)
    }
}

/// Elements with raw text, apart from scripts and plain text.
pub(super) const RAW: [&str; 7] = ["title", "textarea", "style", "xmp", "iframe", "noembed", "noframes"];

/// Whether a start tag also closes its element.
pub(super) fn is_closed(tag: &Tag, syntax: Syntax) -> bool {
    tag.self_closing && syntax == Syntax::Xhtml
}

/// How the tokenizer reads the text after a tag: as markup or as raw text up to an end tag.
pub(super) fn content_model(tag: &Tag, syntax: Syntax) -> TokenSinkResult<()> {
    match &*tag.name {
        _ if is_closed(tag, syntax) => TokenSinkResult::Continue,
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "plaintext" => TokenSinkResult::Plaintext,
        name if RAW.contains(&name) => TokenSinkResult::RawData(RawKind::Rawtext),
        _ => TokenSinkResult::Continue,
    }
}

pub(super) fn kind(name: &str) -> ElementKind {
    match name {
        "h1" => ElementKind::Heading(1),
        "h2" => ElementKind::Heading(2),
        "h3" => ElementKind::Heading(3),
        "h4" => ElementKind::Heading(4),
        "h5" => ElementKind::Heading(5),
        "h6" => ElementKind::Heading(6),
        "p" => ElementKind::Paragraph,
        "pre" | "listing" | "xmp" | "plaintext" => ElementKind::Preformatted,
        "ul" | "ol" | "menu" | "dir" | "dl" => ElementKind::List,
        "li" | "dt" | "dd" => ElementKind::Item,
        "table" => ElementKind::Table,
        "tr" => ElementKind::Row,
        "td" | "th" => ElementKind::Cell,
        "br" => ElementKind::LineBreak,
        "hr" => ElementKind::Rule,
        "a" => ElementKind::Link,
        "sup" => ElementKind::Raised,
        "q" => ElementKind::Quoted,
        "title" => ElementKind::Title,
        "meta" => ElementKind::Meta,
        "main" => ElementKind::Main,
        "article" => ElementKind::Article,
        "header" | "footer" => ElementKind::HeaderFooter,
        "aside" => ElementKind::Aside,
        "form" => ElementKind::Form,
        "math" => ElementKind::Formula,
        // The page may choose any prefix.
        _ if name.ends_with(":math") => ElementKind::Formula,
        "script" | "style" | "template" | "noscript" | "noembed" | "noframes" | "nav" | "svg" | "iframe"
        | "object" | "embed" | "applet" | "audio" | "video" | "canvas" | "map" | "select" | "datalist"
        | "button" | "textarea" | "input" | "label" | "progress" | "meter" | "rt" | "rp" | "rtc"
        | "dialog" => ElementKind::Skipped,
        "html" | "body" | "div" | "section" | "address" | "blockquote" | "center" | "figure"
        | "figcaption" | "caption" | "fieldset" | "legend" | "details" | "summary" | "hgroup" | "thead"
        | "tbody" | "tfoot" | "colgroup" | "search" => ElementKind::Block,
        _ => ElementKind::Inline,
    }
}

pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Properties of an element's content, from its attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hint {
    None,
    /// It is hidden, or is a note, a page number or a table of contents.
    Skip,
    /// It is a note reference.
    NoteMark,
    Main,
    /// It is not part of the text: a banner or a search field.
    Peripheral,
}

/// Values of `epub:type`, or of ARIA's `role` without `doc-`, that are not read.
const SKIPPED_ROLES: &[&str] = &["pagebreak", "landmarks", "page-list", "pagelist", "backlink"];

/// What a file says of an element with notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoteType {
    /// One note.
    Note,
    /// A list of notes.
    List,
}

/// Whether an element is a note or a list of notes by its `epub:type` or `role`.
pub(super) fn note_type(element: &Element<'_>) -> Option<NoteType> {
    roles(element).find_map(|role| match role.as_str() {
        "footnote" | "endnote" | "rearnote" => Some(NoteType::Note),
        "footnotes" | "endnotes" | "rearnotes" | "note-list" => Some(NoteType::List),
        _ => None,
    })
}

/// Whether a file says that a link refers to a note.
pub(super) fn is_note_reference(element: &Element<'_>) -> bool {
    roles(element).any(|role| role == "noteref")
}

/// The words of `epub:type` and `role` in lower case, without `doc-`.
fn roles<'a>(element: &'a Element<'_>) -> impl Iterator<Item = String> + 'a {
    let values = ["epub:type", "role"].into_iter().filter_map(|name| element.attribute(name));
    values.flat_map(str::split_ascii_whitespace).take(16).map(|role| {
        let role = role.to_ascii_lowercase();
        role.strip_prefix("doc-").map(str::to_owned).unwrap_or(role)
    })
}

/// Further values that are not read on a web page. In a book they are chapters with roles.
const LISTS: &[&str] = &["toc", "loi", "lot", "loa", "lov", "index"];

/// The role in its book that an element gives its content.
pub(super) fn book_role(element: &Element<'_>) -> Option<TypedRole> {
    let is_part = matches!(
        element.kind,
        ElementKind::Block | ElementKind::Paragraph | ElementKind::Article | ElementKind::Main
    );
    if !is_part || element.tag.attrs.is_empty() {
        return None;
    }
    if ["id", "class"].iter().any(|name| element.attribute(name).is_some_and(names_gutenberg)) {
        return Some(TypedRole::Role(ChapterRole::Licence));
    }
    ["epub:type", "role"].iter().find_map(|name| of_types(element.attribute(name)?))
}

/// Whether a name is that of Project Gutenberg's header or licence.
fn names_gutenberg(names: &str) -> bool {
    let known = ["pg-header", "pg-footer", "pgheader", "pgfooter", "pg-boilerplate"];
    names.len() < 200 && names.split_ascii_whitespace().any(|name| known.contains(&name))
}

pub(super) fn hint(element: &Element<'_>, in_book: bool) -> Hint {
    // A page that hides its whole body shows it later by script.
    if element.tag.attrs.is_empty() || matches!(&*element.tag.name, "html" | "body") {
        return Hint::None;
    }
    if element.attribute("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
        || element.attribute("aria-hidden").is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
        || (element.attribute("style").is_some_and(hides_content) && !is_hidden_visually(element))
    {
        return Hint::Skip;
    }
    for role in roles(element) {
        match role.as_str() {
            "noteref" => return Hint::NoteMark,
            "main" => return Hint::Main,
            "banner" | "contentinfo" | "complementary" => return Hint::Peripheral,
            "navigation" | "search" | "menu" | "menubar" | "toolbar" | "dialog" | "alertdialog" => {
                return Hint::Skip;
            }
            role if SKIPPED_ROLES.contains(&role) => return Hint::Skip,
            role if !in_book && LISTS.contains(&role) => return Hint::Skip,
            _ => {}
        }
    }
    Hint::None
}

/// Whether an element is hidden only from view: a formula that is also shown as a picture
/// (`MediaWiki`).
fn is_hidden_visually(element: &Element<'_>) -> bool {
    element.attribute("class").is_some_and(|class| class.contains("mwe-math-mathml"))
}

fn hides_content(style: &str) -> bool {
    if style.len() > 10_000 {
        return false;
    }
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    style.split(';').any(|rule| {
        matches!(
            rule.trim_end_matches("!important"),
            "display:none" | "visibility:hidden" | "visibility:collapse"
        )
    })
}

/// Words in the `class` or `id` of boilerplate.
const BOILERPLATE_NAMES: &[&str] = &[
    "nav",
    "navbar",
    "navigation",
    "menu",
    "sidebar",
    "breadcrumb",
    "breadcrumbs",
    "footer",
    "masthead",
    "cookie",
    "cookies",
    "consent",
    "advert",
    "advertisement",
    "ads",
    "social",
    "share",
    "sharing",
    "related",
    "comments",
    "newsletter",
    "subscribe",
    "pagination",
    "pager",
    "toc",
    "skip",
    "popup",
    "modal",
    "promo",
    "toolbar",
    "boilerplate",
    "sitenav",
    "navbox",
    "catlinks",
    "noprint",
    "editsection",
    "hatnote",
    "infobox",
];

/// Whether it is the edit link after a heading (`MediaWiki`).
pub(super) fn is_edit_link(element: &Element<'_>) -> bool {
    element
        .attribute("class")
        .is_some_and(|class| class.split_whitespace().any(|name| name == "mw-editsection"))
}

/// Whether the element's `class` or `id` marks it as boilerplate.
pub(super) fn is_boilerplate(element: &Element<'_>) -> bool {
    let class = element.attribute("class");
    // The id of a section repeats its heading: `related-work` is a chapter, `comments` is not.
    let is_section = &*element.tag.name == "section"
        || class.is_some_and(|class| class.split_whitespace().any(|name| name == "section"));
    let id = element.attribute("id").filter(|id| !(is_section && id.contains('-')));
    class.into_iter().chain(id).filter(|names| names.len() < 1_000).any(|names| {
        names
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| BOILERPLATE_NAMES.iter().any(|known| word.eq_ignore_ascii_case(known)))
    })
}
