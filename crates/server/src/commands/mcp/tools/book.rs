//! `book_status`, and what the tools say of a book.

use lectern_types::{Material, MaterialId, MaterialStatus};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Api, Failed, Outcome, arguments, schema};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    book_id: String,
}

pub(super) fn describe() -> Value {
    json!({
        "name": "book_status",
        "title": "Status of a book",
        "description": "How far a book is: being read, ready, converting, completed or failed.",
        "inputSchema": schema(&json!({ "book_id": id_property() }), &["book_id"]),
        "annotations": { "readOnlyHint": true, "openWorldHint": false },
    })
}

pub(super) fn id_property() -> Value {
    json!({ "type": "string", "description": "The book's id, mat_\u{2026}, from convert_book or the resources" })
}

pub(super) async fn call(api: &Api, given: Value) -> Result<Outcome, Failed> {
    let Arguments { book_id } = arguments(given)?;
    let book = find(api, parse(&book_id)?).await?;
    Ok(outcome(&book))
}

pub(super) fn parse(id: &str) -> Result<MaterialId, Failed> {
    id.parse().map_err(|_| Failed("`book_id` must be mat_ and 32 hexadecimal digits.".to_owned()))
}

pub(super) async fn find(api: &Api, id: MaterialId) -> Result<Material, Failed> {
    api.json(api.get(&format!("/v1/saas/materials/{id}"))).await
}

pub(super) fn outcome(book: &Material) -> Outcome {
    Outcome::new(describe_book(book), json!({ "book_id": book.id, "status": book.status, "book": book }))
}

fn describe_book(book: &Material) -> String {
    let chunks = book.chunk_count.unwrap_or_default();
    let state = match book.status {
        MaterialStatus::Processing => "its text is being read".to_owned(),
        MaterialStatus::Ready => format!("ready to be converted ({chunks} chunks)"),
        MaterialStatus::Converting => format!("{} of {chunks} chunks are spoken", book.chunks_completed),
        MaterialStatus::Completed => "completed; download_book gets it".to_owned(),
        MaterialStatus::PartiallyFailed => {
            format!(
                "{} of {chunks} chunks failed; convert_book with the same id tries them again",
                book.chunks_failed
            )
        }
        MaterialStatus::Deleted => "deleted".to_owned(),
        MaterialStatus::Failed => match &book.failure {
            Some(failure) => format!("it could not be read: {}", failure.message),
            None => "it could not be read".to_owned(),
        },
    };
    format!("{:?} ({}): {state}.", book.title, book.id)
}
