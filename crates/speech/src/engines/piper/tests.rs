//! The engine with a small network of a Piper voice's shape, which reads letters.

use std::path::{Path, PathBuf};

use super::*;
use crate::{
    engines::graph::{Graph, integer},
    spec::NarrationSpec,
};

const JSON: &str = r#"{"audio":{"sample_rate":16000},"phoneme_type":"text","language":{"code":"de_DE"},
    "num_speakers":SPEAKERS,"phoneme_id_map":{"_":[0],"^":[1],"$":[2]," ":[3],".":[4],
    "a":[5],"b":[6],"c":[7],"d":[8],"e":[9],"u":[10],"\u0308":[11],"n":[12],"t":[13],"g":[14]}}"#;

/// Writes a voice as its publisher would. A symbol lasts longer the larger its id; what sounds is
/// noise, for boundaries and gaps as well.
fn publish(folder: &Path, name: &str, speakers: u32) -> PathBuf {
    let mut graph = Graph::default();
    let long: Vec<f32> = (0..20_u8).map(|id| 2.5 + f32::from(id)).collect();
    graph.floats("long", &[20], &long);
    graph.node("Gather", &["long", "input"], "drawn_out", vec![]);
    graph.node("RandomNormalLike", &["drawn_out"], "hesitation", vec![]);
    graph.integers("third", &[2]);
    graph.node("Gather", &["scales", "third"], "noise_w", vec![]);
    graph.node("Mul", &["hesitation", "noise_w"], "hesitating", vec![]);
    graph.node("Add", &["drawn_out", "hesitating"], "unscaled", vec![]);
    graph.integers("second", &[1]);
    graph.node("Gather", &["scales", "second"], "length_scale", vec![]);
    graph.node("Mul", &["unscaled", "length_scale"], "scaled", vec![]);
    graph.floats("least", &[], &[1.0]);
    graph.node("Max", &["scaled", "least"], "bounded", vec![]);
    graph.node("Ceil", &["bounded"], "durations", vec![]);
    graph.node("ReduceSum", &["durations"], "sum", vec![integer("keepdims", 0)]);
    graph.node("Cast", &["sum"], "frames", vec![integer("to", 7)]);
    graph.integers("first", &[0]);
    graph.node("Unsqueeze", &["frames", "first"], "size", vec![]);
    graph.integers("ones", &[1, 1]);
    graph.node("Concat", &["ones", "size"], "shape", vec![integer("axis", 0)]);
    graph.floats("silence", &[1], &[0.0]);
    graph.node("Expand", &["silence", "shape"], "quiet", vec![]);
    graph.node("RandomNormalLike", &["quiet"], "hiss", vec![]);
    graph.floats("volume", &[], &[0.1]);
    graph.node("Mul", &["hiss", "volume"], "loud", vec![]);
    graph.node("Add", &["loud", "quiet"], "sound", vec![]);
    graph.integers("hop", &[1, 1, 64]);
    graph.node("Tile", &["sound", "hop"], "output", vec![]);
    let path = folder.join(format!("{name}.onnx"));
    graph.write(&path, &["input", "input_lengths", "scales"], &["output"]);
    std::fs::write(folder.join(format!("{name}.onnx.json")), JSON.replace("SPEAKERS", &speakers.to_string()))
        .unwrap();
    path
}

fn nothing(_: &str) -> Option<String> {
    None
}

fn engine(voices: &Path) -> Box<dyn Engine> {
    let program = Arc::new(Program::find(None, None));
    Piper::new(Voices::find(voices), program, Spellers::default()).factory()().unwrap()
}

fn said(
    engine: &mut dyn Engine,
    voice: &str,
    text: &str,
    noise_seed: u64,
    speed: f32,
) -> Result<Speech, EngineError> {
    let language = "de-DE".parse().unwrap();
    let wish = NarrationSpec { speed, seed: noise_seed, ..NarrationSpec::new(NAME, voice, language, text) };
    let span = engine.plan(text, 0..text.len(), language).unwrap().remove(0);
    engine.say(&Utterance::new(&Arc::new(wish), span))
}

