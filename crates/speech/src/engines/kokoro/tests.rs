//! The engine on the small network of `twin`, stage by stage and as a whole.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    convert::{GENERATOR, Precision, convert},
    network::{FRONT, FRONT_WEIGHTS, SOFTER},
    spectrum::SPECTRUM,
    twin::{self, weight},
    *,
};
use crate::{
    engines::Instructions,
    phonemes::PhonemeIds,
    spec::{NarrationSpec, Prosody},
};

/// What `reference.py` computed.
fn golden(name: &str) -> Vec<f32> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/kokoro");
    let bytes = fs::read(folder.join(format!("{name}.f32"))).unwrap();
    bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// The root of the mean squared difference, as a share of what is wanted.
fn off(found: &[f32], wanted: &[f32]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    let energy =
        |values: &mut dyn Iterator<Item = f32>| -> f64 { values.map(|value| f64::from(value).powi(2)).sum() };
    let difference = energy(&mut found.iter().zip(wanted).map(|(found, wanted)| found - wanted));
    (difference / energy(&mut wanted.iter().copied())).sqrt()
}

fn converted(precision: Precision) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let published = folder.path().join("published.onnx");
    twin::publish(&published);
    convert(&published, folder.path(), precision).unwrap();
    folder
}

fn tensors(folder: &Path) -> Tensors {
    Tensors::read(fs::read(folder.join(GENERATOR)).unwrap()).unwrap()
}

const FRAMES: usize = 6;

/// The generator's answer to what `reference.py` asks its own.
fn drawn(precision: Precision, instructions: Instructions) -> Vec<f32> {
    let folder = converted(precision);
    let generator = Generator::read(&tensors(folder.path()), instructions).unwrap();
    let rows = 60 * FRAMES + 1;
    let levels = weight("excitation.levels", 11 * rows, 0.05, 0.05);
    let phases = weight("excitation.phases", 11 * rows, 3.0, 0.0);
    let excitation: Vec<f32> = (0..rows * SPECTRUM)
        .map(|at| {
            let (row, value) = (at / SPECTRUM, at % SPECTRUM);
            if value < 11 { levels[value * rows + row] } else { phases[(value - 11) * rows + row] }
        })
        .collect();
    let features = weight("features", twin::FEATURES * FRAMES, 1.0, 0.0);
    let style = weight("style", twin::STYLE, 0.5, 0.0);
    let mut room = generator::Room::default();
    let first = generator.run(&features, &style, &excitation, &mut room).unwrap();
    // Another length in between must leave nothing behind.
    generator.run(&features[..twin::FEATURES], &style, &excitation[..61 * SPECTRUM], &mut room).unwrap();
    assert_eq!(first, generator.run(&features, &style, &excitation, &mut room).unwrap());
    first
}

#[test]
fn the_generator_in_floats_draws_what_numpy_draws() {
    for instructions in [Instructions::Widest, Instructions::Avx2, Instructions::Portable] {
        let error = off(&drawn(Precision::Floats, instructions), &golden("spectrum.floats"));
        assert!(error < 1e-5, "{error} with {instructions:?}");
    }
}

// Values that lie between two bytes are rounded one way here and the other way there, and every
// layer makes more of them differ, so that the two are not equal; but they are nearer to each other
// than rounding has brought either from the floats (by 1.9 %), and as far from those.
#[test]
fn the_generator_in_bytes_is_as_far_from_floats_as_numpys() {
    for instructions in [Instructions::Widest, Instructions::Avx2, Instructions::Portable] {
        let top = convolution::Products::new(instructions).top_byte();
        let (found, floats) = (drawn(Precision::Bytes, instructions), golden("spectrum.floats"));
        let wanted = golden(&format!("spectrum.bytes{top}"));
        let (theirs, ours) = (off(&wanted, &floats), off(&found, &floats));
        assert!((0.8..1.25).contains(&(ours / theirs)), "{ours} and {theirs} with {instructions:?}");
        let apart = off(&found, &wanted);
        assert!(apart < 0.6 * theirs, "{apart} of {theirs} with {instructions:?}");
    }
}

#[test]
fn the_source_follows_the_pitch_and_is_even_where_there_is_none() {
    let folder = converted(Precision::Bytes);
    let source = Source::read(&tensors(folder.path())).unwrap();
    let pitch = [0.0, 120.0, 180.0, 240.0, 5.0, 100.0];
    let error = off(&source.samples(&pitch, &[1.0], None), &golden("source"));
    assert!(error < 1e-5, "{error}");
    let quantiles = Quantiles::new();
    let breath = |seed| source.samples(&[0.0; 40], &[1.0], Some((Noise::new(seed), &quantiles)));
    assert_eq!(breath(1), breath(1));
    assert_ne!(breath(1), breath(2));
    let still = source.samples(&[0.0], &[1.0], None)[0];
    let noise: Vec<f32> = breath(1).iter().map(|sample| sample - still).collect();
    let power = noise.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>() / noise.len() as f64;
    // Nine independent noises of 0.1/3, mixed.
    let weights = weight("source.weight", 9, 0.5, 0.0);
    let wanted = weights.iter().map(|weight| f64::from(*weight).powi(2)).sum::<f64>() / 900.0;
    assert!((power / wanted - 1.0).abs() < 0.05, "{power} for {wanted}");
}

