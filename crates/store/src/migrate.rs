//! Numbered, append-only migrations, carried in the binary, each applied in a transaction of its
//! own. An applied migration is kept verbatim with its number, so that one changed afterwards is
//! refused.

use lectern_types::Timestamp;

use crate::{
    Backend, Error, Result, Store,
    db::{Tx, sql},
    dialect,
};

type Migration = (&'static str, &'static str, &'static str);

/// Each migration's name and its two forms; the number is the place in the list, from 1.
const MIGRATIONS: &[Migration] = &[
    (
        "initial",
        include_str!("../migrations/sqlite/0001_initial.sql"),
        include_str!("../migrations/postgres/0001_initial.sql"),
    ),
    (
        "sign_in",
        include_str!("../migrations/sqlite/0002_sign_in.sql"),
        include_str!("../migrations/postgres/0002_sign_in.sql"),
    ),
    (
        "materials",
        include_str!("../migrations/sqlite/0003_materials.sql"),
        include_str!("../migrations/postgres/0003_materials.sql"),
    ),
    (
        "webhooks",
        include_str!("../migrations/sqlite/0004_webhooks.sql"),
        include_str!("../migrations/postgres/0004_webhooks.sql"),
    ),
    (
        "web_application",
        include_str!("../migrations/sqlite/0005_web_application.sql"),
        include_str!("../migrations/postgres/0005_web_application.sql"),
    ),
    (
        "event_retention",
        include_str!("../migrations/sqlite/0006_event_retention.sql"),
        include_str!("../migrations/postgres/0006_event_retention.sql"),
    ),
    (
        "queues_are_vacuumed",
        include_str!("../migrations/sqlite/0007_queues_are_vacuumed.sql"),
        include_str!("../migrations/postgres/0007_queues_are_vacuumed.sql"),
    ),
    (
        "languages",
        include_str!("../migrations/sqlite/0008_languages.sql"),
        include_str!("../migrations/postgres/0008_languages.sql"),
    ),
    (
        "american_voices",
        include_str!("../migrations/sqlite/0009_american_voices.sql"),
        include_str!("../migrations/postgres/0009_american_voices.sql"),
    ),
    (
        "payment_providers",
        include_str!("../migrations/sqlite/0010_payment_providers.sql"),
        include_str!("../migrations/postgres/0010_payment_providers.sql"),
    ),
    (
        "voice_catalogue",
        include_str!("../migrations/sqlite/0011_voice_catalogue.sql"),
        include_str!("../migrations/postgres/0011_voice_catalogue.sql"),
    ),
    (
        "jobs_by_engine",
        include_str!("../migrations/sqlite/0012_jobs_by_engine.sql"),
        include_str!("../migrations/postgres/0012_jobs_by_engine.sql"),
    ),
    (
        "unspoken",
        include_str!("../migrations/sqlite/0013_unspoken.sql"),
        include_str!("../migrations/postgres/0013_unspoken.sql"),
    ),
    (
        "marked_languages",
        include_str!("../migrations/sqlite/0014_marked_languages.sql"),
        include_str!("../migrations/postgres/0014_marked_languages.sql"),
    ),
    (
        "0015_formats",
        include_str!("../migrations/sqlite/0015_formats.sql"),
        include_str!("../migrations/postgres/0015_formats.sql"),
    ),
    (
        "lexicons",
        include_str!("../migrations/sqlite/0016_lexicons.sql"),
        include_str!("../migrations/postgres/0016_lexicons.sql"),
    ),
    (
        "spoken_again",
        include_str!("../migrations/sqlite/0017_spoken_again.sql"),
        include_str!("../migrations/postgres/0017_spoken_again.sql"),
    ),
    (
        "cast",
        include_str!("../migrations/sqlite/0018_cast.sql"),
        include_str!("../migrations/postgres/0018_cast.sql"),
    ),
    (
        "chapters",
        include_str!("../migrations/sqlite/0019_chapters.sql"),
        include_str!("../migrations/postgres/0019_chapters.sql"),
    ),
    (
        "joined books",
        include_str!("../migrations/sqlite/0020_joined_books.sql"),
        include_str!("../migrations/postgres/0020_joined_books.sql"),
    ),
    (
        "inputs",
        include_str!("../migrations/sqlite/0021_inputs.sql"),
        include_str!("../migrations/postgres/0021_inputs.sql"),
    ),
    (
        "places",
        include_str!("../migrations/sqlite/0022_places.sql"),
        include_str!("../migrations/postgres/0022_places.sql"),
    ),
    (
        "library",
        include_str!("../migrations/sqlite/0023_library.sql"),
        include_str!("../migrations/postgres/0023_library.sql"),
    ),
    (
        "mail_kinds",
        include_str!("../migrations/sqlite/0024_mail_kinds.sql"),
        include_str!("../migrations/postgres/0024_mail_kinds.sql"),
    ),
    (
        "billing",
        include_str!("../migrations/sqlite/0025_billing.sql"),
        include_str!("../migrations/postgres/0025_billing.sql"),
    ),
    (
        "rolled_keys",
        include_str!("../migrations/sqlite/0026_rolled_keys.sql"),
        include_str!("../migrations/postgres/0026_rolled_keys.sql"),
    ),
    (
        "headings",
        include_str!("../migrations/sqlite/0027_headings.sql"),
        include_str!("../migrations/postgres/0027_headings.sql"),
    ),
    (
        "copyright",
        include_str!("../migrations/sqlite/0028_copyright.sql"),
        include_str!("../migrations/postgres/0028_copyright.sql"),
    ),
];

/// Migrations that only add (a table, an index, a column that may be left out when a row is
/// written) or only lift a constraint. A program that does not know one can run alongside one that
/// does, as in an upgrade without downtime. Every program that opens the store must know all
/// others.
const EXPANDING: &[i64] =
    &[7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28];

/// The setting that holds the number of the newest migration that a program must know.
const NEEDED: &str = "schema_needed";

const TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (
    version BIGINT PRIMARY KEY, name TEXT NOT NULL, body TEXT NOT NULL, applied_at BIGINT NOT NULL
)";

/// How the database's schema stands to the one this program knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaState {
    /// No migration was ever applied.
    Empty,
    /// Migrations are missing.
    Older {
        /// The newest version applied.
        found: i64,
    },
    /// The schema is the one that this program knows.
    Current,
    /// Made by a newer program, whose migrations only added to what this one knows.
    Expanded {
        /// The newest version applied.
        found: i64,
    },
    /// Made by a newer program, and not to be used by this one.
    Newer {
        /// The newest version applied.
        found: i64,
    },
    /// Made by a program that called something else by this number.
    Changed {
        /// The first migration that was another one.
        version: i64,
    },
}

