//! An engine without a model: it speaks a tone whose length and pitch follow from the text, or
//! misbehaves as the test requires.

use std::{
    ops::Range,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use lectern_speech::{
    engines::{Engine, EngineError, Speech, Unit, Utterance, WordTiming},
    front_end::{Pause, Span},
    language::Language,
};

const SAMPLE_RATE_HZ: u32 = 24_000;

/// Samples for each character.
const SAMPLES_A_CHARACTER: usize = 480;

/// The engine's behavior for an utterance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Behavior {
    /// Speaks the utterance.
    #[default]
    Speak,
    Fail,
    Panic,
    /// Returns no sound, as a voice does for a script that it does not read.
    Silent,
    /// Blocks until the behaviour changes, then speaks.
    Block,
}

#[derive(Debug, Default)]
struct Behaviors {
    usual: Behavior,
    /// The behaviour for utterances that contain this text.
    special: Option<(String, Behavior)>,
}

impl Behaviors {
    fn of(&self, text: &str) -> Behavior {
        let special = self.special.as_ref().filter(|(part, _)| text.contains(part.as_str()));
        special.map_or(self.usual, |(_, behavior)| *behavior)
    }
}

/// Controls all instances of the engine.
#[derive(Debug, Clone, Default)]
pub struct FakeEngine(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    behavior: Mutex<Behaviors>,
    changed: Condvar,
    calls: AtomicUsize,
    /// The utterances so far, in order.
    utterances: Mutex<Vec<String>>,
}

impl FakeEngine {
    /// Sets the behaviour of all instances.
    pub fn set(&self, behavior: Behavior) {
        self.behaviors().usual = behavior;
        self.0.changed.notify_all();
    }

    /// Sets the behaviour for utterances that contain `text`; it takes precedence over
    /// [`FakeEngine::set`].
    pub fn set_for(&self, text: &str, behavior: Behavior) {
        self.behaviors().special = Some((text.to_owned(), behavior));
        self.0.changed.notify_all();
    }

    /// The number of utterances so far.
    pub fn call_count(&self) -> usize {
        self.0.calls.load(Ordering::SeqCst)
    }

    /// The utterances so far, in order.
    pub fn utterances(&self) -> Vec<String> {
        self.0.utterances.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// An instance for one thread.
    pub fn engine(&self) -> Box<dyn Engine> {
        Box::new(Instance(self.clone()))
    }

    fn behaviors(&self) -> MutexGuard<'_, Behaviors> {
        self.0.behavior.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The behaviour for a text; blocks while it is [`Behavior::Block`].
    fn settled(&self, text: &str) -> Behavior {
        let waiting = |behaviors: &mut Behaviors| behaviors.of(text) == Behavior::Block;
        let behaviors = self.0.changed.wait_while(self.behaviors(), waiting);
        behaviors.unwrap_or_else(PoisonError::into_inner).of(text)
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
    fn plan(&self, text: &str, stretch: Range<usize>, _: Language) -> Result<Vec<Span>, EngineError> {
        let mut start = stretch.start;
        let mut ranges: Vec<_> = text[stretch.clone()]
            .match_indices(". ")
            .map(|(at, _)| {
                let end = stretch.start + at + 1;
                let range = start..end;
                start = end + 1;
                range
            })
            .collect();
        ranges.push(start..stretch.end);
        Ok(ranges.into_iter().map(|range| Span { range, pause: Pause::Sentence }).collect())
    }

    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError> {
        let text = utterance.text();
        self.0.0.utterances.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
        self.0.0.calls.fetch_add(1, Ordering::SeqCst);
        match self.0.settled(text) {
            Behavior::Fail => Err(EngineError::Failed("the fake engine was told to fail".to_owned())),
            Behavior::Panic => panic!("the fake engine was told to panic"),
            Behavior::Silent => Ok(Speech { sample_rate_hz: SAMPLE_RATE_HZ, ..Speech::default() }),
            Behavior::Speak | Behavior::Block => Ok(tone(utterance)),
        }
    }
}

fn tone(utterance: &Utterance) -> Speech {
    let text = utterance.text();
    let length = |characters: usize| (characters * SAMPLES_A_CHARACTER) as f32 / utterance.spec.speed;
    let samples = length(text.chars().count()) as usize;
    // The pitch depends on the seed, so that a test can tell two seeds apart.
    let step = (0.02 + (utterance.seed % 97) as f32 / 4_000.0) * std::f32::consts::TAU;
    let mut words = Vec::new();
    let mut at = 0;
    for word in text.split_whitespace() {
        let start = text[at..].find(word).map_or(at, |found| at + found);
        at = start + word.len();
        let sample = |byte: usize| length(text[..byte].chars().count()) as u64;
        words.push(WordTiming {
            source: utterance.span.range.start + start..utterance.span.range.start + at,
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
