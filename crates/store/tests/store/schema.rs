//! Opening and migrating.

use lectern_store::{Backend, Error, SchemaState, Store, StoreOptions};

use crate::fixture::{Fixture, NOON, on_both};

/// How many migrations there are.
pub(crate) const MIGRATIONS: u32 = 28;

async fn an_empty_database_becomes_current(backend: Backend) {
    let f = Fixture::empty(backend).await;
    assert_eq!(f.schema_state().await.expect("a state"), SchemaState::Empty);
    assert_eq!(f.migrate(NOON).await.expect("it migrates"), MIGRATIONS);
    assert_eq!(f.schema_state().await.expect("a state"), SchemaState::Current);
    assert_eq!(f.migrate(NOON).await.expect("it migrates"), 0, "a second time applies nothing");
    f.ping().await.expect("it answers");
    f.end().await;
}

#[tokio::test]
async fn an_empty_sqlite_database_becomes_current() {
    an_empty_database_becomes_current(Backend::Sqlite).await;
}

#[tokio::test]
async fn an_empty_postgres_database_becomes_current() {
    an_empty_database_becomes_current(Backend::Postgres).await;
}

async fn processes_that_migrate_at_once_apply_each_migration_once(backend: Backend) {
    let f = Fixture::empty(backend).await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let options = StoreOptions::new(f.url.as_str());
        tasks.spawn(async move {
            let store = Store::open(&options).await.expect("it opens");
            let applied = store.migrate(NOON).await.expect("it migrates");
            store.close().await;
            applied
        });
    }
    let applied: u32 = tasks.join_all().await.into_iter().sum();
    assert_eq!(applied, MIGRATIONS);
    f.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_processes_that_migrate_at_once_apply_each_migration_once() {
    processes_that_migrate_at_once_apply_each_migration_once(Backend::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_processes_that_migrate_at_once_apply_each_migration_once() {
    processes_that_migrate_at_once_apply_each_migration_once(Backend::Postgres).await;
}

on_both! {
    async fn a_newer_schema_is_named_and_refused(f: &Fixture) {
        f.sql("INSERT INTO schema_migrations VALUES (999, 'later', '', 0)").await.expect("it is written");
        f.sql("UPDATE store_settings SET value = '999' WHERE name = 'schema_needed'").await.expect("it is written");
        assert_eq!(f.schema_state().await.expect("a state"), SchemaState::Newer { found: 999 });
        let refused = f.migrate(NOON).await;
        assert!(matches!(refused, Err(Error::SchemaNewer { found: 999, .. })), "{refused:?}");
    }

    async fn a_newer_schema_that_only_added_is_gone_on_with(f: &Fixture) {
        let needs = async |version: i64| {
            let set = format!("UPDATE store_settings SET value = '{version}' WHERE name = 'schema_needed'");
            assert_eq!(f.sql(&set).await.expect("it is written"), 1);
        };
        f.sql("INSERT INTO schema_migrations (version, name, body, applied_at) VALUES (999, 'later', '', 0)").await.expect("it is written");
        assert_eq!(f.schema_state().await.expect("a state"), SchemaState::Expanded { found: 999 });
        assert_eq!(f.migrate(NOON).await.expect("there is nothing to do"), 0);
        needs(998).await;
        assert_eq!(f.schema_state().await.expect("a state"), SchemaState::Newer { found: 999 });
    }

    async fn a_migration_changed_after_it_was_applied_is_refused(f: &Fixture) {
        f.sql("UPDATE schema_migrations SET body = body || ' ' WHERE version = 1").await.expect("it is written");
        assert_eq!(f.schema_state().await.expect("a state"), SchemaState::Changed { version: 1 });
        let refused = f.migrate(NOON).await;
        assert!(matches!(refused, Err(Error::MigrationChanged { version: 1 })), "{refused:?}");
    }
}

/// Both forms of each migration.
const PAIRS: &[(&str, &str)] = &[
    (
        include_str!("../../migrations/sqlite/0001_initial.sql"),
        include_str!("../../migrations/postgres/0001_initial.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0002_sign_in.sql"),
        include_str!("../../migrations/postgres/0002_sign_in.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0003_materials.sql"),
        include_str!("../../migrations/postgres/0003_materials.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0004_webhooks.sql"),
        include_str!("../../migrations/postgres/0004_webhooks.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0005_web_application.sql"),
        include_str!("../../migrations/postgres/0005_web_application.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0006_event_retention.sql"),
        include_str!("../../migrations/postgres/0006_event_retention.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0007_queues_are_vacuumed.sql"),
        include_str!("../../migrations/postgres/0007_queues_are_vacuumed.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0008_languages.sql"),
        include_str!("../../migrations/postgres/0008_languages.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0009_american_voices.sql"),
        include_str!("../../migrations/postgres/0009_american_voices.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0011_voice_catalogue.sql"),
        include_str!("../../migrations/postgres/0011_voice_catalogue.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0012_jobs_by_engine.sql"),
        include_str!("../../migrations/postgres/0012_jobs_by_engine.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0013_unspoken.sql"),
        include_str!("../../migrations/postgres/0013_unspoken.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0014_marked_languages.sql"),
        include_str!("../../migrations/postgres/0014_marked_languages.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0015_formats.sql"),
        include_str!("../../migrations/postgres/0015_formats.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0016_lexicons.sql"),
        include_str!("../../migrations/postgres/0016_lexicons.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0018_cast.sql"),
        include_str!("../../migrations/postgres/0018_cast.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0019_chapters.sql"),
        include_str!("../../migrations/postgres/0019_chapters.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0020_joined_books.sql"),
        include_str!("../../migrations/postgres/0020_joined_books.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0021_inputs.sql"),
        include_str!("../../migrations/postgres/0021_inputs.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0022_places.sql"),
        include_str!("../../migrations/postgres/0022_places.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0023_library.sql"),
        include_str!("../../migrations/postgres/0023_library.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0025_billing.sql"),
        include_str!("../../migrations/postgres/0025_billing.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0026_rolled_keys.sql"),
        include_str!("../../migrations/postgres/0026_rolled_keys.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0027_headings.sql"),
        include_str!("../../migrations/postgres/0027_headings.sql"),
    ),
    (
        include_str!("../../migrations/sqlite/0028_copyright.sql"),
        include_str!("../../migrations/postgres/0028_copyright.sql"),
    ),
];

/// The two forms of a migration may differ in types and triggers only.
#[test]
fn both_databases_have_the_same_tables_and_columns() {
    let shape = |sql: &str| -> Vec<String> {
        let mut table = String::new();
        let mut shape = Vec::new();
        for line in sql.lines() {
            if let Some(rest) = line.strip_prefix("CREATE TABLE ") {
                table = rest.trim_end_matches(" (").to_owned();
            } else if line.contains(" SET (autovacuum_") {
                // How PostgreSQL keeps house is its own.
            } else if line.starts_with("ALTER TABLE ") || line.starts_with("CREATE INDEX ") {
                table.clear();
                shape.push(line.replace("TEXT COLLATE \"C\"", "TEXT").replace("BIGINT", "INTEGER"));
            } else if line.starts_with(')') {
                table.clear();
            } else if !table.is_empty() {
                let line = line
                    .replace("TEXT COLLATE \"C\"", "TEXT")
                    .replace("BIGINT", "INTEGER")
                    .replace("BYTEA", "BLOB");
                shape.push(format!("{table}: {}", line.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
        }
        shape
    };
    // 0010, 0017 and 0024 rebuild a table on SQLite and change constraints on PostgreSQL: see `purchases.rs`, the
    // API's tests of chunks that are spoken again, and its tests of mails.
    assert_eq!(PAIRS.len() + 3, MIGRATIONS as usize);
    for (sqlite, postgres) in PAIRS {
        let statements = sqlite.matches("CREATE INDEX").count() + sqlite.matches("ALTER TABLE").count();
        // No table has fewer than three columns.
        let expected = statements + 3 * sqlite.matches("CREATE TABLE").count();
        assert!(shape(sqlite).len() >= expected, "not all is compared");
        assert_eq!(shape(sqlite), shape(postgres));
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_sqlite_store_is_made_with_its_folder_and_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a/b c/lectern.db");
    let store =
        Store::open(&StoreOptions::new(format!("sqlite://{}", path.display()))).await.expect("it opens");
    store.migrate(NOON).await.expect("it migrates");
    for name in ["lectern.db", "lectern.db-wal"] {
        let mode = path.with_file_name(name).metadata().expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    store.close().await;
}

#[tokio::test]
async fn an_unusable_url_is_refused_without_repeating_it() {
    for url in ["", "mysql://x", "sqlite://", "sqlite://:memory:", "sqlite:///tmp/", "postgres://u:hush@[::"]
    {
        let error = Store::open(&StoreOptions::new(url)).await.expect_err(url);
        assert!(matches!(error, Error::Url { .. }), "{url}: {error:?}");
        assert!(!format!("{error:?} {error}").contains("hush"));
    }
    let options = StoreOptions::new("postgres://u:hush@h/d");
    assert!(!format!("{options:?}").contains("hush"));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    let options = StoreOptions::new("postgres://u@localhost/d?host=/nonexistent");
    let error = Store::open(&options).await.expect_err("nothing is there");
    assert!(error.is_transient(), "{error:?}");
}
