//! The events of an account as the API lists them, each returned once.

use std::{
    collections::{HashSet, VecDeque},
    time::Duration,
};

use lectern_types::EventType;
use reqwest::{Client, StatusCode, header::RETRY_AFTER};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::Value;

use super::super::super::output;
use lectern_service::config::WebUrl;

const PAGE: usize = 100;

/// The limit on pages to read at once; events beyond them are skipped.
const PAGES: usize = 50;

/// The number of event ids to remember.
const REMEMBERED: usize = 10_000;

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Event {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) timestamp: String,
    pub(super) data: Value,
}

#[derive(Debug, Deserialize)]
struct Page {
    data: Vec<Event>,
    next_cursor: Option<String>,
}

/// A reason why the list could not be read.
#[derive(Debug)]
pub(super) enum FeedError {
    /// A permanent failure: a retry would fail, too.
    Refused(String),
    /// The service is unreachable or busy. The duration is its `Retry-After`.
    Unavailable(String, Option<Duration>),
}

pub(super) struct Feed {
    client: Client,
    url: String,
    key: SecretString,
    types: Vec<EventType>,
    seen: HashSet<String>,
    /// The ids in `seen`, oldest first.
    order: VecDeque<String>,
    /// Whether the list was read before.
    has_started: bool,
}

impl Feed {
    pub(super) fn new(client: Client, server: &WebUrl, key: SecretString, types: Vec<EventType>) -> Self {
        let url = format!("{}/v1/saas/events?limit={PAGE}", server.as_str());
        Self { client, url, key, types, seen: HashSet::new(), order: VecDeque::new(), has_started: false }
    }

    /// The events that were not returned yet, oldest first. The first call reads only the first
    /// page.
    ///
    /// An event may appear after younger ones, because its transaction took longer. So an id's
    /// order does not say whether an event is new. If a whole page is new, the next page is read,
    /// too.
    pub(super) async fn new_events(&mut self) -> Result<Vec<Event>, FeedError> {
        let (mut fresh, mut cursor) = (Vec::new(), None);
        for _ in 0..PAGES {
            let page = self.page(cursor.as_deref()).await?;
            let listed = page.data.len();
            let unseen: Vec<Event> =
                page.data.into_iter().filter(|event| !self.seen.contains(&event.id)).collect();
            let all_new = unseen.len() == listed;
            fresh.extend(unseen);
            cursor = page.next_cursor;
            if !self.has_started || !all_new || cursor.is_none() {
                break;
            }
        }
        self.has_started = true;
        fresh.reverse();
        for event in &fresh {
            self.remember(&event.id);
        }
        if !self.types.is_empty() {
            fresh.retain(|event| self.types.iter().any(|kind| kind.as_str() == event.kind));
        }
        Ok(fresh)
    }

    fn remember(&mut self, id: &str) {
        if self.seen.insert(id.to_owned()) {
            self.order.push_back(id.to_owned());
        }
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.seen.remove(&oldest);
        }
    }

    async fn page(&self, cursor: Option<&str>) -> Result<Page, FeedError> {
        let later = |error: reqwest::Error| FeedError::Unavailable(output::chain(&error), None);
        let mut url = self.url.clone();
        if let Some(cursor) = cursor {
            // Cursors consist of characters that need no encoding.
            url.push_str("&cursor=");
            url.push_str(cursor);
        }
        let request = self.client.get(url).bearer_auth(self.key.expose_secret());
        let response = request.send().await.map_err(later)?;
        let status = response.status();
        if status.is_success() {
            return response.json().await.map_err(later);
        }
        let wait = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let body: Value = response.json().await.unwrap_or_default();
        let code = body["error"]["code"].as_str().unwrap_or("no code");
        let message = body["error"]["message"].as_str().unwrap_or("no reason given");
        let why = format!("the service answered {}: {code}: {message}", status.as_u16());
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            Err(FeedError::Unavailable(why, wait.map(Duration::from_secs)))
        } else {
            Err(FeedError::Refused(why))
        }
    }
}
