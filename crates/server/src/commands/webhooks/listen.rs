//! `lectern webhooks listen`: a tunnel for developers, like Stripe's. It asks the API for new events and forwards each to an
//! address that only this machine needs to reach, so that nothing has to be reachable from outside.
//!
//! `feed` finds what is new, `forward` signs and sends it.

mod feed;
mod forward;

use std::time::Duration;

use clap::Args;
use lectern_types::EventType;
use secrecy::SecretString;
use serde_json::json;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::super::{CommandError, output};
use crate::{clock::Clock, config::WebUrl, lifecycle, services::webhooks::signature::WebhookSecret};
use feed::{Feed, FeedError};
use forward::Forwarder;

/// How often the API is asked.
const EVERY: Duration = Duration::from_secs(1);

/// How long the API may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Forwards events to an address of this machine as they happen, signed like webhooks.
#[derive(Debug, Args)]
pub(super) struct Listen {
    /// Where to, such as `http://localhost:3000/hook`.
    #[arg(long, value_name = "URL")]
    forward_to: WebUrl,

    /// The service that has the events.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: WebUrl,

    /// An API key with the scope `read`, live or test; by default what `LECTERN_API_KEY` holds, which other users of this machine
    /// cannot see.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,

    /// Events of these types only.
    #[arg(long, value_delimiter = ',', value_name = "TYPES", value_parser = event_type)]
    events: Vec<EventType>,

    /// The secret to sign with (whsec_…), such as that of the endpoint which will take the events later; by default a new one,
    /// which is printed.
    #[arg(long, value_name = "SECRET", value_parser = secret)]
    secret: Option<WebhookSecret>,

    /// Forwards the last N events first.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    replay: u8,

    /// Prints one line of JSON for each event.
    #[arg(long)]
    json: bool,
}

fn event_type(word: &str) -> Result<EventType, String> {
    serde_json::from_value(word.into())
        .map_err(|_| "is no event type; docs/WEBHOOKS.md lists them".to_owned())
}

fn secret(text: &str) -> Result<WebhookSecret, String> {
    WebhookSecret::parse(text).ok_or_else(|| "must be whsec_ and the base64 of 24 to 64 bytes".to_owned())
}

/// Forwards until a signal comes.
pub(super) async fn run(listen: Listen, environment_key: Option<String>) -> Result<(), CommandError> {
    let key = listen.key.or(environment_key).filter(|key| !key.is_empty());
    let key = key.ok_or_else(|| CommandError::Usage("give --key, or set LECTERN_API_KEY".to_owned()))?;
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(PATIENCE)
        .build()
        .map_err(CommandError::from_error)?;
    let secret = listen.secret.unwrap_or_else(WebhookSecret::make);
    let mut feed = Feed::new(client.clone(), &listen.server, SecretString::from(key), listen.events);
    let forwarder = Forwarder::new(client, listen.forward_to.clone(), secret.clone(), Clock::system());
    let stop = CancellationToken::new();
    lifecycle::stop_on_signal(stop.clone(), None)
        .map_err(|source| CommandError::Io { what: "signals cannot be listened to".to_owned(), source })?;
    let work = async {
        let first = catch_up(&mut feed).await?;
        let replayed = first.len().saturating_sub(usize::from(listen.replay));
        announce(listen.forward_to.as_str(), &secret, listen.json);
        for event in &first[replayed..] {
            forwarder.forward(event, listen.json).await;
        }
        loop {
            sleep(EVERY).await;
            for event in catch_up(&mut feed).await? {
                forwarder.forward(&event, listen.json).await;
            }
        }
    };
    tokio::select! {
        // What is being sent when the signal comes is cut off: this is a tool to look with, not a delivery.
        () = stop.cancelled() => Ok(()),
        ended = work => ended,
    }
}

/// What is new. While the service does not answer, this waits for it.
async fn catch_up(feed: &mut Feed) -> Result<Vec<feed::Event>, CommandError> {
    let mut waiting = false;
    loop {
        match feed.new_events().await {
            Ok(events) => return Ok(events),
            Err(FeedError::Refused(why)) => return Err(CommandError::Refused(why)),
            Err(FeedError::Later(why, wait)) => {
                if !waiting {
                    output::note(&format!("{why}; trying on"));
                }
                waiting = true;
                sleep(wait.unwrap_or(EVERY)).await;
            }
        }
    }
}

fn announce(forward_to: &str, secret: &WebhookSecret, as_json: bool) {
    if as_json {
        output::line(&json!({ "forwarding_to": forward_to, "secret": secret.expose() }).to_string());
    } else {
        output::line(&format!("Forwarding events to {forward_to}"));
        output::line(&format!("Signing secret: {}", secret.expose()));
    }
}
