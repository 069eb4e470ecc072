//! The lists of contents of a source: its navigation document and its NCX. Entries have the titles of
//! the book's chapters, and those of documents that are left out go.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    io::{Read, Seek},
    ops::Range,
};

use super::{
    container::Container,
    package::resolve,
    plan::{Plan, SpokenWords},
    tree::{Edits, Element, Tree},
};
use crate::{
    Book,
    markup::{Escaped, one_line},
};

/// A heading that is no part of the chapter's title may stand before the entry's place, in words.
const MOST_BEFORE: u32 = 12;

/// What the entries of a list are called in the two formats.
struct Format {
    entries: &'static [&'static str],
    lists: &'static [&'static str],
}

const NAVIGATION: Format = Format { entries: &["li"], lists: &["ol"] };
const NCX: Format =
    Format { entries: &["navPoint", "pageTarget", "navTarget"], lists: &["navMap", "pageList", "navList"] };

/// The list of contents of one file.
pub(super) struct Toc {
    pub(super) path: String,
    source: String,
    tree: Tree,
    is_ncx: bool,
    links: Vec<Link>,
}

/// A line of a list.
struct Link {
    /// The element that leads to the place: `a` or `content`.
    element: usize,
    /// The element of the line, with those below it.
    entry: usize,
    /// What is read, and where it stands.
    label: String,
    place: Range<usize>,
    path: String,
    fragment: Option<String>,
    /// Whether it is one of the table of contents, not of pages or landmarks.
    is_chapter: bool,
}

impl Toc {
    /// Those that the container has and that can be read.
    pub(super) fn all<R: Read + Seek>(container: &mut Container<R>) -> Vec<Self> {
        let package = &container.package;
        let items = package.items.iter();
        let lists = items.filter(|item| item.is_navigation || item.media_type == "application/x-dtbncx+xml");
        let lists: Vec<(String, bool)> = lists.map(|item| (item.path.clone(), !item.is_navigation)).collect();
        let mut found = Vec::new();
        for (path, is_ncx) in lists {
            if let Some(source) = container.text(&path)
                && let Some(tree) = Tree::parse(&source)
            {
                let mut toc = Self { path, source, tree, is_ncx, links: Vec::new() };
                toc.links = if is_ncx { toc.points() } else { toc.anchors() };
                found.push(toc);
            }
        }
        found
    }

    fn target(&self, href: &str) -> Option<(String, Option<String>)> {
        let folder = self.path.rfind('/').map_or("", |at| &self.path[..=at]);
        let fragment = href.split_once('#').map(|(_, fragment)| fragment);
        let fragment = fragment
            .map(|fragment| percent_encoding::percent_decode_str(fragment).decode_utf8_lossy().into_owned());
        Some((resolve(folder, href)?, fragment.filter(|fragment| !fragment.is_empty())))
    }

    fn anchors(&self) -> Vec<Link> {
        let tree = &self.tree;
        let link = |(at, anchor): (usize, &Element)| {
            let (path, fragment) = self.target(anchor.attribute("href")?)?;
            let entry = tree.around(at).find(|at| tree.elements[*at].name == "li")?;
            let nav = tree.around(entry).find(|at| tree.elements[*at].name == "nav")?;
            let is_chapter = tree.elements[nav].has("type", "toc");
            let (label, place) = (tree.text(at), anchor.inner.clone());
            Some(Link { element: at, entry, label, place, path, fragment, is_chapter })
        };
        tree.named("a").filter_map(link).collect()
    }

    fn points(&self) -> Vec<Link> {
        let tree = &self.tree;
        let link = |(at, content): (usize, &Element)| {
            let (path, fragment) = self.target(content.attribute("src")?)?;
            let entry = content.parent?;
            let (label, _) = tree.children(entry).find(|(_, child)| child.name == "navLabel")?;
            let (text, element) = tree.children(label).find(|(_, child)| child.name == "text")?;
            let is_chapter = tree.elements[entry].name == "navPoint";
            let (label, place) = (tree.text(text), element.inner.clone());
            Some(Link { element: at, entry, label, place, path, fragment, is_chapter })
        };
        tree.named("content").filter_map(link).collect()
    }

    /// The elements that entries lead to, by document.
    pub(super) fn wanted(lists: &[Self]) -> HashMap<String, HashSet<String>> {
        let mut wanted: HashMap<String, HashSet<String>> = HashMap::new();
        for link in lists.iter().flat_map(|toc| &toc.links).filter(|link| link.is_chapter) {
            wanted.entry(link.path.clone()).or_default().extend(link.fragment.clone());
        }
        wanted
    }

    /// The documents that it leads to outside of its lists.
    pub(super) fn other_links(&self) -> HashSet<String> {
        let listed: HashSet<usize> = self.links.iter().map(|link| link.element).collect();
        let others = self.tree.named("a").filter(|(at, _)| !listed.contains(at));
        others.filter_map(|(_, anchor)| Some(self.target(anchor.attribute("href")?)?.0)).collect()
    }

