//! `download_book`: a converted book as a file.

use std::{path::PathBuf, time::Duration};

use lectern_types::{Assembling, BookFormat};
use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::{Api, Failed, Outcome, arguments, book, saving::Place, schema};
use crate::commands::mcp::{api::read_json, progress::Progress};

/// How long the call waits for the file to be made.
const PATIENCE: Duration = Duration::from_mins(30);

/// The pause between two questions; the service itself waits for 20 s.
const PAUSE: Duration = Duration::from_secs(2);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    book_id: String,
    output_path: PathBuf,
    #[serde(default)]
    format: BookFormat,
    #[serde(default)]
    overwrite: bool,
}

pub(super) fn describe() -> Value {
    let formats: Vec<&str> = BookFormat::ALL.iter().map(|format| format.as_str()).collect();
    json!({
        "name": "download_book",
        "title": "Download an audiobook",
        "description": "Saves a completed book as one file: mp3 or m4b with chapters, a zip with an MP3 for each chapter, an epub to \
            read along, or a daisy talking book.",
        "inputSchema": schema(&json!({
            "book_id": book::id_property(),
            "output_path": { "type": "string", "description": "Absolute path of the file to write" },
            "format": { "type": "string", "enum": formats, "default": "mp3" },
            "overwrite": { "type": "boolean", "default": false, "description": "Whether an existing file is replaced" },
        }), &["book_id", "output_path"]),
        "annotations": { "readOnlyHint": false, "destructiveHint": false, "openWorldHint": false },
    })
}

pub(super) async fn call(api: &Api, given: Value, progress: &Progress) -> Result<Outcome, Failed> {
    let asked: Arguments = arguments(given)?;
    let id = book::parse(&asked.book_id)?;
    let place = Place::at(&asked.output_path, asked.overwrite)?;
    let path = format!("/v1/saas/materials/{id}/audio?format={}", asked.format);
    let until = Instant::now() + PATIENCE;
    loop {
        let response = api.send(api.get(&path)).await?;
        if response.status() != StatusCode::ACCEPTED {
            let saved = place.shown();
            let bytes = place.save(response).await?;
            let structured = json!({ "book_id": id, "path": saved, "format": asked.format, "bytes": bytes });
            return Ok(Outcome::new(format!("Saved {saved} ({bytes} bytes)."), structured));
        }
        let made: Assembling = read_json(response).await?;
        progress.tell(made.progress, Some(1.0), "the file is being made").await;
        if Instant::now() >= until {
            return Err(Failed("The file is still being made; call download_book again later.".to_owned()));
        }
        sleep(PAUSE).await;
    }
}
