//! The description of the book in a source's package, changed where the book has another.

use super::{
    package::Package,
    tree::{Edits, Element},
};
use crate::{
    Book,
    epub::package::{is_position, isbn},
    markup::{Escaped, language, one_line},
    names::book_title,
};

/// What `lectern-documents` cuts is longer than this many bytes.
const SHORTEST_CUT_BYTES: usize = 290;

const DC: &str = "http://purl.org/dc/elements/1.1/";

/// What refinements say of the old text of an element.
const OF_TEXT: [&str; 2] = ["file-as", "alternate-script"];

/// The changes of a package's metadata. What the book does not have stays as the source has it; the
/// author is the book's, unless the book has only the beginning of a long list.
pub(super) fn edits(book: &Book, package: &Package) -> Edits {
    let mut metadata = Metadata { package, edits: Edits::default() };
    metadata.title(book);
    metadata.author(book);
    metadata.language(book);
    metadata.set("publisher", one_line(book.publisher.as_deref()));
    if let Some(year) = book.year.filter(|year| *year > 0).map(|year| format!("{year:04}"))
        && !metadata.all("date").iter().any(|at| package.tree.text(*at).starts_with(&year))
    {
        metadata.set("date", Some(year));
    }
    metadata.set("description", one_line(book.description.as_deref()));
    metadata.rights(book);
    metadata.series(book);
    metadata.isbn(book);
    metadata.edits
}

struct Metadata<'a> {
    package: &'a Package,
    edits: Edits,
}

