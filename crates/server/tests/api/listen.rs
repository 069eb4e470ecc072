//! `lectern webhooks listen` against a scripted service. `scripts/webhook_guide.py` tests the
//! command against the real service.

use std::{
    collections::HashMap,
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Query, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader, Lines},
    net::TcpListener,
    process::{Child, ChildStdout, Command},
    sync::mpsc,
    time::timeout,
};

const KEY: &str = "svc_test_key";

/// The longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(30);

/// A service's events, newest first, and a status to answer with instead.
#[derive(Clone, Default)]
struct Service(Arc<Mutex<(Vec<Value>, Option<StatusCode>)>>);

impl Service {
    async fn start(&self) -> String {
        let router = Router::new().route("/v1/saas/events", get(list)).with_state(self.clone());
        serve(router).await
    }

    /// Adds an event; `behind` is the number of younger events listed before it.
    fn add(&self, id: &str, kind: &str, behind: usize) {
        let event = json!({
            "id": id, "type": kind, "timestamp": "2026-11-21T07:08:11.524Z", "data": { "note": format!("of {id} ✓") },
        });
        self.0.lock().unwrap().0.insert(behind, event);
    }

    fn answer(&self, status: Option<StatusCode>) {
        self.0.lock().unwrap().1 = status;
    }
}

async fn list(
    State(service): State<Service>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    let (events, instead) = service.0.lock().unwrap().clone();
    let refused = |status: StatusCode, code: &str| {
        (status, Json(json!({ "error": { "code": code, "message": "No." } }))).into_response()
    };
    if headers["authorization"] != format!("Bearer {KEY}") {
        return refused(StatusCode::UNAUTHORIZED, "invalid_api_key");
    }
    if let Some(status) = instead {
        return refused(status, "service_unavailable");
    }
    let from: usize = query.get("cursor").map_or(0, |cursor| cursor.parse().unwrap());
    let to = events.len().min(from + query["limit"].parse::<usize>().unwrap());
    let next = (to < events.len()).then(|| to.to_string());
    Json(json!({ "data": events[from..to], "next_cursor": next })).into_response()
}

/// A developer's server, which records its requests.
async fn sink() -> (String, mpsc::UnboundedReceiver<(HeaderMap, Bytes)>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let keep = move |headers: HeaderMap, body: Bytes| async move {
        sender.send((headers, body)).unwrap();
        StatusCode::IM_A_TEAPOT
    };
    (format!("{}/hook", serve(Router::new().route("/hook", post(keep))).await), receiver)
}

async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

fn listen(service: &str, sink: &str, key: &str, arguments: &[&str]) -> Child {
    let folder = std::env::temp_dir();
    Command::new(env!("CARGO_BIN_EXE_lectern"))
        .args(["webhooks", "listen", "--server", service, "--forward-to", sink, "--json"])
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("LECTERN_API_KEY", key)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

async fn line(lines: &mut Lines<BufReader<ChildStdout>>) -> Value {
    let line = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap().unwrap();
    serde_json::from_str(&line).unwrap()
}

async fn next(came: &mut mpsc::UnboundedReceiver<(HeaderMap, Bytes)>) -> (HeaderMap, Bytes) {
    timeout(PATIENCE, came.recv()).await.unwrap().unwrap()
}

#[tokio::test]
async fn events_are_forwarded_once_in_their_order_and_signed() {
    let service = Service::default();
    for id in ["evt_1", "evt_2", "evt_3"] {
        service.add(id, "chunk.completed", 0);
    }
    let (url, (to, mut came)) = (service.start().await, sink().await);
    let mut child = listen(&url, &to, KEY, &["--replay", "1"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let announced = line(&mut lines).await;
    let webhook = standardwebhooks::Webhook::new(announced["secret"].as_str().unwrap()).unwrap();
    let mut expect = async |id: &str| {
        let (headers, body) = next(&mut came).await;
        assert_eq!(headers["webhook-id"], id);
        webhook.verify(&body, &headers).unwrap();
        assert_eq!(
            (&headers["user-agent"], &headers["content-type"]),
            (&"Lectern-Webhooks/1".parse().unwrap(), &"application/json".parse().unwrap())
        );
        let body: Value = serde_json::from_slice(&body).unwrap();
        let keys: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!((keys.len(), &body["data"]["note"]), (3, &json!(format!("of {id} ✓"))));
        let printed = line(&mut lines).await;
        assert_eq!((&printed["event_id"], &printed["status_code"]), (&json!(id), &json!(418)));
    };
    expect("evt_3").await;
    service.add("evt_4", "material.ready", 0);
    expect("evt_4").await;
    // An event whose transaction took longer appears after a younger event.
    service.add("evt_6", "chunk.completed", 0);
    expect("evt_6").await;
    service.add("evt_5", "chunk.completed", 1);
    expect("evt_5").await;
    // Events occur while the service is unavailable. When it is back, they fill more than one page.
    service.answer(Some(StatusCode::SERVICE_UNAVAILABLE));
    for number in 0..250 {
        service.add(&format!("evt_more{number}"), "chunk.completed", 0);
    }
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let note = timeout(PATIENCE, said.next_line()).await.unwrap().unwrap().unwrap();
    assert!(note.contains("503: service_unavailable"), "{note}");
    service.answer(None);
    for number in 0..250 {
        expect(&format!("evt_more{number}")).await;
    }
    child.kill().await.unwrap();
}

#[tokio::test]
async fn events_are_filtered_by_type_and_a_given_secret_signs() {
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let service = Service::default();
    let (url, (to, mut came)) = (service.start().await, sink().await);
    let mut child = listen(&url, &to, KEY, &["--events", "material.ready,chunk.failed", "--secret", secret]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(line(&mut lines).await["secret"], secret);
    service.add("evt_1", "chunk.completed", 0);
    service.add("evt_2", "material.ready", 0);
    let (headers, body) = next(&mut came).await;
    assert_eq!(headers["webhook-id"], "evt_2");
    standardwebhooks::Webhook::new(secret).unwrap().verify(&body, &headers).unwrap();
    child.kill().await.unwrap();
}

#[tokio::test]
async fn a_refused_key_ends_it_and_an_unreachable_receiver_does_not() {
    let service = Service::default();
    let (url, (to, _came)) = (service.start().await, sink().await);
    let refused = listen(&url, &to, "svc_test_other", &[]).wait_with_output();
    let refused = timeout(PATIENCE, refused).await.unwrap().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("401: invalid_api_key: No."), "{said}");
    assert!(!said.contains("svc_test_other"), "the key was printed: {said}");
    for (key, arguments) in
        [("", &[][..]), (KEY, &["--events", "chunk.done"]), (KEY, &["--secret", "whsec_x"])]
    {
        let wrong =
            timeout(PATIENCE, listen(&url, &to, key, arguments).wait_with_output()).await.unwrap().unwrap();
        assert_eq!(wrong.status.code(), Some(2), "{arguments:?}");
    }
    let mut child = listen(&url, "http://127.0.0.1:9/hook", KEY, &[]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    line(&mut lines).await;
    service.add("evt_1", "chunk.completed", 0);
    let printed = line(&mut lines).await;
    assert_eq!((&printed["event_id"], &printed["status_code"]), (&json!("evt_1"), &Value::Null));
    assert!(printed["error"].as_str().unwrap().contains("refused"), "{printed}");
    child.kill().await.unwrap();
    let mut rest = String::new();
    child.stderr.take().unwrap().read_to_string(&mut rest).await.unwrap();
    assert!(rest.is_empty(), "{rest}");
}
