//! `lectern migrate`.

use std::sync::Arc;

use super::{CommandError, output};
use lectern_service::{app, base::Base, clock::Clock, config::Config};

pub(super) async fn run(config: Arc<Config>) -> Result<(), CommandError> {
    let base = Base::open_unmigrated(config, Clock::system()).await?;
    let applied = base.migrate().await?;
    app::prepare(&base).await?;
    output::line(&format!("{applied} migrations applied"));
    base.store.close().await;
    Ok(())
}
