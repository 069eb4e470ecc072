//! The silence at dashes and brackets.

use lectern_speech::{engines::Engine, language::Language};

use super::{hibari, kokoro, tracker::silence_ms, utterance};

/// What the silence is at least, with what the measure takes for sound.
const LEAST_MS: usize = 150;

/// Sentences with `|` where the voice pauses.
const SENTENCES: [&str; 16] = [
    "The road was long |— it went over the hill.",
    "My brother|—who lives in Rome|—called yesterday.",
    "He came back |- nobody knew why |- and sat down.",
    "She wanted one thing |– a quiet room.",
    "The museum |(closed on Mondays|) is free.",
    "Two of them |(Anna and Tom|) stayed behind.",
    "It cost a lot |-- more than we had.",
    "The answer|—no|—was clear.",
    "We met in Paris |(in 1998|), and again in Rome.",
    "There was a noise |— a low hum |— from the engine.",
    "The new model |(much lighter than the old one|) sells well.",
    "I know him |— I think.",
    "All of us |— you, me, them |— must go.",
    "The lake |(it is deep|) never freezes.",
    "“Wait |— who is that?” he said.",
    "Water |(and nothing else|) was served.",
];

/// The silences at the marks of a sentence, in milliseconds.
fn silences(
    engine: &mut dyn Engine,
    marked: &str,
    say: impl Fn(&str) -> lectern_speech::engines::Utterance,
) -> Vec<usize> {
    let text = marked.replace('|', "");
    let speech = engine.say(&say(&text)).unwrap();
    let mut at = 0;
    let mut places = Vec::new();
    for (index, part) in marked.split('|').enumerate() {
        if index > 0 {
            places.push(at);
        }
        at += part.len();
    }
    let around = |place: usize| {
        let is_word = |c: char| c.is_alphanumeric();
        let before = text[..place].rfind(is_word).unwrap();
        let after = place + text[place..].find(is_word).unwrap();
        silence_ms(&speech, before, after)
    };
    places.into_iter().map(around).collect()
}

fn check(engine: &mut dyn Engine, say: impl Fn(&str) -> lectern_speech::engines::Utterance) {
    let all: Vec<(Vec<usize>, &str)> =
        SENTENCES.iter().map(|marked| (silences(engine, marked, &say), *marked)).collect();
    assert!(all.iter().all(|(found, _)| found.iter().all(|ms| (LEAST_MS..400).contains(ms))), "{all:#?}");
}

// Negative control: with nothing put in by `breaks::widen`, 20 of 27 silences are shorter, and the median is
// 70 ms.
#[test]
fn the_voice_pauses_at_dashes_and_brackets() {
    check(&mut hibari::engine(), |text| utterance(text, "heart"));
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_weights_the_voice_pauses_at_dashes_and_brackets() {
    check(&mut kokoro::KOKORO.engine(), |text| kokoro::utterance(text, "af_heart", Language::EN_US));
}
