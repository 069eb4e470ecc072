//! Lectern's side of the benchmarks' protocol (`bench/harness.py`): one voice, one thread, one JSON
//! line for each request.
//!
//! The text of `{"text"}` is spoken sentence by sentence and timed. With `"wav"` the samples are
//! written to that file. With `"mp3": true` they are leveled and encoded as in the service, and the
//! measured time includes this. With `"words": true` the answer lists when each word of the text is
//! spoken. `"voice"` defaults to `heart`.

use std::{
    error::Error,
    fs,
    io::{BufRead as _, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use lectern_speech::{
    audio::{self, AudioFormat, EncodeOptions, loudness},
    engines::{Engine as _, Utterance, hibari, local},
    estimate::estimate_ms,
    pack::Pack,
    recorders::Narration,
    spec::NarrationSpec,
};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Request {
    text: String,
    wav: Option<PathBuf>,
    #[serde(default)]
    mp3: bool,
    #[serde(default)]
    words: bool,
    voice: Option<String>,
}

#[derive(Serialize)]
struct Answer {
    first_s: Option<f64>,
    total_s: f64,
    cpu_s: f64,
    samples: usize,
    rate: u32,
    /// The estimated duration of the text.
    estimate_s: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<Word>,
}

#[derive(Serialize)]
struct Word {
    text: String,
    start_s: f64,
    end_s: f64,
}

#[expect(clippy::print_stdout, reason = "the protocol is on standard output")]
fn main() -> Result<(), Box<dyn Error>> {
    let voices = Pack::user_voices_dir().ok_or("no home directory")?;
    let mut engine = hibari::Hibari::load(&Pack::open(&voices, hibari::PACK)?)?.engine();
    println!("{{\"ready\": true}}");
    for line in std::io::stdin().lock().lines() {
        let answer = answer(&mut engine, serde_json::from_str(&line?)?)?;
        println!("{}", serde_json::to_string(&answer)?);
        std::io::stdout().flush()?;
    }
    Ok(())
}

fn answer(engine: &mut hibari::HibariEngine, request: Request) -> Result<Answer, Box<dyn Error>> {
    let voice = request.voice.as_deref().unwrap_or("heart");
    let voice = local("hibari").and_then(|engine| engine.voice(voice)).ok_or("no such voice")?;
    let text: Arc<str> = request.text.into();
    let (started, cpu) = (Instant::now(), processor_seconds()?);
    let mut narration = Narration::new();
    let mut first_s = None;
    let spec = Arc::new(NarrationSpec::new("hibari", voice.name, voice.languages[0], Arc::clone(&text)));
    for span in engine.plan(&text, 0..text.len(), spec.language)? {
        let speech = engine.say(&Utterance::new(&spec, span))?;
        first_s.get_or_insert_with(|| started.elapsed().as_secs_f64());
        narration.push(speech)?;
    }
    let rate = narration.sample_rate_hz;
    let samples = narration.samples.len();
    if request.mp3 {
        loudness::level(&mut narration.samples, rate, f64::from(voice.gain_db))?;
        audio::encode(&narration.samples, &EncodeOptions::new(AudioFormat::Mp3, rate))?;
    }
    let total_s = started.elapsed().as_secs_f64();
    let cpu_s = processor_seconds()? - cpu;
    if let Some(path) = request.wav {
        fs::write(path, audio::encode(&narration.samples, &EncodeOptions::new(AudioFormat::Wav, rate))?)?;
    }
    let words = if request.words { timed(&text, &narration) } else { Vec::new() };
    let estimate_s = estimate_ms(&text, None) as f64 / 1000.0;
    Ok(Answer { first_s, total_s, cpu_s, samples, rate, estimate_s, words })
}

fn timed(text: &str, narration: &Narration) -> Vec<Word> {
    let seconds = |sample: u64| sample as f64 / f64::from(narration.sample_rate_hz);
    let words = narration.words.iter().map(|word| Word {
        text: text[word.source.clone()].to_owned(),
        start_s: seconds(word.start_sample),
        end_s: seconds(word.end_sample),
    });
    words.collect()
}

/// Processor time of all threads so far, from the kernel's scheduler.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let mut nanoseconds = 0.0;
    for thread in fs::read_dir("/proc/self/task")? {
        let spent = fs::read_to_string(Path::new(&thread?.path()).join("schedstat"))?;
        nanoseconds += spent.split_whitespace().next().unwrap_or("0").parse::<f64>()?;
    }
    Ok(nanoseconds / 1e9)
}