#[test]
fn a_voice_that_is_brought_is_listed_speaks_and_can_be_removed() {
    let (files, voices) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = publish(files.path(), "de_DE-anna-low", 0);
    assert_eq!(import(&path, voices.path(), &nothing).unwrap(), "de_DE-anna-low");
    let listed = Voices::find(voices.path()).list();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].voice.name.as_str(), listed[0].sample_rate_hz), ("de_DE-anna-low", 16_000));
    assert_eq!(listed[0].voice.languages, ["de-DE".parse().unwrap()]);

    let mut engine = engine(voices.path());
    let speech = said(&mut *engine, "de_DE-anna-low", "Guten Tag, \u{fc}ben.", 1, 1.0).unwrap();
    assert_eq!(speech.sample_rate_hz, 16_000);
    let words: Vec<Range<usize>> = speech.words.iter().map(|word| word.source.clone()).collect();
    assert_eq!(words, [0..5, 6..9, 11..16]);
    assert!(speech.words.is_sorted_by_key(|word| word.start_sample));
    assert!(speech.words.iter().all(|word| word.end_sample <= speech.samples.len() as u64));

    assert!(remove(voices.path(), "de_DE-anna-low").unwrap());
    assert!(!remove(voices.path(), "de_DE-anna-low").unwrap());
    assert!(!remove(voices.path(), "../de_DE-anna-low").unwrap());
    assert!(Voices::find(voices.path()).is_empty());
}

/// A voice that reads letters has no figures; a speaker of Portuguese says them in words.
#[test]
fn an_amount_is_said_in_words_and_each_of_them_has_the_place_of_the_amount() {
    let (files, voices) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = publish(files.path(), "pt_BR-ada-low", 0);
    let json = files.path().join("pt_BR-ada-low.onnx.json");
    let text = std::fs::read_to_string(&json).unwrap().replace("de_DE", "pt_BR");
    std::fs::write(&json, text).unwrap();
    import(&path, voices.path(), &nothing).unwrap();
    let mut engine = engine(voices.path());
    let text = "De 10 € até 2 €.";
    let language = "pt-BR".parse().unwrap();
    let spec = Arc::new(NarrationSpec::new(NAME, "pt_BR-ada-low", language, text));
    let span = engine.plan(text, 0..text.len(), language).unwrap().remove(0);
    let speech = engine.say(&Utterance::new(&spec, span)).unwrap();
    let words: Vec<&str> = speech.words.iter().map(|word| &text[word.source.clone()]).collect();
    assert_eq!(words, ["De", "10 €", "até", "2 €"], "de dez euros até dois euros");
}

#[test]
fn the_same_seed_gives_the_same_samples_and_speed_shortens_them() {
    let (files, voices) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    import(&publish(files.path(), "anna", 0), voices.path(), &nothing).unwrap();
    let mut engine = engine(voices.path());
    let mut samples = |seed, speed| said(&mut *engine, "anna", "Guten Tag.", seed, speed).unwrap().samples;
    let once = samples(1, 1.0);
    assert_eq!(samples(1, 1.0), once);
    assert_ne!(samples(2, 1.0), once);
    let ratio = samples(1, 2.0).len() as f64 / once.len() as f64;
    assert!((0.4..0.65).contains(&ratio), "{ratio}");
}

/// Lengths are rounded up to whole frames. Negative control, seen: asked for its scale alone, the network was 4 % off at 0.5 and
/// 8 % at 2.
#[test]
fn speech_is_as_fast_as_was_asked() {
    let (files, voices) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    import(&publish(files.path(), "de_DE-anna-low", 0), voices.path(), &nothing).unwrap();
    let mut engine = engine(voices.path());
    let mut length = |speed: f32| {
        let text = "aa ab ac bad bade abend tag gut gute abt ab an da du ende.";
        said(&mut *engine, "de_DE-anna-low", text, 1, speed).unwrap().samples.len() as f64
    };
    let plain = length(1.0);
    for speed in [0.5_f32, 0.75, 1.25, 1.5, 2.0] {
        let reached = plain / length(speed) / f64::from(speed);
        assert!((0.98..1.02).contains(&reached), "{reached} at {speed}");
    }
}

