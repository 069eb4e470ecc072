//! `lectern doctor` on object storage: whether it can be used, and whether it holds the objects
//! that the database refers to.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lectern_store::{SchemaState, Store};
use lectern_types::RequestId;

use super::{Finding, directory};
use crate::output;
use lectern_service::{
    base::Base,
    clock::{Clock, Ids},
    config::{Config, DatabaseUrl, StorageUrl},
    objects::{CheckError, Objects, OpenError},
    services::missing_objects::{self, Position},
};

const WHAT: &str = "object storage";

/// The prefix of the ids of Amazon's temporary keys.
const TEMPORARY: &str = "ASIA";

/// The time limit for the inventory.
const INVENTORY: Duration = Duration::from_secs(20);

/// The number of missing objects to name.
const NAMED: usize = 3;

pub(super) async fn look(config: &Arc<Config>) -> Vec<Finding> {
    let mut findings = match &config.storage.url {
        StorageUrl::Directory(path) => vec![directory(WHAT, path)],
        StorageUrl::S3 { .. } => bucket(config).await,
    };
    findings.extend(inventory(config).await);
    findings
}

async fn bucket(config: &Config) -> Vec<Finding> {
    let storage = &config.storage;
    let checked = match Objects::open(storage, &storage.url) {
        Ok(objects) => {
            let check_id: RequestId = Ids::new(Clock::system()).make();
            objects.check(&check_id.to_string()).await
        }
        Err(OpenError::Setting(error)) => Err(CheckError::Setting(error)),
        Err(error @ OpenError::Storage(_)) => Err(CheckError::Unavailable(output::chain(&error))),
    };
    let mut findings = vec![match checked {
        Ok(()) => {
            let shown = format!("{} can be listed, written, read and cleared", storage.url);
            Finding::fine(WHAT, shown)
        }
        Err(CheckError::Setting(error)) => Finding::wrong(WHAT, error.reason, format!("set {}", error.key)),
        Err(CheckError::Unavailable(why)) => {
            Finding::wrong(WHAT, why, "set storage.endpoint to a server that answers, or wait until it does")
        }
    }];
    if storage.access_key_id.as_deref().is_some_and(|id| id.starts_with(TEMPORARY)) {
        findings.push(Finding::note(
            WHAT,
            "storage.access_key_id is a temporary key: audio URLs end with it, before their 24 hours",
            "set storage.access_key_id and storage.secret_access_key to a key that lasts",
        ));
    }
    if let Some(endpoint) =
        storage.endpoint.as_ref().filter(|endpoint| endpoint.as_str().starts_with("http://"))
    {
        let host = endpoint.host();
        if !matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]") {
            findings.push(Finding::note(
                WHAT,
                "storage.endpoint is http://: audio and its URLs cross the network in the clear",
                "set storage.endpoint to an https:// URL",
            ));
        }
    }
    findings
}

/// Whether the objects that the database refers to exist; `None` when there is no database yet.
async fn inventory(config: &Arc<Config>) -> Option<Finding> {
    const WHAT: &str = "stored audio";
    if let DatabaseUrl::Sqlite(path) = &config.database.url
        && !path.exists()
    {
        return None;
    }
    let has_key =
        config.secrets.master_key.is_some() || lectern_service::secrets::key_file(&config.data_dir).exists();
    if !has_key {
        return None;
    }
    // Opened only when it needs no migration, because this command changes nothing.
    let store = Store::open(&config.database.store_options()).await.ok()?;
    if !store.schema_state().await.is_ok_and(SchemaState::is_usable) {
        return None;
    }
    if let StorageUrl::Directory(path) = &config.storage.url
        && !path.is_dir()
    {
        return None;
    }
    store.close().await;
    let base = Base::open_unmigrated(Arc::clone(config), Clock::system()).await.ok()?;
    let started = Instant::now();
    let (mut place, mut looked_at, mut missing) = (Position::default(), 0, Vec::new());
    while place != Position::End && started.elapsed() < INVENTORY {
        match missing_objects::step(&base, &mut place).await {
            Ok(step) => {
                looked_at += step.checked;
                missing.extend(step.missing);
            }
            // Another finding already says that the storage does not answer.
            Err(_) => return None,
        }
    }
    base.store.close().await;
    let more =
        if place == Position::End { "" } else { "; there are more, which the service looks at as it runs" };
    if missing.is_empty() {
        return Some(Finding::fine(WHAT, format!("{looked_at} objects that rows name are all there{more}")));
    }
    let named: Vec<&str> = missing.iter().take(NAMED).map(String::as_str).collect();
    let detail = format!(
        "{} of {looked_at} objects that rows name are not there, such as {}{more}",
        missing.len(),
        named.join(", ")
    );
    let fix = "restore them from a backup of the storage, or let their customers convert or upload anew";
    Some(Finding::wrong(WHAT, detail, fix))
}
