//! Materials: uploads, chunks, conversions, audio, captions, events, deletion. The tests perform
//! the jobs themselves (see `lectern_testkit`), so that each test can hold a material in the state
//! that it tests.

mod again;
mod audio;
mod cancel;
mod captions;
mod cast;
mod chapters;
mod chunks;
mod convert;
mod delete;
mod editing;
mod events;
mod forms;
mod idempotency;
mod import;
mod imported_addresses;
mod language;
mod lists;
mod ocr;
mod pronounced;
mod quotes;
mod storage;
mod upload;

use lectern_testkit::{Reply, TestApp};
use reqwest::{Method, RequestBuilder};

/// The path of materials.
const PATH: &str = "/v1/saas/materials";

/// One part of a form.
#[derive(Debug, Clone, Copy)]
struct Part<'a> {
    name: &'a str,
    filename: Option<&'a str>,
    content: &'a [u8],
}

fn field<'a>(name: &'a str, content: &'a str) -> Part<'a> {
    Part { name, filename: None, content: content.as_bytes() }
}

fn file<'a>(filename: &'a str, content: &'a [u8]) -> Part<'a> {
    Part { name: "file", filename: Some(filename), content }
}

const BOUNDARY: &str = "a boundary of our own";

/// The body of a form.
fn form(parts: &[Part<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for part in parts {
        let filename = part.filename.map_or(String::new(), |name| format!("; filename=\"{name}\""));
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{}\"{filename}\r\n\r\n",
            part.name
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(part.content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}

/// The media type of a form.
fn form_type() -> String {
    format!("multipart/form-data; boundary=\"{BOUNDARY}\"")
}

/// A request that uploads these parts.
fn uploading(app: &TestApp, key: &str, parts: &[Part<'_>]) -> RequestBuilder {
    app.request(Method::POST, PATH).bearer_auth(key).header("content-type", form_type()).body(form(parts))
}

/// Uploads these parts.
async fn upload(app: &TestApp, key: &str, parts: &[Part<'_>]) -> Reply {
    app.send(uploading(app, key, parts)).await
}

/// All files below a directory, including those that the storage keeps next to its objects.
fn files(directory: &std::path::Path) -> Vec<String> {
    let mut names = Vec::new();
    let Ok(entries) = std::fs::read_dir(directory) else { return names };
    for entry in entries {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            names.extend(files(&entry.path()));
        } else {
            names.push(entry.path().display().to_string());
        }
    }
    names
}

/// The stored files of materials.
fn stored(app: &TestApp) -> Vec<String> {
    files(&app.data().join("objects/materials"))
}

/// The number of objects that the store expects to be written or deleted.
async fn reservations(app: &TestApp) -> Option<i64> {
    app.database().number("SELECT COUNT(*) FROM object_deletions").await
}
