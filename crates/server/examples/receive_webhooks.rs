//! The Rust receiver of `docs/WEBHOOKS.md`, word for word. `scripts/webhook_guide.py` compares the
//! two and runs this one.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "it is a program of a customer's, not of ours"
)]

use std::{env, sync::Arc};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use serde_json::Value;
use standardwebhooks::Webhook;

async fn hook(State(webhook): State<Arc<Webhook>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let verified = webhook.verify(&body, &headers).is_ok();
    match serde_json::from_slice::<Value>(&body) {
        Ok(event) if verified => {
            let id = headers["webhook-id"].to_str().unwrap_or_default();
            println!("{} {id}", event["type"].as_str().unwrap_or_default());
            StatusCode::NO_CONTENT
        }
        _ => StatusCode::BAD_REQUEST,
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let webhook = Arc::new(Webhook::new(&env::var("WEBHOOK_SECRET")?)?);
    let app = Router::new().route("/hook", post(hook)).with_state(webhook);
    let port = env::var("PORT").unwrap_or_else(|_| "3000".to_owned());
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    axum::serve(listener, app).await?;
    Ok(())
}
