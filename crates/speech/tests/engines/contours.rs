//! Contours of the pitch and lengths, measured in what the embedded voice says.

use std::sync::Arc;

use lectern_speech::{
    engines::{Engine as _, Speech, Utterance},
    language::Language,
    spec::{Course, NarrationSpec, Pitch, PitchTarget},
    ssml::Ssml,
};

use super::{hibari, tracker::course, utterance};

const TEXT: &str = "A good map does not show everything, and by noon we were all home again.";

/// A target at a percentage of the text, in semitones above the voice's own pitch.
fn point(percent: f32, semitones: f32) -> PitchTarget {
    PitchTarget { at: percent / 100.0, pitch: Pitch { semitones, ..Pitch::default() } }
}

fn say(contour: &[PitchTarget]) -> Speech {
    let plain = utterance(TEXT, "heart");
    let spec = NarrationSpec {
        courses: [Course { range: 0..TEXT.len(), contour: contour.into(), duration_ms: None }].into(),
        ..NarrationSpec::clone(&plain.spec)
    };
    let mut utterance = Utterance::new(&Arc::new(spec), plain.span);
    utterance.seed = plain.seed;
    hibari::engine().say(&utterance).unwrap()
}

/// The median pitch of a part of a course, in semitones above 1 Hz.
fn median(course: &[Option<f64>]) -> f64 {
    let mut found: Vec<f64> = course.iter().flatten().map(|hertz| 12.0 * hertz.log2()).collect();
    found.sort_by(f64::total_cmp);
    found[found.len() / 2]
}

// Negative control: with a `Melody` that is plain without a rise, the beginning is at +4.27 st, not −1.9.
#[test]
fn the_pitch_goes_where_a_contour_says() {
    let flat = course(&say(&[point(0.0, 0.0)]));
    let middle = median(&flat);
    // Up to the middle and down again.
    let hill = course(&say(&[point(0.0, -3.0), point(50.0, 5.0), point(100.0, -3.0)]));
    assert_eq!(hill.len(), flat.len(), "the length stays");
    let part =
        |from: usize, to: usize| median(&hill[hill.len() * from / 100..hill.len() * to / 100]) - middle;
    for (from, to, wanted) in [(0, 14, -1.9), (18, 32, 1.0), (44, 56, 4.6), (68, 82, 1.0), (86, 98, -1.7)] {
        let found = part(from, to);
        assert!((found - wanted).abs() < 1.2, "{found:.2} st from {from} to {to} %, not {wanted}");
    }
}

/// The time from the first sound to the last of a text in SSML, in seconds.
fn seconds(text: &str) -> f64 {
    let script = Ssml::parse(text, 1.0).unwrap().script(Language::EN_US, &[]);
    let base = NarrationSpec::new("hibari", "heart", Language::EN_US, script.text.clone());
    let said = hibari::spec_through_pool(script.spec(None, base), 1);
    let (first, last) = (said.words.first().unwrap(), said.words.last().unwrap());
    (last.end_sample - first.start_sample) as f64 / f64::from(said.sample_rate_hz)
}

// Negative control: with a `lengths::is_asked` that is never true, the first text lasts 1.68 s.
#[test]
fn text_lasts_as_long_as_its_duration_says() {
    let one = "It was late, and nobody spoke.";
    let several =
        "It was late, and nobody spoke. <break time=\"500ms\"/> The lamp burned low. Was she asleep?";
    for (text, duration, wanted, within) in [
        (one, "1.5s", 1.5, 0.025),
        (one, "2500ms", 2.5, 0.025),
        (several, "4s", 4.0, 0.05),
        (several, "6.5s", 6.5, 0.05),
    ] {
        let found = seconds(&format!("<speak><prosody duration=\"{duration}\">{text}</prosody></speak>"));
        assert!((found / wanted - 1.0).abs() < within, "{found} s for {duration}: {text}");
    }
}
