//! The wiring: builds every service from the settings, once. Nothing below imports this module; who
//! serves requests picks the parts it needs from [`App`].

use std::sync::Arc;

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    base::{Base, StartError},
    branding::Branding,
    clock::Clock,
    config::{Config, ConfigError},
    objects::{media_urls::MediaUrls, signing::Signer},
    services::{
        accounts::{context::AccountContext, passwords::Passwords, velocity::Velocity},
        billing::{invoices::Printer, payments::PaymentContext},
        limits::{concurrency::ConcurrencyLimit, requests::RequestLimiter},
        materials::{import, upload, waiting::LongRequests},
        speech::{
            context::SpeechContext, ereader_catalog, samples::Samples, socket::Sessions, speaking::Speaker,
        },
    },
};

/// Opens what all processes of the service share. Migrates an empty or older SQLite store, and seeds
/// a new one with e-readers.
///
/// # Errors
/// Those of [`Base::open`].
pub async fn open(config: Arc<Config>, clock: Clock) -> Result<Base, StartError> {
    let base = Base::open(config, clock).await?;
    ereader_catalog::seed(&base).await?;
    Ok(base)
}

/// Prepares a migrated store for its first use: ties it to the master key and seeds e-readers.
///
/// # Errors
/// Those of [`Base::claim_store`].
pub async fn prepare(base: &Base) -> Result<(), StartError> {
    base.claim_store().await?;
    ereader_catalog::seed(base).await?;
    Ok(())
}

/// The running service.
pub struct App {
    pub base: Base,
    pub accounts: AccountContext,
    pub speech: SpeechContext,
    /// The samples that are being made.
    pub samples: Samples,
    pub payments: PaymentContext,
    /// Makes invoices.
    pub invoices: Printer,
    /// What the pages show instead of Lectern's own name and look.
    pub branding: Option<Branding>,
    /// Makes and checks the URLs of audio.
    pub media: MediaUrls,
    /// The request limit of each account.
    pub request_limiter: RequestLimiter,
    /// The velocity limits on sign-ins and registrations.
    pub velocity: Velocity,
    /// Limits concurrent uploads.
    pub uploads: ConcurrencyLimit,
    /// Limits concurrent fetches of documents.
    pub imports: ConcurrencyLimit,
    /// Limits concurrent requests that take long: event streams and whole books.
    pub long_requests: LongRequests,
    /// Limits open sockets.
    pub sockets: Sessions,
    /// The base URL that clients use, without a trailing slash.
    pub public_url: Arc<str>,
    /// Tracks work that outlives its request.
    pub tasks: TaskTracker,
    /// Cancelled when the process is asked to stop.
    pub stop: CancellationToken,
}

impl App {
    /// Builds the service from its parts; clients reach it at `public_url`.
    ///
    /// # Errors
    /// [`ConfigError`] when the settings name a Redis, a font or a logo that cannot be used.
    pub fn new(base: Base, speaker: Speaker, public_url: String) -> Result<Self, ConfigError> {
        let public_url: Arc<str> = public_url.into();
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let signer = Signer::new(base.secrets.media.clone());
        let media = MediaUrls::new(base.objects.clone(), signer, Arc::clone(&public_url));
        let settings = &base.config.rate_limit;
        Ok(Self {
            request_limiter: RequestLimiter::new(settings.requests_per_minute, &base.clock),
            velocity: Velocity::new(settings, base.secrets.velocity.clone(), &base.clock)?,
            accounts: AccountContext {
                base: base.clone(),
                passwords: Passwords::new(base.config.auth.password_queue_length),
                public_url: Arc::clone(&public_url),
                tasks: tasks.clone(),
            },
            samples: Samples::default(),
            speech: SpeechContext { base: base.clone(), speaker, media: media.clone(), tasks: tasks.clone() },
            payments: PaymentContext::open(&base, &public_url)?,
            invoices: Printer::new(&base.config.invoices)?,
            branding: Branding::new(&base.config.brand)?,
            uploads: upload::gate(),
            imports: import::gate(),
            long_requests: LongRequests::new(stop.clone()),
            sockets: Sessions::default(),
            base,
            media,
            public_url,
            tasks,
            stop,
        })
    }
}