/// Whole frames of a few symbols do not come to what is wanted; the rest is done in the sound. Negative controls, seen: without that,
/// "abc" was 7.7 % off at 3; stretched by the share of the last try and not of the best, "ab" 4.2 % at 4; and "tag" 4.7 % at 1.3 where a period of the
/// voice was taken out for less.
#[test]
fn a_short_word_is_as_fast_as_was_asked() {
    let (files, voices) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    import(&publish(files.path(), "de_DE-anna-low", 0), voices.path(), &nothing).unwrap();
    let found = Voices::find(voices.path());
    let voice = &found.all[0];
    let network = Network::load(&found.folder.join(&voice.name).join(NETWORK), voice).unwrap();
    let (worker, quantiles) = (Arc::new(ThreadPool::with_num_threads(1)), Quantiles::new());
    let length = |text: &str, pace: f32| {
        let ids = ids_of(voice, text);
        let symbols = Symbols { ids: &ids, sounding: 2..ids.len() - 1 };
        let manner = Manner { speaker: None, pace, seed: 1 };
        let sound = network.say(&symbols, manner, voice, (&worker, &quantiles)).unwrap();
        let lengths = sound.lengths.unwrap();
        assert_eq!(lengths.iter().sum::<usize>(), sound.samples.len());
        lengths[symbols.sounding].iter().sum::<usize>() as f64
    };
    for text in ["ab", "abc", "tag", "abend", "ab abend tag"] {
        let plain = length(text, 1.0);
        for pace in [0.5_f32, 0.7, 1.3, 1.5, 1.7, 2.0, 3.0, 4.0] {
            let reached = plain / length(text, pace) / f64::from(pace);
            assert!((0.97..1.035).contains(&reached), "{reached} of {text} at {pace}");
        }
    }
}

#[test]
fn each_speaker_is_a_voice() {
    let (files, voices) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    import(&publish(files.path(), "choir", 2), voices.path(), &nothing).unwrap();
    let found = Voices::find(voices.path());
    let names: Vec<String> = found.list().into_iter().map(|voice| voice.voice.name).collect();
    assert_eq!(names, ["choir.0", "choir.1"]);
    let mut engine = engine(voices.path());
    assert!(said(&mut *engine, "choir.1", "Tag.", 1, 1.0).is_ok());
    assert!(matches!(said(&mut *engine, "choir", "Tag.", 1, 1.0), Err(EngineError::UnknownVoice(_))));
}

#[test]
fn what_cannot_be_taken_in_is_named_and_leaves_nothing_behind() {
    let (files, voices) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = publish(files.path(), "anna", 0);
    let refused = |path: &Path| import(path, voices.path(), &nothing).unwrap_err().to_string();
    let no_description = files.path().join("other.onnx");
    std::fs::copy(&path, &no_description).unwrap();
    assert!(refused(&no_description).contains("other.onnx.json"));
    let no_network = files.path().join("text.onnx");
    std::fs::write(&no_network, "no network").unwrap();
    std::fs::copy(files.path().join("anna.onnx.json"), files.path().join("text.onnx.json")).unwrap();
    assert!(refused(&no_network).contains("no network of a Piper voice"));
    assert!(refused(&files.path().join("a b.onnx")).contains("cannot be a voice's name"));
    assert!(Voices::find(voices.path()).is_empty());
    assert!(import(&path, voices.path(), &nothing).is_ok());
    assert!(refused(&path).contains("lectern voices remove anna"));
    let left: Vec<_> = std::fs::read_dir(voices.path().join(FOLDER)).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn a_damaged_network_and_a_missing_program_fail_one_request() {
    let (files, voices) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    import(&publish(files.path(), "anna", 0), voices.path(), &nothing).unwrap();
    let network = voices.path().join(FOLDER).join("anna").join(NETWORK);
    let mut bytes = std::fs::read(&network).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&network, bytes).unwrap();
    let mut engine_of = engine(voices.path());
    let error = said(&mut *engine_of, "anna", "Tag.", 1, 1.0).unwrap_err().to_string();
    assert!(error.contains("SHA-256"), "{error}");

    let path = publish(files.path(), "berta", 0);
    let json = files.path().join("berta.onnx.json");
    let espeak = std::fs::read_to_string(&json)
        .unwrap()
        .replace(r#""phoneme_type":"text""#, r#""espeak":{"voice":"de"}"#);
    std::fs::write(&json, espeak).unwrap();
    import(&path, voices.path(), &nothing).unwrap();
    let error = said(&mut *engine(voices.path()), "berta", "Tag.", 1, 1.0).unwrap_err().to_string();
    assert!(error.contains("needs espeak-ng"), "{error}");
}
