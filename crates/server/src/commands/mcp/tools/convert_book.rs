//! `convert_book`: a file or a long text becomes an audiobook.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use lectern_types::{Material, MaterialId, MaterialStatus};
use reqwest::header::CONTENT_TYPE;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::{Api, Failed, Outcome, arguments, book, schema, voices};
use crate::commands::mcp::progress::Progress;

/// How often the book is looked at.
const POLL: Duration = Duration::from_secs(1);

/// How long the text of a document may take to be read.
const READING: Duration = Duration::from_mins(5);

/// How long the call waits for the audio at most.
const LONGEST_WAIT_SECONDS: u64 = 86_400;

/// The largest file that is held in memory to be sent. The service has a limit of its own.
const FILE_BYTES: u64 = 512 * 1024 * 1024;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: Option<PathBuf>,
    text: Option<String>,
    book_id: Option<String>,
    title: Option<String>,
    voice: Option<String>,
    #[serde(default)]
    wait_seconds: u64,
}

pub(super) fn describe() -> Value {
    json!({
        "name": "convert_book",
        "title": "Convert a book",
        "description": "Turns a file (EPUB, Kindle, FictionBook, PDF, DOCX, ODT, RTF, HTML, Markdown, plain text) or a long text into an audiobook. Answers with \
            the book's id as soon as the conversion is queued, or waits for it with `wait_seconds`. Give exactly one of `path`, \
            `text` and `book_id`.",
        "inputSchema": schema(&json!({
            "path": { "type": "string", "description": "Absolute path of the file" },
            "text": { "type": "string", "description": "The text, if there is no file" },
            "book_id": { "type": "string", "description": "A book that is there already, to convert what is not yet spoken" },
            "title": { "type": "string", "maxLength": 200, "description": "A title, if the file has none" },
            "voice": { "type": "string", "description": "A voice from list_voices; by default the cheapest, or the book's" },
            "wait_seconds": { "type": "integer", "minimum": 0, "maximum": LONGEST_WAIT_SECONDS, "default": 0 },
        }), &[]),
        "annotations": { "readOnlyHint": false, "destructiveHint": false, "openWorldHint": false },
    })
}

pub(super) async fn call(api: &Api, given: Value, progress: &Progress) -> Result<Outcome, Failed> {
    let asked: Arguments = arguments(given)?;
    if asked.wait_seconds > LONGEST_WAIT_SECONDS {
        return Err(Failed(format!("`wait_seconds` must be at most {LONGEST_WAIT_SECONDS}.")));
    }
    let voice = asked.voice.as_deref();
    // Both are looked up before a book is uploaded for nothing.
    let (id, voice) = match (asked.path, asked.text, asked.book_id) {
        (None, None, Some(id)) => {
            let found = book::find(api, book::parse(&id)?).await?;
            let voice = match (voice, found.ereader_id) {
                (None, Some(own)) => own,
                _ => voices::find(api, voice).await?,
            };
            (found.id, voice)
        }
        (Some(path), None, None) => {
            let voice = voices::find(api, voice).await?;
            (upload_file(api, &path, asked.title.as_deref()).await?, voice)
        }
        (None, Some(text), None) => {
            let voice = voices::find(api, voice).await?;
            (upload_text(api, &text, asked.title.as_deref()).await?, voice)
        }
        _ => return Err(Failed("Give exactly one of `path`, `text` and `book_id`.".to_owned())),
    };
    progress.tell(0.0, None, "the text is being read").await;
    let read = until(api, id, READING, |book| book.status != MaterialStatus::Processing).await?;
    match read.status {
        MaterialStatus::Processing => {
            let text =
                format!("The text of {id} is still being read; call convert_book with this `book_id` later.");
            return Ok(Outcome::new(text, json!({ "book_id": id, "status": read.status })));
        }
        MaterialStatus::Failed => return Err(Failed(book::outcome(&read).text)),
        _ => {}
    }
    let convert = api.post(&format!("/v1/saas/materials/{id}/convert"));
    let convert: Result<Value, Failed> = api.json(convert.json(&json!({ "ereader_id": voice }))).await;
    let converted = convert.map_err(|Failed(why)| Failed(format!("{why} The book is {id}.")))?;
    if asked.wait_seconds > 0 {
        wait(api, id, Duration::from_secs(asked.wait_seconds), progress).await?;
    }
    let book = book::find(api, id).await?;
    let outcome = book::outcome(&book);
    let mut structured = outcome.structured;
    structured["conversion"] = converted;
    Ok(Outcome::new(outcome.text, structured))
}

