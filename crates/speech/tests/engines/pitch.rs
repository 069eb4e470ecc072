//! The pitch that engines were asked for, measured in what they say.

use std::sync::Arc;

use lectern_speech::{
    engines::{Engine, EngineError, Utterance, pitch_factor, upstream::UpstreamEngine},
    spec::NarrationSpec,
};

use super::{hibari, kokoro, tracker::course, upstream, utterance};

const TEXT: &str = "A good map does not show everything, and by noon we were all home again.";

/// The median of how many semitones a course lies above another, where both sound.
fn between(own: &[Option<f64>], raised: &[Option<f64>]) -> f64 {
    let pairs = own.iter().zip(raised).filter_map(|(own, raised)| Some(12.0 * ((*raised)? / (*own)?).log2()));
    let mut semitones: Vec<f64> = pairs.collect();
    semitones.sort_by(f64::total_cmp);
    assert!(semitones.len() > 40, "enough of both is voiced: {}", semitones.len());
    semitones[semitones.len() / 2]
}

/// How many semitones higher than at 0 each of these pitches came out. None is louder or quieter by more
/// than `most_db`.
fn raised(engine: &mut dyn Engine, plain: &Utterance, pitches: &[f32], most_db: f32) -> Vec<f64> {
    let mut at = |pitch: f32| {
        let mut spec = NarrationSpec::clone(&plain.spec);
        spec.pitch = pitch;
        let mut utterance = Utterance::new(&Arc::new(spec), plain.span.clone());
        utterance.seed = plain.seed;
        assert!((utterance.pitch - pitch_factor(pitch)).abs() < 1e-6);
        let speech = engine.say(&utterance).unwrap();
        assert!(speech.samples.iter().all(|sample| sample.is_finite() && sample.abs() < 1.5));
        let power = speech.samples.iter().map(|sample| sample * sample).sum::<f32>();
        (course(&speech), speech.samples.len(), power)
    };
    let (own, length, power) = at(0.0);
    let heights = pitches.iter().map(|&pitch| {
        let (raised, raised_length, raised_power) = at(pitch);
        let semitones = between(&own, &raised);
        assert!(length.abs_diff(raised_length) <= length / 50, "{length} and {raised_length} samples");
        let louder_db = 10.0 * (raised_power / power).log10();
        assert!(louder_db.abs() < most_db, "{pitch}: {louder_db} dB louder");
        semitones
    });
    heights.collect()
}

const PITCHES: [f32; 6] = [3.0, -3.0, 7.0, -7.0, 12.0, -12.0];

fn check(raised: &[f64]) {
    for (asked, reached) in PITCHES.iter().zip(raised) {
        let most = if asked.abs() < 12.0 { 0.3 } else { 0.6 };
        assert!((f64::from(*asked) - reached).abs() <= most, "{asked} gave {reached}");
    }
}

// Negative control: with a `Melody` that is plain without a rise, +3 gives 0.
#[test]
fn the_pitch_is_as_much_higher_as_was_asked() {
    for voice in ["heart", "alma"] {
        check(&raised(&mut hibari::engine(), &utterance(TEXT, voice), &PITCHES, 6.0));
    }
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_weights_the_pitch_is_as_much_higher_as_was_asked() {
    // An octave below a low voice is below what the measure finds.
    let plain = kokoro::utterance(TEXT, "af_heart", "en-US".parse().unwrap());
    check(&raised(&mut kokoro::KOKORO.engine(), &plain, &PITCHES[..3], 6.0));
}

#[test]
fn an_engine_that_cannot_change_the_pitch_says_so() {
    let mut spec = NarrationSpec::clone(&utterance(TEXT, "any").spec);
    spec.pitch = 1.0;
    let span = utterance(TEXT, "any").span;
    let mut engine = UpstreamEngine::new(upstream::settings("http://127.0.0.1:9/v1")).unwrap();
    let refused = engine.say(&Utterance::new(&Arc::new(spec), span));
    assert!(matches!(refused, Err(EngineError::UnsupportedPitch("upstream"))), "{refused:?}");
}
