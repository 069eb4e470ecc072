//! An account's materials as a library: found by words and tags, in an order, each with the listener's place.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{ArrayBuilder, RefOr, Schema},
};

use crate::{Field, Material, Name, Place, Wrong, request, request::entries};

/// The most tags of a material.
pub const MAX_TAGS: usize = 20;

/// The most characters of a tag.
pub const MAX_TAG: usize = 50;

crate::text_enum! {
    /// The order of a library.
    #[derive(ToSchema)]
    LibrarySort {
        /// The newest upload first.
        Newest "newest",
        /// The last that was listened to first.
        Listened "listened",
        /// By title.
        Title "title",
        /// By author, then by title.
        Author "author",
        /// By series, then by the place in it.
        Series "series",
    }
}

crate::text_enum! {
    /// Which materials of a library are shown.
    #[derive(ToSchema)]
    LibraryShow {
        /// All.
        All "all",
        /// Those that were begun but not heard to the end.
        Begun "begun",
        /// Those of which nothing was heard.
        Unheard "unheard",
        /// Those heard to the end.
        Finished "finished",
        /// Those without all their audio.
        Unconverted "unconverted",
    }
}

/// A material in the library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LibraryBook {
    pub material: Material,
    /// The owner's tags, in order.
    pub tags: Vec<String>,
    /// How far the account has listened; null when nothing was heard.
    pub place: Option<Place>,
}

/// A tag of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TagCount {
    pub tag: String,
    /// How many materials have it.
    pub materials: u32,
}

/// A page of the library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LibraryPage {
    pub data: Vec<LibraryBook>,
    /// The `cursor` of the next page; null on the last page.
    pub next_cursor: Option<String>,
    /// How many materials were found on all pages.
    pub total: u32,
    /// The tags of the library, in order, whatever was asked for: the 200 that most materials have.
    pub tags: Vec<TagCount>,
}

type Tag = Name<MAX_TAG>;

/// Tags: none twice, and none that differ in case alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tags(pub Vec<String>);

impl Field for Tags {
    fn property() -> RefOr<Schema> {
        ArrayBuilder::new().items(Tag::property()).max_items(Some(MAX_TAGS)).unique_items(true).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        if value.as_array().is_some_and(|tags| tags.len() > MAX_TAGS) {
            return Err(format!("must be at most {MAX_TAGS} tags").into());
        }
        let mut seen = HashSet::new();
        let tag = |value| {
            let tag = Tag::read(value)?.0.trim().to_owned();
            if seen.insert(tag.to_lowercase()) { Ok(tag) } else { Err("is in the list twice".into()) }
        };
        entries(value, "must be a list of tags", tag).map(Self)
    }
}

request! {
    /// The tags of a material, in place of those before.
    #[example({ "tags": ["Bedtime", "Course 3"] })]
    pub struct TagsRequest {
        /// At most 20 tags of at most 50 characters each.
        pub tags: Tags,
    }
}

/// The tags of a material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialTags {
    /// In order.
    pub tags: Vec<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tags_are_short_and_differ() {
        assert_eq!(Tags::read(json!(["Bedtime", "夜"])), Ok(Tags(vec!["Bedtime".into(), "夜".into()])));
        assert_eq!(Tags::read(json!([" Course 3 "])), Ok(Tags(vec!["Course 3".into()])));
        assert_eq!(Tags::read(json!([])), Ok(Tags(Vec::new())));
        for wrong in [
            json!("Bedtime"),
            json!([""]),
            json!([" "]),
            json!(["a\nb"]),
            json!(["x".repeat(51)]),
            json!(["Bedtime", "bedtime"]),
            json!(vec!["x"; 21]),
            json!([1]),
        ] {
            assert!(Tags::read(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
