//! Captions of a whole book, generated for each request, one chunk at a time, so that only one
//! chunk is in memory.

use std::{collections::VecDeque, io};

use bytes::Bytes;
use futures_util::Stream;
use lectern_speech::audio::captions::BookCaptions;
use lectern_store::{
    Environment, Store,
    chunks::{self, Chunk},
    keys::Authenticated,
    materials::Material,
};
use lectern_types::{AccountId, CaptionFormat, MaterialId, WordTimestamp};

use super::audio::read_words;
use crate::{
    error::{Error, Result},
    objects::Objects,
};

/// Chunks read from the store at a time.
const AT_A_TIME: u32 = 100;

/// The captions of a completed material, part by part. The first part is ready when this returns,
/// so that an early failure becomes an error response.
///
/// # Errors
/// The store's or the storage's.
pub async fn stream(
    store: &Store,
    objects: &Objects,
    caller: &Authenticated,
    material: &Material,
    format: CaptionFormat,
) -> Result<impl Stream<Item = io::Result<Bytes>> + Send + use<>> {
    let (captions, front) = BookCaptions::new(format);
    let mut parts = Parts {
        store: store.clone(),
        objects: objects.clone(),
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
                // The headers have been sent; breaking off the body is the only way to report the
                // failure.
                tracing::error!(error = %error, material.id = %parts.material, "captions broke off");
                Some((Err(io::Error::other(error)), None))
            }
        }
    }))
}

/// The captions of the chunks, in order.
struct Parts {
    store: Store,
    objects: Objects,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    captions: BookCaptions,
    /// Chunks read ahead.
    read: VecDeque<Chunk>,
    /// The index of the last chunk read.
    last: Option<u32>,
    start_ms: u64,
}

impl Parts {
    async fn next(&mut self) -> Result<Option<String>> {
        let store = &self.store;
        let (account, environment, material) = (self.account, self.environment, self.material);
        if self.read.is_empty() {
            self.read = chunks::list_of_book(store, account, environment, material, self.last, AT_A_TIME)
                .await?
                .into();
            self.last = self.read.back().map(|chunk| chunk.index).or(self.last);
        }
        let Some(chunk) = self.read.pop_front() else { return Ok(None) };
        let text = chunks::text(store, account, environment, material, chunk.index).await?;
        let Some((text, audio)) = text.zip(chunk.audio) else {
            return Err(Error::Internal(format!("chunk {} of {material} is gone", chunk.index)));
        };
        // It may have been edited or spoken again since it was read ahead.
        let now = chunks::find(store, account, environment, material, chunk.index).await?;
        if now.and_then(|now| now.audio).is_none_or(|now| now.words_object != audio.words_object) {
            return Err(Error::Internal(format!("chunk {} of {material} has changed", chunk.index)));
        }
        let words: Vec<WordTimestamp> = read_words(&self.objects, &audio.words_object).await?;
        let part = self.captions.chunk(&text, &words, self.start_ms, audio.duration_ms);
        self.start_ms += audio.duration_ms;
        Ok(Some(part))
    }
}
