//! Symbols that a front end wrote and a network does not know: counted, and each logged once.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::phonemes::{PhonemeWord, Vocabulary};

/// The unknown symbols of an engine, of all its threads.
#[derive(Debug)]
pub(in crate::engines) struct UnknownSymbols {
    engine: &'static str,
    count: AtomicU64,
    logged: Mutex<BTreeSet<char>>,
}

impl UnknownSymbols {
    pub(in crate::engines) fn of(engine: &'static str) -> Self {
        Self { engine, count: AtomicU64::new(0), logged: Mutex::default() }
    }

    /// How many were left out so far.
    pub(in crate::engines) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Counts the unknown symbols of a row.
    pub(in crate::engines) fn note(&self, vocabulary: &Vocabulary, words: &[PhonemeWord]) {
        self.note_all(vocabulary.unknown(words));
    }

    /// Counts symbols that were left out.
    pub(in crate::engines) fn note_all(&self, symbols: impl IntoIterator<Item = char>) {
        for symbol in symbols {
            self.count.fetch_add(1, Ordering::Relaxed);
            if self.logged.lock().unwrap_or_else(PoisonError::into_inner).insert(symbol) {
                tracing::warn!(engine = self.engine, symbol = %symbol.escape_unicode(), "phoneme left out: the voice does not know it");
            }
        }
    }
}
