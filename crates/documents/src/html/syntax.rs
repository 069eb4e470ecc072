//! Which of the two syntaxes of HTML a page uses.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// HTML: `<p/>` opens a paragraph.
    Html,
    /// XHTML: `<p/>` is an empty paragraph, CDATA sections are text.
    Xhtml,
}
