//! `lectern serve`: the service, and with `--demo` an account to try it with.

use std::sync::Arc;

use clap::Args;
use lectern_store::{
    Scopes, Tier,
    accounts::{self, Credentials},
    consent,
    keys::NewKey,
};
use lectern_types::{AccountId, Credits, DocumentKind};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;

use super::{CommandError, output};
use crate::lifecycle::{self, BackgroundWork, Listeners};
use lectern_service::telemetry;
use lectern_service::{
    app::{self, App},
    base::{Base, StartError},
    clock::Clock,
    config::{Config, LogFormat},
    descriptors,
    mail::Mail,
    services::{
        accounts::invitations::{self, InviteError},
        keys,
        materials::jobs::JobContext,
        speech::{ereader_catalog, voices},
    },
    workers::jobs::Room,
};

/// The address of the demo account; RFC 2606 reserves `example`.
const DEMO_EMAIL: &str = "demo@lectern.example";

/// The demo account's first credits.
const DEMO_CREDITS: Credits = Credits(1_000_000);

/// The address that the demo invites.
const GUEST_EMAIL: &str = "guest@lectern.example";

/// The credits of the demo's invitation.
const GUEST_CREDITS: Credits = Credits(50_000);

/// Run the service.
#[derive(Debug, Clone, Copy, Args)]
pub struct Serve {
    /// On an empty store, create a demo account with credits and invite another address. Prints how
    /// to sign in, the invitation's link and `curl` commands to paste, and later the links of
    /// mails, which are written to files.
    #[arg(long)]
    demo: bool,
    /// Run no jobs (extractions, conversions, assemblies) and deliver no webhooks; `lectern worker`
    /// processes do.
    #[arg(long)]
    no_workers: bool,
}

impl Serve {
    /// The log format when none is configured. The demo's log is text even in a pipe, because the
    /// demo prints other lines among it for people to read.
    pub(super) fn log_format(self) -> LogFormat {
        if self.demo { LogFormat::Text } else { LogFormat::Auto }
    }
}

/// Serves until the process is asked to end.
pub(super) async fn run(config: Arc<Config>, serve: Serve) -> Result<(), CommandError> {
    telemetry::metrics();
    descriptors::raise_limit();
    // Loads the voices while the store opens, because they take the longest.
    let loading = {
        let config = Arc::clone(&config);
        tokio::task::spawn_blocking(move || voices::load(&config))
    };
    let mut base = app::open(Arc::clone(&config), Clock::system()).await?;
    if serve.demo {
        // On standard output, which is for the one who started it, and never in the log.
        base.mailer.set_observer(|mail| output::line(&set_apart(&announcement(mail))));
    }
    base.check_objects().await?;
    base.connect_queue().await?;
    let speech = loading.await.map_err(|error| StartError::Speech(error.to_string()))??;
    let listeners = Listeners::bind(&config)?;
    if config.http.listen.port() == 0 || config.management.listen.port() == 0 {
        let mut bound = json!({
            "listening": listeners.public_address.to_string(),
            "management": listeners.management_address.to_string(),
        });
        if let Some(address) = listeners.wyoming_address {
            bound["wyoming"] = address.to_string().into();
        }
        output::line(&bound.to_string());
    }
    let jobs =
        if serve.no_workers { None } else { Some((JobContext::open(&base, &speech)?, Room::of(&config))) };
    let app = lifecycle::assemble(base, speech, &listeners)?;
    lifecycle::stop_on_signal(app.stop.clone(), Some(lifecycle::shutdown_limit(&app.base.config))).map_err(
        |source| CommandError::Io { what: "signal handlers cannot be installed".to_owned(), source },
    )?;
    tracing::info!(
        http.listen = %listeners.public_address,
        management.listen = %listeners.management_address,
        wyoming.listen = listeners.wyoming_address.map(tracing::field::display),
        http.public_url = &*app.public_url,
        "listening"
    );
    if serve.demo {
        demo(&app).await?;
    }
    lifecycle::serve(app, listeners, BackgroundWork { jobs, deliveries: !serve.no_workers }).await;
    Ok(())
}

/// Creates the demo account, or a new key for an existing one, and prints how to use it. Leaves a
/// store with other accounts alone.
async fn demo(app: &App) -> Result<(), CommandError> {
    let (base, url) = (&app.base, &app.public_url);
    let key = if accounts::none_exist(&base.store).await? {
        publish_samples(base).await?;
        let made = invitations::create_confirmed(base, DEMO_EMAIL, Tier::Free, DEMO_CREDITS).await?;
        made.map(|(_, keys)| keys.live)
    } else {
        match accounts::find_by_email(&base.store, DEMO_EMAIL).await? {
            Some(account) => Some(another_key(base, account.id).await?),
            None => None,
        }
    };
    let ereader = ereader_catalog::default_ereader(&base.store).await?;
    let ereader = ereader.filter(|ereader| ereader.tier == Tier::Free).map(|ereader| ereader.id);
    match (key, ereader) {
        (Some(key), Some(ereader)) => {
            let password = demo_password(app).await?;
            let invitation = invite_guest(base).await?;
            let instructions = DemoInstructions {
                url,
                key: &key,
                ereader: &ereader.to_string(),
                password: password.as_ref(),
            };
            output::line(&set_apart(&instructions.text(invitation.as_ref())));
        }
        _ => output::line(
            "This store has accounts of its own, so there is no demo account. To get a key:\n\n  \
             lectern admin invite create --email you@example.com --credits 100000\n",
        ),
    }
    Ok(())
}

