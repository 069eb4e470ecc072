//! HTML: a page of the web, of which the main text is read and not what surrounds it, or a page of a book (EPUB), of
//! which all is read but notes and page numbers.
//!
//! Pages are read token by token: no tree is built, whose depth and repairs a hostile page could blow up. The little
//! that must be known about what is open is kept on a stack of bounded height. A page of the web is gone through
//! twice: first to see where its main text is, then to read it.

use std::collections::HashSet;

use crate::{
    Document, Limits, Reason, Unreadable,
    builder::{About, Builder, ChaptersFrom},
    decoding,
};

mod attributes;
mod elements;
mod lists;
mod marks;
mod survey;
mod tokens;
mod writer;

use survey::{Plan, Survey};
use writer::Writer;

/// How a page is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// HTML: `<p/>` opens a paragraph.
    Html,
    /// XHTML: `<p/>` is an empty paragraph, CDATA sections are text.
    Xhtml,
}

/// Writes the text of a whole page of a book, but what nobody wants to hear, into a builder. Gives the places (offsets
/// of the builder) of the elements whose `id`, or `name` of an `a`, is in `watched`, in the order of the page.
///
/// # Errors
/// [`Unreadable`] when the page is made to harm.
pub(crate) fn walk(
    source: &str,
    syntax: Syntax,
    watched: &HashSet<String>,
    builder: &mut Builder,
) -> Result<Vec<(String, usize)>, Unreadable> {
    refuse_floods(source, syntax)?;
    let plan = Plan::everything(lists::counted(source, syntax));
    let writer = Writer::new(builder, plan, Some(watched));
    Ok(tokens::read(source, syntax, writer).finish().places)
}

/// Reads a page of the web.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let source = decoding::markup(bytes);
    let syntax = if source.trim_start().starts_with("<?xml") { Syntax::Xhtml } else { Syntax::Html };
    refuse_floods(&source, syntax)?;
    let plan = tokens::read(&source, syntax, Survey::new()).plan(lists::counted(&source, syntax));
    let mut builder = Builder::new(limits);
    let page = tokens::read(&source, syntax, Writer::new(&mut builder, plan, None)).finish();
    let about = About { title: page.title, author: page.author, language: page.language, cover: None };
    builder.finish(about, ChaptersFrom::Headings)
}

fn refuse_floods(source: &str, syntax: Syntax) -> Result<(), Unreadable> {
    if attributes::is_flooded(source, syntax) {
        let message = "The page is damaged: one of its elements has more attributes than any could.";
        return Err(Unreadable::new(Reason::Damaged, message));
    }
    Ok(())
}
