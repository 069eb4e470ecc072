//! Measures Kokoro: `kokoro [--voices DIR] [--voice NAME] [--speed X] [--threads N] [--runs N] [--wav FILE] TEXT`.
//! `kokoro --list` prints the names of its voices.
//!
//! Says the text and prints one JSON line: seconds to load, resident memory after loading and at most, seconds of audio,
//! and the processor's and the clock's seconds of all runs. With `--archives DIR` it installs the pack first, from the
//! packages' archives in that folder.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use lectern_speech::{
    audio::{self, AudioFormat, EncodeOptions},
    engines::{Engine as _, Speech, Utterance, kokoro},
    pack::{self, InstallError, Pack},
    recorders::Narration,
    spec::NarrationSpec,
};

struct Arguments {
    voices: PathBuf,
    voice: String,
    speed: f32,
    threads: usize,
    runs: usize,
    wav: Option<PathBuf>,
    text: String,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut found = Arguments {
        voices: Pack::user_voices_dir().ok_or("no home directory")?,
        voice: "af_heart".into(),
        speed: 1.0,
        threads: 1,
        runs: 1,
        wav: None,
        text: String::new(),
    };
    let mut archives = None;
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or(format!("{argument} wants a value"));
        match argument.as_str() {
            "--voices" => found.voices = value()?.into(),
            "--voice" => found.voice = value()?,
            "--speed" => found.speed = value()?.parse()?,
            "--threads" => found.threads = value()?.parse()?,
            "--runs" => found.runs = value()?.parse()?,
            "--archives" => archives = Some(PathBuf::from(value()?)),
            "--wav" => found.wav = Some(value()?.into()),
            text => text.clone_into(&mut found.text),
        }
    }
    if let Some(archives) = archives {
        install(&found.voices, &archives)?;
    }
    Ok(found)
}

fn install(voices: &Path, archives: &Path) -> Result<(), InstallError> {
    pack::install(
        kokoro::PACK,
        voices,
        &mut |source, folder| {
            let copied = fs::copy(archives.join(&source.file), folder.join(&source.file));
            copied.map(drop).map_err(|error| InstallError::NotFetched(format!("{}: {error}", source.file)))
        },
        &mut |_| (),
    )
    .map(drop)
}

#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).as_deref() == Some("--list") {
        for voice in kokoro::VOICES {
            println!("{}", voice.name);
        }
        return Ok(());
    }
    let arguments = arguments()?;
    let (started, cpu) = (Instant::now(), processor_seconds()?);
    let pack = Pack::open(&arguments.voices, kokoro::PACK)?;
    let checked_s = started.elapsed().as_secs_f64();
    let shared = kokoro::Kokoro::load(&pack)?;
    let (load_s, load_cpu_s) = (started.elapsed().as_secs_f64(), processor_seconds()? - cpu);
    let loaded_mb = memory_mb("VmRSS");
    let voice = kokoro::ENGINE.resolve(&arguments.voice)?;
    let text: Arc<str> = arguments.text.as_str().into();
    let mut spec = NarrationSpec::new("kokoro", &voice.name, voice.languages[0], Arc::clone(&text));
    spec.speed = arguments.speed;
    let spec = Arc::new(spec);
    let (started, cpu) = (Instant::now(), processor_seconds()?);
    let speak = || -> Result<Narration, String> {
        let mut engine = shared.engine();
        let mut last = Narration::new();
        for _ in 0..arguments.runs {
            let mut narration = Narration::new();
            let spans =
                engine.plan(&text, 0..text.len(), spec.language).map_err(|error| error.to_string())?;
            for span in spans {
                let speech: Speech =
                    engine.say(&Utterance::new(&spec, span)).map_err(|error| error.to_string())?;
                narration.push(speech).map_err(|error| error.to_string())?;
            }
            last = narration;
        }
        Ok(last)
    };
    let narration = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..arguments.threads).map(|_| scope.spawn(speak)).collect();
        let said =
            threads.into_iter().map(|thread| thread.join().map_err(|_| "a thread panicked".to_owned())?);
        said.collect::<Result<Vec<_>, _>>()
    })?;
    let (wall_s, cpu_s) = (started.elapsed().as_secs_f64(), processor_seconds()? - cpu);
    let narration = narration.into_iter().next().ok_or("no threads")?;
    let mut ids = Vec::new();
    for span in shared.engine().plan(&text, 0..text.len(), spec.language)? {
        ids.extend(shared.ids(&Utterance::new(&spec, span))?);
    }
    let index = kokoro::VOICES.iter().position(|own| own.name == voice.parts[0].0.name);
    let audio_s = narration.samples.len() as f64 / f64::from(kokoro::SAMPLE_RATE_HZ);
    let all_s = audio_s * (arguments.runs * arguments.threads) as f64;
    println!(
        "{}",
        serde_json::json!({
            "audio_s": audio_s, "load_s": load_s, "checked_s": checked_s, "load_cpu_s": load_cpu_s,
            "loaded_mb": loaded_mb, "most_mb": memory_mb("VmHWM"), "wall_s": wall_s, "cpu_s": cpu_s,
            "rtf_wall": wall_s / all_s, "rtf_cpu": cpu_s / all_s,
            "ids": ids, "index": index, "infer_s": narration.phases.infer.as_secs_f64(), "vocode_s": narration.phases.vocode.as_secs_f64(),
        })
    );
    if let Some(path) = arguments.wav {
        let options = EncodeOptions::new(AudioFormat::Wav, kokoro::SAMPLE_RATE_HZ);
        fs::write(path, audio::encode(&narration.samples, &options)?)?;
    }
    Ok(())
}

/// Resident memory in megabytes, by the system's own account.
fn memory_mb(name: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<f64>().ok()).unwrap_or(0.0) / 1000.0
}

/// Processor time of this process so far, of threads that ended as well.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 =
        after.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    Ok(ticks / 100.0)
}
