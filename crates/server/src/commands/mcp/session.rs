//! One client: its requests run beside each other, so that a book that is being converted does not
//! hold up the rest, and end when the client cancels them or leaves.

use std::{collections::HashMap, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt as _;
use serde_json::{Map, Value, json};
use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinSet},
};

use super::{
    api::Api,
    lines::{LONGEST, Line},
    progress::Progress,
    protocol::{self, Fault, Message},
    resources, tools,
};

/// The most requests at once.
const MOST_RUNNING: usize = 16;

/// How long requests may still run when standard input has ended.
const ENDING: Duration = Duration::from_secs(2);

const INSTRUCTIONS: &str = "Lectern turns text into natural speech. Use `speak` for texts of up to 5,000 characters and \
    `convert_book` for longer ones and for files (EPUB, Kindle, PDF, DOCX, ODT, RTF, HTML, Markdown, plain text); then `book_status` and \
    `download_book`. Speaking costs credits: each voice has a price per character, which `list_voices` shows, and \
    `balance` shows what is left.";

/// The client and what it asked for.
pub(super) struct Session {
    api: Arc<Api>,
    out: mpsc::Sender<Value>,
    running: JoinSet<()>,
    /// The running requests by id, so that they can be cancelled.
    handles: HashMap<String, AbortHandle>,
}

impl Session {
    pub(super) fn new(api: Api, out: mpsc::Sender<Value>) -> Self {
        Self { api: Arc::new(api), out, running: JoinSet::new(), handles: HashMap::new() }
    }

    /// Answers until the client closes its end.
    pub(super) async fn run(mut self, mut incoming: mpsc::Receiver<Line>) {
        loop {
            tokio::select! {
                line = incoming.recv() => match line {
                    Some(line) => self.take(line).await,
                    None => break,
                },
                Some(_) = self.running.join_next(), if !self.running.is_empty() => {}
            }
        }
        let ended = async { while self.running.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(ENDING, ended).await;
        self.running.shutdown().await;
    }

    async fn take(&mut self, line: Line) {
        let message = match line {
            Line::Whole(line) => protocol::parse(&line),
            Line::TooLong => {
                let fault = format!("a line must be at most {LONGEST} bytes");
                Err((Value::Null, Fault::new(protocol::INVALID_REQUEST, fault)))
            }
        };
        match message {
            Ok(Message::Request { id, method, params }) => self.start(id, method, params).await,
            Ok(Message::Notification { method, params }) if method == "notifications/cancelled" => {
                self.cancel(&params);
            }
            Ok(Message::Notification { .. } | Message::Answer) => {}
            Err((id, fault)) => self.say(fault.response(&id)).await,
        }
    }

    async fn start(&mut self, id: Value, method: String, params: Map<String, Value>) {
        self.handles.retain(|_, handle| !handle.is_finished());
        if self.handles.len() >= MOST_RUNNING {
            let fault = Fault::new(protocol::BUSY, format!("at most {MOST_RUNNING} requests run at once"));
            return self.say(fault.response(&id)).await;
        }
        let (api, out) = (Arc::clone(&self.api), self.out.clone());
        let name = id.to_string();
        let handle = self.running.spawn(async move {
            let token = params.get("_meta").and_then(|meta| meta.get("progressToken")).cloned();
            let progress = Progress::new(token, out.clone());
            let answered = AssertUnwindSafe(answer(&api, &method, params, &progress)).catch_unwind().await;
            let panicked = |_| Err(Fault::new(protocol::INTERNAL_ERROR, "the request failed unexpectedly"));
            let response = match answered.unwrap_or_else(panicked) {
                Ok(result) => protocol::response(&id, &result),
                Err(fault) => fault.response(&id),
            };
            let _ = out.send(response).await;
        });
        self.handles.insert(name, handle);
    }

    /// Ends a request; a cancelled request gets no answer.
    fn cancel(&mut self, params: &Map<String, Value>) {
        let handle = params.get("requestId").and_then(|id| self.handles.remove(&id.to_string()));
        if let Some(handle) = handle {
            handle.abort();
        }
    }

    async fn say(&self, message: Value) {
        let _ = self.out.send(message).await;
    }
}

async fn answer(
    api: &Api,
    method: &str,
    params: Map<String, Value>,
    progress: &Progress,
) -> Result<Value, Fault> {
    match method {
        "initialize" => Ok(initialize(&params)),
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({ "tools": tools::list() })),
        "tools/call" => tools::call(api, params, progress).await,
        "resources/list" => resources::list(api, &params).await,
        "resources/templates/list" => Ok(resources::templates()),
        "resources/read" => resources::read(api, &params).await,
        _ => {
            let method: String = method.chars().take(100).collect();
            Err(Fault::new(protocol::METHOD_NOT_FOUND, format!("there is no method {method}")))
        }
    }
}

fn initialize(params: &Map<String, Value>) -> Value {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let known = protocol::VERSIONS.iter().find(|version| Some(**version) == asked);
    json!({
        "protocolVersion": known.unwrap_or(&protocol::VERSIONS[0]),
        "capabilities": { "tools": {}, "resources": {} },
        "serverInfo": { "name": "lectern", "title": "Lectern", "version": env!("CARGO_PKG_VERSION") },
        "instructions": INSTRUCTIONS,
    })
}
