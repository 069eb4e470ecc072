//! The benchmarks' access to a language (`bench/quality --language`): one JSON line for each line of text.
//!
//! `languages --language TAG [--voices DIR] [--voice NAME --wavs DIR] < lines`. Each answer has the text as it is spoken
//! (`spoken`), its phonemes, the processor's seconds that reading took and the resident memory after it. With `--wavs`
//! a voice of Kokoro says each line into `DIR/<number>.wav`, and the answer has the seconds of that. Exit status 3 says
//! that there is no front end for the language, or no such voice.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command for people and scripts")]

use std::{
    error::Error,
    fs,
    io::{self, BufRead as _},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Instant,
};

use lectern_speech::{
    audio::{self, AudioFormat, EncodeOptions},
    engines::{Engine as _, Utterance, kokoro},
    front_end::{FrontEnd, FrontEnds},
    language::Language,
    pack::Pack,
    phonemes::{Lexicon, phoneme_string},
    recorders::Narration,
    spec::NarrationSpec,
};

/// What is asked for does not exist (yet).
const ABSENT: u8 = 3;

struct Arguments {
    language: Language,
    voices: PathBuf,
    voice: String,
    wavs: Option<PathBuf>,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let (mut language, mut voices, mut voice, mut wavs) = (None, None, String::new(), None);
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let value = given.next().ok_or(format!("{argument} wants a value"))?;
        match argument.as_str() {
            "--language" => language = Some(value.parse()?),
            "--voices" => voices = Some(PathBuf::from(value)),
            "--voice" => voice = value,
            "--wavs" => wavs = Some(PathBuf::from(value)),
            _ => return Err(format!("unknown option {argument}").into()),
        }
    }
    Ok(Arguments {
        language: language.ok_or("--language is missing")?,
        voices: voices.or_else(Pack::user_voices_dir).ok_or("no home directory")?,
        voice,
        wavs,
    })
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = arguments()?;
    let pack = Pack::open(&arguments.voices, kokoro::PACK)?;
    let front_ends = FrontEnds::load(&pack)?;
    let front_end = match front_ends.of(arguments.language) {
        Ok(front_end) => front_end,
        Err(error) => {
            eprintln!("{error}");
            return Ok(ExitCode::from(ABSENT));
        }
    };
    let mut speaker = None;
    if let Some(wavs) = &arguments.wavs {
        let Some(voice) = kokoro::VOICES.iter().find(|voice| voice.name == arguments.voice) else {
            eprintln!("Kokoro has no voice {}", arguments.voice);
            return Ok(ExitCode::from(ABSENT));
        };
        speaker = Some((kokoro::Kokoro::load(&pack)?.engine(), voice.name, wavs));
    }
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        let mut answer = read(front_end, &line, arguments.language)?;
        if let Some((engine, voice, wavs)) = &mut speaker {
            let wav = wavs.join(format!("{number}.wav"));
            let (audio_s, say_s) = say(engine, voice, arguments.language, &line, &wav)?;
            answer["audio_s"] = audio_s.into();
            answer["say_s"] = say_s.into();
        }
        println!("{answer}");
    }
    Ok(ExitCode::SUCCESS)
}

fn read(
    front_end: &dyn FrontEnd,
    line: &str,
    language: Language,
) -> Result<serde_json::Value, Box<dyn Error>> {
    let before_kib = resident_kib();
    let started = Instant::now();
    let (mut spoken, mut phonemes) = (Vec::new(), Vec::new());
    let spans = front_end.split(line, 0..line.len());
    for span in &spans {
        phonemes.push(phoneme_string(&front_end.read(line, span, language, &Lexicon::default())?.words));
    }
    let read_s = started.elapsed().as_secs_f64();
    for span in &spans {
        spoken.extend(front_end.spoken(line, span, language)?);
    }
    Ok(serde_json::json!({
        "spoken": spoken.join(" "), "phonemes": phonemes.join(" "), "read_s": read_s,
        "before_kib": before_kib, "resident_kib": resident_kib(),
    }))
}

/// Says a line into a file. Returns seconds of audio and of work.
fn say(
    engine: &mut kokoro::KokoroEngine,
    voice: &str,
    language: Language,
    line: &str,
    wav: &Path,
) -> Result<(f64, f64), Box<dyn Error>> {
    let started = Instant::now();
    let text: Arc<str> = line.into();
    let spec = Arc::new(NarrationSpec::new("kokoro", voice, language, Arc::clone(&text)));
    let mut narration = Narration::new();
    for span in engine.plan(&text, 0..text.len(), language)? {
        narration.push(engine.say(&Utterance::new(&spec, span))?)?;
    }
    let say_s = started.elapsed().as_secs_f64();
    let options = EncodeOptions::new(AudioFormat::Wav, kokoro::SAMPLE_RATE_HZ);
    fs::write(wav, audio::encode(&narration.samples, &options)?)?;
    Ok((narration.samples.len() as f64 / f64::from(kokoro::SAMPLE_RATE_HZ), say_s))
}

/// Resident memory of this process; 0 if the system does not report it.
fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
