//! Logs and metrics: set up once for a process. What is logged where is each module's own; never text to be
//! spoken, keys, tokens, e-mail addresses or bodies.

use std::{io::IsTerminal as _, sync::OnceLock};

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

/// Bounds of the histograms of seconds, from a cached look-up to a long text.
const SECONDS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// Bounds for jobs, from a stored file to a long book.
const JOB_SECONDS: &[f64] =
    &[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0];

/// Starts logging to standard error. Once a process; a second call changes nothing.
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
    let filter = EnvFilter::try_new(&log.filter).unwrap_or_default().and(may_be_shown);
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = if as_json {
        lines.json().flatten_event(true).with_current_span(true).with_span_list(false).boxed()
    } else {
        let ansi = std::io::stderr().is_terminal();
        lines.with_ansi(ansi).event_format(Terminal).boxed()
    };
    if tracing_subscriber::registry().with(lines.with_filter(filter)).try_init().is_err() {
        tracing::debug!("logging was started before");
    }
}

/// Whatever the filter says, other people's crates are not heard below `info`: their finer lines show what passes
/// through them, and that is headers, passwords, mails and text. The database client repeats the server's notices at
/// `info`, of what is as it should be, and the queue's tells of each attempt to connect: they are for who names them.
fn may_be_shown(target: &str, level: Level, named: &[&str]) -> bool {
    match target.split("::").next() {
        Some("sqlx") if !named.contains(&"sqlx") => level <= Level::WARN,
        Some("async_nats") if !named.contains(&"async_nats") => false,
        Some(root) if root == "lectern" || root.starts_with("lectern_") => true,
        _ => level <= Level::INFO,
    }
}

/// The process's metrics; the recorder is installed at the first call.
pub fn metrics() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let bounds = [
            (Matcher::Suffix("_seconds".to_owned()), SECONDS),
            (Matcher::Full("lectern_job_seconds".to_owned()), JOB_SECONDS),
            (Matcher::Full("lectern_job_phase_seconds".to_owned()), JOB_SECONDS),
        ];
        let builder = bounds.into_iter().try_fold(PrometheusBuilder::new(), |builder, (matcher, bounds)| {
            builder.set_buckets_for_metric(matcher, bounds)
        });
        // Only an empty list of bounds is refused.
        let builder = builder.unwrap_or_else(|_| PrometheusBuilder::new());
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another metrics recorder was installed before");
        }
        describe();
        handle
    })
}

fn describe() {
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
    describe_gauge!("lectern_jobs", "Jobs of all processes, by kind and status");
    describe_gauge!(
        "lectern_jobs_oldest_seconds",
        Unit::Seconds,
        "How long the oldest due job waits, by kind"
    );
    describe_counter!("lectern_jobs_total", "Runs of jobs in this process, by kind and outcome");
    describe_histogram!("lectern_job_seconds", Unit::Seconds, "Time of a run, by kind");
    describe_histogram!("lectern_job_phase_seconds", Unit::Seconds, "Time of each phase of a run, by kind");
    describe_counter!("lectern_job_leases_lost_total", "Jobs taken back from processes that fell silent");
    describe_counter!("lectern_chunk_characters_total", "Characters of the chunks that were converted");
    describe_counter!("lectern_chunk_audio_ms_total", "Milliseconds of the chunks that were converted");
    describe_counter!("lectern_book_audio_ms_total", "Milliseconds of the whole books that were made");
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
    describe_gauge!("lectern_webhook_backlog", "Deliveries owed to webhooks, by environment");
    describe_gauge!(
        "lectern_webhook_oldest_undelivered_seconds",
        Unit::Seconds,
        "Age of the oldest event that is owed to a webhook, by environment"
    );
    describe_counter!(
        "lectern_webhook_leases_lost_total",
        "Attempts taken back from processes that fell silent"
    );
    describe_gauge!(
        "lectern_queue_up",
        "Whether the queue answers, 1 or 0; while it does not, jobs are looked for"
    );
    describe_counter!(
        "lectern_queue_messages_total",
        "Messages that this process pulled from the queue, by kind of job"
    );
    describe_counter!(
        "lectern_queue_replenished_total",
        "Messages made again that the queue lacked, by kind of job"
    );
    describe_gauge!(
        "lectern_ready",
        "Whether this process can do its work, as /readyz says: 1 or 0; looked at with each scrape"
    );
    describe_gauge!("lectern_duties", "Whether this process sweeps and sends waiting mails for all: 1 or 0");
    describe_gauge!(
        "lectern_backlog_audio_seconds",
        Unit::Seconds,
        "Audio that waits to be made or is being made, in all processes: its characters at 15 a second"
    );
    describe_gauge!(
        "lectern_clock_offset_seconds",
        Unit::Seconds,
        "How far this machine's clock is ahead of PostgreSQL's, which is gone by"
    );
    describe_gauge!("lectern_news_heard", "Whether this process hears others through PostgreSQL: 1 or 0");
    describe_counter!(
        "lectern_storage_operations_total",
        "Operations on object storage in this process, by operation and outcome"
    );
    describe_histogram!(
        "lectern_storage_operation_seconds",
        Unit::Seconds,
        "Time of an operation on object storage until its answer begins, by operation"
    );
    describe_gauge!(
        "lectern_storage_missing_objects",
        "Objects that rows need and the storage has not, as of the last whole inventory"
    );
    describe_counter!(
        "lectern_storage_orphans_deleted_total",
        "Objects that nothing knew of, deleted by this process"
    );
    describe_gauge!("process_resident_memory_bytes", Unit::Bytes, "Memory in use by the process");
}

/// Sets the gauges that are read when they are asked for.
pub fn gauge_process(queued: usize) {
    metrics::gauge!("lectern_speech_queued").set(queued as f64);
    if let Some(bytes) = resident_bytes() {
        metrics::gauge!("process_resident_memory_bytes").set(bytes as f64);
    }
}

/// The resident set of this process, from `/proc` (Linux; `None` elsewhere).
pub fn resident_bytes() -> Option<u64> {
    resident_bytes_of("self")
}

/// The same of another process.
pub fn resident_bytes_of(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::{Level, may_be_shown};

    #[test]
    fn other_crates_are_heard_from_info_on_and_the_database_client_from_warnings_on() {
        for (target, level, shown) in [
            ("lectern_server::http", Level::TRACE, true),
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
