//! The events of an account as the API lists them, each given out once.

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
use crate::config::WebUrl;

/// Events of one page.
const PAGE: usize = 100;

/// Pages that are read on one look; what lies behind them is lost to this tool.
const PAGES: usize = 50;

/// Events that are remembered as given out.
const REMEMBERED: usize = 10_000;

/// An event.
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

/// Why there is no list.
#[derive(Debug)]
pub(super) enum FeedError {
    /// Asking again is no use.
    Refused(String),
    /// The service is not there, or busy; after how long it said to come again.
    Later(String, Option<Duration>),
}

/// The events of an account.
pub(super) struct Feed {
    client: Client,
    url: String,
    key: SecretString,
    types: Vec<EventType>,
    seen: HashSet<String>,
    /// The ids of `seen`, oldest first.
    order: VecDeque<String>,
    /// Whether the list was read before.
    begun: bool,
}

impl Feed {
    pub(super) fn new(client: Client, server: &WebUrl, key: SecretString, types: Vec<EventType>) -> Self {
        let url = format!("{}/v1/saas/events?limit={PAGE}", server.as_str());
        Self { client, url, key, types, seen: HashSet::new(), order: VecDeque::new(), begun: false }
    }

    /// The events that were not given out yet, oldest first. The first time, those of the first page.
    ///
    /// An event may show up behind younger ones: its transaction took longer. So what is new is not told by ids, and a page is
    /// turned while all of it is new.
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
            if !self.begun || !all_new || cursor.is_none() {
                break;
            }
        }
        self.begun = true;
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
        let later = |error: reqwest::Error| FeedError::Later(output::chain(&error), None);
        let mut url = self.url.clone();
        if let Some(cursor) = cursor {
            // Cursors are made of characters that need no encoding.
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
            Err(FeedError::Later(why, wait.map(Duration::from_secs)))
        } else {
            Err(FeedError::Refused(why))
        }
    }
}
