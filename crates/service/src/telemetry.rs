//! Sets up logs and metrics for a process. Each module decides what it logs, but never text to be
//! spoken, keys, tokens, e-mail addresses or bodies.

use std::{io::IsTerminal as _, sync::OnceLock, time::Duration};

use lectern_speech::pool::EngineState;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::{Level, Metadata};
use tracing_subscriber::{
    EnvFilter, Layer as _,
    filter::{FilterExt as _, FilterFn},
    fmt,
    layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

use crate::config::{Log, LogFormat};

mod terminal;

use terminal::Terminal;

/// Buckets of the histograms of seconds, from a cached look-up to a long text.
const SECONDS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// Buckets for jobs, from a stored file to a long book.
const JOB_SECONDS: &[f64] =
    &[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0];

/// Buckets for phases of a synthesis, from a light engine's sentence to a heavy one's long text.
const PHASE_SECONDS: &[f64] =
    &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 180.0];

/// Starts logging to standard error. Further calls change nothing.
pub fn start_logs(log: &Log) {
    let as_json = match log.format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => !std::io::stderr().is_terminal(),
    };
    let named: Vec<&'static str> =
        ["sqlx", "async_nats"].into_iter().filter(|name| log.filter.contains(name)).collect();
    let may_be_shown =
        FilterFn::new(move |about: &Metadata<'_>| may_be_shown(about.target(), *about.level(), &named));
    // The server was once a single crate, `lectern_server`; filters that name it now match every
    // `lectern*` crate.
    let filter = EnvFilter::try_new(log.filter.replace("lectern_server", "lectern"))
        .unwrap_or_default()
        .and(may_be_shown);
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = if as_json {
        lines.json().flatten_event(true).with_current_span(true).with_span_list(false).boxed()
    } else {
        let ansi = std::io::stderr().is_terminal();
        lines.with_ansi(ansi).event_format(Terminal).boxed()
    };
    if tracing_subscriber::registry().with(lines.with_filter(filter)).try_init().is_err() {
        tracing::debug!("logging was already started");
    }
}

/// Whether a line may be logged, whatever the filter says. Other crates stay at `info` or above:
/// their debug lines show what passes through them, such as headers, passwords, mails and text. The
/// database client repeats the server's routine notices at `info`, and the NATS client logs each
/// connection attempt, so both are shown only if the filter names them.
fn may_be_shown(target: &str, level: Level, named: &[&str]) -> bool {
    match target.split("::").next() {
        Some("sqlx") if !named.contains(&"sqlx") => level <= Level::WARN,
        Some("async_nats") if !named.contains(&"async_nats") => false,
        Some(root) if root == "lectern" || root.starts_with("lectern_") => true,
        _ => level <= Level::INFO,
    }
}

/// The process's metrics. The first call installs the recorder.
pub fn metrics() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let bounds = [
            (Matcher::Suffix("_seconds".to_owned()), SECONDS),
            (Matcher::Full("lectern_job_seconds".to_owned()), JOB_SECONDS),
            (Matcher::Full("lectern_engine_queue_seconds".to_owned()), JOB_SECONDS),
            (Matcher::Full("lectern_synthesis_phase_seconds".to_owned()), PHASE_SECONDS),
            (Matcher::Full("lectern_job_phase_seconds".to_owned()), JOB_SECONDS),
        ];
        let builder = bounds.into_iter().try_fold(PrometheusBuilder::new(), |builder, (matcher, bounds)| {
            builder.set_buckets_for_metric(matcher, bounds)
        });
        // Only an empty list of buckets is refused.
        let builder = builder.unwrap_or_else(|_| PrometheusBuilder::new());
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another metrics recorder is already installed");
        }
        describe();
        handle
    })
}

fn describe() {
    describe_requests();
    describe_jobs();
    describe_webhooks();
    describe_queue();
    describe_process();
    describe_storage();
    describe_conversations();
    describe_engines();
}

fn describe_requests() {
    use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
    describe_counter!("lectern_http_requests_total", "Requests answered, by route, method and status");
    describe_histogram!("lectern_http_request_seconds", Unit::Seconds, "Time to answer, by route and method");
    describe_gauge!("lectern_http_connections", "Open connections");
    describe_counter!("lectern_http_connections_yielded_total", "Connections closed to make room for others");
    describe_histogram!(
        "lectern_synthesis_phase_seconds",
        Unit::Seconds,
        "Time of each phase of a synthesis"
    );
    describe_gauge!("lectern_speech_queued", "Requests waiting for a model thread");
}

