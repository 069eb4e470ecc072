//! The cast of a material in requests and responses: its speakers and their e-readers.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema, schema::ArrayBuilder},
};

use crate::{
    EreaderId, Field, Named, Wrong,
    kinds::Ereader,
    request,
    request::{Components, component, entries, reference},
};

/// The most speakers of a material that can have an e-reader of their own.
pub const MAX_CAST: usize = 500;

/// The longest name of a speaker, in characters.
pub(crate) const MAX_NAME: usize = 100;

/// A speaker of a material.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CastSpeaker {
    /// The name, as a line `[speaker NAME]` or the text has it.
    #[schema(example = "Ines", min_length = 1, max_length = 100)]
    pub name: String,
    /// The e-reader that speaks for them; null for that of the conversion.
    pub ereader_id: Option<EreaderId>,
    /// The number of stretches of the text that are theirs. A request may leave it out.
    #[serde(default)]
    #[schema(required = false)]
    pub quotes: u32,
    /// How probably these are theirs, from 0 to 1: 1 for lines `[speaker NAME]`, less for dialogue that was
    /// attributed by rules and where a request changed whose quotes are. A request may leave it out.
    #[serde(default)]
    #[schema(required = false, minimum = 0, maximum = 1)]
    pub confidence: f64,
}

/// Who speaks in a material.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Cast {
    /// The speakers, those with most stretches first.
    pub speakers: Vec<CastSpeaker>,
}

/// The speakers of a request: each name, and the id of its e-reader if it has one of its own. An id that is
/// none is answered like an unknown one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CastSpeakers(pub Vec<(String, Option<Named<Ereader>>)>);

impl Field for CastSpeakers {
    fn property() -> RefOr<Schema> {
        ArrayBuilder::new().items(reference::<CastSpeaker>()).max_items(Some(MAX_CAST)).into()
    }

    fn components(all: &mut Components) {
        component::<EreaderId>(all);
        component::<CastSpeaker>(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        if value.as_array().is_some_and(|speakers| speakers.len() > MAX_CAST) {
            return Err(format!("must have at most {MAX_CAST} speakers").into());
        }
        let mut names = std::collections::HashSet::new();
        let speaker = |value| {
            let (name, ereader) = speaker(value)?;
            if names.insert(name.clone()) {
                Ok((name, ereader))
            } else {
                Err("has the name of another".into())
            }
        };
        entries(value, "must be a list of speakers", speaker).map(Self)
    }
}

fn speaker(value: Value) -> Result<(String, Option<Named<Ereader>>), Wrong> {
    let Value::Object(object) = value else {
        return Err("must be an object with name and ereader_id".into());
    };
    let (mut name, mut ereader) = (None, None);
    for (field, value) in object {
        match (field.as_str(), value) {
            ("name", Value::String(text)) => name = Some(text),
            ("ereader_id", Value::String(text)) => ereader = Some(Named(text.parse().ok())),
            ("ereader_id", Value::Null) | ("quotes" | "confidence", Value::Number(_)) => {}
            ("name" | "ereader_id" | "quotes" | "confidence", _) => {
                return Err(format!("has a {field} of a wrong type").into());
            }
            (field, _) => {
                let field: String = field.chars().take(100).collect();
                return Err(format!("has {field:?}, which is not a field of a speaker").into());
            }
        }
    }
    let name = name.filter(|name| is_name(name));
    let name = name.ok_or_else(|| format!("must have a name of 1 to {MAX_NAME} characters"))?;
    Ok((name, ereader))
}

/// Whether a text can be a speaker's name.
pub(crate) fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().nth(MAX_NAME).is_none() && !name.chars().any(char::is_control)
}

request! {
    /// Who speaks for whom in a material. Speakers that are left out are said by the e-reader of the
    /// conversion.
    #[example({ "speakers": [{ "name": "Ines", "ereader_id": "erd_019aa4f6c0de7000800000000000a001" }] })]
    pub struct CastRequest {
        /// The speakers, none twice.
        pub speakers: CastSpeakers,
    }
}
