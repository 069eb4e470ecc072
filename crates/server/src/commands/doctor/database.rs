//! What `lectern doctor` sees of the database: whether it answers and takes writes, its schema, and whose it is.

use lectern_store::{Error, SchemaState, Store, settings};

use super::{Finding, output};
use crate::{
    app::{FINGERPRINT, fingerprint},
    config::{Config, DatabaseUrl},
    secrets::{self, Secrets},
};

const WHAT: &str = "database";

/// Looks at the database, and changes nothing there.
pub(super) async fn look(config: &Config) -> Vec<Finding> {
    if let DatabaseUrl::Sqlite(path) = &config.database.url
        && !path.exists()
    {
        // Opening would make it.
        let detail = format!("{} is not there yet; the first start makes it", path.display());
        return vec![Finding::fine(WHAT, detail)];
    }
    let opened = async {
        let store = Store::open(&config.database.store_options()).await?;
        store.ping().await?;
        let state = store.schema_state().await?;
        Ok::<_, Error>((store, state))
    };
    let (store, state) = match opened.await {
        Ok(opened) => opened,
        Err(error @ Error::ReadOnly { .. }) => {
            let mend = "set database.url to a server that takes writes";
            return vec![Finding::wrong(WHAT, error.to_string(), mend)];
        }
        Err(error) => {
            let mend = "set database.url to a database that answers";
            return vec![Finding::wrong(WHAT, output::chain(&error), mend)];
        }
    };
    let mut findings = vec![schema(config, state)];
    if state.is_usable() {
        findings.extend(owner(config, &store).await);
    }
    findings
}

fn schema(config: &Config, state: SchemaState) -> Finding {
    match state {
        SchemaState::Current => Finding::fine(WHAT, "answers, and its schema is up to date"),
        SchemaState::Empty | SchemaState::Older { .. } => match &config.database.url {
            DatabaseUrl::Sqlite(_) => {
                Finding::fine(WHAT, "answers; the next start brings its schema up to date")
            }
            DatabaseUrl::Postgres(_) => {
                Finding::wrong(WHAT, "answers, but its schema is not up to date", "lectern migrate")
            }
        },
        SchemaState::Expanded { found } => Finding::note(
            WHAT,
            format!("answers; a newer version has added to its schema ({found})"),
            "install that version here as well",
        ),
        SchemaState::Newer { found } => Finding::wrong(
            WHAT,
            format!("was migrated by a newer version (schema {found})"),
            "use that version of lectern, or another database.url",
        ),
        SchemaState::Changed { version } => Finding::wrong(
            WHAT,
            format!("was migrated by another program: schema {version} is not this one's"),
            "use that program, or another database.url",
        ),
    }
}

/// Whether the master key is the one that the store was made with; nothing where one of the two is not there yet.
async fn owner(config: &Config, store: &Store) -> Option<Finding> {
    let master = config.secrets.master_key.as_ref();
    if master.is_none() && !secrets::key_file(&config.data_dir).exists() {
        return None;
    }
    // What is wrong with the key itself is told by its own finding.
    let ours = fingerprint(&Secrets::open(master, &config.data_dir).ok()?);
    let theirs = match settings::find(store, FINGERPRINT).await {
        Ok(theirs) => theirs?,
        Err(error) => {
            return Some(Finding::wrong(
                WHAT,
                output::chain(&error),
                "set database.url to a database that answers",
            ));
        }
    };
    (ours != theirs).then(|| {
        let mend = "give all processes of an installation the same secrets.master_key";
        Finding::wrong("master key", "is not the master key that the database was made with", mend)
    })
}