#[test]
fn spectra_are_those_of_numpy_and_come_back() {
    let spectra = Spectra::new();
    let samples = golden("source");
    let wanted = golden("excitation");
    let made = spectra.of(&samples);
    for (made, wanted) in made.chunks_exact(SPECTRUM).zip(wanted.chunks_exact(SPECTRUM)) {
        for bin in 0..11 {
            let turn = (made[11 + bin] - wanted[11 + bin]).abs() * wanted[bin];
            assert!((made[bin] - wanted[bin]).abs() < 1e-5 && (turn < 3e-5 || turn > 6.2 * wanted[bin]));
        }
    }
    let rows = 61;
    let levels = weight("spectrum.levels", 11 * rows, 1.0, -2.0);
    let phases = weight("spectrum.phases", 11 * rows, 2.0, 0.0);
    let spectrum: Vec<f32> = (0..rows * SPECTRUM)
        .map(|at| {
            let (row, value) = (at / SPECTRUM, at % SPECTRUM);
            if value < 11 { levels[value * rows + row] } else { phases[(value - 11) * rows + row] }
        })
        .collect();
    let error = off(&spectra.samples(&spectrum), &golden("sound"));
    assert!(error < 1e-5, "{error}");
}

/// The folder with the languages' files that the real packs share.
#[expect(clippy::disallowed_methods, reason = "tests find the pack as the service would")]
fn languages() -> PathBuf {
    let voices = std::env::var_os("LECTERN_SPEECH__VOICES_DIR").map(PathBuf::from);
    let voices = voices.or_else(Pack::user_voices_dir).expect("a home directory");
    crate::engines::hibari::PACK.folder(&voices)
}

/// The whole engine with the small network. Of the voices, `am_adam`'s style is no number.
fn kokoro() -> (Arc<Kokoro>, tempfile::TempDir) {
    let folder = converted(Precision::Bytes);
    for file in fs::read_dir(languages()).expect("./test installs the voice pack") {
        let file = file.unwrap();
        let target = folder.path().join(file.file_name());
        fs::hard_link(file.path(), &target).or_else(|_| fs::copy(file.path(), &target).map(drop)).unwrap();
    }
    let mut styles = weight("styles", VOICES.len() * 510 * voices::STYLE, 0.3, 0.0);
    let adam = VOICES.iter().position(|voice| voice.name == "am_adam").unwrap();
    styles[adam * 510 * voices::STYLE..][..510 * voices::STYLE].fill(f32::NAN);
    let bytes: Vec<u8> = styles.iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(folder.path().join(voices::FILE), bytes).unwrap();
    (Kokoro::load(&Pack::unchecked(folder.path())).unwrap(), folder)
}

fn utterance(text: &str, voice: &str) -> Utterance {
    let spec = NarrationSpec { seed: 1, ..NarrationSpec::new(NAME, voice, Language::EN_US, text) };
    Utterance::new(&Arc::new(spec), Span { range: 0..text.len(), pause: Pause::Paragraph })
}

const TEXT: &str = "The morning train left the station at seven.";

#[test]
fn the_same_utterance_and_seed_give_the_same_samples_on_any_thread() {
    let (kokoro, _folder) = kokoro();
    let mut engine = kokoro.engine();
    let first = engine.say(&utterance(TEXT, "af_heart")).unwrap();
    assert!(first.samples.len() > 24_000);
    engine.say(&utterance("Something else.", "bf_emma")).unwrap();
    assert_eq!(first.samples, engine.say(&utterance(TEXT, "af_heart")).unwrap().samples);
    let other = Arc::clone(&kokoro);
    let other = std::thread::spawn(move || other.engine().say(&utterance(TEXT, "af_heart")).unwrap());
    assert_eq!(first.samples, other.join().unwrap().samples);
    let mut another = utterance(TEXT, "af_heart");
    another.seed = 2;
    assert_ne!(first.samples, engine.say(&another).unwrap().samples);
}

#[test]
fn words_are_timed_by_the_networks_lengths() {
    let (kokoro, _folder) = kokoro();
    let speech = kokoro.engine().say(&utterance(TEXT, "af_heart")).unwrap();
    let words: Vec<&str> = speech.words.iter().map(|word| &TEXT[word.source.clone()]).collect();
    assert_eq!(words, ["The", "morning", "train", "left", "the", "station", "at", "seven"]);
    assert!(speech.words.windows(2).all(|pair| pair[0].end_sample <= pair[1].start_sample));
    assert!(speech.words.last().is_some_and(|word| word.end_sample <= speech.samples.len() as u64));
}

