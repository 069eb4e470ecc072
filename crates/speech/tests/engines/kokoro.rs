//! Kokoro on the real weights. What needs none is tested beside the engine, on a small network of
//! the same shape.

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

static KOKORO: LazyLock<Arc<Kokoro>> = LazyLock::new(|| {
    let pack = Pack::open(&voices_dir(), PACK).expect("the pack is there and the pinned one");
    Kokoro::load(&pack).expect("the pinned pack loads")
});

fn utterance(text: &str, voice: &str, language: Language) -> Utterance {
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
fn with_the_real_weights_another_language_is_refused() {
    let refused = KOKORO.engine().say(&utterance("Hola.", "af_heart", "es".parse().unwrap()));
    assert!(matches!(refused, Err(EngineError::UnsupportedLanguage(_))));
    assert_eq!(VOICES.len(), 28);
}