    /// Gives the entries the titles of the chapters that begin where they lead to.
    pub(super) fn titles(&self, book: &Book, plan: &Plan, spoken: &SpokenWords) -> Edits {
        let mut of_chapters: HashMap<usize, Vec<&Link>> = HashMap::new();
        for link in self.links.iter().filter(|link| link.is_chapter) {
            if let Some((chapter, before)) = plan.next_word(&link.path, link.fragment.as_deref(), spoken)
                && before <= MOST_BEFORE
            {
                of_chapters.entry(chapter).or_default().push(link);
            }
        }
        let mut edits = Edits::default();
        for (chapter, links) in of_chapters {
            let Some(title) = one_line(book.chapters[chapter].title.as_deref()) else { continue };
            // A part and its first chapter may lead to the same place; the title may name both.
            let is_said =
                |link: &&Link| link.label == title || links.len() > 1 && title.contains(&link.label);
            if links.iter().any(is_said) {
                continue;
            }
            if let Some(link) = links.last() {
                edits.replace(link.place.clone(), Escaped(&title).to_string());
            }
        }
        edits
    }

    /// Takes the entries of documents away; `None` when no chapter would be left.
    pub(super) fn without(&self, gone: &HashSet<String>) -> Option<Edits> {
        let format = if self.is_ncx { NCX } else { NAVIGATION };
        let mut edits = Edits::default();
        if !self.links.iter().any(|link| gone.contains(&link.path)) {
            return Some(edits);
        }
        let tree = &self.tree;
        let is_gone: HashMap<usize, bool> =
            self.links.iter().map(|link| (link.entry, gone.contains(&link.path))).collect();
        // Those inside an entry come after it.
        let (mut kept, mut is_above): (HashSet<usize>, HashSet<usize>) = (HashSet::new(), HashSet::new());
        let is_entry = |at: usize| format.entries.contains(&&*tree.elements[at].name);
        for at in (0..tree.elements.len()).rev().filter(|at| is_entry(*at)) {
            let above = tree.around(at).find(|at| is_entry(*at));
            // One that leads nowhere is a heading of those below it, or none of ours.
            let stays = is_gone.get(&at).map_or(!is_above.contains(&at), |is_gone| !is_gone);
            if stays || kept.contains(&at) {
                kept.insert(at);
                kept.extend(above);
            }
            is_above.extend(above);
        }
        let is_list = |at: &usize| format.lists.contains(&&*tree.elements[*at].name);
        for list in (0..tree.elements.len()).filter(is_list) {
            let mut entries =
                tree.children(list).filter(|(at, _)| is_entry(*at)).map(|(at, _)| at).peekable();
            if entries.peek().is_none() || entries.any(|at| kept.contains(&at)) {
                continue;
            }
            let nav = tree.elements[list].parent.filter(|at| tree.elements[*at].name == "nav");
            if tree.elements[list].name == "navMap"
                || nav.is_some_and(|at| tree.elements[at].has("type", "toc"))
            {
                return None;
            }
            edits.remove(tree.elements[nav.unwrap_or(list)].range.clone());
        }
        for at in (0..tree.elements.len()).filter(|at| is_entry(*at) && !kept.contains(at)) {
            edits.remove(tree.elements[at].range.clone());
        }
        let mut moved: HashMap<usize, usize> = HashMap::new();
        for link in self.links.iter().filter(|link| gone.contains(&link.path) && kept.contains(&link.entry)) {
            let element = &tree.elements[link.element];
            if self.is_ncx {
                // An entry has to lead somewhere: to the first below it.
                let below = &tree.elements[link.entry].range;
                let next = self.links.iter().find(|next| {
                    !gone.contains(&next.path) && below.contains(&tree.elements[next.element].range.start)
                });
                moved.extend(next.map(|next| (link.entry, next.entry)));
                if let Some(src) = next.and_then(|next| tree.elements[next.element].attribute("src")) {
                    edits.set_attribute(&self.source, element, "src", &Escaped(src).to_string());
                }
            } else {
                let name = &self.source[element.tag.start + 1..];
                let prefix = name.split(|c: char| c.is_whitespace() || c == '>').next().unwrap_or_default();
                let prefix = prefix.trim_end_matches('a');
                edits.replace(element.tag.clone(), format!("<{prefix}span>"));
                edits.replace(element.inner.end..element.range.end, format!("</{prefix}span>"));
            }
        }
        if self.is_ncx {
            self.number(&kept, &moved, &mut edits);
        }
        Some(edits)
    }

    /// Numbers the places of an NCX from 1 without gaps, in the order that they had. Entries that lead to the
    /// same place have the same number, those that were moved there, too.
    fn number(&self, kept: &HashSet<usize>, moved: &HashMap<usize, usize>, edits: &mut Edits) {
        let order = |at: usize| self.tree.elements[at].attribute("playOrder")?.trim().parse::<u32>().ok();
        let order = |at: &usize| order(moved.get(at).copied().unwrap_or(*at));
        let numbers: BTreeSet<u32> = kept.iter().filter_map(order).collect();
        let new: HashMap<u32, usize> = numbers.into_iter().zip(1..).collect();
        for at in kept {
            if let Some(number) = order(at).and_then(|number| new.get(&number)) {
                edits.set_attribute(&self.source, &self.tree.elements[*at], "playOrder", &number.to_string());
            }
        }
    }

    pub(super) fn changed(&self, edits: Edits) -> String {
        edits.apply(&self.source)
    }
}
