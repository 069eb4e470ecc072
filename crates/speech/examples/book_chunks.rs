//! What two threads of the library take for the chunks of a book, text → samples → the two files that are stored of each:
//! the measure that `bench/book` holds the service's pipeline against.
//!
//! `book_chunks [--threads N] [--samples] FILE.json`: the file is a list of texts. With `--samples` the samples are dropped as they
//! come, which leaves text → samples alone. Prints `{"seconds", "audio_seconds"}`.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use lectern_speech::{
    audio::AudioFormat,
    engines::{
        DEFAULT,
        hibari::{Hibari, PACK, SAMPLE_RATE_HZ, VOICES},
    },
    pack::Pack,
    pool::{EngineEntry, LaneSettings, Narrating, Pool, Priority, Request},
    recorders::{ChunkOptions, ChunkRecorder},
    spec::NarrationSpec,
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn main() -> Result<(), Failure> {
    let (mut threads, mut file, mut drops) = (2, None, false);
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--threads" => threads = given.next().ok_or("--threads wants a number")?.parse()?,
            "--samples" => drops = true,
            _ => file = Some(argument),
        }
    }
    let texts: Vec<Arc<str>> =
        serde_json::from_str::<Vec<String>>(&std::fs::read_to_string(file.ok_or("a file is missing")?)?)?
            .into_iter()
            .map(Arc::from)
            .collect();
    let hibari = Hibari::load(&Pack::open(&Pack::user_voices_dir().ok_or("no home directory")?, PACK)?)?;
    let started = Instant::now();
    let (next, audio_ms) = (AtomicUsize::new(0), Mutex::new(0));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| -> Result<(), Failure> {
                    // A model thread of its own for each, and no more than one chunk in it: the recorder's work waits for it.
                    let hibari = Arc::clone(&hibari);
                    let pool = Pool::start(vec![LaneSettings::new(
                        "model",
                        1,
                        1,
                        vec![EngineEntry::local(DEFAULT, Arc::new(move || Ok(Box::new(hibari.engine()))))],
                    )])?;
                    while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let spoken_ms = if drops { speak(&pool, text)? } else { record(&pool, text)? };
                        *audio_ms.lock().unwrap_or_else(PoisonError::into_inner) += spoken_ms;
                    }
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread panicked")?)
    })?;
    let audio_seconds = audio_ms.into_inner().unwrap_or_else(PoisonError::into_inner) as f64 / 1000.0;
    println!(
        "{}",
        serde_json::json!({ "seconds": started.elapsed().as_secs_f64(), "audio_seconds": audio_seconds })
    );
    Ok(())
}

/// The speech of a chunk in the first voice.
fn narrate(pool: &Pool, text: &Arc<str>) -> Result<Narrating, Failure> {
    let voice = &VOICES[0];
    Ok(pool.submit(Request {
        account: String::new(),
        work: String::new(),
        early: false,
        priority: Priority::Background,
        spec: Arc::new(NarrationSpec {
            seed: 1,
            ..NarrationSpec::new("hibari", voice.name, voice.languages[0], Arc::clone(text))
        }),
    })?)
}

/// Says a chunk and drops it; its length in milliseconds.
fn speak(pool: &Pool, text: &Arc<str>) -> Result<u64, Failure> {
    let (mut narrating, mut samples) = (narrate(pool, text)?, 0_u64);
    while let Some(speech) = narrating.blocking_next() {
        samples += speech?.samples.len() as u64;
    }
    Ok(samples * 1_000 / u64::from(SAMPLE_RATE_HZ))
}

/// Says a chunk in the first voice into a FLAC and an MP3 file; its length in milliseconds.
fn record(pool: &Pool, text: &Arc<str>) -> Result<u64, Failure> {
    let voice = &VOICES[0];
    let mut recorder = ChunkRecorder::new(ChunkOptions {
        format: AudioFormat::Mp3,
        title: None,
        sample_rate_hz: SAMPLE_RATE_HZ,
        voice_gain_db: Some(f64::from(voice.gain_db)),
        is_part_of_book: false,
    });
    let mut narrating = narrate(pool, text)?;
    while let Some(speech) = narrating.blocking_next() {
        recorder.push(speech?)?;
    }
    Ok(recorder.finish(text, 0)?.duration_ms)
}