impl SchemaState {
    /// Whether this program can work on it.
    pub const fn is_usable(self) -> bool {
        matches!(self, Self::Current | Self::Expanded { .. })
    }
}

const READ_NEEDED: &str = "SELECT value FROM store_settings WHERE name = $1";

/// Whether this program knows the needed migrations. A database without that setting needs all of
/// them.
fn suffices(needed: Option<&str>) -> bool {
    needed.and_then(|needed| needed.parse::<i64>().ok()).is_some_and(|needed| needed <= known())
}

fn body_for(backend: Backend, (_, sqlite, postgres): &Migration) -> &'static str {
    match backend {
        Backend::Sqlite => sqlite,
        Backend::Postgres => postgres,
    }
}

fn known() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

impl Store {
    /// How the database's schema stands to the one this program knows.
    pub async fn schema_state(&self) -> Result<SchemaState> {
        let table = self.one(sql!(dialect::table_exists(self.backend()), "schema_migrations")).await?;
        if table.is_none() {
            return Ok(SchemaState::Empty);
        }
        let mut newest = None;
        for row in self.all(sql!("SELECT version, body FROM schema_migrations ORDER BY version")).await? {
            let (version, body): (i64, String) = (row.get("version")?, row.get("body")?);
            let ours = usize::try_from(version - 1).ok().and_then(|at| MIGRATIONS.get(at));
            if ours.is_some_and(|ours| body_for(self.backend(), ours) != body) {
                return Ok(SchemaState::Changed { version });
            }
            newest = Some(version);
        }
        Ok(match newest {
            None => SchemaState::Empty,
            Some(found) if found < known() => SchemaState::Older { found },
            Some(found) if found > known() => {
                let needed = self.one(sql!(READ_NEEDED, NEEDED)).await?;
                let needed = needed.map(|row| row.scalar::<String>()).transpose()?;
                if suffices(needed.as_deref()) {
                    SchemaState::Expanded { found }
                } else {
                    SchemaState::Newer { found }
                }
            }
            Some(_) => SchemaState::Current,
        })
    }

