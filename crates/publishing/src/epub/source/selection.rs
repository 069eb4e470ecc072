//! The documents of a source that hold only chapters that are not in the book. They leave the reading
//! order and the lists of contents. The file goes too, unless something that stays links to it: then
//! it is outside of the reading order, where a reader opens it by that link alone.

use std::{
    collections::HashSet,
    io::{Read, Seek},
};

use super::{
    container::Container,
    package::{Package, resolve},
    plan::Plan,
    toc::Toc,
    tree::{Edits, Tree},
};

#[derive(Default)]
pub(super) struct Selection {
    /// The documents that are not in the publication.
    pub(super) dropped: HashSet<String>,
    /// The documents outside of the reading order.
    aside: HashSet<String>,
}

impl Selection {
    pub(super) fn of<R: Read + Seek>(container: &mut Container<R>, plan: &Plan, lists: &[Toc]) -> Self {
        let spine: Vec<String> = container.package.spine.iter().map(|item| item.path.clone()).collect();
        let is_list = |path: &String| lists.iter().any(|toc| toc.path == *path);
        let mut omitted: HashSet<String> = (0..spine.len())
            .filter(|at| plan.is_omitted(*at) && !is_list(&spine[*at]))
            .map(|at| spine[at].clone())
            .collect();
        if omitted.is_empty() || lists.iter().any(|toc| toc.without(&omitted).is_none()) {
            return Self::default();
        }
        // What stays, and what can be reached from it.
        let mut to_read: Vec<String> =
            spine.iter().filter(|path| !omitted.contains(*path) && !is_list(path)).cloned().collect();
        let mut aside = HashSet::new();
        for path in lists.iter().flat_map(Toc::other_links) {
            if omitted.remove(&path) {
                aside.insert(path.clone());
                to_read.push(path);
            }
        }
        while let Some(path) = to_read.pop() {
            for linked in links(container, &path) {
                if omitted.remove(&linked) {
                    aside.insert(linked.clone());
                    to_read.push(linked);
                }
            }
        }
        Self { dropped: omitted, aside }
    }

    /// The documents that the lists of contents do not have.
    pub(super) fn unlisted(&self) -> HashSet<String> {
        self.dropped.union(&self.aside).cloned().collect()
    }

    /// The changes of the package.
    pub(super) fn edits(&self, package: &Package) -> Edits {
        let mut edits = Edits::default();
        let tree = &package.tree;
        let mut ids: HashSet<&str> = HashSet::new();
        for item in &package.items {
            let is_dropped = self.dropped.contains(&item.path);
            if !is_dropped && !self.aside.contains(&item.path) {
                continue;
            }
            for (_, reference) in tree.named("itemref") {
                if reference.attribute("idref") == Some(&*item.id) {
                    if is_dropped {
                        ids.extend(reference.attribute("id"));
                        edits.remove(reference.range.clone());
                    } else {
                        edits.set_attribute(&package.source, reference, "linear", "no");
                    }
                }
            }
            if is_dropped {
                ids.insert(&item.id);
                edits.remove(tree.elements[item.element].range.clone());
            }
        }
        for (_, meta) in tree.named("meta").chain(tree.named("link")) {
            let refines = meta.attribute("refines").and_then(|refines| refines.trim().strip_prefix('#'));
            if refines.is_some_and(|id| ids.contains(id)) {
                edits.remove(meta.range.clone());
            }
        }
        let leads_away = |href: Option<&str>| {
            href.and_then(|href| resolve(&package.folder, href))
                .is_some_and(|path| self.dropped.contains(&path))
        };
        for (guide, element) in tree.named("guide") {
            let (gone, kept): (Vec<_>, Vec<_>) =
                tree.children(guide).partition(|(_, reference)| leads_away(reference.attribute("href")));
            if kept.is_empty() && !gone.is_empty() {
                edits.remove(element.range.clone());
            }
            for (_, reference) in gone {
                edits.remove(reference.range.clone());
            }
        }
        edits
    }
}

/// The files that a document refers to.
fn links<R: Read + Seek>(container: &mut Container<R>, path: &str) -> HashSet<String> {
    let Some(tree) = container.text(path).as_deref().and_then(Tree::parse) else { return HashSet::new() };
    let folder = path.rfind('/').map_or("", |at| &path[..=at]);
    let references = tree.elements.iter().flat_map(|element| {
        ["href", "src", "data", "cite"].into_iter().filter_map(|name| element.attribute(name))
    });
    references.filter_map(|href| resolve(folder, href)).collect()
}
