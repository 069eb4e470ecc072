//! Reads HTML: a page that was uploaded, of which only the main text is read, or a page of an EPUB, of which
//! everything but notes and page numbers is read. Of a page of the web only the article is read, which `article` finds.
//!
//! Pages are read token by token, without a tree whose depth and repairs a hostile page could blow
//! up. The little state that open elements need is on a stack of bounded height. A web page is read
//! twice: once to find its main text, once to write it.

use std::collections::HashSet;

use crate::{
    Document, Limits, Reason, Unreadable,
    builder::{Builder, ChaptersFrom, Metadata},
    decoding,
};

mod article;
mod attributes;
mod boilerplate;
mod elements;
mod links;
mod lists;
mod marks;
mod notes;
mod speech;
mod syntax;
mod tokens;
mod writer;

use boilerplate::{BoilerplateDetector, ReadingPlan};
use links::LinkCollector;
pub(crate) use links::PageLinks;
pub(crate) use notes::{LinkedPage, PageNotes, find as find_notes};
pub(crate) use speech::{PageSheets, Rule as SpeechRule, parse as parse_style_sheet};
pub(crate) use syntax::Syntax;
use writer::{Page, Writer};

/// Writes the text of an EPUB page to a builder. Returns the builder's offsets of the elements
/// whose `id`, or `name` of an `a`, is in `wanted_ids`, in page order. `notes` are the notes that
/// [`find_notes`] found; without them, only what is marked as a note is left out. `rules` are those of its style sheets.
///
/// # Errors
/// [`Unreadable`] when the page is built to exhaust the reader.
pub(crate) fn write_page(
    source: &str,
    syntax: Syntax,
    wanted_ids: &HashSet<String>,
    notes: Option<&PageNotes>,
    rules: &[SpeechRule],
    builder: &mut Builder,
) -> Result<Vec<(String, usize)>, Unreadable> {
    refuse_floods(source, syntax)?;
    let plan = ReadingPlan::everything(lists::item_counts(source, syntax));
    let plan = ReadingPlan { speech: speech::styles(source, syntax, rules), ..plan };
    let writer = Writer::new(builder, plan, Some(wanted_ids), notes);
    Ok(tokens::read(source, syntax, writer).finish().anchors)
}

/// The links of a page, to find its notes with [`find_notes`].
///
/// # Errors
/// [`Unreadable`] when the page is built to exhaust the reader.
pub(crate) fn links(source: &str, syntax: Syntax) -> Result<PageLinks, Unreadable> {
    refuse_floods(source, syntax)?;
    Ok(tokens::read(source, syntax, LinkCollector::default()).finish())
}

/// Reads the article of a page of the web; all of its main text when none stands out.
pub(crate) fn read_article(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let source = decoding::markup(bytes);
    refuse_floods(&source, Syntax::Html)?;
    match article::find(&source) {
        Some(article) => read_everything(&article, limits),
        None => read(bytes, limits),
    }
}

/// Reads all of a page.
fn read_everything(source: &str, limits: &Limits) -> Result<Document, Unreadable> {
    let mut builder = Builder::new(limits);
    let plan = ReadingPlan::everything(lists::item_counts(source, Syntax::Html));
    let page = tokens::read(source, Syntax::Html, Writer::new(&mut builder, plan, None, None)).finish();
    builder.finish(metadata(page), ChaptersFrom::Headings)
}

/// Reads a page.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let source = decoding::markup(bytes);
    let syntax = if source.trim_start().starts_with("<?xml") { Syntax::Xhtml } else { Syntax::Html };
    refuse_floods(&source, syntax)?;
    let plan =
        tokens::read(&source, syntax, BoilerplateDetector::new()).plan(lists::item_counts(&source, syntax));
    let plan = ReadingPlan { speech: speech::styles(&source, syntax, &own_rules(&source, syntax)), ..plan };
    let mut builder = Builder::new(limits);
    let linked = LinkedPage { links: links(&source, syntax)?, is_notes: false };
    let notes = find_notes(&[linked], |_, target| Some((0, target.strip_prefix('#')?.to_owned()))).pop();
    let page = tokens::read(&source, syntax, Writer::new(&mut builder, plan, None, notes.as_ref())).finish();
    builder.finish(metadata(page), ChaptersFrom::Headings)
}

fn metadata(page: Page) -> Metadata {
    Metadata {
        title: page.title,
        author: page.author,
        copyright: page.copyright,
        language: page.language,
        cover: None,
    }
}

/// The rules about speech of the style sheets inside a page.
fn own_rules(source: &str, syntax: Syntax) -> Vec<SpeechRule> {
    let mut rules = Vec::new();
    parse_style_sheet(&PageSheets::of(source, syntax).own, &mut rules);
    rules
}

fn refuse_floods(source: &str, syntax: Syntax) -> Result<(), Unreadable> {
    if attributes::is_flooded(source, syntax) {
        let message = "The page is damaged: one of its elements has too many attributes.";
        return Err(Unreadable::new(Reason::Damaged, message));
    }
    Ok(())
}