// Negative control, seen: with the energy not among what the network is told, both have the same features.
#[test]
fn the_network_is_told_of_less_energy_where_a_question_rises() {
    let folder = converted(Precision::Bytes);
    let network = Network::new(Arc::new(Front::load(folder.path()).unwrap()));
    let ids: Vec<i32> = (0..20).chain([0]).collect();
    let phonemes = PhonemeIds { ids: ids.clone(), words: std::iter::once(1..20).collect() };
    let rising = Intonation::of_question(&["maɪmənənˈaɪənɪənaɪmə"], &phonemes, GRID);
    let plain = Intonation::default();
    let [raised, left] = [&rising, &plain].map(|intonation| {
        let prepared = network.prepare(&ids, &[0.0; twin::STYLE], &plain).unwrap();
        network.run(prepared, 1.0, intonation).unwrap()
    });
    // The small network adds the energy to its features.
    let less = left.values.iter().zip(&raised.values).map(|(left, raised)| left - raised);
    let most = less.fold(0.0, f32::max);
    assert!((0.2..=SOFTER).contains(&most), "{most}");
    assert!((left.values[0] - raised.values[0]).abs() < 1e-6, "before the rise nothing changes");
}

#[test]
fn a_style_that_is_no_number_fails_one_request_alone() {
    let (kokoro, _folder) = kokoro();
    let mut engine = kokoro.engine();
    let before = engine.say(&utterance(TEXT, "af_heart")).unwrap();
    let refused = engine.say(&utterance(TEXT, "am_adam"));
    assert!(
        matches!(&refused, Err(EngineError::Failed(reason)) if reason.contains("no numbers")),
        "{refused:?}"
    );
    assert_eq!(before.samples, engine.say(&utterance(TEXT, "af_heart")).unwrap().samples);
}

#[test]
fn a_symbol_that_the_network_does_not_know_is_counted() {
    let (kokoro, _folder) = kokoro();
    let text = "[word](/wˈɜɹd/)";
    let mut engine = kokoro.engine();
    engine.say(&utterance(text, "af_heart")).unwrap();
    assert_eq!(kokoro.unknown_symbols(), 0, "the control: all of these are known");
    let words = [PhonemeWord {
        phonemes: "wõn".to_owned(),
        source: 0..3,
        space_after: false,
        punctuation: false,
        starts_phrase: false,
    }];
    let voice = voice("af_heart").unwrap();
    engine
        .speak(
            &voice,
            &words,
            Pause::Sentence,
            Manner { speed: 1.0, pitch: 1.0, seed: 1, prosody: Prosody::default(), rises: &[] },
        )
        .unwrap();
    assert_eq!(kokoro.unknown_symbols(), 1);
}

/// Says a text of 5,000 characters: minutes of speech.
fn say_all(text: &str) {
    let (kokoro, _folder) = kokoro();
    let mut engine = kokoro.engine();
    let mut said = 0;
    for span in engine.plan(text, 0..text.len(), Language::EN_US).unwrap() {
        let mut utterance = utterance(text, "af_heart");
        utterance.span = span;
        said += engine.say(&utterance).unwrap().samples.len();
    }
    assert!(said > 2_400_000, "{said}");
}

#[test]
fn one_syllable_five_thousand_times_is_said() {
    say_all(&"la ".repeat(1_667));
}

#[test]
fn a_word_of_one_syllable_five_thousand_times_is_said() {
    say_all(&"la".repeat(2_500));
}

#[test]
fn nothing_to_say_is_no_sound() {
    let (kokoro, _folder) = kokoro();
    let mut engine = kokoro.engine();
    for text in ["", ".", "…!?", "你好"] {
        assert!(engine.say(&utterance(text, "af_heart")).unwrap().samples.is_empty(), "{text:?}");
    }
}

#[test]
fn files_that_are_cut_off_or_missing_are_refused_by_name() {
    let (_, folder) = kokoro();
    let load = || Kokoro::load(&Pack::unchecked(folder.path())).map(drop);
    assert!(load().is_ok());
    for name in [GENERATOR, FRONT, FRONT_WEIGHTS] {
        let path = folder.path().join(name);
        let whole = fs::read(&path).unwrap();
        // A file that is mapped is never written to; another one takes its place.
        fs::remove_file(&path).unwrap();
        assert!(load().is_err(), "{name} is missing");
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        let refused = load();
        assert!(matches!(refused, Err(PackError::Unusable { .. })), "{name}: {refused:?}");
        fs::remove_file(&path).unwrap();
        fs::write(&path, &whole).unwrap();
    }
    assert!(load().is_ok());
}

#[test]
fn what_is_not_the_network_is_not_converted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("published.onnx");
    fs::write(&path, b"something else").unwrap();
    assert!(convert(&path, folder.path(), Precision::Bytes).is_err());
    assert!(convert(&folder.path().join("missing"), folder.path(), Precision::Bytes).is_err());
}
