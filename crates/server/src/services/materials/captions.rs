//! Captions of a whole book, made as they are asked for, a chunk at a time: nothing of the book is held but that chunk.

use std::{collections::VecDeque, io};

use axum::body::Bytes;
use futures_util::Stream;
use lectern_speech::audio::captions::{BookCaptions, CaptionFormat as Layout, WordTimestamp};
use lectern_store::{
    Environment,
    chunks::{self, Chunk},
    keys::Authenticated,
    materials::Material,
};
use lectern_types::{AccountId, CaptionFormat, MaterialId};

use super::audio::read_words;
use crate::{
    app::App,
    error::{Error, Result},
};

/// Chunks looked up at a time.
const AT_A_TIME: u32 = 100;

/// The captions of a material that is completed, part by part. The first part is there when this returns, so that what is
/// wrong from the beginning is said in the place of captions.
///
/// # Errors
/// The store's or the storage's.
pub async fn stream(
    app: &App,
    caller: &Authenticated,
    material: &Material,
    format: CaptionFormat,
) -> Result<impl Stream<Item = io::Result<Bytes>> + Send + use<>> {
    let (captions, front) = BookCaptions::new(match format {
        CaptionFormat::Vtt => Layout::Vtt,
        CaptionFormat::Srt => Layout::Srt,
    });
    let mut parts = Parts {
        app: app.clone(),
        account: caller.account,
        environment: caller.key.environment,
        material: material.id,
        captions,
        read: VecDeque::new(),
        last: None,
        start_ms: 0,
    };
    let first = parts.next().await?.unwrap_or_default();
    let begun = Some((Some(Ok(Bytes::from(front + &first))), parts));
    Ok(futures_util::stream::unfold(begun, |state| async {
        let (waiting, mut parts) = state?;
        if let Some(part) = waiting {
            return Some((part, Some((None, parts))));
        }
        match parts.next().await {
            Ok(Some(part)) => Some((Ok(part.into()), Some((None, parts)))),
            Ok(None) => None,
            Err(error) => {
                // The head has gone out: a body that breaks off is all that can still be said.
                tracing::error!(error = %error, material.id = %parts.material, "captions broke off");
                Some((Err(io::Error::other(error)), None))
            }
        }
    }))
}

/// The captions of the chunks, one after the other.
struct Parts {
    app: App,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    captions: BookCaptions,
    /// Chunks that were looked up.
    read: VecDeque<Chunk>,
    /// The last of those.
    last: Option<u32>,
    start_ms: u64,
}

impl Parts {
    async fn next(&mut self) -> Result<Option<String>> {
        let store = &self.app.store;
        let (account, environment, material) = (self.account, self.environment, self.material);
        if self.read.is_empty() {
            self.read =
                chunks::list(store, account, environment, material, self.last, AT_A_TIME).await?.into();
            self.last = self.read.back().map(|chunk| chunk.index).or(self.last);
        }
        let Some(chunk) = self.read.pop_front() else { return Ok(None) };
        let text = chunks::text(store, account, environment, material, chunk.index).await?;
        let Some((text, audio)) = text.zip(chunk.audio) else {
            return Err(Error::Internal(format!("chunk {} of {material} is gone", chunk.index)));
        };
        let words: Vec<WordTimestamp> = read_words(&self.app, &audio.words_object).await?;
        let part = self.captions.chunk(&text, &words, self.start_ms, audio.duration_ms);
        self.start_ms += audio.duration_ms;
        Ok(Some(part))
    }
}
