//! Books as resources: `lectern://books/mat_…`.

use lectern_types::{Material, MaterialId, Page};
use serde_json::{Map, Value, json};

use super::{
    api::Api,
    protocol::{Fault, INTERNAL_ERROR, INVALID_PARAMS, RESOURCE_NOT_FOUND},
};

const SCHEME: &str = "lectern://books/";
const MEDIA_TYPE: &str = "application/json";

/// The longest cursor that is passed on.
const LONGEST_CURSOR: usize = 200;

pub(super) fn templates() -> Value {
    json!({ "resourceTemplates": [{
        "uriTemplate": format!("{SCHEME}{{id}}"),
        "name": "book",
        "title": "Book",
        "description": "A book: its title, author, length, status and voice.",
        "mimeType": MEDIA_TYPE,
    }] })
}

/// The account's books, newest first.
pub(super) async fn list(api: &Api, params: &Map<String, Value>) -> Result<Value, Fault> {
    let mut path = "/v1/saas/materials?limit=100".to_owned();
    if let Some(cursor) = params.get("cursor") {
        let is_cursor = |text: &&str| {
            text.len() <= LONGEST_CURSOR && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let cursor = cursor.as_str().filter(is_cursor);
        let cursor =
            cursor.ok_or_else(|| Fault::new(INVALID_PARAMS, "cursor is not one that this list gave"))?;
        path.push_str("&cursor=");
        path.push_str(cursor);
    }
    let page: Page<Material> =
        api.json(api.get(&path)).await.map_err(|failed| Fault::new(INTERNAL_ERROR, failed.0))?;
    let mut listed = json!({ "resources": page.data.iter().map(resource).collect::<Vec<_>>() });
    if let Some(cursor) = page.next_cursor {
        listed["nextCursor"] = cursor.into();
    }
    Ok(listed)
}

fn resource(book: &Material) -> Value {
    let characters =
        book.characters.map_or_else(String::new, |characters| format!(", {characters} characters"));
    json!({
        "uri": format!("{SCHEME}{}", book.id),
        "name": book.title,
        "description": format!("{}{characters}", book.status.as_str()),
        "mimeType": MEDIA_TYPE,
    })
}

/// One book.
pub(super) async fn read(api: &Api, params: &Map<String, Value>) -> Result<Value, Fault> {
    let uri = params.get("uri").and_then(Value::as_str);
    let uri = uri.ok_or_else(|| Fault::new(INVALID_PARAMS, "uri must be a text"))?;
    let id = uri.strip_prefix(SCHEME).and_then(|id| id.parse::<MaterialId>().ok());
    let id = id.ok_or_else(|| {
        Fault::new(RESOURCE_NOT_FOUND, format!("a resource is {SCHEME} and the id of a book, such as mat_…"))
    })?;
    let book: Result<Value, _> = api.json(api.get(&format!("/v1/saas/materials/{id}"))).await;
    let book = book.map_err(|failed| Fault::new(RESOURCE_NOT_FOUND, failed.0))?;
    let text = serde_json::to_string_pretty(&book).unwrap_or_default();
    Ok(json!({ "contents": [{ "uri": uri, "mimeType": MEDIA_TYPE, "text": text }] }))
}
