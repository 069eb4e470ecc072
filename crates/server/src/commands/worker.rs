//! `lectern worker`: the workers without the API.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::CommandError;
use crate::{app::Base, clock::Clock, config::Config, lifecycle};

/// Works until the process is asked to end.
pub(super) async fn run(config: Arc<Config>) -> Result<(), CommandError> {
    let base = Base::open(config, Clock::system()).await?;
    let stop = CancellationToken::new();
    lifecycle::stop_on_signal(stop.clone())
        .map_err(|source| CommandError::Io { what: "signals cannot be listened to".to_owned(), source })?;
    tracing::info!("the workers run");
    lifecycle::work(base.clone(), stop).await;
    base.store.close().await;
    Ok(())
}
