//! `POST /v1/saas/materials/{id}/convert`.

use std::{collections::HashSet, sync::Arc};

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_store::materials;
use lectern_types::{AudioFormat, Conversion, ConvertRequest, ErrorCode, ErrorCode as Code};
use serde_json::{Map, Value};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        json::Fields,
        post::{self, ReplayStorage},
    },
    shapes,
};
use lectern_service::{
    app::App,
    error::Result,
    services::materials::convert::{self, ConvertParams},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    Code::InsufficientScope,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::IdempotencyKeyReuse,
    Code::ValidationFailed,
    Code::MaterialNotFound,
    Code::MaterialNotReady,
    Code::EreaderNotFound,
    Code::EreaderTierNotAvailable,
    Code::EreaderLocked,
    Code::LanguageNotSupported,
    Code::ChunkNotFound,
    Code::MaterialChunksAlreadyConverted,
    Code::ApiAccessRequiresCredits,
    Code::InsufficientBalance,
];

/// Entries of `chunks` that are named when they are wrong.
const NAMED_CHUNKS: usize = 10;

/// Convert a material
///
/// Queues chunks to be spoken by an e-reader: all that are not completed, or those named. The whole price is held at once
/// and charged chunk by chunk as each gets its audio; what is held for a chunk that fails for good is released. Chunks
/// that are completed or queued already are skipped and not charged again. The first conversion fixes the e-reader.
/// A material in a language that the e-reader does not speak is refused, unless `language` says in which of its languages
/// to read it. A chunk that is mostly in a script in which that language is not written ends `failed`, and nothing is held
/// for it.
#[utoipa::path(
    post,
    path = "/v1/saas/materials/{id}/convert",
    tag = "Materials",
    operation_id = "convert_material",
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: \
            1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1,
            pattern = "^[A-Za-z0-9_-]+$"),
    ),
    request_body = ConvertRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 202, description = "The chunks are queued", body = Conversion, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn convert_material(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |object, idempotent| {
        let params = params(object)?;
        let material = super::material(path)?;
        let show = |queued: &materials::Conversion| {
            let body = Conversion {
                material: shapes::material(&queued.material),
                chunks: queued.chunks,
                characters: queued.characters,
                credits_held: queued.credits_held,
            };
            post::json(202, &body)
        };
        convert::convert(&app.base, &caller.authenticated, material, params, idempotent, show).await
    };
    post::answer(&app.base, &caller, request, ReplayStorage::Plain, run).await
}

fn params(object: Map<String, Value>) -> Result<ConvertParams> {
    let mut fields = Fields::of(object);
    let ereader = fields.text("ereader_id");
    let format = fields.word("format", "mp3, wav, flac, opus", AudioFormat::parse);
    let chunks = chunks(&mut fields);
    let language = super::language(&mut fields);
    let ereader = fields.finish_with(ereader)?;
    // A malformed id is an unknown one, which comes after the material's own failures.
    Ok(ConvertParams { ereader: ereader.parse().ok(), chunks, language, format: format.unwrap_or_default() })
}

/// The chunks named; each entry that is wrong is named by its place.
fn chunks(fields: &mut Fields) -> Option<Vec<u32>> {
    let entries = match fields.take("chunks")? {
        Value::Array(entries) if !entries.is_empty() => entries,
        _ => return fields.wrong("chunks", "must be a list of at least one chunk's index"),
    };
    let (mut seen, mut indexes, mut wrong) = (HashSet::new(), Vec::with_capacity(entries.len()), 0);
    for (at, entry) in entries.iter().enumerate() {
        let sentence = match whole(entry) {
            Some(index) if seen.insert(index) => {
                // Past the range of an index there is no chunk either way.
                indexes.push(u32::try_from(index).unwrap_or(u32::MAX));
                continue;
            }
            Some(_) => "is in the list twice",
            None => "must be a whole number from 0",
        };
        fields.wrong::<()>(&format!("chunks[{at}]"), sentence);
        wrong += 1;
        if wrong == NAMED_CHUNKS {
            break;
        }
    }
    (wrong == 0).then_some(indexes)
}

/// A whole number from 0 in any spelling.
fn whole(value: &Value) -> Option<u64> {
    let spelt_as_fraction = || value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0);
    value.as_u64().or_else(|| spelt_as_fraction().map(|number| number as u64))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use lectern_service::error::Error;

    fn refusal(body: &Value) -> String {
        let Value::Object(object) = body.clone() else { panic!("not an object") };
        match params(object) {
            Ok(_) => "taken".to_owned(),
            Err(Error::Invalid(fields)) => fields.0.into_keys().collect::<Vec<_>>().join(","),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn each_wrong_field_and_entry_is_named() {
        assert_eq!(refusal(&json!({})), "ereader_id");
        assert_eq!(
            refusal(&json!({ "ereader_id": 1, "format": "aac", "chunks": [], "language": "e n", "x": 1 })),
            "chunks,ereader_id,format,language,x"
        );
        for (chunks, named) in [
            (json!([0, 1, 2.0, 4_294_967_296_u64]), "taken"),
            (json!([]), "chunks"),
            (json!(3), "chunks"),
            (json!(null), "chunks"),
            (json!("all"), "chunks"),
            (json!([0, 1, 1]), "chunks[2]"),
            (json!([1, 1.0]), "chunks[1]"),
            (json!([-1, 0.5, "2", null, 3]), "chunks[0],chunks[1],chunks[2],chunks[3]"),
        ] {
            assert_eq!(refusal(&json!({ "ereader_id": "erd_x", "chunks": chunks })), named, "{chunks}");
        }
        let many = refusal(&json!({ "ereader_id": "erd_x", "chunks": vec![-1; 1_000] }));
        assert_eq!(many.split(',').count(), NAMED_CHUNKS);
    }
}
