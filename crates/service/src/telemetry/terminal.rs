//! A log line as people read it in a terminal: `07:08:11 GET /v1/saas/me 200 3 ms`. Dates, spans
//! and account ids are only in the JSON format. A request's id is shown where someone may ask for
//! it: with failures.

use std::fmt::{self, Write as _};

use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields, format::Writer},
    registry::LookupSpan,
};

use crate::clock::Clock;

pub(super) struct Terminal;

#[derive(Default)]
struct Fields {
    message: String,
    method: String,
    route: Option<String>,
    status: u64,
    duration_ms: u64,
    rest: String,
}

impl Visit for Fields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "http.status" => self.status = value,
            "http.duration_ms" => self.duration_ms = value,
            _ => self.record_debug(field, &value),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "http.method" => value.clone_into(&mut self.method),
            "http.route" => self.route = Some(value.to_owned()),
            "message" => value.clone_into(&mut self.message),
            _ => self.record_debug(field, &format_args!("{value}")),
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let written = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.rest, "  {name}={value:?}"),
        };
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
}

impl<S, N> FormatEvent<S, N> for Terminal
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let now = Clock::system().now().to_string();
        let time = now.get(11..19).unwrap_or_default();
        let ansi = writer.has_ansi_escapes();
        let (dim, strong, plain) = if ansi { ("\x1b[2m", color(event), "\x1b[0m") } else { ("", "", "") };
        write!(writer, "{dim}{time}{plain} ")?;
        let level = *event.metadata().level();
        if level != Level::INFO {
            write!(writer, "{strong}{level}{plain} ")?;
        }
        let went_wrong = level <= Level::WARN || fields.status >= 400;
        match &fields.route {
            Some(route) => {
                let Fields { method, status, duration_ms, .. } = &fields;
                write!(writer, "{method} {route} {status} {duration_ms} ms")?;
            }
            None => write!(writer, "{}{dim}{}{plain}", fields.message, fields.rest)?,
        }
        if went_wrong && let Some(span) = context.lookup_current() {
            let extensions = span.extensions();
            if let Some(of_span) = extensions.get::<FormattedFields<N>>() {
                let id = of_span.fields.split(' ').find_map(|field| field.split_once("req_"));
                if let Some((_, id)) = id {
                    write!(writer, "  {dim}req_{id}{plain}")?;
                }
            }
        }
        writeln!(writer)
    }
}

fn color(event: &Event<'_>) -> &'static str {
    match *event.metadata().level() {
        Level::ERROR => "\x1b[1;31m",
        Level::WARN => "\x1b[1;33m",
        _ => "\x1b[2m",
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use tracing_subscriber::{fmt, fmt::MakeWriter, layer::SubscriberExt as _};

    use super::Terminal;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for Written {
        type Writer = Self;
        fn make_writer(&'a self) -> Self {
            self.clone()
        }
    }

    #[test]
    fn a_line_is_short_and_names_the_request_only_where_it_failed() {
        let written = Written::default();
        let layer = fmt::layer().with_ansi(false).event_format(Terminal).with_writer(written.clone());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let span = tracing::info_span!("http.request", request.id = %"req_0123", http.method = "GET");
            let _entered = span.entered();
            for status in [200_u64, 404] {
                tracing::info!(
                    http.method = "GET",
                    http.route = "/v1/saas/me",
                    http.status = status,
                    http.duration_ms = 3_u64,
                    account.id = "acc_1",
                    "answered"
                );
            }
            tracing::warn!(reason = "no room", "a mail was not delivered");
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        // Strip the times.
        let lines: Vec<&str> = text.lines().map(|line| &line[9..]).collect();
        assert_eq!(
            lines,
            [
                "GET /v1/saas/me 200 3 ms",
                "GET /v1/saas/me 404 3 ms  req_0123",
                "WARN a mail was not delivered  reason=no room  req_0123",
            ]
        );
        assert!(text.lines().all(|line| line.as_bytes()[2] == b':' && line.as_bytes()[5] == b':'), "{text}");
    }
}
