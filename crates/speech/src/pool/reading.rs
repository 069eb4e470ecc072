//! A text of several voices: the utterances of all of them in the order of the text.

use std::time::Duration;

use super::{Narrating, Pool, PoolError, Request};
use crate::engines::{EngineError, Speech};

/// A text being said, by one voice or several in turn. Dropping it abandons the work.
#[derive(Debug)]
pub struct Reading {
    /// One for each voice.
    voices: Vec<Narrating>,
    /// Which voice says the text up to which byte.
    turns: Vec<(usize, usize)>,
    at: usize,
    reached: usize,
    ended: bool,
}

/// A part of a text as a voice said it.
#[derive(Debug)]
pub struct Said {
    /// Index of the voice among the requests.
    pub voice: usize,
    /// What it said.
    pub speech: Speech,
}

impl Pool {
    /// Takes a text of several voices, one request a voice, or refuses it at once. `turns` say which
    /// request says the text up to which byte.
    ///
    /// # Errors
    /// As [`Pool::submit`]; nothing is said then.
    pub fn read(&self, requests: Vec<Request>, turns: &[(usize, usize)]) -> Result<Reading, PoolError> {
        let voices =
            requests.into_iter().map(|request| self.submit(request)).collect::<Result<Vec<_>, _>>()?;
        let mut turns: Vec<(usize, usize)> =
            turns.iter().copied().filter(|(voice, _)| *voice < voices.len()).collect();
        // What stands behind the last turn is nobody's, and an utterance may reach there.
        if let Some(last) = turns.last_mut() {
            last.1 = usize::MAX;
        }
        Ok(Reading { voices, turns, at: 0, reached: 0, ended: false })
    }
}

impl Reading {
    /// The next utterance; `None` when all are said. Nothing follows an error.
    ///
    /// Safe to cancel, as [`Narrating::next`].
    pub async fn next(&mut self) -> Option<Result<Said, EngineError>> {
        while let Some((voice, end)) = self.turn() {
            let said = self.voices[voice].next_before(end).await;
            if let Some(said) = self.take(voice, said) {
                return Some(said);
            }
        }
        None
    }

    /// [`Reading::next`] for callers outside of an async runtime; inside of one it would panic.
    pub fn blocking_next(&mut self) -> Option<Result<Said, EngineError>> {
        while let Some((voice, end)) = self.turn() {
            let said = self.voices[voice].blocking_next_before(end);
            if let Some(said) = self.take(voice, said) {
                return Some(said);
            }
        }
        None
    }

    /// How far into the text, in bytes, the utterances reach that were returned.
    pub fn reached(&self) -> usize {
        self.reached
    }

    /// How many utterances the voices have together, as far as that is known.
    pub fn utterances(&self) -> usize {
        self.voices.iter().filter_map(Narrating::utterances).sum()
    }

    /// How long the first voice waited for its first turn: known from its first utterance on.
    pub fn waited(&self) -> Option<Duration> {
        self.voices.first()?.waited()
    }

    fn turn(&self) -> Option<(usize, usize)> {
        if self.ended { None } else { self.turns.get(self.at).copied() }
    }

    fn take(
        &mut self,
        voice: usize,
        said: Option<Result<Speech, EngineError>>,
    ) -> Option<Result<Said, EngineError>> {
        match said {
            None => {
                self.at += 1;
                None
            }
            Some(Err(error)) => {
                self.ended = true;
                Some(Err(error))
            }
            Some(Ok(speech)) => {
                self.reached = self.reached.max(self.voices[voice].reached());
                Some(Ok(Said { voice, speech }))
            }
        }
    }
}
