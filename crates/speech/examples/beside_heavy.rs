//! How long Hibari's first sentence takes alone, and while another engine, which costs as much as
//! Kokoro, speaks a book on the same threads. The heavy engine is a fake: for each character it
//! occupies its thread for as long as Kokoro does, computing (`--compute`) or asleep.
//!
//! `cargo run --release -p lectern-speech --example beside_heavy -- [--threads N] [--calls N] [--compute]`

use std::{
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

use lectern_speech::{
    engines::{
        DEFAULT, Engine, EngineError, Speech, Unit, Utterance,
        hibari::{Hibari, PACK},
        kokoro,
    },
    front_end::{Pause, Span},
    language::Language,
    pack::Pack,
    pool::{EngineEntry, LaneSettings, Pool, Priority, Request, cores},
    spec::NarrationSpec,
};

type Failure = Box<dyn std::error::Error>;

/// What calls say: 60 characters, one sentence.
const CALL: &str = "The lamp was lit, and the keeper went down to the quiet sea.";

/// A book's sentence of 200 characters.
const SENTENCE: &str = "The lamp was lit when the keeper of the tower came back from the harbour, and the sea lay quiet \
    between the two islands, as it had lain on every evening of that summer, and nobody spoke a word of it. ";

/// Sentences of a chunk.
const SENTENCES: usize = 4;

struct Heavy {
    computes: bool,
}

impl Engine for Heavy {
    fn name(&self) -> &'static str {
        "heavy"
    }

    fn unit(&self) -> Unit {
        Unit::Sentence
    }

    fn plan(&self, text: &str, stretch: Range<usize>, _: Language) -> Result<Vec<Span>, EngineError> {
        let mut start = stretch.start;
        let sentences = text[stretch].split_inclusive(". ").map(|sentence| {
            let range = start..start + sentence.len();
            start = range.end;
            Span { range, pause: Pause::Sentence }
        });
        Ok(sentences.collect())
    }

    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError> {
        let characters = utterance.text().chars().count();
        let takes = Duration::from_secs_f64(kokoro::ENGINE.cost.seconds_a_character * characters as f64);
        let begun = Instant::now();
        while begun.elapsed() < takes {
            if self.computes {
                std::hint::black_box((0..10_000).map(f64::from).map(f64::sqrt).sum::<f64>());
            } else {
                std::thread::sleep(takes.saturating_sub(begun.elapsed()));
            }
        }
        Ok(Speech { samples: vec![0.0; characters * 1_600], sample_rate_hz: 24_000, ..Speech::default() })
    }
}

struct Arguments {
    threads: usize,
    calls: usize,
    computes: bool,
}

fn arguments() -> Result<Arguments, Failure> {
    let mut arguments = Arguments { threads: cores(), calls: 40, computes: false };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut number = || given.next().ok_or("a number is missing")?.parse().map_err(Failure::from);
        match argument.as_str() {
            "--threads" => arguments.threads = number()?,
            "--calls" => arguments.calls = number()?,
            "--compute" => arguments.computes = true,
            other => return Err(format!("there is no argument {other}").into()),
        }
    }
    Ok(arguments)
}

#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn main() -> Result<(), Failure> {
    let Arguments { threads, calls, computes } = arguments()?;
    let voices = Pack::user_voices_dir().ok_or("no home directory")?;
    let hibari = Hibari::load(&Pack::open(&voices, PACK)?)?;
    let engines = vec![
        EngineEntry::local(DEFAULT, Arc::new(move || Ok(Box::new(hibari.engine())))),
        EngineEntry {
            name: "heavy".to_owned(),
            cost: kokoro::ENGINE.cost,
            factory: Arc::new(move || Ok(Box::new(Heavy { computes }))),
        },
    ];
    let pool = Pool::start(vec![LaneSettings::new("models", threads, 1_000, engines)])?;
    first_sentences(&pool, 5)?;
    println!("{threads} threads, {calls} calls of {} characters, one after the other", CALL.len());
    report("alone", first_sentences(&pool, calls)?);
    let alone = heavy_speed(&pool, threads, || Ok(()))?;
    println!("the heavy engine alone: {alone:.0} characters a second");
    let mut beside = Vec::new();
    let speed = heavy_speed(&pool, threads, || {
        beside = first_sentences(&pool, calls)?;
        Ok(())
    })?;
    report("beside a heavy book", beside);
    println!("the heavy engine meanwhile: {speed:.0} characters a second");
    pool.close(Duration::from_secs(1));
    Ok(())
}

/// The times to the first sentence of calls, one after the other, with a pause between them.
fn first_sentences(pool: &Pool, calls: usize) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::with_capacity(calls);
    for call in 0..calls {
        let spec = NarrationSpec::new(DEFAULT.name, "heart", Language::EN_US, CALL);
        let begun = Instant::now();
        let mut narrating = pool.submit(Request {
            account: format!("caller {}", call % 3),
            work: String::new(),
            early: false,
            priority: Priority::Live,
            spec: Arc::new(spec),
        })?;
        narrating.blocking_next().ok_or("nothing was said")??;
        times.push(begun.elapsed());
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(times)
}

/// Characters that the heavy engine says a second while it has a chunk for each thread and one more,
/// and `meanwhile` goes on.
fn heavy_speed(
    pool: &Pool,
    threads: usize,
    meanwhile: impl FnOnce() -> Result<(), Failure>,
) -> Result<f64, Failure> {
    let chunk: Arc<str> = SENTENCE.repeat(SENTENCES).into();
    let before = said(pool);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..=threads {
            let spec = NarrationSpec::new("heavy", "any", Language::EN_US, Arc::clone(&chunk));
            let mut narrating = pool.submit(Request {
                account: "reader".to_owned(),
                work: "book".to_owned(),
                early: false,
                priority: Priority::Background,
                spec: Arc::new(spec),
            })?;
            scope.spawn(move || while narrating.blocking_next().is_some() {});
        }
        meanwhile()
    })?;
    Ok((said(pool) - before) as f64 / begun.elapsed().as_secs_f64())
}

fn said(pool: &Pool) -> u64 {
    let engines = pool.state().into_iter().flat_map(|lane| lane.engines);
    engines.filter(|engine| engine.name == "heavy").map(|engine| engine.totals.characters).sum()
}

#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1e3;
    println!("first sentence {what}: p50 {:.0} ms, p95 {:.0} ms, max {:.0} ms", at(50), at(95), at(100));
}
