//! Kokoro with the real weights. Tests that need no weights are next to the engine, on a small
//! network of the same shape.

use std::sync::{Arc, LazyLock};

use lectern_speech::{
    engines::{
        Engine as _, EngineError, Speech, Utterance,
        kokoro::{Kokoro, PACK, VOICES},
    },
    front_end::{Pause, Span},
    language::Language,
    pack::Pack,
    spec::NarrationSpec,
};

use super::hibari::voices_dir;

pub(crate) static KOKORO: LazyLock<Arc<Kokoro>> = LazyLock::new(|| {
    let pack = Pack::open(&voices_dir(), PACK).expect("the pack is there and the pinned one");
    Kokoro::load(&pack).expect("the pinned pack loads")
});

pub(crate) fn utterance(text: &str, voice: &str, language: Language) -> Utterance {
    let spec = NarrationSpec { seed: 1, ..NarrationSpec::new("kokoro", voice, language, text) };
    Utterance::new(&Arc::new(spec), Span { range: 0..text.len(), pause: Pause::Paragraph })
}

fn say(text: &str, voice: &str, language: Language) -> Speech {
    KOKORO.engine().say(&utterance(text, voice, language)).unwrap()
}

const TEXT: &str = "The morning train left the station at seven, and by noon Dr. Smith had paid $5.";

#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_weights_words_lie_where_they_sound() {
    let speech = say(TEXT, "af_heart", Language::EN_US);
    let words: Vec<&str> = speech.words.iter().map(|word| &TEXT[word.source.clone()]).collect();
    assert_eq!(words[..4], ["The", "morning", "train", "left"]);
    assert_eq!(words.len(), 16);
    let seconds = speech.samples.len() as f64 / 24_000.0;
    assert!((4.0..7.0).contains(&seconds), "{seconds}");
    assert!(speech.words.windows(2).all(|pair| pair[0].end_sample <= pair[1].start_sample));
    assert!(speech.samples.iter().all(|sample| sample.abs() < 1.0));
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_weights_british_voices_speak_british() {
    let speech = say("The tomatoes were half ripe.", "bf_emma", Language::EN_GB);
    assert!(speech.samples.len() > 24_000);
    assert_eq!(KOKORO.unknown_symbols(), 0);
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_weights_spanish_voices_speak_spanish_and_blends_speak() {
    let spanish: Language = "es-ES".parse().unwrap();
    assert!(say("¿Dónde está la biblioteca?", "ef_dora", spanish).samples.len() > 24_000);
    let blend = say("Two voices in one.", "af_bella:2,af_sky:1", Language::EN_US);
    let alone = say("Two voices in one.", "af_bella", Language::EN_US);
    assert!(blend.samples.len() > 24_000 && blend.samples != alone.samples);
    assert_eq!(KOKORO.unknown_symbols(), 0);
}

/// Seconds from the start of the first word to the end of the last.
fn sounding(speed: f32) -> f64 {
    let mut utterance = utterance(TEXT, "af_heart", Language::EN_US);
    Arc::make_mut(&mut utterance.spec).speed = speed;
    let words = KOKORO.engine().say(&utterance).unwrap().words;
    let (first, last) = (words.first().unwrap(), words.last().unwrap());
    (last.end_sample - first.start_sample) as f64 / 24_000.0
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_weights_speech_is_as_fast_as_was_asked() {
    let plain = sounding(1.0);
    let reached = [0.5, 1.5, 2.0_f32].map(|speed| plain / sounding(speed) / f64::from(speed));
    assert!(reached.iter().all(|share| (0.96..1.04).contains(share)), "{reached:?}");
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_weights_another_language_is_refused() {
    let refused = KOKORO.engine().say(&utterance("Hola.", "af_heart", "es".parse().unwrap()));
    assert!(matches!(refused, Err(EngineError::UnsupportedLanguage(_))));
    assert_eq!(VOICES.len(), 54);
}
