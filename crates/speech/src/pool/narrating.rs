//! The reader's side of a request: its utterances in order, whichever thread said them first.

use std::{collections::BTreeMap, sync::Arc, task::Poll, time::Duration};

use tokio::sync::mpsc::UnboundedReceiver;

use super::{Lane, plan::Planned};
use crate::engines::{Abandoned, EngineError, Speech};

/// What a model thread tells the reader.
pub(super) enum Event {
    /// The utterances of the text, and how long the request waited for its first turn.
    Planned(Arc<[Planned]>, Duration),
    /// The beginning of an utterance, before the rest of it is said.
    Begun(usize, Speech),
    /// An utterance was said, or could not be: all of it, or the rest.
    Said(usize, Result<Speech, EngineError>),
    /// The text could not be planned.
    Unplanned(EngineError),
}

/// A request being said. Dropping it abandons the request.
#[derive(Debug)]
pub struct Narrating {
    lane: Arc<Lane>,
    request: u64,
    events: UnboundedReceiver<Event>,
    abandoned: Abandoned,
    /// Beginnings of utterances that have not been returned.
    begun: BTreeMap<usize, Speech>,
    /// What came before its turn.
    early: BTreeMap<usize, Result<Speech, EngineError>>,
    /// How far the beginning reaches that was returned last.
    begun_until: usize,
    next: usize,
    plan: Option<Arc<[Planned]>>,
    waited: Option<Duration>,
    ended: bool,
}

impl Narrating {
    pub(super) fn new(
        lane: Arc<Lane>,
        request: u64,
        events: UnboundedReceiver<Event>,
        abandoned: Abandoned,
    ) -> Self {
        Self {
            lane,
            request,
            events,
            abandoned,
            begun: BTreeMap::new(),
            early: BTreeMap::new(),
            begun_until: 0,
            next: 0,
            plan: None,
            waited: None,
            ended: false,
        }
    }

    /// The next utterance, of which the beginning may come as one of its own ([`Request::early`](super::Request));
    /// `None` when all are said. Nothing follows an error.
    ///
    /// Safe to cancel: an utterance that was not returned comes with the next call.
    pub async fn next(&mut self) -> Option<Result<Speech, EngineError>> {
        self.next_before(usize::MAX).await
    }

    /// The next utterance of those that begin before a byte of the text.
    pub(super) async fn next_before(&mut self, end: usize) -> Option<Result<Speech, EngineError>> {
        loop {
            if let Poll::Ready(answer) = self.due(end) {
                return answer;
            }
            let event = self.events.recv().await;
            self.take(event);
        }
    }

    /// [`Narrating::next`] for callers outside of an async runtime; inside of one it would panic.
    pub fn blocking_next(&mut self) -> Option<Result<Speech, EngineError>> {
        self.blocking_next_before(usize::MAX)
    }

    /// [`Narrating::next_before`] for callers outside of an async runtime.
    pub(super) fn blocking_next_before(&mut self, end: usize) -> Option<Result<Speech, EngineError>> {
        loop {
            if let Poll::Ready(answer) = self.due(end) {
                return answer;
            }
            let event = self.events.blocking_recv();
            self.take(event);
        }
    }

    /// How many utterances the text has: known from the first one on.
    pub fn utterances(&self) -> Option<usize> {
        self.plan.as_ref().map(|plan| plan.len())
    }

    /// How far into the text, in bytes, the utterances and beginnings reach that were returned.
    pub fn reached(&self) -> usize {
        let last = self.next.checked_sub(1);
        let said =
            last.and_then(|last| self.plan.as_ref()?.get(last)).map_or(0, |piece| piece.span.range.end);
        said.max(self.begun_until)
    }

    /// How long the request waited for its first turn: known from the first utterance on.
    pub fn waited(&self) -> Option<Duration> {
        self.waited
    }

    /// What can be answered without waiting.
    fn due(&mut self, end: usize) -> Poll<Option<Result<Speech, EngineError>>> {
        let is_later =
            |plan: &Arc<[Planned]>| plan.get(self.next).is_none_or(|piece| piece.span.range.start >= end);
        if self.ended || self.plan.as_ref().is_some_and(is_later) {
            return Poll::Ready(None);
        }
        if let Some(beginning) = self.begun.remove(&self.next) {
            self.begun_until = beginning.words.last().map_or(0, |word| word.source.end);
            return Poll::Ready(Some(Ok(beginning)));
        }
        let Some(said) = self.early.remove(&self.next) else { return Poll::Pending };
        self.next += 1;
        if said.is_err() {
            self.ended = true;
        } else {
            self.lane.read_one(self.request);
        }
        Poll::Ready(Some(said))
    }

    fn take(&mut self, event: Option<Event>) {
        match event {
            Some(Event::Planned(plan, waited)) => {
                self.plan = Some(plan);
                self.waited = Some(waited);
            }
            Some(Event::Begun(index, beginning)) => {
                self.begun.insert(index, beginning);
            }
            Some(Event::Said(index, said)) => {
                self.early.insert(index, said);
            }
            Some(Event::Unplanned(error)) => {
                self.early.insert(self.next, Err(error));
            }
            None => {
                let stopped = EngineError::Failed("the speech engine was shut down".to_owned());
                self.early.insert(self.next, Err(stopped));
            }
        }
    }
}

impl Drop for Narrating {
    fn drop(&mut self) {
        self.abandoned.set();
        self.lane.forget(self.request);
    }
}
