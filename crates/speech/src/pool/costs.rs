//! What a lane's engines cost: what each says of itself, corrected by what this process measures.

use std::time::Duration;

use crate::{engines::Cost, estimate::prose_characters, spec::NarrationSpec};

/// As many characters as an engine's own word counts for against what is measured.
const PRIOR_CHARACTERS: f64 = 300.0;

/// The average follows the last characters, about as many as these.
const WINDOW_CHARACTERS: f64 = 10_000.0;

/// What one engine has done since the start, and what it takes.
#[derive(Debug)]
pub(super) struct Meter {
    work: Average,
    samples: Average,
    /// Whether the averages follow what is measured.
    learns: bool,
    pub(super) totals: Totals,
}

/// What an engine has done since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Requests that had their first turn.
    pub requests: u64,
    /// Characters that were said, as they stand in the text.
    pub characters: u64,
    /// The time that threads took.
    pub work: Duration,
    /// The length of what was said.
    pub audio: Duration,
    /// Symbols of pronunciations that were left out.
    pub unknown_symbols: u64,
    /// Utterances that were given up because they took too long.
    pub timed_out: u64,
}

/// A moving average for each character.
#[derive(Debug)]
struct Average {
    total: f64,
    characters: f64,
}

impl Average {
    fn new(prior: f64) -> Self {
        Self { total: prior * PRIOR_CHARACTERS, characters: PRIOR_CHARACTERS }
    }

    fn note(&mut self, characters: f64, value: f64) {
        self.total += value;
        self.characters += characters;
        let fade = (WINDOW_CHARACTERS / self.characters).min(1.0);
        self.total *= fade;
        self.characters *= fade;
    }

    fn get(&self) -> f64 {
        self.total / self.characters
    }
}

/// One utterance that was said.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    /// Its characters of prose, divided by the speed.
    pub(super) weight: f64,
    /// Its characters as they stand in the text.
    pub(super) characters: u64,
    pub(super) work: Duration,
    pub(super) samples: usize,
    pub(super) sample_rate_hz: u32,
    pub(super) unknown_symbols: u64,
}

impl Meter {
    pub(super) fn new(cost: Cost, learns: bool) -> Self {
        Self {
            work: Average::new(cost.seconds_a_character),
            samples: Average::new(cost.samples_a_character),
            learns,
            totals: Totals::default(),
        }
    }

    pub(super) fn note(&mut self, said: &Measured) {
        if self.learns && said.weight > 0.0 {
            self.work.note(said.weight, said.work.as_secs_f64());
            self.samples.note(said.weight, said.samples as f64);
        }
        let totals = &mut self.totals;
        totals.characters += said.characters;
        totals.work += said.work;
        if said.sample_rate_hz > 0 {
            totals.audio += Duration::from_secs_f64(said.samples as f64 / f64::from(said.sample_rate_hz));
        }
        totals.unknown_symbols = totals.unknown_symbols.max(said.unknown_symbols);
    }

    /// How long a thread takes for this many characters.
    pub(super) fn work(&self, weight: f64) -> Duration {
        Duration::try_from_secs_f64(weight * self.work.get()).unwrap_or(Duration::ZERO)
    }

    pub(super) fn seconds_a_character(&self) -> f64 {
        self.work.get()
    }

    pub(super) fn samples_a_character(&self) -> f64 {
        self.samples.get()
    }
}

/// How much a part of a text weighs: its characters of prose, divided by the speed.
pub(super) fn weight(spec: &NarrationSpec, text: &str) -> f64 {
    prose_characters(text, Some(spec.language)) / f64::from(spec.speed.clamp(0.25, 4.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(weight: f64, seconds: f64) -> Measured {
        Measured {
            weight,
            characters: 1,
            work: Duration::from_secs_f64(seconds),
            samples: (weight * 2_000.0) as usize,
            sample_rate_hz: 24_000,
            unknown_symbols: 0,
        }
    }

    #[test]
    fn estimates_follow_what_is_measured_and_forget_it_again() {
        let mut meter = Meter::new(Cost { seconds_a_character: 0.01, samples_a_character: 1_700.0 }, true);
        assert_eq!(meter.work(100.0), Duration::from_secs(1));
        for _ in 0..20 {
            meter.note(&said(400.0, 40.0));
        }
        let slow = meter.work(100.0).as_secs_f64();
        assert!((9.0..10.0).contains(&slow), "ten times slower: {slow} s");
        assert!((1_900.0..2_000.0).contains(&meter.samples_a_character()));
        for _ in 0..200 {
            meter.note(&said(400.0, 4.0));
        }
        let again = meter.work(100.0).as_secs_f64();
        assert!((1.0..1.1).contains(&again), "as fast as before: {again} s");
        assert_eq!(meter.totals.characters, 220);
    }

    #[test]
    fn an_engine_that_does_not_learn_keeps_its_word() {
        let cost = Cost { seconds_a_character: 0.01, samples_a_character: 1_700.0 };
        let mut meter = Meter::new(cost, false);
        meter.note(&said(400.0, 40.0));
        assert_eq!(meter.work(100.0), Duration::from_secs(1));
    }
}
