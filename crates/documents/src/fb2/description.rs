//! The metadata of a FictionBook, from its `title-info`. A description also names translators,
//! the maker of the file and, for a translation, the original; these are ignored.

use crate::{builder::Metadata, xml::Element};

/// How many bytes of a field are kept until it is cleaned up.
const MAX_FIELD_BYTES: usize = 4_000;

/// Authors beyond this number are ignored.
const MAX_AUTHORS: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Description {
    in_title_info: bool,
    in_author: bool,
    field: Option<Field>,
    title: String,
    language: String,
    authors: Vec<Author>,
    /// The id of the binary that is the cover.
    pub(super) cover_id: Option<String>,
}

#[derive(Debug, Clone, Copy)]
enum Field {
    Title,
    Language,
    /// A part of a name.
    Name,
    Nickname,
}

#[derive(Debug, Default)]
struct Author {
    name: String,
    nickname: String,
}

impl Description {
    pub(super) fn open(&mut self, element: &Element<'_>) {
        let name = element.name();
        if name == "title-info" {
            self.in_title_info = true;
        }
        if !self.in_title_info {
            return;
        }
        match name {
            "author" if self.authors.len() < MAX_AUTHORS => {
                self.in_author = true;
                self.authors.push(Author::default());
            }
            "book-title" => self.field = Some(Field::Title),
            "lang" => self.field = Some(Field::Language),
            "first-name" | "middle-name" | "last-name" if self.in_author => {
                self.field = Some(Field::Name);
                self.text(" ");
            }
            "nickname" if self.in_author => self.field = Some(Field::Nickname),
            "image" if self.cover_id.is_none() => {
                let target = element.attribute("href");
                self.cover_id = target.and_then(|target| target.strip_prefix('#').map(str::to_owned));
            }
            _ => {}
        }
    }

    pub(super) fn close(&mut self, name: &str) {
        self.field = None;
        match name {
            "title-info" => self.in_title_info = false,
            "author" => self.in_author = false,
            _ => {}
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        let value = match (self.field, self.authors.last_mut()) {
            (Some(Field::Title), _) => &mut self.title,
            (Some(Field::Language), _) => &mut self.language,
            (Some(Field::Name), Some(author)) => &mut author.name,
            (Some(Field::Nickname), Some(author)) => &mut author.nickname,
            _ => return,
        };
        if value.len() < MAX_FIELD_BYTES {
            value.push_str(text);
        }
    }

    /// The metadata, without the cover.
    pub(super) fn finish(self) -> Metadata {
        let name = |author: Author| {
            let name = if author.name.trim().is_empty() { author.nickname } else { author.name };
            name.trim().to_owned()
        };
        let authors: Vec<String> =
            self.authors.into_iter().map(name).filter(|name| !name.is_empty()).collect();
        let given = |text: String| Some(text).filter(|text| !text.trim().is_empty());
        Metadata {
            title: given(self.title),
            author: given(authors.join(", ")),
            copyright: None,
            language: given(self.language.trim().to_owned()),
            cover: None,
        }
    }
}