    /// Whether a store that suited this program when it was opened still does, by its numbers
    /// alone: quick enough to be asked every second. What was applied under a number is
    /// [`Store::schema_state`]'s to compare.
    pub async fn still_suits(&self) -> Result<bool> {
        let row = self
            .one(sql!(
                "SELECT MAX(version) AS newest, (SELECT value FROM store_settings WHERE name = $1) AS needed
                 FROM schema_migrations",
                NEEDED
            ))
            .await?;
        let Some(row) = row else { return Ok(false) };
        let (newest, needed) =
            (row.get::<Option<i64>>("newest")?.unwrap_or(0), row.get::<Option<String>>("needed")?);
        Ok(newest == known() || (newest > known() && suffices(needed.as_deref())))
    }

    /// Applies the missing migrations, safely while other processes do the same; how many were
    /// applied.
    ///
    /// # Errors
    /// [`Error::SchemaNewer`], [`Error::MigrationChanged`], or the database's.
    pub async fn migrate(&self, now: Timestamp) -> Result<u32> {
        let mut applied = 0;
        for (number, migration) in (1..).zip(MIGRATIONS) {
            let body = body_for(self.backend(), migration);
            let mut tx = self.begin().await?;
            if apply(&mut tx, number, migration.0, body, now).await? {
                tx.commit().await?;
                applied += 1;
            }
        }
        Ok(applied)
    }
}

/// Applies one migration unless it was applied before; returns whether it applied it.
async fn apply(tx: &mut Tx, number: i64, name: &str, body: &'static str, now: Timestamp) -> Result<bool> {
    if let Some(lock) = dialect::lock_migrations(tx.backend()) {
        tx.run(sql!(lock)).await?;
    }
    tx.run(sql!(TABLE)).await?;
    let newest = tx.one(sql!("SELECT MAX(version) FROM schema_migrations")).await?;
    let newest: Option<i64> = newest.map(|row| row.scalar()).transpose()?.flatten();
    if let Some(found) = newest.filter(|&found| found > known()) {
        let needed = tx.one(sql!(READ_NEEDED, NEEDED)).await?;
        let needed = needed.map(|row| row.scalar::<String>()).transpose()?;
        if !suffices(needed.as_deref()) {
            return Err(Error::SchemaNewer { found, known: known() });
        }
    }
    if let Some(row) = tx.one(sql!("SELECT body FROM schema_migrations WHERE version = $1", number)).await? {
        return if row.scalar::<String>()? == body {
            Ok(false)
        } else {
            Err(Error::MigrationChanged { version: number })
        };
    }
    tx.batch(body).await?;
    tx.run(sql!(
        "INSERT INTO schema_migrations (version, name, body, applied_at) VALUES ($1, $2, $3, $4)",
        number,
        name,
        body,
        now
    ))
    .await?;
    if !EXPANDING.contains(&number) {
        tx.run(sql!(
            "INSERT INTO store_settings (name, value) VALUES ($1, $2)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            NEEDED,
            number.to_string()
        ))
        .await?;
    }
    Ok(true)
}
