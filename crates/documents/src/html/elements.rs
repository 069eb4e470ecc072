//! What elements and their attributes mean to one who reads aloud.

use html5ever::tokenizer::{Tag, TokenSinkResult, states::RawKind};

use super::{Syntax, tokens::Element};

/// What an element is to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Heading(u8),
    Paragraph,
    /// A block of any other kind.
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
    /// The name of the page.
    Title,
    /// Something about the page.
    Meta,
    Main,
    Article,
    /// What introduces or closes what it stands in: the page, or an article.
    Margin,
    /// What the page has besides its text.
    Aside,
    Form,
    /// A formula.
    Formula,
    /// What is never read.
    Silent,
    /// What only changes the looks of text.
    Inline,
}

impl Meaning {
    /// Whether it starts and ends a paragraph.
    pub(super) fn is_block(self) -> bool {
        !matches!(
            self,
            Self::LineBreak
                | Self::Link
                | Self::Raised
                | Self::Quoted
                | Self::Inline
                | Self::Silent
                | Self::Title
                | Self::Meta
                | Self::Formula
        )
    }
}

/// Elements that hold text without markup, besides scripts and plain text.
pub(super) const RAW: [&str; 7] = ["title", "textarea", "style", "xmp", "iframe", "noembed", "noframes"];

/// Whether a tag that opens an element closes it, too.
pub(super) fn is_closed(tag: &Tag, syntax: Syntax) -> bool {
    tag.self_closing && syntax == Syntax::Xhtml
}

/// How what follows a tag is read: as markup or, to some end tag, as text.
pub(super) fn content(tag: &Tag, syntax: Syntax) -> TokenSinkResult<()> {
    match &*tag.name {
        _ if is_closed(tag, syntax) => TokenSinkResult::Continue,
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "plaintext" => TokenSinkResult::Plaintext,
        name if RAW.contains(&name) => TokenSinkResult::RawData(RawKind::Rawtext),
        _ => TokenSinkResult::Continue,
    }
}

/// What an element of this name means.
pub(super) fn meaning(name: &str) -> Meaning {
    match name {
        "h1" => Meaning::Heading(1),
        "h2" => Meaning::Heading(2),
        "h3" => Meaning::Heading(3),
        "h4" => Meaning::Heading(4),
        "h5" => Meaning::Heading(5),
        "h6" => Meaning::Heading(6),
        "p" => Meaning::Paragraph,
        "pre" | "listing" | "xmp" | "plaintext" => Meaning::Preformatted,
        "ul" | "ol" | "menu" | "dir" | "dl" => Meaning::List,
        "li" | "dt" | "dd" => Meaning::Item,
        "table" => Meaning::Table,
        "tr" => Meaning::Row,
        "td" | "th" => Meaning::Cell,
        "br" => Meaning::LineBreak,
        "hr" => Meaning::Rule,
        "a" => Meaning::Link,
        "sup" => Meaning::Raised,
        "q" => Meaning::Quoted,
        "title" => Meaning::Title,
        "meta" => Meaning::Meta,
        "main" => Meaning::Main,
        "article" => Meaning::Article,
        "header" | "footer" => Meaning::Margin,
        "aside" => Meaning::Aside,
        "form" => Meaning::Form,
        "math" => Meaning::Formula,
        // A prefix of the page's own choice.
        _ if name.ends_with(":math") => Meaning::Formula,
        "script" | "style" | "template" | "noscript" | "noembed" | "noframes" | "nav" | "svg" | "iframe"
        | "object" | "embed" | "applet" | "audio" | "video" | "canvas" | "map" | "select" | "datalist"
        | "button" | "textarea" | "input" | "label" | "progress" | "meter" | "rt" | "rp" | "rtc"
        | "dialog" => Meaning::Silent,
        "html" | "body" | "div" | "section" | "address" | "blockquote" | "center" | "figure"
        | "figcaption" | "caption" | "fieldset" | "legend" | "details" | "summary" | "hgroup" | "thead"
        | "tbody" | "tfoot" | "colgroup" | "search" => Meaning::Block,
        _ => Meaning::Inline,
    }
}

/// Whether an element of this name never holds anything.
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

/// What a page says about an element, whatever it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    /// It is not shown, or is a note, a page number or a table of contents.
    Unread,
    /// It is the mark of a note.
    NoteMark,
    /// It is the main text.
    Main,
    /// It stands beside the text: a banner, a search field.
    Beside,
}

/// Kinds of parts (EPUB's `epub:type`, ARIA's `role` with `doc-` in front) that are not read.
const UNREAD: &[&str] = &[
    "pagebreak",
    "footnote",
    "footnotes",
    "endnote",
    "endnotes",
    "rearnote",
    "rearnotes",
    "note-list",
    "toc",
    "landmarks",
    "page-list",
    "pagelist",
    "loi",
    "lot",
    "index",
    "backlink",
];

/// What the attributes of an element say.
pub(super) fn said(element: &Element<'_>) -> Said {
    // A page that hides all of itself shows itself later, by a script.
    if element.tag.attrs.is_empty() || matches!(&*element.tag.name, "html" | "body") {
        return Said::Nothing;
    }
    if element.attribute("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
        || element.attribute("aria-hidden").is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
        || (element.attribute("style").is_some_and(hides) && !is_for_hearing(element))
    {
        return Said::Unread;
    }
    let kinds = element.attribute("epub:type").into_iter().chain(element.attribute("role"));
    for kind in kinds.flat_map(str::split_ascii_whitespace).take(16) {
        let kind = kind.to_ascii_lowercase();
        let kind = kind.strip_prefix("doc-").unwrap_or(&kind);
        match kind {
            "noteref" => return Said::NoteMark,
            "main" => return Said::Main,
            "banner" | "contentinfo" | "complementary" => return Said::Beside,
            "navigation" | "search" | "menu" | "menubar" | "toolbar" | "dialog" | "alertdialog" => {
                return Said::Unread;
            }
            _ if UNREAD.contains(&kind) => return Said::Unread,
            _ => {}
        }
    }
    Said::Nothing
}

/// Whether an element is hidden from the eye only: a formula whose picture is shown (`MediaWiki`).
fn is_for_hearing(element: &Element<'_>) -> bool {
    element.attribute("class").is_some_and(|class| class.contains("mwe-math-mathml"))
}

fn hides(style: &str) -> bool {
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

/// Words in the `class` or `id` of what surrounds a text.
const SURROUNDS: &[&str] = &[
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

/// Whether it is the link behind a heading that opens it for changes (`MediaWiki`).
pub(super) fn is_edit_link(element: &Element<'_>) -> bool {
    element
        .attribute("class")
        .is_some_and(|class| class.split_whitespace().any(|name| name == "mw-editsection"))
}

/// Whether the names that an element is given say that it surrounds the text.
pub(super) fn is_surrounding(element: &Element<'_>) -> bool {
    let class = element.attribute("class");
    // The id of a section repeats its heading: `related-work` is a chapter, `comments` is none.
    let is_section = &*element.tag.name == "section"
        || class.is_some_and(|class| class.split_whitespace().any(|name| name == "section"));
    let id = element.attribute("id").filter(|id| !(is_section && id.contains('-')));
    class.into_iter().chain(id).filter(|names| names.len() < 1_000).any(|names| {
        names
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| SURROUNDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
    })
}