fn describe_jobs() {
    use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
    describe_gauge!("lectern_jobs", "Jobs of all processes, by kind and status");
    describe_gauge!(
        "lectern_jobs_oldest_seconds",
        Unit::Seconds,
        "How long the oldest due job has waited, by kind"
    );
    describe_counter!("lectern_jobs_total", "Runs of jobs in this process, by kind and outcome");
    describe_histogram!("lectern_job_seconds", Unit::Seconds, "Time of a run, by kind");
    describe_histogram!("lectern_job_phase_seconds", Unit::Seconds, "Time of each phase of a run, by kind");
    describe_counter!("lectern_job_leases_lost_total", "Jobs reclaimed from processes whose lease expired");
    describe_counter!("lectern_chunk_characters_total", "Characters of the chunks that were converted");
    describe_counter!(
        "lectern_chunk_audio_ms_total",
        "Milliseconds of audio of the chunks that were converted"
    );
    describe_counter!(
        "lectern_book_audio_ms_total",
        "Milliseconds of audio of the books that were assembled"
    );
    describe_gauge!(
        "lectern_backlog_audio_seconds",
        Unit::Seconds,
        "Audio queued or in progress in all processes, estimated at 15 characters per second"
    );
    describe_gauge!("lectern_backlog_engine_audio_seconds", Unit::Seconds, "The same for each engine");
}

fn describe_webhooks() {
    use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
    describe_counter!(
        "lectern_webhook_attempts_total",
        "Attempts to deliver webhooks in this process, by environment and outcome"
    );
    describe_histogram!("lectern_webhook_attempt_seconds", Unit::Seconds, "Time of an attempt");
    describe_histogram!(
        "lectern_webhook_delay_seconds",
        Unit::Seconds,
        "Time from an event to its first attempt at a webhook"
    );
    describe_gauge!("lectern_webhook_backlog", "Pending deliveries to webhooks, by environment");
    describe_gauge!(
        "lectern_webhook_oldest_undelivered_seconds",
        Unit::Seconds,
        "Age of the oldest event that is not delivered yet, by environment"
    );
    describe_counter!(
        "lectern_webhook_leases_lost_total",
        "Attempts reclaimed from processes whose lease expired"
    );
}

fn describe_queue() {
    use metrics::{describe_counter, describe_gauge};
    describe_gauge!(
        "lectern_queue_up",
        "Whether the queue responds: 1 or 0; while it does not, workers poll the store"
    );
    describe_counter!(
        "lectern_queue_messages_total",
        "Messages that this process pulled from the queue, by kind of job"
    );
    describe_counter!(
        "lectern_queue_replenished_total",
        "Missing messages that were published again, by kind of job"
    );
}

fn describe_process() {
    use metrics::{Unit, describe_gauge};
    describe_gauge!(
        "lectern_ready",
        "Whether this process is ready, as reported by /readyz: 1 or 0; checked at each scrape"
    );
    describe_gauge!(
        "lectern_duties",
        "Whether this process is the leader, which sweeps and sends pending mails: 1 or 0"
    );
    describe_gauge!(
        "lectern_clock_offset_seconds",
        Unit::Seconds,
        "How far this machine's clock is ahead of PostgreSQL's, which is used"
    );
    describe_gauge!(
        "lectern_news_heard",
        "Whether this process receives notifications through PostgreSQL: 1 or 0"
    );
    describe_gauge!("process_resident_memory_bytes", Unit::Bytes, "Memory in use by the process");
}

fn describe_storage() {
    use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
    describe_counter!(
        "lectern_storage_operations_total",
        "Operations on object storage in this process, by operation and outcome"
    );
    describe_histogram!(
        "lectern_storage_operation_seconds",
        Unit::Seconds,
        "Time of an operation on object storage until its response begins, by operation"
    );
    describe_gauge!(
        "lectern_storage_missing_objects",
        "Objects that rows reference but storage lacks, as of the last complete inventory"
    );
    describe_counter!("lectern_storage_orphans_deleted_total", "Orphaned objects deleted by this process");
}

