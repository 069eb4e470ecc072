//! `lectern doctor`: checks everything that `lectern serve` needs, changes nothing, and names the
//! command or setting that fixes each problem.

mod database;
mod master_key;
mod ocr;
mod storage;
mod voice_packs;

use std::{
    fs, io,
    net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _},
    path::Path,
    sync::Arc,
    time::Duration,
};

use clap::Args;
use serde::Serialize;

use super::{CommandError, output};
use lectern_service::{
    clock::{Clock, Ids},
    config::{Config, MailUrl, QueueUrl, WebUrl},
    dispatch::queue::{Nats, Unusable},
    mail::Mailer,
    outbound::{Outbound, Target, Unreachable},
    secrets::Secrets,
    services::accounts::velocity::Velocity,
};

/// The time limit for connecting to the upstream engine's port.
const UPSTREAM_PATIENCE: Duration = Duration::from_secs(3);

/// A host name to look up as a test of the DNS.
const ASKED_FOR: &str = "https://example.com/";

/// Check what the service needs and say how to fix what is missing.
#[derive(Debug, Clone, Copy, Args)]
pub struct Doctor {
    /// Print one line of JSON.
    #[arg(long)]
    json: bool,
}

/// The result of one check.
#[derive(Debug, Serialize)]
struct Finding {
    what: &'static str,
    state: State,
    /// The details of the result.
    detail: String,
    /// How to fix it. The JSON field keeps its original name.
    #[serde(rename = "mend", skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Fine,
    /// The service runs, but the operator should know.
    Note,
    Wrong,
}

impl Finding {
    fn fine(what: &'static str, detail: impl Into<String>) -> Self {
        Self { what, state: State::Fine, detail: detail.into(), fix: None }
    }

    fn note(what: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { what, state: State::Note, detail: detail.into(), fix: Some(fix.into()) }
    }

    fn wrong(what: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { what, state: State::Wrong, detail: detail.into(), fix: Some(fix.into()) }
    }
}

/// Runs all checks; fails when one of them finds a problem.
///
/// # Errors
/// [`CommandError::CheckFailed`], after the findings were printed.
pub(super) async fn run(config: &Arc<Config>, doctor: Doctor) -> Result<(), CommandError> {
    let mut findings = voice_packs::look(config);
    findings.push(directory("data directory", &config.data_dir));
    findings.extend(database::look(config).await);
    findings.extend(storage::look(config).await);
    findings.push(ocr::look(config).await);
    findings.push(listener("public listener", "http.listen", config.http.listen));
    findings.push(listener("management listener", "management.listen", config.management.listen));
    findings.push(mail(config).await);
    findings.push(webhooks(config).await);
    if matches!(config.queue.url, QueueUrl::Nats(_)) {
        findings.push(queue(config).await);
    }
    if config.rate_limit.redis_url.is_some() {
        findings.push(counters(config).await);
    }
    if let Some(base) = &config.upstream.base_url {
        findings.push(upstream(base));
    }
    let well = findings.iter().all(|finding| finding.state != State::Wrong);
    if doctor.json {
        output::result(&serde_json::json!({ "ok": well, "findings": findings }), true);
    } else {
        for finding in &findings {
            let mark = match finding.state {
                State::Fine => "ok   ",
                State::Note => "note ",
                State::Wrong => "WRONG",
            };
            output::line(&format!("{mark} {}: {}", finding.what, finding.detail));
            if let Some(fix) = &finding.fix {
                output::line(&format!("      → {fix}"));
            }
        }
    }
    if well { Ok(()) } else { Err(CommandError::CheckFailed) }
}

/// Whether NATS can be reached and used. Creates nothing there.
async fn queue(config: &Config) -> Finding {
    const WHAT: &str = "queue";
    match Nats::probe(&config.queue).await {
        Ok(()) => Finding::fine(WHAT, "NATS answers, and JetStream with it"),
        Err(Unusable::Away(reason)) => Finding::note(
            WHAT,
            format!("NATS cannot be reached: {reason}"),
            "start it, or correct queue.url; until then workers look for jobs by themselves",
        ),
        Err(Unusable::Refused(error)) => {
            Finding::wrong(WHAT, error.to_string(), "correct queue.url or the NATS server")
        }
    }
}

