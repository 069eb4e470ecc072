//! The podcast feed of a book: an episode for each chapter, under a secret URL that its owner can revoke. The
//! episodes are the MP3s in the book's ZIP; the headings inside a chapter are the chapters of its episode.

use std::{fmt, time::Duration};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use lectern_publishing::feed::{Episode, Feed as Rss, Mark, chapters_json, rss};
use lectern_store::{
    books::{self, Book, BookState},
    feeds::{self, Feed, MakeOutcome, NewFeed},
    idempotency::Response,
    keys::Authenticated,
    materials::{self, Material},
};
use lectern_types::{BookFile, BookFormat, ErrorCode, MaterialId};
use subtle::ConstantTimeEq as _;

use super::waiting::LongRequests;
use crate::{
    base::Base,
    clock,
    error::{Error, Result},
    services::idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse},
};

/// How long a request waits for episodes that are being made.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often the store is polled.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// When to ask again for episodes that are being made.
const ASSEMBLING_SECONDS: u64 = 30;

/// The path of all feeds.
const PREFIX: &str = "/feeds/";

/// Feeds, as clients reach them.
#[derive(Clone, Copy)]
pub struct Feeds<'a> {
    base: &'a Base,
    /// Where clients reach this service.
    public_url: &'a str,
    long_requests: &'a LongRequests,
}

impl fmt::Debug for Feeds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feeds").field("public_url", &self.public_url).finish_non_exhaustive()
    }
}

impl<'a> Feeds<'a> {
    /// The feeds of a service that clients reach at `public_url`.
    pub const fn new(base: &'a Base, public_url: &'a str, long_requests: &'a LongRequests) -> Self {
        Self { base, public_url, long_requests }
    }

    /// Makes the feed of a material, or finds the one that it has, once for each `Idempotency-Key`. `show` writes the
    /// response with its URL.
    ///
    /// # Errors
    /// `material_not_found`.
    pub async fn make(
        self,
        caller: &Authenticated,
        material: MaterialId,
        idempotent: Option<IdempotentRequest>,
        show: impl Fn(String, &Feed) -> Result<Response>,
    ) -> Result<IdempotentResponse> {
        let (account, environment) = (caller.account, caller.key.environment);
        let nonce = clock::random::<16>();
        let new = NewFeed { material, nonce: &nonce };
        let respond = |feed: &Feed| {
            let response = show(self.url(material, feed, "feed.xml"), feed)?;
            let kept = match &idempotent {
                Some(idempotent) => idempotent.to_stored(&response)?,
                None => response.clone(),
            };
            Ok((response, kept))
        };
        let request = idempotent.as_ref().map(IdempotentRequest::request);
        let attempt = || async {
            let (store, now) = (&self.base.store, self.base.clock.now());
            let made = feeds::make::<Error>(store, account, environment, new, request.as_ref(), respond, now);
            match made.await? {
                MakeOutcome::Made(response) => Ok(Attempt::Done(response)),
                MakeOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
                MakeOutcome::NotFound => Err(ErrorCode::MaterialNotFound.into()),
            }
        };
        Ok(idempotency::once(self.base, idempotent.as_ref(), attempt).await?.into())
    }

    /// The feed that a material has, with its URL.
    ///
    /// # Errors
    /// `material_not_found`, `not_found`.
    pub async fn show(self, caller: &Authenticated, material: MaterialId) -> Result<(String, Feed)> {
        super::find(&self.base.store, caller, material).await?;
        let feed = feeds::find(&self.base.store, material).await?.ok_or(ErrorCode::NotFound)?;
        Ok((self.url(material, &feed, "feed.xml"), feed))
    }

    /// Revokes the feed that a material has: its URL is not valid any more.
    ///
    /// # Errors
    /// As [`Feeds::show`].
    pub async fn revoke(self, caller: &Authenticated, material: MaterialId) -> Result<(String, Feed)> {
        let shown = self.show(caller, material).await?;
        let (account, environment) = (caller.account, caller.key.environment);
        if !feeds::delete(&self.base.store, account, environment, material).await? {
            return Err(ErrorCode::NotFound.into());
        }
        Ok(shown)
    }

    fn url(self, material: MaterialId, feed: &Feed, file: &str) -> String {
        format!("{}{PREFIX}{material}/{}/{file}", self.public_url, self.token(material, feed))
    }

    fn token(self, material: MaterialId, feed: &Feed) -> String {
        let mac = self.base.secrets.feeds.mac(&[material.to_string().as_bytes(), b"/", &feed.nonce]);
        URL_SAFE_NO_PAD.encode(mac.first_chunk::<24>().unwrap_or(&[0; 24]))
    }