fn describe_conversations() {
    use metrics::{describe_counter, describe_gauge};
    describe_gauge!("lectern_sockets", "Open sockets that speak text as it comes");
    describe_counter!(
        "lectern_sockets_total",
        "Sockets that have closed, by how they ended: `done`, `left` or `failed`"
    );
    describe_gauge!("lectern_wyoming_connections", "Open connections that speak the Wyoming protocol");
    describe_counter!(
        "lectern_wyoming_requests_total",
        "Requests by the Wyoming protocol, by type and code: `ok`, or that of the error"
    );
}

fn describe_engines() {
    use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
    describe_histogram!(
        "lectern_engine_queue_seconds",
        Unit::Seconds,
        "Time that requests waited for their first turn, by engine"
    );
    describe_counter!("lectern_engine_requests_total", "Requests and chunks that an engine began");
    describe_counter!("lectern_engine_characters_total", "Characters that an engine said");
    describe_counter!("lectern_engine_work_ms_total", "Milliseconds that an engine's threads took");
    describe_counter!("lectern_engine_audio_ms_total", "Milliseconds of audio that an engine made");
    describe_counter!(
        "lectern_engine_timeouts_total",
        "Utterances that an engine did not come back from in time"
    );
    describe_counter!(
        "lectern_engine_unknown_symbols_total",
        "Symbols of pronunciations that an engine's voices do not know and left out"
    );
    describe_gauge!(
        "lectern_engine_seconds_a_character",
        Unit::Seconds,
        "What a thread takes for a character of prose, as last measured"
    );
    describe_gauge!(
        "lectern_engine_waiting_seconds",
        Unit::Seconds,
        "What waits in this process, as the time that one thread would take for it, by engine"
    );
}

/// Sets the gauges that are read at scrape time.
pub fn update_process_gauges(queued: usize) {
    metrics::gauge!("lectern_speech_queued").set(queued as f64);
    if let Some(bytes) = resident_bytes() {
        metrics::gauge!("process_resident_memory_bytes").set(bytes as f64);
    }
}

/// Sets what is read of the engines at scrape time.
pub fn update_engines(engines: &[EngineState]) {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    for EngineState { name, waiting_work, background_work, seconds_a_character, totals } in engines {
        let label = [("engine", name.clone())];
        metrics::counter!("lectern_engine_requests_total", &label).absolute(totals.requests);
        metrics::counter!("lectern_engine_characters_total", &label).absolute(totals.characters);
        metrics::counter!("lectern_engine_work_ms_total", &label).absolute(ms(totals.work));
        metrics::counter!("lectern_engine_audio_ms_total", &label).absolute(ms(totals.audio));
        metrics::counter!("lectern_engine_timeouts_total", &label).absolute(totals.timed_out);
        metrics::counter!("lectern_engine_unknown_symbols_total", &label).absolute(totals.unknown_symbols);
        metrics::gauge!("lectern_engine_seconds_a_character", &label).set(*seconds_a_character);
        for (work, waits) in [("requests", waiting_work), ("books", background_work)] {
            let labels = [("engine", name.clone()), ("work", work.to_owned())];
            metrics::gauge!("lectern_engine_waiting_seconds", &labels).set(waits.as_secs_f64());
        }
    }
}

/// The resident set of this process, from `/proc` (Linux; `None` elsewhere).
pub fn resident_bytes() -> Option<u64> {
    resident_bytes_of("self")
}

/// The resident set of another process.
pub fn resident_bytes_of(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::{Level, may_be_shown};

    #[test]
    fn other_crates_log_from_info_up_and_the_database_client_from_warnings_up() {
        for (target, level, shown) in [
            ("lectern_http", Level::TRACE, true),
            ("lectern", Level::DEBUG, true),
            ("lecternx", Level::DEBUG, false),
            ("hyper::proto", Level::INFO, true),
            ("hyper::proto", Level::DEBUG, false),
            ("sqlx::postgres::notice", Level::INFO, false),
            ("sqlx::query", Level::WARN, true),
            ("async_nats::connector", Level::ERROR, false),
        ] {
            assert_eq!(may_be_shown(target, level, &[]), shown, "{target} {level}");
        }
        assert!(may_be_shown("sqlx::postgres::notice", Level::INFO, &["sqlx"]));
        assert!(!may_be_shown("sqlx::query", Level::DEBUG, &["sqlx"]));
        assert!(may_be_shown("async_nats::connector", Level::INFO, &["async_nats"]));
    }
}
