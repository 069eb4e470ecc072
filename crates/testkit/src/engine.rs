//! An engine without a model: a tone whose length and pitch follow from the text, in the mood the test sets.

use std::{
    ops::Range,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use lectern_speech::engines::{Engine, EngineError, Speech, Unit, Utterance, WordTiming};

/// Samples a second of the tone.
const SAMPLE_RATE_HZ: u32 = 24_000;

/// Samples of each character.
const SAMPLES_A_CHARACTER: usize = 480;

/// What the engine does when it is asked to say something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mood {
    /// Says it.
    #[default]
    Speaking,
    /// Fails.
    Failing,
    /// Panics.
    Panicking,
    /// Says nothing at all, as for a text in a script that the voice does not read.
    Silent,
    /// Waits until the mood changes, then says it.
    Waiting,
}

#[derive(Debug, Default)]
struct Moods {
    usual: Mood,
    /// The mood of utterances with this text in them.
    special: Option<(String, Mood)>,
}

impl Moods {
    fn of(&self, text: &str) -> Mood {
        let special = self.special.as_ref().filter(|(part, _)| text.contains(part.as_str()));
        special.map_or(self.usual, |(_, mood)| *mood)
    }
}

/// The test's hand on all instances of the engine.
#[derive(Debug, Clone, Default)]
pub struct FakeEngine(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    mood: Mutex<Moods>,
    changed: Condvar,
    asked: AtomicUsize,
    /// What was asked for, in this order.
    said: Mutex<Vec<String>>,
}

impl FakeEngine {
    /// Sets the mood of every instance.
    pub fn set(&self, mood: Mood) {
        self.moods().usual = mood;
        self.0.changed.notify_all();
    }

    /// Sets the mood in which utterances with `text` in them are said, whatever the mood of others.
    pub fn set_for(&self, text: &str, mood: Mood) {
        self.moods().special = Some((text.to_owned(), mood));
        self.0.changed.notify_all();
    }

    /// How many utterances were asked for.
    pub fn asked(&self) -> usize {
        self.0.asked.load(Ordering::SeqCst)
    }

    /// The utterances that were asked for, in this order.
    pub fn said(&self) -> Vec<String> {
        self.0.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// An instance for one thread.
    pub fn engine(&self) -> Box<dyn Engine> {
        Box::new(Instance(self.clone()))
    }

    fn moods(&self) -> MutexGuard<'_, Moods> {
        self.0.mood.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The mood for a text, once it is not to wait.
    fn settled(&self, text: &str) -> Mood {
        let waiting = |moods: &mut Moods| moods.of(text) == Mood::Waiting;
        let moods = self.0.changed.wait_while(self.moods(), waiting);
        moods.unwrap_or_else(PoisonError::into_inner).of(text)
    }
}

struct Instance(FakeEngine);

impl Engine for Instance {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn unit(&self) -> Unit {
        Unit::Sentence
    }

    /// Sentences end with a full stop and a space.
    fn plan(&self, text: &str) -> Vec<Range<usize>> {
        let mut start = 0;
        let mut ranges: Vec<_> = text
            .match_indices(". ")
            .map(|(at, _)| {
                let range = start..at + 1;
                start = at + 2;
                range
            })
            .collect();
        ranges.push(start..text.len());
        ranges
    }

    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError> {
        let text = &utterance.text[utterance.range.clone()];
        self.0.0.said.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
        self.0.0.asked.fetch_add(1, Ordering::SeqCst);
        match self.0.settled(text) {
            Mood::Failing => Err(EngineError::Failed("the fake engine was told to fail".to_owned())),
            Mood::Panicking => panic!("the fake engine was told to panic"),
            Mood::Silent => Ok(Speech { sample_rate_hz: SAMPLE_RATE_HZ, ..Speech::default() }),
            Mood::Speaking | Mood::Waiting => Ok(tone(utterance)),
        }
    }
}

fn tone(utterance: &Utterance) -> Speech {
    let text = &utterance.text[utterance.range.clone()];
    let length = |characters: usize| (characters * SAMPLES_A_CHARACTER) as f32 / utterance.speed;
    let samples = length(text.chars().count()) as usize;
    // The seed is heard, so that a test can tell two seeds apart.
    let step = (0.02 + (utterance.seed % 97) as f32 / 4_000.0) * std::f32::consts::TAU;
    let mut words = Vec::new();
    let mut at = 0;
    for word in text.split_whitespace() {
        let start = text[at..].find(word).map_or(at, |found| at + found);
        at = start + word.len();
        let sample = |byte: usize| length(text[..byte].chars().count()) as u64;
        words.push(WordTiming {
            source: utterance.range.start + start..utterance.range.start + at,
            start_sample: sample(start),
            end_sample: sample(at),
        });
    }
    Speech {
        samples: (0..samples).map(|n| 0.1 * (n as f32 * step).sin()).collect(),
        sample_rate_hz: SAMPLE_RATE_HZ,
        words,
        pause_samples: u64::from(SAMPLE_RATE_HZ) / 4,
        ..Speech::default()
    }
}
