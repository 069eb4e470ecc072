//! What the decisions on books rest on (docs/adr/0006 and 0007): how far chunks differ in loudness when each is leveled by
//! itself and when all take the voice's gain, and how fast the encoders of a chunk and of a book are.
//!
//! `cargo run --release -p lectern-speech --example books -- FILE…`: each line of the files is a chunk.

use std::{io::Cursor, path::PathBuf, sync::Arc, time::Duration};

use lectern_speech::{
    audio::{
        AudioFormat, EncodeOptions,
        book::{BookChapter, BookEncoder, BookFormat, BookOptions},
        encode,
        flac_reader::FlacReader,
        loudness::{StreamLeveler, level, measure},
    },
    engines::{
        DEFAULT, Voice,
        hibari::{Hibari, PACK, SAMPLE_RATE_HZ, VOICES},
    },
    pack::Pack,
    pool::{EngineEntry, LaneSettings, Pool, Priority, Request, cores},
    recorders::Narration,
    spec::NarrationSpec,
};

type Failure = Box<dyn std::error::Error>;

/// Chunks unlike prose: a title, a heading, talk, a line of verse.
const SHORT: [&str; 6] = [
    "PART TWO",
    "Chapter IV. The House on the Moor",
    "“Is it you?” she cried. “No,” he said. “It is only me.” “Oh!” “Did you expect him?” “I did not.”",
    "“Stop! Stop the horses!” he shouted. “The bridge is down! Go back, all of you, go back!”",
    "Silence. Then, very softly, a step upon the stair.",
    "Epilogue: ten years later",
];

fn main() -> Result<(), Failure> {
    let mut chunks: Vec<Arc<str>> = SHORT.iter().map(|text| Arc::from(*text)).collect();
    for file in std::env::args().skip(1).map(PathBuf::from) {
        let text = std::fs::read_to_string(file)?;
        chunks.extend(text.lines().filter(|line| !line.trim().is_empty()).map(Arc::<str>::from));
    }
    let hibari = Hibari::load(&Pack::open(&Pack::user_voices_dir().ok_or("no home directory")?, PACK)?)?;
    let pool = Pool::start(vec![LaneSettings::new(
        "models",
        cores(),
        1,
        vec![EngineEntry::local(DEFAULT, Arc::new(move || Ok(Box::new(hibari.engine()))))],
    )])?;
    let mut book = Vec::new();
    for voice in VOICES {
        let said: Vec<Vec<f32>> =
            chunks.iter().map(|text| say(&pool, voice, text)).collect::<Result<_, _>>()?;
        loudness(voice, &chunks, &said)?;
        book.extend(said.concat());
    }
    encoders(&book)
}

fn say(pool: &Pool, voice: &Voice, text: &Arc<str>) -> Result<Vec<f32>, Failure> {
    let mut narrating = pool.submit(Request {
        account: String::new(),
        work: String::new(),
        early: false,
        priority: Priority::Background,
        spec: Arc::new(NarrationSpec {
            seed: 1,
            ..NarrationSpec::new("hibari", voice.name, voice.languages[0], Arc::clone(text))
        }),
    })?;
    let mut narration = Narration::new();
    while let Some(speech) = narrating.blocking_next() {
        narration.push(speech?)?;
    }
    Ok(narration.samples)
}

