//! Judges Kokoro's voices by their samples alone: `kokoro_voices [--voices DIR] [--voice NAME] [--sentences FILE] [--wav DIR]`.
//!
//! Without sentences it says half a minute of typical ones with every voice and prints the gain that brings each to
//! −16 LUFS. With a file of sentences, one a line, it says each with the voice (of several, separated by spaces, in turn)
//! and counts what is wrong: failures, samples that are no numbers or clip, clicks, words that have no sound, and symbols
//! that the network does not know. `--speeds` says the typical sentences at several speeds and prints how long they last.

use std::{error::Error, fs, path::PathBuf, sync::Arc};

use lectern_speech::{
    audio::{self, AudioFormat, EncodeOptions, loudness},
    engines::{
        Engine as _, ResolvedVoice, Speech, Utterance,
        kokoro::{self, Kokoro, SAMPLE_RATE_HZ, VOICES},
    },
    language::Language,
    pack::Pack,
    recorders::Narration,
    spec::NarrationSpec,
};

const ENGLISH: &str = "A good map does not show everything. It leaves out the trees and the fences, so that the roads can be \
    seen, and it leaves out most of the roads so that the important ones can be followed. Every winter the wolves come down \
    from the hills, and every winter the shepherds say that there are more. The committee published its report on Monday; \
    nobody who had read the draft was surprised. How many of them had slept? Nobody asked, and nobody said.";

const SPANISH: &str = "Un buen mapa no lo muestra todo. Deja fuera los árboles y las cercas para que se vean los caminos, y deja \
    fuera la mayoría de los caminos para que se puedan seguir los importantes. Cada invierno los lobos bajan de las montañas, y \
    cada invierno los pastores dicen que son más. El comité publicó su informe el lunes; nadie que hubiera leído el borrador se \
    sorprendió. ¿Cuántos de ellos habían dormido? Nadie lo preguntó, y nadie lo dijo.";

fn typical(language: Language) -> &'static str {
    if language.is_same(Language::ES) { SPANISH } else { ENGLISH }
}

struct Arguments {
    voices: PathBuf,
    voice: Option<String>,
    sentences: Option<PathBuf>,
    wav: Option<PathBuf>,
    speeds: bool,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut found = Arguments {
        voices: Pack::user_voices_dir().ok_or("no home directory")?,
        voice: None,
        sentences: None,
        wav: None,
        speeds: false,
    };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or(format!("{argument} wants a value"));
        match argument.as_str() {
            "--voices" => found.voices = value()?.into(),
            "--voice" => found.voice = Some(value()?),
            "--sentences" => found.sentences = Some(value()?.into()),
            "--wav" => found.wav = Some(value()?.into()),
            "--speeds" => found.speeds = true,
            other => return Err(format!("{other} is no argument").into()),
        }
    }
    Ok(found)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    let shared = Kokoro::load(&Pack::open(&arguments.voices, kokoro::PACK)?)?;
    let names: Vec<String> = match &arguments.voice {
        Some(names) => names.split(' ').map(str::to_owned).collect(),
        None => VOICES.iter().map(|voice| voice.name.to_owned()).collect(),
    };
    let voices = names.iter().map(|name| kokoro::ENGINE.resolve(name)).collect::<Result<Vec<_>, _>>()?;
    if let Some(file) = &arguments.sentences {
        return judge(&shared, &voices, &fs::read_to_string(file)?, arguments.wav.as_deref());
    }
    for voice in &voices {
        if arguments.speeds {
            speeds(&shared, voice)?;
        } else {
            gain(&shared, voice, arguments.wav.as_deref())?;
        }
    }
    Ok(())
}

fn utterances(
    voice: &ResolvedVoice,
    text: &str,
    speed: f32,
    shared: &Arc<Kokoro>,
) -> Result<Vec<Utterance>, Box<dyn Error>> {
    let mut spec = NarrationSpec::new("kokoro", &voice.name, voice.languages[0], text);
    (spec.seed, spec.speed) = (1, speed);
    let spec = Arc::new(spec);
    let spans = shared.engine().plan(text, 0..text.len(), voice.languages[0])?;
    Ok(spans.into_iter().map(|span| Utterance::new(&spec, span)).collect())
}

#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn gain(
    shared: &Arc<Kokoro>,
    voice: &ResolvedVoice,
    wav: Option<&std::path::Path>,
) -> Result<(), Box<dyn Error>> {
    let mut narration = Narration::new();
    let mut engine = shared.engine();
    for utterance in utterances(voice, typical(voice.languages[0]), 1.0, shared)? {
        narration.push(engine.say(&utterance)?)?;
    }
    let lufs = loudness::measure(&narration.samples, SAMPLE_RATE_HZ)?.lufs;
    let seconds = narration.samples.len() as f64 / f64::from(SAMPLE_RATE_HZ);
    println!("{}\t{:.1}\t{:.1}\t{seconds:.1}", voice.name, -16.0 - lufs, voice.gain_db);
    write(wav, &voice.name, &narration.samples)
}

