//! Jobs: extractions, conversions and assemblies, and their failures.

mod ends;
mod engines;
mod failures;
mod fairness;
mod files;
mod killed;
mod notes;
mod operator;
mod processes;
mod storm;
mod sweep;
mod whole;

use lectern_store::ereaders;
use lectern_testkit::{Account, TestApp};
use serde_json::{Value, json};

/// A text with this many chapters and sentences. Every chapter is a chunk. Every sentence is an
/// utterance of the fake engine, and names its book, chapter and position.
fn book(name: &str, chapters: usize, sentences: usize) -> String {
    let chapter = |chapter: usize| {
        let sentences: Vec<String> =
            (1..=sentences).map(|at| format!("{name} {chapter} says {at} of its sentences.")).collect();
        format!("CHAPTER {chapter}\n\n{}", sentences.join(" "))
    };
    (1..=chapters).map(chapter).collect::<Vec<_>>().join("\n\n")
}

/// Uploads a text, waits until it is ready, and returns the material's id.
async fn uploaded(app: &TestApp, key: &str, text: &str) -> String {
    let made = app.post("/v1/saas/materials", key, &json!({ "title": "A book", "text": text })).await;
    assert_eq!(made.status, 202, "{}", made.json());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    until_status(app, key, &id, "ready").await;
    id
}

/// Uploads a file, waits until it is ready, and returns the material's id.
async fn uploaded_file(app: &TestApp, account: &Account, name: &str, bytes: &[u8]) -> String {
    let mut body =
        format!("--cut\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n")
            .into_bytes();
    body.extend_from_slice(bytes);
    body.extend_from_slice(b"\r\n--cut--\r\n");
    let request = app.request(reqwest::Method::POST, "/v1/saas/materials").bearer_auth(&account.live);
    let made = app.send(request.header("content-type", "multipart/form-data; boundary=cut").body(body)).await;
    assert_eq!(made.status, 202, "{}", made.json());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    until_status(app, &account.live, &id, "ready").await;
    id
}

/// Starts the conversion of all chunks with `heart`.
async fn convert(app: &TestApp, key: &str, id: &str) -> Value {
    let body = json!({ "ereader_id": app.ereader("heart").await });
    let reply = app.post(&format!("/v1/saas/materials/{id}/convert"), key, &body).await;
    assert_eq!(reply.status, 202, "{}", reply.json());
    reply.json()
}

/// The material as its owner sees it.
async fn material(app: &TestApp, key: &str, id: &str) -> Value {
    let reply = app.get(&format!("/v1/saas/materials/{id}"), key).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    reply.json()
}

async fn until_status(app: &TestApp, key: &str, id: &str, status: &str) {
    app.until(&format!("the status {status}"), async || material(app, key, id).await["status"] == status)
        .await;
}

/// The number of rows.
async fn count(app: &TestApp, rows: &str) -> i64 {
    app.database().count(rows).await
}

/// Waits until no job is left.
async fn until_idle(app: &TestApp) {
    app.until("the end of all jobs", async || count(app, "jobs WHERE status <> 'dead'").await == 0).await;
}

/// Moves the clock by a second, unless that would shorten the lease of a running job.
async fn let_time_pass(app: &TestApp) {
    if count(app, "jobs WHERE status = 'running'").await == 0 {
        app.clock.advance_seconds(1);
    }
}

/// The files below a directory of the storage, including temporary ones.
fn stored(app: &TestApp, folder: &str) -> Vec<String> {
    let (mut files, mut folders) = (Vec::new(), vec![app.data().join("objects").join(folder)]);
    while let Some(folder) = folders.pop() {
        // Storage removes a directory with its last file.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path.display().to_string()) }
        }
    }
    files.sort();
    files
}

/// Asserts that every chunk has audio and was charged once, and that nothing is left over.
async fn assert_converted_once(app: &TestApp, account: &Account, chunks: i64, credits: i64) {
    assert_eq!(count(app, "chunks WHERE status = 'completed'").await, chunks);
    assert_eq!(count(app, "ledger_transactions WHERE kind = 'charge'").await, chunks);
    assert_eq!(count(app, "chunk_conversions").await, chunks);
    assert_eq!(count(app, "holds WHERE settled_at IS NULL").await, 0, "a hold is left over");
    let (balance, held) = app.balance(account).await;
    assert_eq!((balance, held), (credits, 0));
}
