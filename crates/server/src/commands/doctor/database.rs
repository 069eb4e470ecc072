//! `lectern doctor` on the database: whether it answers and accepts writes, its schema, and its
//! master key.

use lectern_store::{Error, SchemaState, Store, accounts};

use super::{
    Finding,
    master_key::{self, Theirs},
    output,
};
use lectern_service::{
    base::stored_fingerprint,
    config::{Config, DatabaseUrl},
};

const WHAT: &str = "database";

/// The number of addresses with several accounts to name.
const TWINS: usize = 20;

/// Checks the database and the master key, and changes nothing.
pub(super) async fn look(config: &Config) -> Vec<Finding> {
    if let DatabaseUrl::Sqlite(path) = &config.database.url
        && !path.exists()
    {
        // Opening a SQLite database would create it.
        let detail = format!("{} is not there yet; the first start makes it", path.display());
        return vec![master_key::look(config, &Theirs::None), Finding::fine(WHAT, detail)];
    }
    match open(config).await {
        Ok((store, state)) => {
            let theirs = match stored_fingerprint(&store).await {
                Ok(Some(theirs)) => Theirs::Fingerprint(theirs),
                Ok(None) => Theirs::None,
                Err(_) => Theirs::Unknown,
            };
            let mut findings = vec![master_key::look(config, &theirs), schema(config, state)];
            if state.is_usable() {
                findings.extend(twins(&store).await);
            }
            findings
        }
        Err(error) => vec![master_key::look(config, &Theirs::Unknown), unusable(config, &error)],
    }
}

async fn open(config: &Config) -> lectern_store::Result<(Store, SchemaState)> {
    let store = Store::open(&config.database.store_options()).await?;
    store.ping().await?;
    let state = store.schema_state().await?;
    Ok((store, state))
}

/// The reason why the database cannot be used, and how to fix it.
fn unusable(config: &Config, error: &Error) -> Finding {
    let fix = match (&config.database.url, error) {
        (_, Error::ReadOnly { .. }) => "set database.url to a server that takes writes".to_owned(),
        (_, Error::NotADatabase { path, .. }) => {
            format!("restore {} from the back-up, or set database.url to another file", path.display())
        }
        (DatabaseUrl::Sqlite(path), _) => format!(
            "give this account the right to read and write {} and its folder, or set database.url to another file",
            path.display()
        ),
        (DatabaseUrl::Postgres(_), _) => {
            "start it, or set database.url to a database that answers".to_owned()
        }
    };
    Finding::wrong(WHAT, output::chain(error), fix)
}

/// Addresses with two accounts, created before different spellings of one host counted as one
/// address.
async fn twins(store: &Store) -> Option<Finding> {
    let twins = accounts::twins(store).await.ok().filter(|twins| !twins.is_empty())?;
    let named: Vec<String> = twins.iter().take(TWINS).map(|spellings| spellings.join(" = ")).collect();
    let more =
        if twins.len() > TWINS { format!(", and {} more", twins.len() - TWINS) } else { String::new() };
    let detail =
        format!("one address in several spellings has an account for each: {}{more}", named.join(", "));
    let fix = "each signs in by its own spelling; ask their owners which one they keep";
    Some(Finding::note("accounts", detail, fix))
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
