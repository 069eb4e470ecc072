//! The store of one test: a fresh database of either kind, ids and instants, and direct SQL to
//! break things.

use std::{
    ops::Deref,
    path::Path,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use lectern_store::{
    Backend, Environment, Scopes, Store, StoreOptions, Tier, Writing,
    accounts::{self, InviteOutcome, NewInvite},
    keys::NewKey,
    ledger::{self, Addition, Booking, Lease},
};
use lectern_types::{AccountId, Credits, Id, KeyId, Kind, Timestamp, TransactionId, kinds};
use sqlx::{Connection as _, Executor as _};
use uuid::Uuid;

use crate::cluster;

/// The start of every test: 2026-11-21, about noon.
pub(crate) const NOON: Timestamp = Timestamp(1_795_262_400_000_000);

/// Defines tests of rules that hold on both databases: each rule becomes two tests.
macro_rules! on_both {
    ($($(#[$meta:meta])* async fn $rule:ident($f:ident: &Fixture) $body:block)*) => { $(
        $(#[$meta])*
        mod $rule {
            use super::*;

            async fn rule($f: &Fixture) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                let fixture = $crate::fixture::Fixture::sqlite().await;
                rule(&fixture).await;
                fixture.end().await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                let fixture = $crate::fixture::Fixture::postgres().await;
                rule(&fixture).await;
                fixture.end().await;
            }
        }
    )* };
}
pub(crate) use on_both;

static NEXT: AtomicU64 = AtomicU64::new(1);

/// A new id, later than every one before.
pub(crate) fn new_id<K: Kind>() -> Id<K> {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Id::from_uuid(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 | u128::from(number)))
}

fn new_transaction_id() -> TransactionId {
    new_id()
}

/// Bookings at this instant, with new ids.
pub(crate) fn at(now: Timestamp) -> Booking<'static> {
    Booking { now, ids: &new_transaction_id }
}

/// Changes at this instant, with new ids.
pub(crate) fn writing(now: Timestamp) -> Writing<'static> {
    Writing {
        now,
        transactions: &new_transaction_id,
        events: &new_id::<kinds::Event>,
        deliveries: &new_id::<kinds::Delivery>,
        jobs: &new_id::<kinds::Job>,
    }
}

/// A lease of 30 s from this instant.
pub(crate) fn lease(owner: &str, from: Timestamp) -> Lease {
    Lease { owner: owner.to_owned(), until: from.plus_seconds(30) }
}

/// A key to store; its hash is made from its id.
pub(crate) struct KeyParts {
    pub(crate) id: KeyId,
    pub(crate) hash: Vec<u8>,
}

impl KeyParts {
    pub(crate) fn new() -> Self {
        let id: KeyId = new_id();
        Self { id, hash: id.to_string().into_bytes() }
    }

    pub(crate) fn key(&self, environment: Environment, scopes: Scopes) -> NewKey<'_> {
        NewKey {
            id: self.id,
            hash: &self.hash,
            hint: "wxyz",
            name: "a key",
            scopes,
            environment,
            expires_at: None,
        }
    }
}

/// A fresh, migrated database.
pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) url: String,
    broken: AtomicBool,
    /// The SQLite database's folder, or the PostgreSQL database's name.
    folder: Option<tempfile::TempDir>,
    database: Option<String>,
}

/// A database's URL, its folder on SQLite and its name on PostgreSQL.
type Place = (String, Option<tempfile::TempDir>, Option<String>);

fn in_folder(made: std::io::Result<tempfile::TempDir>) -> Place {
    let folder = made.expect("a temporary folder");
    (format!("sqlite://{}/lectern.db", folder.path().display()), Some(folder), None)
}

impl Deref for Fixture {
    type Target = Store;
    fn deref(&self) -> &Store {
        &self.store
    }
}

impl Fixture {
    pub(crate) async fn sqlite() -> Self {
        let fixture = Self::empty(Backend::Sqlite).await;
        fixture.migrate(NOON).await.expect("it migrates");
        fixture
    }

    pub(crate) async fn postgres() -> Self {
        let fixture = Self::empty(Backend::Postgres).await;
        fixture.migrate(NOON).await.expect("it migrates");
        fixture
    }

    /// A migrated SQLite database in a folder of its own below this one.
    pub(crate) async fn sqlite_in(parent: &Path) -> Self {
        let fixture = Self::open(in_folder(tempfile::tempdir_in(parent))).await;
        fixture.migrate(NOON).await.expect("it migrates");
        fixture
    }

    /// An empty database.
    pub(crate) async fn empty(backend: Backend) -> Self {
        Self::open(match backend {
            Backend::Sqlite => in_folder(tempfile::tempdir()),
            Backend::Postgres => {
                let (name, url) = cluster::create().await;
                (url, None, Some(name))
            }
        })
        .await
    }

    async fn open((url, folder, database): Place) -> Self {
        let store = Store::open(&StoreOptions::new(url.as_str())).await.expect("it opens");
        Self { store, url, broken: AtomicBool::new(false), folder, database }
    }

    /// Ends a test: whatever it did, the books must balance.
    pub(crate) async fn end(self) {
        if !self.broken.load(Ordering::Relaxed) {
            let found = ledger::verify(&self.store).await.expect("it verifies");
            assert_eq!(found.first_difference, None, "the rule left the books unbalanced");
        }
        self.store.close().await;
        if let Some(name) = self.database {
            cluster::remove(&name).await;
        }
        drop(self.folder);
    }

    /// Declares that the test breaks the books, so that their balance is not checked at the end.
    pub(crate) fn break_books(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }

    /// Runs SQL without going through the store; returns how many rows it touched.
    pub(crate) async fn sql(&self, sql: &str) -> Result<u64, sqlx::Error> {
        cluster::run(&self.url, sql).await
    }

    /// A PostgreSQL connection of its own that holds a lock on a row of this table until it rolls
    /// back.
    pub(crate) async fn locked(&self, table: &str, id: &str) -> sqlx::PgConnection {
        let mut locking = sqlx::PgConnection::connect(&self.url).await.expect("it connects");
        let row = sqlx::AssertSqlSafe(format!("BEGIN; SELECT 1 FROM {table} WHERE id = '{id}' FOR UPDATE"));
        locking.execute(sqlx::raw_sql(row)).await.expect("it locks");
        locking
    }

    /// The integer that a query returns, without going through the store.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        cluster::number(&self.url, sql).await.expect("it reads").expect("it gives a row")
    }

    /// An invited account with a live key of all scopes and this many credits granted.
    pub(crate) async fn account(&self, credits: i64) -> (AccountId, KeyId) {
        let parts = KeyParts::new();
        let id = new_id();
        let token = id.to_string();
        let invite = NewInvite {
            account: id,
            email: &format!("{id}@example.org"),
            tier: Tier::Free,
            token_hash: token.as_bytes(),
            expires_at: NOON.plus_seconds(14 * 86_400),
            keys: &[parts.key(Environment::Live, Scopes::ALL)],
            credits: Credits::ZERO,
        };
        let outcome = accounts::invite(&self.store, &invite, at(NOON)).await.expect("it invites");
        assert!(matches!(outcome, InviteOutcome::Created(_)), "{outcome:?}");
        if credits > 0 {
            let grant = ledger::add(&self.store, id, Addition::Grant, Credits(credits), None, at(NOON)).await;
            assert!(grant.expect("it grants").is_some());
        }
        (id, parts.id)
    }
}
