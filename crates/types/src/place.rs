//! How far a listener is in a book, and the places that they marked.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

use crate::{
    BookmarkId, Field, MaterialId, Timestamp, Wrong, request,
    request::{text_schema, whole},
};

/// How far the account has listened to a material.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Place {
    pub material_id: MaterialId,
    /// The chunk.
    pub chunk_index: u32,
    /// Milliseconds into the chunk's audio.
    pub position_ms: u32,
    /// The share of the material before it, from 0 to 1.
    pub progress: f64,
    /// Whether it was heard to the end.
    pub finished: bool,
    /// When the listener was there.
    pub updated_at: Timestamp,
}

/// The newest places of an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Places {
    /// The places, newest first.
    pub data: Vec<Place>,
}

/// A marked place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Bookmark {
    pub id: BookmarkId,
    pub material_id: MaterialId,
    /// The chunk.
    pub chunk_index: u32,
    /// Milliseconds into the chunk's audio.
    pub position_ms: u32,
    /// The listener's words about it; may be empty.
    pub note: String,
    pub created_at: Timestamp,
}

/// All bookmarks of a material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Bookmarks {
    /// The bookmarks, in the order of the material.
    pub data: Vec<Bookmark>,
}

/// A whole number from 0 to `MOST`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count<const MOST: u32>(pub u32);

impl<const MOST: u32> Field for Count<MOST> {
    fn property() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        let number = number.format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)));
        number.minimum(Some(0)).maximum(Some(MOST)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        whole(&value, 0..=MOST).map(Self)
    }
}

/// A chunk's index. Whether the material has it is checked later.
pub type ChunkIndex = Count<1_000_000>;

/// Milliseconds into a chunk's audio.
pub type PositionMs = Count<86_400_000>;

/// A share of a whole, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share(pub u32);

impl Share {
    const WHOLE: f64 = 1_000_000.0;

    /// As in JSON.
    pub fn as_number(self) -> f64 {
        f64::from(self.0) / Self::WHOLE
    }
}

impl Field for Share {
    fn property() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0)).maximum(Some(1)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let share = value.as_f64().filter(|share| (0.0..=1.0).contains(share));
        share
            .map(|share| Self((share * Self::WHOLE).round() as u32))
            .ok_or_else(|| "must be a number from 0 to 1".into())
    }
}

/// The words about a bookmark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Note(pub String);

impl Note {
    const MOST: usize = 1_000;
}

impl Field for Note {
    fn property() -> RefOr<Schema> {
        text_schema().max_length(Some(Self::MOST)).pattern(Some(r"^[^\u0000]*$")).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let note = String::read(value)?;
        if note.contains('\0') || note.chars().nth(Self::MOST).is_some() {
            return Err(format!("must be at most {} characters, none of them NUL", Self::MOST).into());
        }
        Ok(Self(note))
    }
}

request! {
    /// Where a listener is.
    #[example({ "chunk_index": 12, "position_ms": 41500, "progress": 0.31, "finished": false })]
    pub struct PlaceRequest {
        /// The chunk.
        pub chunk_index: ChunkIndex,
        /// Milliseconds into the chunk's audio.
        pub position_ms: PositionMs,
        /// The share of the material before it.
        pub progress: Share,
        /// Whether it was heard to the end.
        pub finished: bool,
        /// When the listener was there; now by default, and never later than now. The newest place stands.
        pub updated_at: Option<Timestamp>,
    }
}

request! {
    /// A place to mark.
    #[example({ "chunk_index": 12, "position_ms": 41500, "note": "The lamp goes out." })]
    pub struct BookmarkRequest {
        /// The chunk.
        pub chunk_index: ChunkIndex,
        /// Milliseconds into the chunk's audio.
        pub position_ms: PositionMs,
        /// Words about it, at most 1,000 characters; none by default.
        pub note: Option<Note>,
    }
}

request! {
    /// A change to a bookmark.
    #[example({ "note": "The lamp goes out." })]
    pub struct BookmarkNoteRequest {
        /// Words about it, at most 1,000 characters.
        pub note: Note,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Request as _;

    #[test]
    fn what_is_wrong_with_a_place_is_named() {
        let with = |field: &str, value: Value| {
            let mut body = json!({ "chunk_index": 0, "position_ms": 0, "progress": 0, "finished": false });
            body[field] = value;
            let Value::Object(object) = body else { panic!("not an object") };
            match PlaceRequest::parse(object) {
                Ok(_) => "taken".to_owned(),
                Err(errors) => errors.0.into_keys().collect::<Vec<_>>().join(","),
            }
        };
        for (field, value) in [
            ("chunk_index", json!(12.0)),
            ("position_ms", json!(86_400_000)),
            ("progress", json!(1)),
            ("updated_at", json!("2026-11-26T12:00:00Z")),
        ] {
            assert_eq!(with(field, value), "taken", "{field}");
        }
        for (field, value) in [
            ("chunk_index", json!(-1)),
            ("chunk_index", json!(1.5)),
            ("position_ms", json!(86_400_001)),
            ("progress", json!(1.01)),
            ("finished", json!(1)),
            ("updated_at", json!("yesterday")),
            ("note", json!("")),
        ] {
            assert_eq!(with(field, value), field);
        }
    }

    #[test]
    fn a_note_may_be_empty_and_is_bounded() {
        assert_eq!(Note::read(json!("")), Ok(Note::default()));
        assert!(Note::read(json!("é".repeat(1_000))).is_ok());
        assert!(Note::read(json!("é".repeat(1_001))).is_err());
        assert!(Note::read(json!("a\u{0}")).is_err());
    }
}
