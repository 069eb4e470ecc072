//! `PATCH /v1/saas/materials/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_store::materials::{Changes, NewLanguage};
use lectern_types::{ErrorCode, Material, MaterialId, UpdateMaterialRequest};
use serde_json::{Map, Value};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        json::Fields,
        post,
    },
    shapes,
};
use lectern_service::{app::App, error::Result, services::materials::update};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
];

/// Change a material
///
/// Changes the fields that are sent. Its language says which e-readers can read it; chunks that are queued or completed stay
/// as they are. `null` forgets the language; while the material is processed, the document may still supply one.
#[utoipa::path(
    patch,
    path = "/v1/saas/materials/{id}",
    tag = "Materials",
    operation_id = "update_material",
    params(("id" = MaterialId, Path, description = "The material's id")),
    request_body = UpdateMaterialRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The material, as it is now", body = Material))
)]
pub async fn update_material(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Json<Material>, Failure> {
    let changes = changes(post::fields(&app.base, request).await?)?;
    // What is wrong with the body comes before existence.
    let material = update::update(&app.base, &caller.authenticated, super::material(path)?, &changes).await?;
    Ok(Json(shapes::material(&material)))
}

fn changes(object: Map<String, Value>) -> Result<Changes> {
    let mut fields = Fields::of(object);
    let language = match fields.take("language") {
        None => NewLanguage::Kept,
        Some(Value::Null) => NewLanguage::Unknown,
        Some(Value::String(tag)) => match super::check_language(&tag) {
            Ok(()) => NewLanguage::Given(tag),
            Err(sentence) => fields.wrong("language", sentence).unwrap_or_default(),
        },
        Some(_) => {
            fields.wrong("language", "must be a language tag such as en-US, or null").unwrap_or_default()
        }
    };
    fields.finish()?;
    Ok(Changes { language })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use lectern_service::error::Error;

    #[test]
    fn absent_fields_stay_and_each_wrong_one_is_named() {
        let of = |body: Value| {
            let Value::Object(object) = body else { panic!("not an object") };
            changes(object)
        };
        assert_eq!(of(json!({})).unwrap(), Changes::default());
        assert_eq!(of(json!({ "language": null })).unwrap(), Changes { language: NewLanguage::Unknown });
        let given = Changes { language: NewLanguage::Given("fr-CA".to_owned()) };
        assert_eq!(of(json!({ "language": "fr-CA" })).unwrap(), given);
        for bad in [json!("french!"), json!(""), json!(1), json!(["fr"])] {
            let Err(Error::Invalid(fields)) = of(json!({ "language": bad, "title": "x" })) else {
                panic!("{bad} was taken")
            };
            assert_eq!(fields.0.into_keys().collect::<Vec<_>>(), ["language", "title"]);
        }
    }
}
