//! The service with an engine that costs almost nothing, for `bench/http` and `bench/dispatch`: it
//! shows what HTTP, keys, idempotency, ledger, jobs and storage cost. The environment configures it
//! like `lectern serve`. It migrates its store, creates accounts with credits, and prints one line
//! of JSON with its addresses, the accounts' live keys and an e-reader's id. With `--workers` it
//! also extracts uploads and converts chunks. It ends when its standard input ends.

#![expect(clippy::print_stdout, reason = "its output is its answer")]

use std::{io::Read as _, ops::Range, sync::Arc, time::Duration};

use lectern_server::lifecycle::{self, Listeners};
use lectern_service::{
    app,
    base::Base,
    clock::Clock,
    config::{Config, Sources},
    services::{
        accounts::invitations,
        materials::{document_reader::Extractor, jobs::JobContext},
        speech::speaking::Speaker,
    },
    telemetry,
    workers::jobs::Room,
};
use lectern_speech::{
    engines::{DEFAULT, Engine, EngineError, Speech, Unit, Utterance},
    front_end::{Pause, Span},
    language::Language,
    pool::{EngineEntry, LaneSettings, Pool, cores},
};
use lectern_store::{Tier, ereaders, jobs::JobKind};
use lectern_types::Credits;
use secrecy::ExposeSecret as _;
use serde_json::json;

/// The same allocator as the binary's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of accounts to create when the store has none.
const ACCOUNTS: usize = 200;

/// Speaks ten milliseconds of a quiet tone for any text.
struct Stub;

impl Engine for Stub {
    fn name(&self) -> &'static str {
        "stub"
    }

    fn unit(&self) -> Unit {
        Unit::Sentence
    }

    fn plan(&self, _: &str, stretch: Range<usize>, _: Language) -> Result<Vec<Span>, EngineError> {
        Ok(vec![Span { range: stretch, pause: Pause::Sentence }])
    }

    fn say(&mut self, _: &Utterance) -> Result<Speech, EngineError> {
        let samples = (0..240).map(|n| 0.1 * (n as f32 * 0.1).sin()).collect();
        Ok(Speech { samples, sample_rate_hz: 24_000, ..Speech::default() })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = Arc::new(Config::load(&Sources::of_process(None))?);
    let _ = rustls::crypto::ring::default_provider().install_default();
    telemetry::start_logs(&config.log);
    telemetry::metrics();
    let mut base = Base::open_unmigrated(Arc::clone(&config), Clock::system()).await?;
    base.migrate().await?;
    app::prepare(&base).await?;
    base.connect_queue().await?;
    let lane = LaneSettings::new(
        "stub",
        cores(),
        1_024,
        vec![EngineEntry::local(DEFAULT, Arc::new(|| Ok(Box::new(Stub))))],
    );
    let speech = Speaker::new(Pool::start(vec![lane])?);
    let mut keys = Vec::new();
    for number in 0..ACCOUNTS {
        let email = format!("reader{number}@example.com");
        let made = invitations::create_confirmed(&base, &email, Tier::Free, Credits(1_000_000_000)).await?;
        keys.extend(made.map(|(_, keys)| keys.live.expose_secret().to_owned()));
    }
    let heart = ereaders::find_by_slug(&base.store, "heart").await?.ok_or("there is no e-reader")?;
    let listeners = Listeners::bind(&config)?;
    println!(
        "{}",
        json!({
            "listening": listeners.public_address.to_string(), "management": listeners.management_address.to_string(),
            "keys": keys, "ereader_id": heart.id,
        })
    );
    let mut background = lifecycle::BackgroundWork::default();
    if std::env::args().any(|argument| argument == "--workers") {
        // The `lectern` binary, one directory up: this process is another program and cannot serve
        // as the extraction child.
        let own = std::env::current_exe()?;
        let program = own.ancestors().nth(2).ok_or("it lies in no folder of the build")?.join("lectern");
        let extractor = Extractor::with_program(program, Duration::from_mins(1), 1 << 30);
        let context = JobContext { extractor, ..JobContext::open(&base, &speech)? };
        // No assemblies: they measure the codec.
        let kinds = vec![JobKind::Extract, JobKind::ConvertChunk];
        background.jobs = Some((context, Room { kinds, ..Room::of(&config) }));
    }
    let app = lifecycle::assemble(base, speech, &listeners)?;
    let stop = app.stop.clone();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        stop.cancel();
    });
    lifecycle::serve(app, listeners, background).await;
    Ok(())
}