impl Metadata<'_> {
    fn element(&self, at: usize) -> &Element {
        &self.package.tree.elements[at]
    }

    /// The elements of a name that are in the metadata and have text.
    fn all(&self, name: &str) -> Vec<usize> {
        let tree = &self.package.tree;
        let is_in =
            |element: &Element| element.parent.is_some_and(|parent| tree.elements[parent].name == "metadata");
        tree.named(name)
            .filter(|(at, element)| is_in(element) && !tree.text(*at).is_empty())
            .map(|(at, _)| at)
            .collect()
    }

    /// The statements about an element, with their properties.
    fn refinements(&self, at: usize) -> Vec<(usize, &str)> {
        let Some(id) = self.element(at).attribute("id") else { return Vec::new() };
        let of_it = |element: &Element| {
            element.attribute("refines").is_some_and(|refines| refines.trim().strip_prefix('#') == Some(id))
        };
        let found = self.package.tree.named("meta").filter(|(_, meta)| of_it(meta));
        found.map(|(at, meta)| (at, meta.attribute("property").unwrap_or_default())).collect()
    }

    fn refinement(&self, at: usize, property: &str) -> Option<String> {
        let found = self.refinements(at).into_iter().find(|(_, found)| *found == property);
        found.map(|(meta, _)| self.package.tree.text(meta))
    }

    fn remove(&mut self, at: usize) {
        let refinements: Vec<usize> = self.refinements(at).into_iter().map(|(meta, _)| meta).collect();
        for meta in refinements {
            let range = self.element(meta).range.clone();
            self.edits.remove(range);
        }
        let range = self.element(at).range.clone();
        self.edits.remove(range);
    }

    fn replace(&mut self, at: usize, text: &str) {
        let stale: Vec<usize> = self
            .refinements(at)
            .into_iter()
            .filter(|(_, property)| OF_TEXT.contains(property))
            .map(|(meta, _)| meta)
            .collect();
        for meta in stale {
            let range = self.element(meta).range.clone();
            self.edits.remove(range);
        }
        let inner = self.element(at).inner.clone();
        self.edits.replace(inner, Escaped(text).to_string());
    }

    fn add(&mut self, name: &str, attributes: &str, text: &str) {
        // The prefix may be another, or none, in the package.
        let new = format!("<dc:{name} xmlns:dc=\"{DC}\"{attributes}>{}</dc:{name}>\n", Escaped(text));
        self.edits.insert(self.package.metadata_end, new);
    }

    fn add_meta(&mut self, attributes: &str, text: &str) {
        let prefix = &self.package.prefix;
        let new = format!("<{prefix}meta {attributes}>{}</{prefix}meta>\n", Escaped(text));
        self.edits.insert(self.package.metadata_end, new);
    }

    /// Gives the book one element of a name, in the place of those that there are.
    fn set(&mut self, name: &str, text: Option<String>) {
        let Some(text) = text else { return };
        let found = self.all(name);
        if found.iter().any(|at| self.package.tree.text(*at) == text) {
            return;
        }
        match found.split_first() {
            Some((first, others)) => {
                self.replace(*first, &text);
                for at in others {
                    self.remove(*at);
                }
            }
            None => self.add(name, "", &text),
        }
    }

    fn title(&mut self, book: &Book) {
        let (titles, title) = (self.all("title"), book_title(book));
        let is_main = |at: &&usize| self.refinement(**at, "title-type").as_deref() == Some("main");
        match titles.iter().find(is_main).or(titles.first()).copied() {
            Some(main) if self.package.tree.text(main) != title => self.replace(main, &title),
            Some(_) => {}
            None => self.add("title", "", &title),
        }
    }

    /// Those who count as authors: as `lectern-documents` reads them.
    fn author(&mut self, book: &Book) {
        let creators = self.all("creator");
        let role = |at: &usize| self.refinement(*at, "role");
        let mut authors: Vec<usize> =
            creators.iter().copied().filter(|at| role(at).as_deref() == Some("aut")).collect();
        if authors.is_empty() {
            authors = creators.iter().copied().filter(|at| role(at).is_none()).collect();
        }
        if authors.is_empty() {
            authors.extend(creators.first());
        }
        let names: Vec<String> = authors.iter().map(|at| self.package.tree.text(*at)).collect();
        let author = one_line(book.author.as_deref());
        let joined = names.join(", ");
        if author.as_ref().is_some_and(|author| joined == *author || is_cut(author, &joined)) {
            return;
        }
        let kept = authors.first().copied().filter(|_| author.is_some());
        for at in authors.into_iter().filter(|at| Some(*at) != kept) {
            self.remove(at);
        }
        match (kept, author) {
            (Some(first), Some(author)) => self.replace(first, &author),
            (None, Some(author)) => {
                let id = format!("{}-author", self.package.id_prefix);
                self.add("creator", &format!(" id=\"{id}\""), &author);
                self.add_meta(
                    &format!("refines=\"#{id}\" property=\"role\" scheme=\"marc:relators\""),
                    "aut",
                );
            }
            (_, None) => {}
        }
    }

    /// A book in `en-GB` whose voice speaks `en-US` stays as it is.
    fn language(&mut self, book: &Book) {
        let tag = language(book.language.as_deref());
        let primary = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        let found = self.all("language");
        let is_said = found.iter().any(|at| primary(&self.package.tree.text(*at)) == primary(&tag));
        match found.first() {
            _ if tag == "und" || is_said => {}
            Some(first) => self.replace(*first, &tag),
            None => self.add("language", "", &tag),
        }
    }

    /// A statement that is only cut in the book stays whole.
    fn rights(&mut self, book: &Book) {
        let rights = one_line(book.copyright.as_deref()).filter(|rights| {
            !self.all("rights").into_iter().any(|at| is_cut(rights, &self.package.tree.text(at)))
        });
        self.set("rights", rights);
    }

    fn series(&mut self, book: &Book) {
        let Some(series) = one_line(book.series.as_deref()) else { return };
        let index = book.series_index.as_deref().map(str::trim).filter(|index| is_position(index));
        let tree = &self.package.tree;
        let of_collections = tree.named("meta").filter(|(at, meta)| {
            meta.attribute("property") == Some("belongs-to-collection")
                && meta.attribute("refines").is_none()
                && self.refinement(*at, "collection-type").is_none_or(|kind| kind == "series")
        });
        let collections: Vec<usize> = of_collections.map(|(at, _)| at).collect();
        if collections
            .iter()
            .any(|at| tree.text(*at) == series && self.refinement(*at, "group-position").as_deref() == index)
        {
            return;
        }
        let of_others = tree.named("meta").filter(|(_, meta)| {
            meta.attribute("name").is_some_and(|name| name.starts_with("calibre:series"))
        });
        let others: Vec<usize> = of_others.map(|(at, _)| at).collect();
        collections.into_iter().chain(others).for_each(|at| self.remove(at));
        let id = format!("{}-series", self.package.id_prefix);
        self.add_meta(&format!("property=\"belongs-to-collection\" id=\"{id}\""), &series);
        self.add_meta(&format!("refines=\"#{id}\" property=\"collection-type\""), "series");
        if let Some(index) = index {
            self.add_meta(&format!("refines=\"#{id}\" property=\"group-position\""), index);
        }
    }

    /// The unique identifier stays: it is the key of fonts, and the lists of contents name it.
    fn isbn(&mut self, book: &Book) {
        let Some(new) = book.isbn.as_deref().and_then(isbn) else { return };
        let unique = self.package.tree.elements.first().and_then(|root| root.attribute("unique-identifier"));
        let of = |at: &usize| {
            let text = self.package.tree.text(*at);
            isbn(
                text.get(..9)
                    .filter(|start| start.eq_ignore_ascii_case("urn:isbn:"))
                    .map_or(&*text, |_| &text[9..]),
            )
        };
        let found = self.all("identifier");
        let isbns: Vec<usize> = found.into_iter().filter(|at| of(at).is_some()).collect();
        if isbns.iter().any(|at| of(at).as_deref() == Some(&*new)) {
            return;
        }
        let old: Vec<usize> =
            isbns.into_iter().filter(|at| self.element(*at).attribute("id") != unique).collect();
        for at in old {
            self.remove(at);
        }
        self.add("identifier", "", &format!("urn:isbn:{new}"));
    }
}

/// Whether a text is the beginning of another that was too long for the book. Letters and digits count: the
/// book's reader drops characters that nobody sees, such as soft hyphens.
fn is_cut(text: &str, whole: &str) -> bool {
    let kept = text.strip_suffix('…').filter(|kept| kept.len() > SHORTEST_CUT_BYTES);
    let seen = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
    kept.is_some_and(|kept| seen(whole).starts_with(&seen(kept)))
}