#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn loudness(voice: &Voice, chunks: &[Arc<str>], said: &[Vec<f32>]) -> Result<(), Failure> {
    println!(
        "{}, gain {} dB: seconds, LUFS with the voice's gain, LUFS leveled, chunk",
        voice.name, voice.gain_db
    );
    let mut columns: [Vec<(f64, f64)>; 2] = Default::default();
    for (text, samples) in chunks.iter().zip(said) {
        let mut leveler = StreamLeveler::new(SAMPLE_RATE_HZ, f64::from(voice.gain_db));
        let mut fixed = leveler.push(samples);
        fixed.extend(leveler.finish());
        let mut evened = samples.clone();
        level(&mut evened, SAMPLE_RATE_HZ, f64::from(voice.gain_db))?;
        let of = |samples: &[f32]| measure(samples, SAMPLE_RATE_HZ).map(|loudness| loudness.lufs);
        let (fixed, evened) = (of(&fixed)?, of(&evened)?);
        let seconds = samples.len() as f64 / f64::from(SAMPLE_RATE_HZ);
        columns[0].push((seconds, fixed));
        columns[1].push((seconds, evened));
        let start: String = text.chars().take(40).collect();
        println!("{seconds:6.1} {fixed:7.2} {evened:7.2}  {start}");
    }
    for (name, column) in ["the voice's gain", "leveled"].into_iter().zip(columns) {
        for least_s in [0.0, 8.0] {
            let lufs: Vec<f64> =
                column.iter().filter(|(s, _)| *s >= least_s).map(|(_, lufs)| *lufs).collect();
            let mean = lufs.iter().sum::<f64>() / lufs.len() as f64;
            let deviation = (lufs.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / lufs.len() as f64).sqrt();
            let least = lufs.iter().copied().fold(f64::INFINITY, f64::min);
            let most = lufs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            println!(
                "  {name}, chunks of {least_s} s and more: mean {mean:.2}, deviation {deviation:.2}, from {least:.2} to {most:.2}"
            );
        }
    }
    Ok(())
}

/// What this thread has had of a core so far; the clock on the wall counts other people's work.
fn core_time() -> Result<Duration, Failure> {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = said.split_whitespace().next().ok_or("schedstat is empty")?.parse()?;
    Ok(Duration::from_nanos(nanoseconds))
}

/// How many times faster than it plays.
#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn encoders(samples: &[f32]) -> Result<(), Failure> {
    let seconds = samples.len() as f64 / f64::from(SAMPLE_RATE_HZ);
    let report = |name: &str, time: Duration, bytes: usize| {
        let speed = seconds / time.as_secs_f64();
        println!("{name}: {speed:.0} × real time, {:.1} kbit/s", bytes as f64 * 0.008 / seconds);
    };
    println!("{seconds:.0} s of speech through one thread, by the time it had of a core");
    let started = core_time()?;
    let mut leveler = StreamLeveler::new(SAMPLE_RATE_HZ, 9.0);
    let mut evened = leveler.push(samples);
    evened.extend(leveler.finish());
    report("gain and limiter", core_time()?.saturating_sub(started), 0);
    let mut lossless = Vec::new();
    for &format in AudioFormat::FILES {
        let started = core_time()?;
        let file = encode(&evened, &EncodeOptions::new(format, SAMPLE_RATE_HZ))?;
        report(&format!("chunk as {format}"), core_time()?.saturating_sub(started), file.len());
        if format == AudioFormat::Flac {
            lossless = file;
        }
    }
    let started = core_time()?;
    let mut pcm = Vec::new();
    let mut reader = FlacReader::new(Cursor::new(&lossless))?;
    while let Some(samples) = reader.read()? {
        pcm.extend_from_slice(samples);
    }
    report("reading FLAC", core_time()?.saturating_sub(started), lossless.len());
    for &format in BookFormat::ALL {
        let started = core_time()?;
        let end_ms = pcm.len() as u64 * 1000 / u64::from(SAMPLE_RATE_HZ);
        let options = BookOptions {
            chapters: vec![BookChapter { title: None, start_ms: 0, end_ms }],
            ..BookOptions::new(format, SAMPLE_RATE_HZ)
        };
        let mut book = BookEncoder::new(options, Cursor::new(Vec::new()))?;
        for piece in pcm.chunks(4_096) {
            book.push(piece)?;
        }
        let done = book.finish()?;
        report(&format!("book as {format}"), core_time()?.saturating_sub(started), done.bytes as usize);
    }
    Ok(())
}