/// Waits for the audio, and tells how far it is.
async fn wait(api: &Api, id: MaterialId, patience: Duration, progress: &Progress) -> Result<(), Failed> {
    let until = Instant::now() + patience;
    let mut told = None;
    loop {
        let book = book::find(api, id).await?;
        if told != Some(book.chunks_completed) {
            told = Some(book.chunks_completed);
            let total = book.chunk_count.map(f64::from);
            progress.tell(f64::from(book.chunks_completed), total, "chunks are being spoken").await;
        }
        if book.status != MaterialStatus::Converting || Instant::now() >= until {
            return Ok(());
        }
        sleep(POLL).await;
    }
}

/// The book when it is as it should be, or as it is when the patience ends.
async fn until(
    api: &Api,
    id: MaterialId,
    patience: Duration,
    holds: impl Fn(&Material) -> bool,
) -> Result<Material, Failed> {
    let until = Instant::now() + patience;
    loop {
        let book = book::find(api, id).await?;
        if holds(&book) || Instant::now() >= until {
            return Ok(book);
        }
        sleep(POLL).await;
    }
}

async fn upload_text(api: &Api, text: &str, title: Option<&str>) -> Result<MaterialId, Failed> {
    let mut body = json!({ "text": text });
    if let Some(title) = title {
        body["title"] = title.into();
    }
    let made: Material = api.json(api.post("/v1/saas/materials").json(&body)).await?;
    Ok(made.id)
}

async fn upload_file(api: &Api, path: &Path, title: Option<&str>) -> Result<MaterialId, Failed> {
    let shown = path.display();
    if !path.is_absolute() {
        return Err(Failed(format!("`path` must be an absolute path; {shown} is not.")));
    }
    let cannot = |error: std::io::Error| Failed(format!("{shown} cannot be read: {error}."));
    let about = tokio::fs::metadata(path).await.map_err(cannot)?;
    if !about.is_file() {
        return Err(Failed(format!("{shown} is not a file.")));
    }
    if about.len() > FILE_BYTES {
        return Err(Failed(format!("{shown} is over {FILE_BYTES} bytes.")));
    }
    let bytes = tokio::fs::read(path).await.map_err(cannot)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let boundary = boundary(&bytes);
    let body = form(&boundary, &name, &bytes, title);
    let request = api.post("/v1/saas/materials");
    let request =
        request.header(CONTENT_TYPE, format!("multipart/form-data; boundary={boundary}")).body(body);
    let made: Material = api.json(request).await?;
    Ok(made.id)
}

/// A line that the file does not have: its own hash cannot be in it.
fn boundary(bytes: &[u8]) -> String {
    use sha2::{Digest as _, Sha256};
    format!("lectern-{}", hex::encode(&Sha256::digest(bytes)[..16]))
}

/// The form of an upload (RFC 7578).
fn form(boundary: &str, name: &str, bytes: &[u8], title: Option<&str>) -> Vec<u8> {
    let plain = |character: char| {
        if character.is_control() || matches!(character, '"' | '\\') { '_' } else { character }
    };
    let name: String = name.chars().map(plain).collect();
    let mut body = Vec::with_capacity(bytes.len() + 1_000);
    if let Some(title) = title {
        let part =
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n{title}\r\n");
        body.extend_from_slice(part.as_bytes());
    }
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: \
         application/octet-stream\r\n\r\n"
    );
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(bytes);
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    body
}