/// Whether a directory is writable, or could be created. Leaves nothing behind.
fn directory(what: &'static str, path: &Path) -> Finding {
    let shown = path.display();
    if path.is_file() {
        return Finding::wrong(
            what,
            format!("{shown} is a file, and must be a directory"),
            "name another place, or move the file away",
        );
    }
    if path.exists() {
        let probe = path.join(format!(".lectern-doctor-{}", std::process::id()));
        let tried = fs::write(&probe, b"probe").and_then(|()| fs::remove_file(&probe));
        return match tried {
            Ok(()) => Finding::fine(what, format!("{shown} can be written")),
            Err(error) => {
                let fix = format!("give this account the right to write {shown}, or name another place");
                Finding::wrong(what, format!("{shown} cannot be written: {error}"), fix)
            }
        };
    }
    let parent = path.ancestors().skip(1).find(|parent| parent.as_os_str().is_empty() || parent.is_dir());
    let parent = parent.filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match fs::metadata(parent).map(|metadata| metadata.permissions().readonly()) {
        Ok(false) => Finding::fine(what, format!("{shown} is not there yet; the first start makes it")),
        _ => Finding::wrong(
            what,
            format!("{shown} is not there and {} cannot be written", parent.display()),
            format!("mkdir -p {shown}"),
        ),
    }
}

fn listener(what: &'static str, key: &str, address: SocketAddr) -> Finding {
    match TcpListener::bind(address) {
        Ok(_) => Finding::fine(what, format!("{address} is free")),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Finding::note(
            what,
            format!("{address} is in use, perhaps by a running lectern"),
            format!("if it is something else, set {key} to another address"),
        ),
        Err(error) => {
            Finding::wrong(what, format!("{address} cannot be listened on: {error}"), format!("set {key}"))
        }
    }
}

/// Whether mail can be sent; sends none.
async fn mail(config: &Config) -> Finding {
    const WHAT: &str = "mail";
    let url = match &config.mail.url {
        MailUrl::Directory(path) => return directory(WHAT, path),
        MailUrl::Smtp(url) => url,
    };
    let clock = Clock::system();
    let mailer = match Mailer::new(config, &clock, &Ids::new(clock.clone())) {
        Ok(mailer) => mailer,
        Err(error) => return Finding::wrong(WHAT, error.reason, format!("set {}", error.key)),
    };
    match mailer.ping().await {
        Ok(()) => Finding::fine(WHAT, format!("{}:{} takes mail from us", url.host, url.port)),
        Err(error) => {
            let fix = "set mail.url to a server that answers, with the user and password it wants";
            Finding::wrong(WHAT, format!("{}:{}: {}", url.host, url.port, output::chain(&error)), fix)
        }
    }
}

/// Whether webhooks can be sent: their settings are usable, and a DNS server answers. Any DNS
/// answer will do.
async fn webhooks(config: &Config) -> Finding {
    const WHAT: &str = "webhooks";
    let outbound = match Outbound::new(config) {
        Ok(outbound) => outbound,
        Err(error) => return Finding::wrong(WHAT, error.reason, format!("set {}", error.key)),
    };
    let asked = match Target::parse(ASKED_FOR) {
        Ok(target) => outbound.check(&target).await,
        Err(_) => Err(Unreachable::ResolverSilent),
    };
    if asked == Err(Unreachable::ResolverSilent) {
        let fix =
            "set outbound.resolver to a DNS server that answers; until then no webhook can be registered";
        return Finding::note(WHAT, "no DNS server says where receivers are", fix);
    }
    Finding::fine(WHAT, "a DNS server answers")
}

/// Whether the Redis for the velocity limits answers.
async fn counters(config: &Config) -> Finding {
    const WHAT: &str = "velocity limits";
    let answered = match Velocity::new(
        &config.rate_limit,
        Secrets::derive(b"only asks, counts nothing").velocity,
        &Clock::system(),
    ) {
        Ok(velocity) => velocity.ping().await.map_err(|error| error.to_string()),
        Err(error) => Err(error.reason),
    };
    match answered {
        Ok(()) => Finding::fine(WHAT, "Redis answers"),
        Err(why) => {
            Finding::wrong(WHAT, why, "set rate_limit.redis_url to a Redis that answers, or leave it empty")
        }
    }
}

/// Connects to the port; the protocol itself is not tested.
fn upstream(base: &WebUrl) -> Finding {
    const WHAT: &str = "upstream engine";
    let address = base.host_and_port();
    let fix = "set upstream.base_url to a server that answers, or leave it empty";
    let addresses = match address.to_socket_addrs() {
        Ok(addresses) => addresses,
        Err(error) => return Finding::wrong(WHAT, format!("{address} cannot be resolved: {error}"), fix),
    };
    let mut last = "it has no address".to_owned();
    for socket in addresses {
        match TcpStream::connect_timeout(&socket, UPSTREAM_PATIENCE) {
            Ok(_) => return Finding::fine(WHAT, format!("{address} answers")),
            Err(error) => last = error.to_string(),
        }
    }
    Finding::wrong(WHAT, format!("{address} does not answer: {last}"), fix)
}
