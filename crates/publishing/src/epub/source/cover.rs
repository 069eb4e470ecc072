//! The cover of a source, replaced where the book has another.

use std::io::{Read, Seek};

use super::{
    container::Container,
    package::{Item, reference, resolve},
    tree::{Edits, Tree, place_of_value},
};
use crate::{Book, names::cover_extension};

/// What a new cover changes.
#[derive(Default)]
pub(super) struct NewCover {
    /// The file of the new picture, which may take the place of the old one.
    pub(super) file: Option<String>,
    /// The changes of the package.
    pub(super) edits: Edits,
}

impl NewCover {
    /// Changes the documents that show the old cover, too. A cover that the book has as its source
    /// does changes nothing.
    pub(super) fn of<R: Read + Seek>(book: &Book, container: &mut Container<R>, folder: &str) -> Self {
        let package = &container.package;
        let tree = &package.tree;
        let by_name = tree.named("meta").find(|(_, meta)| meta.attribute("name") == Some("cover"));
        let named = by_name.and_then(|(_, meta)| meta.attribute("content"));
        let mut items = package.items.iter();
        let old = items
            .clone()
            .find(|item| item.is_cover)
            .or_else(|| items.find(|item| named == Some(&*item.id) && item.media_type.starts_with("image/")))
            .cloned();
        let cover = book.cover.as_ref().and_then(|cover| Some((cover, cover_extension(cover)?)));
        let (cover, extension) = match (cover, &old) {
            (Some(cover), _) => cover,
            // A book without a cover, made of a source whose cover can be shown, lost it by its owner.
            (None, Some(old)) if matches!(&*old.media_type, "image/jpeg" | "image/png") => {
                return Self { file: None, edits: undeclared(container, old) };
            }
            (None, _) => return Self::default(),
        };
        if let Some(old) = &old {
            if container.has_bytes(&old.path, &cover.bytes) {
                return Self::default();
            }
            if old.media_type == cover.media_type {
                return Self { file: Some(old.path.clone()), edits: Edits::default() };
            }
        }
        let file = format!("{folder}/cover.{extension}");
        let mut edits = old.as_ref().map(|old| undeclared(container, old)).unwrap_or_default();
        let package = &container.package;
        let (prefix, id) = (&package.prefix, format!("{}-cover", package.id_prefix));
        let href = file.strip_prefix(&package.folder).unwrap_or(&file);
        edits.insert(
            package.manifest_end,
            format!(
                "<{prefix}item id=\"{id}\" href=\"{href}\" media-type=\"{}\" properties=\"cover-image\"/>\n",
                cover.media_type
            ),
        );
        if let Some(old) = old {
            relink(container, &old.path, &file);
        }
        Self { file: Some(file), edits }
    }
}

/// The old picture is no cover any more. It stays as a file, because style sheets may show it.
fn undeclared<R: Read + Seek>(container: &Container<R>, old: &Item) -> Edits {
    let package = &container.package;
    let mut edits = Edits::default();
    for (_, meta) in package.tree.named("meta").filter(|(_, meta)| meta.attribute("name") == Some("cover")) {
        edits.remove(meta.range.clone());
    }
    let item = &package.tree.elements[old.element];
    let others = item.attribute("properties").unwrap_or_default().split_whitespace();
    let others: Vec<&str> = others.filter(|property| *property != "cover-image").collect();
    let tag = &package.source[item.tag.clone()];
    if others.is_empty()
        && let Some(value) = place_of_value(tag, "properties")
    {
        let start = tag[..value.start].rfind("properties").unwrap_or(value.start);
        edits.remove(item.tag.start + start..item.tag.start + value.end + 1);
    } else if !others.is_empty() {
        edits.set_attribute(&package.source, item, "properties", &others.join(" "));
    }
    edits
}

/// Makes the documents that show a picture show another.
fn relink<R: Read + Seek>(container: &mut Container<R>, old: &str, new: &str) {
    let documents: Vec<String> = container.package.spine.iter().map(|item| item.path.clone()).collect();
    for path in documents {
        let Some(source) = container.text(&path) else { continue };
        let Some(tree) = Tree::parse(&source) else { continue };
        let folder = path.rfind('/').map_or("", |at| &path[..=at]);
        let mut edits = Edits::default();
        for element in &tree.elements {
            for (name, places) in [("src", &["src"][..]), ("href", &["xlink:href", "href"][..])] {
                let shows = matches!(&*element.name, "img" | "image")
                    && element.attribute(name).and_then(|value| resolve(folder, value)).as_deref()
                        == Some(old);
                let tag = &source[element.tag.clone()];
                if shows && let Some(place) = places.iter().find_map(|name| place_of_value(tag, name)) {
                    let start = element.tag.start;
                    edits.replace(start + place.start..start + place.end, reference(&path, new));
                }
            }
        }
        if !edits.is_empty() {
            container.replaced.insert(path, edits.apply(&source));
        }
    }
}
