//! `lectern webhooks listen`: a tunnel for developers, like Stripe's. It polls the API for new
//! events and forwards each to an address that this machine can reach, so the machine need not be
//! reachable from outside.
//!
//! `feed` finds new events, `forward` signs and sends them.

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
use crate::lifecycle;
use feed::{Feed, FeedError};
use forward::Forwarder;
use lectern_service::{clock::Clock, config::WebUrl, services::webhooks::signature::WebhookSecret};

/// The polling interval.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The API's time limit.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Forward events to an address on this machine as they happen, signed like webhooks.
#[derive(Debug, Args)]
pub(super) struct Listen {
    /// The address to forward to, such as `http://localhost:3000/hook`.
    #[arg(long, value_name = "URL")]
    forward_to: WebUrl,

    /// The service that has the events.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: WebUrl,

    /// An API key with the scope `read`, live or test; by default the value of `LECTERN_API_KEY`,
    /// which other users of this machine cannot see.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,

    /// Forward only events of these types.
    #[arg(long, value_delimiter = ',', value_name = "TYPES", value_parser = event_type)]
    events: Vec<EventType>,

    /// The secret to sign with (whsec_…), such as that of the endpoint that will receive the events
    /// later; by default a new one, which is printed.
    #[arg(long, value_name = "SECRET", value_parser = secret)]
    secret: Option<WebhookSecret>,

    /// First forward the last N events.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    replay: u8,

    /// Print one line of JSON for each event.
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

pub(super) async fn run(listen: Listen, environment_key: Option<String>) -> Result<(), CommandError> {
    let key = listen.key.or(environment_key).filter(|key| !key.is_empty());
    let key = key.ok_or_else(|| CommandError::Usage("give --key, or set LECTERN_API_KEY".to_owned()))?;
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(TIMEOUT)
        .build()
        .map_err(CommandError::from_error)?;
    let secret = listen.secret.unwrap_or_else(WebhookSecret::generate);
    let mut feed = Feed::new(client.clone(), &listen.server, SecretString::from(key), listen.events);
    let forwarder = Forwarder::new(client, listen.forward_to.clone(), secret.clone(), Clock::system());
    let stop = CancellationToken::new();
    lifecycle::stop_on_signal(stop.clone(), None).map_err(|source| CommandError::Io {
        what: "signal handlers cannot be installed".to_owned(),
        source,
    })?;
    let work = async {
        let first = catch_up(&mut feed).await?;
        let replayed = first.len().saturating_sub(usize::from(listen.replay));
        announce(listen.forward_to.as_str(), &secret, listen.json);
        for event in &first[replayed..] {
            forwarder.forward(event, listen.json).await;
        }
        loop {
            sleep(POLL_INTERVAL).await;
            for event in catch_up(&mut feed).await? {
                forwarder.forward(&event, listen.json).await;
            }
        }
    };
    tokio::select! {
        // A signal aborts an attempt in progress: this tool guarantees no delivery.
        () = stop.cancelled() => Ok(()),
        ended = work => ended,
    }
}

/// The new events. While the service does not answer, this waits for it.
async fn catch_up(feed: &mut Feed) -> Result<Vec<feed::Event>, CommandError> {
    let mut waiting = false;
    loop {
        match feed.new_events().await {
            Ok(events) => return Ok(events),
            Err(FeedError::Refused(why)) => return Err(CommandError::Refused(why)),
            Err(FeedError::Unavailable(why, wait)) => {
                if !waiting {
                    output::note(&format!("{why}; retrying"));
                }
                waiting = true;
                sleep(wait.unwrap_or(POLL_INTERVAL)).await;
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