    /// The material whose feed has this token.
    ///
    /// # Errors
    /// `not_found` for anything else.
    pub async fn open(self, material: &str, given: &str) -> Result<(Material, Feed)> {
        let material = material.parse().map_err(|_| ErrorCode::NotFound)?;
        let (found, feed) = feeds::opened(&self.base.store, material).await?.ok_or(ErrorCode::NotFound)?;
        let is_right = self.token(material, &feed).as_bytes().ct_eq(given.as_bytes());
        if bool::from(is_right) { Ok((found, feed)) } else { Err(ErrorCode::NotFound.into()) }
    }

    /// The feed as RSS.
    ///
    /// # Errors
    /// As [`Feeds::episodes`].
    pub async fn document(self, material: &Material, feed: &Feed) -> Result<String> {
        let store = &self.base.store;
        let book = self.episodes(material).await?;
        let chapters =
            materials::chapters(store, material.account, material.environment, material.id).await?;
        let title = |index: u32| {
            let at = chapters.binary_search_by_key(&index, |chapter| chapter.index).ok()?;
            chapters[at].about.title.clone()
        };
        let link = |file: &str| self.url(material.id, feed, file);
        let parts = book.map(|book| book.parts).unwrap_or_default();
        let episodes = parts.iter().map(|part| Episode {
            title: title(part.chapter),
            guid: format!("{}/{}", material.id, part.chapter),
            audio_url: link(&format!("{}.mp3", part.chapter)),
            audio_bytes: part.bytes,
            duration_ms: part.duration_ms,
            chapters_url: (!part.marks.is_empty()).then(|| link(&format!("{}.json", part.chapter))),
        });
        Ok(rss(&Rss {
            title: material.title.clone(),
            description: material.about.description.clone(),
            author: material.author.clone(),
            language: material.speech_language.clone(),
            copyright: material.about.copyright.clone(),
            feed_url: link("feed.xml"),
            page_url: self.public_url.to_owned(),
            image_url: material.cover.as_ref().map(|_| link("cover")),
            guid: material.id.uuid(),
            modified: jiff::Timestamp::from_microsecond(material.updated_at.0).unwrap_or_default(),
            private: true,
            episodes: episodes.collect(),
        }))
    }

    /// The chapters of an episode, in the JSON of the podcast namespace.
    ///
    /// # Errors
    /// `not_found` when there is no such episode, or no heading in it; as [`Feeds::episodes`].
    pub async fn chapters(self, material: &Material, chapter: u32) -> Result<String> {
        let book = self.episodes(material).await?.ok_or(ErrorCode::NotFound)?;
        let part = book.parts.into_iter().find(|part| part.chapter == chapter);
        let marks = part.ok_or(ErrorCode::NotFound)?.marks.into_iter();
        let marks: Vec<Mark> =
            marks.map(|mark| Mark { title: mark.title, start_ms: mark.start_ms }).collect();
        if marks.is_empty() { Err(ErrorCode::NotFound.into()) } else { Ok(chapters_json(&marks)) }
    }

    /// The ZIP with the episodes of a book; `None` while the book is not completed. The first call starts to make it.
    ///
    /// # Errors
    /// `service_unavailable` while it is being made, or when it could not be.
    pub async fn episodes(self, material: &Material) -> Result<Option<Book>> {
        let (store, file) = (&self.base.store, BookFile::from(BookFormat::Zip));
        let (account, environment) = (material.account, material.environment);
        let find = || books::find(store, account, environment, material.id, file);
        let mut changes = store.watch_material(material.id);
        let mut state = find().await?;
        if state == BookState::Missing {
            let writing = self.base.writing();
            state = books::request(store, account, environment, material.id, file, writing).await?;
        }
        let _place = match state {
            BookState::Queued { .. } => Some(self.long_requests.place(account).await?),
            _ => None,
        };
        let until = tokio::time::Instant::now() + PATIENCE;
        while let BookState::Queued { .. } = state {
            if tokio::time::Instant::now() >= until || self.long_requests.stop.is_cancelled() {
                break;
            }
            tokio::select! {
                () = changes.next() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = self.long_requests.stop.cancelled() => {}
            }
            state = find().await?;
        }
        match state {
            BookState::Made(book) => Ok(Some(book)),
            BookState::NotReady | BookState::NotFound => Ok(None),
            // A book that could not be made is made anew when its owner asks for the ZIP.
            BookState::Queued { .. } | BookState::Missing | BookState::Dead => Err(Error::Unavailable {
                what: "the episodes are still being made",
                retry_after_seconds: ASSEMBLING_SECONDS,
            }),
        }
    }
}
