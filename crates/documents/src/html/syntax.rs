//! The two syntaxes of HTML.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// HTML: `<p/>` opens a paragraph.
    Html,
    /// XHTML: `<p/>` is an empty paragraph, CDATA sections are text.
    Xhtml,
}