/// Publishes sample terms and a sample privacy policy, which say that they are samples, so that
/// consent can be tried.
async fn publish_samples(base: &Base) -> Result<(), CommandError> {
    let now = base.clock.now();
    for (document, text) in [
        (DocumentKind::Terms, include_str!("serve/sample-terms.md")),
        (DocumentKind::Privacy, include_str!("serve/sample-privacy.md")),
    ] {
        if consent::current_document(&base.store, document).await?.is_none() {
            consent::publish(&base.store, document, "sample-1", text, now).await?;
        }
    }
    Ok(())
}

/// The demo account's initial password: the same at each start, different for each master key.
/// `None` when its owner has set another.
async fn demo_password(app: &App) -> Result<Option<SecretString>, CommandError> {
    let password = SecretString::from(hex::encode(&app.base.secrets.demo.bytes()[..10]));
    let found = accounts::credentials(&app.base.store, DEMO_EMAIL).await?;
    let Some(Credentials { account, password_hash }) = found else { return Ok(None) };
    if password_hash.is_none() {
        let hash = app.accounts.passwords.hash(password.clone()).await?;
        accounts::set_first_password(&app.base.store, account.id, &hash, app.base.clock.now()).await?;
        return Ok(Some(password));
    }
    let is_ours = app.accounts.passwords.verify(password.clone(), password_hash).await?;
    Ok(is_ours.then_some(password))
}

/// A further live key of the demo account, because an existing key cannot be shown again.
async fn another_key(base: &Base, account: AccountId) -> Result<SecretString, CommandError> {
    let now = base.clock.now();
    let key = keys::generate(true);
    let hash = keys::hash(&base.secrets.pepper, key.expose_secret());
    let new = NewKey {
        id: base.ids.make(),
        hash: &hash,
        hint: keys::hint(key.expose_secret()),
        name: "Demo key",
        scopes: Scopes::ALL,
        environment: lectern_store::Environment::Live,
        expires_at: None,
    };
    lectern_store::keys::create(&base.store, account, lectern_store::Environment::Live, &new, None, now)
        .await?;
    consent::accept_current(&base.store, account, consent::AcceptedBy::Operator, now).await?;
    Ok(key)
}

/// The token of an invitation to the demo's second address; `None` after its registration.
async fn invite_guest(base: &Base) -> Result<Option<SecretString>, CommandError> {
    match invitations::invite(base, GUEST_EMAIL, None, Some(GUEST_CREDITS)).await {
        Ok(invited) => Ok(Some(invited.token)),
        Err(InviteError::Store(error)) => Err(error.into()),
        Err(InviteError::AlreadyRegistered(_) | InviteError::NotAnAddress(_)) => Ok(None),
    }
}

/// A text between rules, so that it stands out from the log.
fn set_apart(text: &str) -> String {
    let rule = "\u{2500}".repeat(72);
    format!("\n{rule}\n\n{text}\n{rule}\n")
}

/// A summary of a mail with its links, because the demo has no mailbox.
fn announcement(mail: &Mail) -> String {
    let links: Vec<_> = mail.text.lines().filter(|line| line.contains("://")).collect();
    format!("A mail to {}, \u{201c}{}\u{201d}:\n\n  {}\n", mail.to, mail.subject, links.join("\n  "))
}

/// The demo's instructions. They contain only the demo's own key, which only this machine's user
/// sees.
struct DemoInstructions<'a> {
    url: &'a str,
    key: &'a SecretString,
    ereader: &'a str,
    password: Option<&'a SecretString>,
}

impl DemoInstructions<'_> {
    fn text(&self, invitation: Option<&SecretString>) -> String {
        let Self { url, key, ereader, password } = self;
        let key = key.expose_secret();
        let password = password.map_or("the one that was set", |password| password.expose_secret());
        let invitation = invitation.map_or_else(String::new, |token| {
            format!(
                "Or begin as a customer does, with an invitation. Open this, and this window shows the mails that follow:\n\n  \
                 {url}/register?invite={}\n\n",
                token.expose_secret()
            )
        });
        let request = format!(
            "curl -sS {url}/v1/saas/tts:synthesize \\\n    -H 'Authorization: Bearer {key}' \\\n    \
             -H 'Content-Type: application/json' \\\n    -d '{{\"ereader_id\": \"{ereader}\", \
             \"text\": \"Dr. Ada read 1,200 pages by 9:30. Hello from Lectern!\"}}'"
        );
        format!(
            "Open {url} and sign in:\n\n  \
             address   {DEMO_EMAIL}\n  password  {password}\n\n{invitation}\
             Or speak by the API (the answer has the audio's URL):\n\n  {request}\n\n\
             Speak and save the MP3 as hello.mp3:\n\n  {request} \\\n    \
             | sed -n 's/.*\"audio_url\":\"\\([^\"]*\\)\".*/url = \"\\1\"/p' | curl -sS -K - -o hello.mp3 \
             && ls -l hello.mp3\n"
        )
    }
}
