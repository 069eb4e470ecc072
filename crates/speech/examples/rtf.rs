//! Measures text → samples: `rtf [--threads N] [--voice NAME] [--language TAG] [--runs N] FILE…`.
//!
//! Every line of the files is one request. Prints one line a run: seconds of work a second of audio (RTF),
//! characters a second, the share of each phase, and the work until the first sentence is said.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use lectern_speech::{
    engines::{
        DEFAULT, EngineError, Phases,
        hibari::{Hibari, PACK},
    },
    language::Language,
    pack::Pack,
    pool::{EngineEntry, LaneSettings, Pool, Priority, Request},
    recorders::Narration,
    spec::NarrationSpec,
};

struct Arguments {
    threads: usize,
    runs: usize,
    voice: String,
    language: Language,
    files: Vec<PathBuf>,
}

fn arguments() -> Result<Arguments, Box<dyn std::error::Error>> {
    let mut found = Arguments {
        threads: 1,
        runs: 3,
        voice: "heart".into(),
        language: Language::EN_US,
        files: Vec::new(),
    };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or(format!("{argument} wants a value"));
        match argument.as_str() {
            "--threads" => found.threads = value()?.parse()?,
            "--runs" => found.runs = value()?.parse()?,
            "--voice" => found.voice = value()?,
            "--language" => found.language = value()?.parse()?,
            file => found.files.push(file.into()),
        }
    }
    Ok(found)
}

#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = arguments()?;
    let mut lines = Vec::new();
    for file in &arguments.files {
        let text = std::fs::read_to_string(file)?;
        lines.extend(text.lines().filter(|line| !line.trim().is_empty()).map(Arc::<str>::from));
    }
    let started = Instant::now();
    let voices = Pack::user_voices_dir().ok_or("no home directory")?;
    let hibari = Hibari::load(&Pack::open(&voices, PACK)?)?;
    println!("loaded in {:.0?}; {} requests; {}", started.elapsed(), lines.len(), memory());
    let factory = Arc::clone(&hibari);
    let pool = Pool::start(vec![LaneSettings::new(
        "models",
        arguments.threads,
        lines.len().max(1),
        vec![EngineEntry::local(DEFAULT, Arc::new(move || Ok(Box::new(factory.engine()))))],
    )])?;
    for run in 1..=arguments.runs {
        measure(&pool, &lines, &arguments, run)?;
    }
    println!("{}", memory());
    pool.close(Duration::from_secs(1));
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn measure(
    pool: &Pool,
    lines: &[Arc<str>],
    arguments: &Arguments,
    run: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let started = Instant::now();
    let requests = lines
        .iter()
        .map(|line| {
            pool.submit(Request {
                account: "bench".into(),
                work: String::new(),
                early: false,
                priority: Priority::Live,
                spec: Arc::new(NarrationSpec {
                    seed: 1,
                    ..NarrationSpec::new("hibari", &arguments.voice, arguments.language, Arc::clone(line))
                }),
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    // A reader a request, as the service has: a request nobody reads is not said.
    let readers: Vec<_> = requests
        .into_iter()
        .map(|mut narrating| {
            std::thread::spawn(move || {
                let mut narration = Narration::new();
                let mut first = Phases::default();
                while let Some(speech) = narrating.blocking_next() {
                    let speech = speech?;
                    if narration.utterances == 0 {
                        first = speech.phases;
                    }
                    narration.push(speech)?;
                }
                Ok::<_, EngineError>((narration, first))
            })
        })
        .collect();
    let mut phases = Phases::default();
    let mut first = Duration::MAX;
    let mut seconds = 0.0;
    for reader in readers {
        let (narration, phases_of_first) = reader.join().map_err(|_| "a reader panicked")??;
        phases += narration.phases;
        first = first.min(total(phases_of_first));
        seconds += narration.duration_ms() as f64 / 1000.0;
    }
    let wall = started.elapsed().as_secs_f64();
    let characters: usize = lines.iter().map(|line| line.chars().count()).sum();
    let share = |phase: Duration| phase.as_secs_f64() / seconds;
    println!(
        "run {run}: {seconds:.1} s of audio in {wall:.3} s, RTF {:.5}, {:.0} characters/s; \
         normalise {:.5} phonemise {:.5} infer {:.5} vocode {:.5}; quickest first sentence {first:.1?}",
        wall / seconds,
        characters as f64 / wall,
        share(phases.normalize),
        share(phases.phonemize),
        share(phases.infer),
        share(phases.vocode),
    );
    Ok(())
}

fn total(phases: Phases) -> Duration {
    phases.normalize + phases.phonemize + phases.infer + phases.vocode
}

/// Resident memory, where the system says it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    format!("resident {}, at most {}", line("VmRSS"), line("VmHWM"))
}
