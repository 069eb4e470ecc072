//! The text to speak, and how to speak it: one struct that is passed by reference from the request
//! to the engine.

use std::{borrow::Cow, ops::Range, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{language::Language, phonemes::Lexicon};

/// A text and how it is to be spoken. The same spec gives the same samples.
#[derive(Debug, Clone)]
pub struct NarrationSpec {
    /// The engine's name, such as `hibari`.
    pub engine: String,
    /// The engine's own name of the voice.
    pub voice: String,
    /// The language in which the text is read. Engines on another server may ignore it.
    pub language: Language,
    /// The text, with its markup.
    pub text: Arc<str>,
    /// The places with a minimum pause; no utterance spans one of them. Engines that take long
    /// passages at a time handle pauses below 700 ms themselves.
    pub pauses: Arc<[PauseAt]>,
    /// The speed, from 0.5 to 2.0; durations are divided by it.
    pub speed: f32,
    /// How much higher than the voice's own the fundamental frequency is, in semitones, from −12 to
    /// 12. Formants stay where they are.
    pub pitch: f32,
    /// The seed of everything random.
    pub seed: u64,
    /// Pronunciations that take precedence over every lexicon.
    pub lexicon: Arc<Lexicon>,
    /// The stretches that the text marks as another language's, in order and apart.
    pub marked: Arc<[InLanguage]>,
    /// The stretches of the text that are said, in order and apart; the whole text when there are none.
    /// What lies between them is said by another voice.
    pub stretches: Arc<[Range<usize>]>,
    /// The stretches with a pace, a pitch or a level of their own, in order and apart.
    pub deliveries: Arc<[Delivered]>,
    /// The stretches for which the text sets a pitch contour or a duration. A stretch that lies inside another
    /// comes after it.
    pub courses: Arc<[Course]>,
    /// Whether pauses in the text last exactly as long as it says. Otherwise they are the least.
    pub exact_pauses: bool,
}

impl NarrationSpec {
    /// A text spoken at speed 1 and the voice's own pitch with seed 0, without pauses and pronunciations of its own.
    pub fn new(engine: &str, voice: &str, language: Language, text: impl Into<Arc<str>>) -> Self {
        Self {
            engine: engine.to_owned(),
            voice: voice.to_owned(),
            language,
            text: text.into(),
            pauses: Arc::default(),
            speed: 1.0,
            pitch: 0.0,
            seed: 0,
            lexicon: Arc::default(),
            marked: Arc::default(),
            stretches: Arc::default(),
            deliveries: Arc::default(),
            courses: Arc::default(),
            exact_pauses: false,
        }
    }

    /// The text that is said.
    pub fn own_text(&self) -> Cow<'_, str> {
        match &*self.stretches {
            [] => Cow::Borrowed(&self.text),
            own => own.iter().filter_map(|range| self.text.get(range.clone())).collect(),
        }
    }

    /// What the text wants of its words' prosody.
    pub fn prosody(&self) -> Prosody<'_> {
        Prosody { deliveries: &self.deliveries, courses: &self.courses }
    }

    /// How the text wants the word that begins at a byte to be delivered.
    pub fn delivery_at(&self, byte: usize) -> Delivery {
        self.prosody().delivery_at(byte)
    }
}

/// How a voice delivers a word, compared with what it does by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Delivery {
    /// The pace: durations are divided by it.
    pub rate: f32,
    /// Where the pitch lies.
    pub pitch: Pitch,
    /// How far the pitch moves: 0 is monotonous, 1 as it is, 2 twice as far in semitones.
    pub range: f32,
    /// The level in dB; minus infinity is silent.
    pub volume_db: f32,
    /// Whether a tone covers the word.
    pub bleep: bool,
}

impl Delivery {
    /// The delivery at a byte, by the stretches that have one of their own.
    pub fn at(stretches: &[Delivered], byte: usize) -> Self {
        let after = stretches.partition_point(|one| one.range.start <= byte);
        let found = after.checked_sub(1).map(|at| &stretches[at]);
        found.filter(|one| one.range.contains(&byte)).map_or(Self::default(), |one| one.delivery)
    }
}

/// What a text wants of its words' prosody.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Prosody<'a> {
    /// The stretches with a delivery of their own, in order and apart.
    pub deliveries: &'a [Delivered],
    /// The stretches with a course of the pitch or a length; inner ones stand behind outer ones.
    pub courses: &'a [Course],
}

impl<'a> Prosody<'a> {
    /// The delivery of the word that begins at a byte.
    pub fn delivery_at(self, byte: usize) -> Delivery {
        Delivery::at(self.deliveries, byte)
    }

    /// The stretches with a contour; inner ones stand behind outer ones.
    pub fn contours(self) -> impl DoubleEndedIterator<Item = &'a Course> {
        self.courses.iter().filter(|course| !course.contour.is_empty())
    }

    /// Whether the pitch of the word that begins at a byte is the voice's own affair.
    pub fn leaves_pitch_alone(self, byte: usize) -> bool {
        let delivery = self.delivery_at(byte);
        delivery.pitch == Pitch::default()
            && (delivery.range - 1.0).abs() < 1e-6
            && !self.contours().any(|course| course.range.contains(&byte))
    }
}

impl Default for Delivery {
    fn default() -> Self {
        Self { rate: 1.0, pitch: Pitch::default(), range: 1.0, volume_db: 0.0, bleep: false }
    }
}

/// Where the pitch of a voice lies. The parts add up, the first being the base.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pitch {
    /// The mean in Hertz; the voice's own when there is none.
    pub base_hertz: Option<f32>,
    /// A change in semitones.
    pub semitones: f32,
    /// A change in Hertz.
    pub hertz: f32,
}

/// A stretch of a text with a delivery of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivered {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// How it is spoken.
    pub delivery: Delivery,
}

/// A stretch of a text whose author says how its pitch moves, or how long it lasts.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The pitch at points of its time, in their order; the voice's own where there are none.
    pub contour: Arc<[PitchTarget]>,
    /// How long it lasts from its first sound to its last.
    pub duration_ms: Option<u32>,
}

/// The pitch at a point of a stretch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PitchTarget {
    /// The share of the stretch's time before it, from 0 to 1.
    pub at: f32,
    /// Where the pitch lies.
    pub pitch: Pitch,
}

/// A stretch of a text in a language of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InLanguage {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What the text says it is in.
    pub language: Language,
}

/// A place in a text where the voice pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseAt {
    /// The number of bytes of the text before it.
    pub at: usize,
    /// The minimum silence there, in milliseconds. If the engine would pause longer, it does; the
    /// two are not added up.
    pub pause_ms: u32,
}