#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn speeds(shared: &Arc<Kokoro>, voice: &ResolvedVoice) -> Result<(), Box<dyn Error>> {
    let mut engine = shared.engine();
    let mut at = |speed: f32| -> Result<f64, Box<dyn Error>> {
        let mut samples = 0;
        for utterance in utterances(voice, typical(voice.languages[0]), speed, shared)? {
            samples += sounding(&engine.say(&utterance)?);
        }
        Ok(samples as f64 / f64::from(SAMPLE_RATE_HZ))
    };
    let plain = at(1.0)?;
    for speed in [0.5, 0.7, 1.2, 1.5, 2.0, 3.0_f32] {
        let seconds = at(speed)?;
        println!("{}\t{speed}\t{seconds:.2}\t{:.3}", voice.name, plain / seconds / f64::from(speed));
    }
    Ok(())
}

/// Samples from the start of the first word to the end of the last.
fn sounding(speech: &Speech) -> u64 {
    let start = speech.words.first().map_or(0, |word| word.start_sample);
    speech.words.last().map_or(0, |word| word.end_sample) - start
}

#[derive(Default, Debug)]
struct Faults {
    sentences: usize,
    words: usize,
    seconds: f64,
    failed: usize,
    no_numbers: usize,
    clipped: usize,
    clicks: usize,
    silent_words: usize,
}

#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn judge(
    shared: &Arc<Kokoro>,
    voices: &[ResolvedVoice],
    text: &str,
    wav: Option<&std::path::Path>,
) -> Result<(), Box<dyn Error>> {
    let mut engine = shared.engine();
    let mut faults = Faults::default();
    for (at, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        let voice = &voices[at % voices.len()];
        let mut all = Narration::new();
        for utterance in utterances(voice, line, 1.0, shared)? {
            let Ok(speech) = engine.say(&utterance) else {
                println!("failed: {line}");
                faults.failed += 1;
                continue;
            };
            faults.look(&speech, line);
            all.push(speech)?;
        }
        faults.sentences += 1;
        faults.seconds += all.samples.len() as f64 / f64::from(SAMPLE_RATE_HZ);
        write(wav, &format!("{at:04}"), &all.samples)?;
    }
    println!("{faults:?} unknown symbols: {}", shared.unknown_symbols());
    Ok(())
}

impl Faults {
    #[expect(clippy::print_stdout, reason = "a measurement prints")]
    fn look(&mut self, speech: &Speech, line: &str) {
        let samples = &speech.samples;
        self.words += speech.words.len();
        self.no_numbers += samples.iter().filter(|sample| !sample.is_finite()).count();
        self.clipped += samples.iter().filter(|sample| sample.abs() > 1.0).count();
        for word in &speech.words {
            let range = word.start_sample as usize..(word.end_sample as usize).min(samples.len());
            let sound = samples.get(range.clone()).unwrap_or_default();
            let energy: f32 = sound.iter().map(|sample| sample * sample).sum();
            if energy < 1e-5 * sound.len() as f32 || sound.len() < 480 {
                println!("silent: {:?} {range:?} in {line}", line.get(word.source.clone()));
                self.silent_words += 1;
            }
        }
        for at in clicks(samples) {
            println!("click at {:.3} s in {line}", at as f64 / f64::from(SAMPLE_RATE_HZ));
            self.clicks += 1;
        }
    }
}

/// Where a sample leaves the course of its neighbors by far more than any other within 5 ms does.
fn clicks(samples: &[f32]) -> Vec<usize> {
    let bend: Vec<f32> =
        samples.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).abs()).collect();
    let around = 120;
    let is_click = |at: usize| {
        let near = &bend[at.saturating_sub(around)..(at + around).min(bend.len())];
        let mean = near.iter().sum::<f32>() / near.len() as f32;
        bend[at] > 0.05 && bend[at] > 14.0 * mean
    };
    (0..bend.len()).filter(|at| is_click(*at)).collect()
}

fn write(folder: Option<&std::path::Path>, name: &str, samples: &[f32]) -> Result<(), Box<dyn Error>> {
    let Some(folder) = folder else { return Ok(()) };
    let options = EncodeOptions::new(AudioFormat::Wav, SAMPLE_RATE_HZ);
    fs::write(folder.join(format!("{name}.wav")), audio::encode(samples, &options)?)?;
    Ok(())
}
