//! The few statements that differ between SQLite and PostgreSQL. All other SQL is common to both.

/// Which database a store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// SQLite, in one file.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// The channel of this database's Lectern on PostgreSQL. It carries the schema, for a database may
/// hold several.
macro_rules! channel {
    () => {
        "LEFT('lectern.' || current_schema(), 63)"
    };
}

/// The name of the channel, on PostgreSQL.
pub(crate) const CHANNEL: &str = concat!("SELECT ", channel!());

/// Says `$1` on the channel, on PostgreSQL.
pub(crate) const ANNOUNCE: &str = concat!("SELECT CAST(pg_notify(", channel!(), ", $1) AS TEXT)");

/// Microseconds since 1970 by the server's clock, whenever it is asked within a transaction.
pub(crate) const fn clock(backend: Backend) -> Option<&'static str> {
    match backend {
        Backend::Sqlite => None,
        Backend::Postgres => Some("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)"),
    }
}

/// 0 when the database takes writes, 1 when it is a standby, 2 when it was set to take none.
pub(crate) const fn read_only(backend: Backend) -> &'static str {
    match backend {
        // Whether a file can be written is seen when it is opened.
        Backend::Sqlite => "SELECT CAST(0 AS BIGINT)",
        Backend::Postgres => {
            "SELECT CASE WHEN pg_is_in_recovery() THEN CAST(1 AS BIGINT)
                 WHEN current_setting('transaction_read_only') = 'on' THEN CAST(2 AS BIGINT) ELSE CAST(0 AS BIGINT) END"
        }
    }
}

/// The addresses of accounts that are stored under a key of other characters than ASCII's.
pub(crate) const fn addresses_beyond_ascii(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "SELECT email FROM accounts WHERE email_key GLOB '*[^ -~]*' ORDER BY email_key",
        Backend::Postgres => "SELECT email FROM accounts WHERE email_key ~ '[^ -~]' ORDER BY email_key",
    }
}

/// One row if the table `$1` exists.
pub(crate) const fn table_exists(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = $1",
        Backend::Postgres => {
            "SELECT table_name::TEXT FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = $1"
        }
    }
}

/// Lets one process migrate at a time until the transaction ends. SQLite's write lock does so
/// already. The number is any that no other program on the database is likely to take.
pub(crate) const fn lock_migrations(backend: Backend) -> Option<&'static str> {
    match backend {
        Backend::Sqlite => None,
        Backend::Postgres => Some("SELECT pg_advisory_xact_lock(7310312340721)"),
    }
}

/// Takes the leader lock for this session, on PostgreSQL; 1 when it is taken. Its key holds the
/// schema, as does the name of the channel.
pub(crate) const TAKE_LEADER_LOCK: &str =
    "SELECT CASE WHEN pg_try_advisory_lock(hashtextextended('lectern duties ' || current_schema(), 0))
         THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END";

/// Ends this session, on PostgreSQL, when its process says nothing for half a minute: one that
/// stands still keeps no lock. Before version 14 there is no such setting, and the lock ends with
/// the connection.
pub(crate) const KEEP_SESSION_WHILE_USED: &str =
    "SELECT set_config(name, '30s', false) FROM pg_settings WHERE name = 'idle_session_timeout'";

/// Locks the account `$1` against others who lock it until the transaction ends; one row if it
/// exists. SQLite's one writer has it already. `NO KEY` lets rows that refer to the account be
/// added meanwhile.
pub(crate) const fn lock_account(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "SELECT id FROM accounts WHERE id = $1",
        Backend::Postgres => "SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE",
    }
}

/// The end of a statement that reads rows with an `id` out of a list and locks them, always in the
/// same order, against others who lock them until the transaction ends. SQLite's one writer has
/// them already. `NO KEY` lets rows that refer to them be added meanwhile.
pub(crate) const fn locking(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => ") ORDER BY id",
        Backend::Postgres => ") ORDER BY id FOR NO KEY UPDATE",
    }
}

/// As [`locking`], but only rows that no other transaction has locked.
pub(crate) const fn locking_what_is_free(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => ") ORDER BY id",
        Backend::Postgres => ") ORDER BY id FOR NO KEY UPDATE SKIP LOCKED",
    }
}

/// Locks the balances of accounts, as [`locking`] does: what the list of ids comes between. None on
/// SQLite.
pub(crate) const fn lock_balances(backend: Backend) -> Option<(&'static str, &'static str)> {
    match backend {
        Backend::Sqlite => None,
        Backend::Postgres => Some((
            "SELECT account_id FROM account_balances WHERE account_id IN (",
            ") ORDER BY account_id FOR NO KEY UPDATE",
        )),
    }
}

macro_rules! claim_jobs {
    ($looking:literal) => {
        concat!(
            ") UPDATE jobs SET status = 'running', claim_epoch = claim_epoch + 1, worker = $3, lease_until = $4,
                 updated_at = $2
             WHERE status = 'queued' AND id ",
            $looking,
            " RETURNING id, kind, claim_epoch, account_id, environment, material_id, chunk_index, engine,
                 detail, attempts, lost_leases, turn"
        )
    };
}

/// The end of a statement that begins with a table `portions` of kinds, engines, accounts and numbers
/// of jobs, and how many portions it takes. It claims that many jobs of each portion that have the
/// priority `$1` and are due at `$2`, for the worker `$3` until `$4`. On PostgreSQL a concurrent
/// claim gets the jobs after these. They are looked up once, because an `IN` may be evaluated for
/// each row. SQLite has one writer, and no `LATERAL`.
pub(crate) const fn claim_jobs(backend: Backend) -> (&'static str, usize) {
    match backend {
        Backend::Sqlite => (
            claim_jobs!(
                "IN (SELECT id FROM jobs
                     WHERE status = 'queued' AND kind = (SELECT kind FROM portions)
                         AND engine = (SELECT engine FROM portions) AND priority = $1
                         AND account_id = (SELECT account_id FROM portions) AND run_at <= $2
                     ORDER BY turn, id LIMIT (SELECT jobs FROM portions))"
            ),
            1,
        ),
        Backend::Postgres => (
            claim_jobs!(
                "= ANY(ARRAY(SELECT next.id FROM portions p, LATERAL (
                     SELECT j.id FROM jobs j
                     WHERE j.status = 'queued' AND j.kind = p.kind AND j.engine = p.engine AND j.priority = $1
                         AND j.account_id = p.account_id AND j.run_at <= $2
                     ORDER BY j.turn, j.id LIMIT p.jobs FOR NO KEY UPDATE SKIP LOCKED) next))"
            ),
            100,
        ),
    }
}

/// The end of a statement that reads the active webhooks of accounts and environments out of a
/// list, kept from being disabled or deleted until the transaction ends: what it writes for them is
/// written to active ones.
pub(crate) const fn keeping_webhooks(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => ") AND status = 'active' ORDER BY id",
        Backend::Postgres => ") AND status = 'active' ORDER BY id FOR SHARE",
    }
}

/// Locks the webhook `$1` of the account `$2` in the environment `$3` against all others who lock
/// it, events included, until the transaction ends; one row if there is one that is not deleted.
pub(crate) const fn lock_webhook(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => {
            "SELECT id FROM webhooks WHERE id = $1 AND account_id = $2 AND environment = $3 AND status <> 'deleted'"
        }
        Backend::Postgres => {
            "SELECT id FROM webhooks WHERE id = $1 AND account_id = $2 AND environment = $3 AND status <> 'deleted'
             FOR NO KEY UPDATE"
        }
    }
}

/// The end of a statement that begins with a table `ended` of webhooks and how many attempts at
/// each failed: it reads those that were failing or begin to, and locks them as [`locking`] does.
pub(crate) const fn locking_webhooks_that_may_change(backend: Backend) -> &'static str {
    macro_rules! end {
        ($lock:literal) => {
            concat!(
                ") SELECT w.id, w.status, w.failing_since FROM webhooks w JOIN ended ON ended.id = w.id
                 WHERE ended.failures > 0 OR w.failing_since IS NOT NULL ORDER BY w.id",
                $lock
            )
        };
    }
    match backend {
        Backend::Sqlite => end!(""),
        Backend::Postgres => end!(" FOR NO KEY UPDATE OF w"),
    }
}

/// The end of a statement that changes deliveries in progress; the text before it selects their
/// ids. On PostgreSQL it skips rows that others have locked, so that it never waits, whatever order
/// others lock in.
pub(crate) const fn passing_over_locked_deliveries(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "))",
        Backend::Postgres => ") FOR NO KEY UPDATE SKIP LOCKED)",
    }
}

/// Deletes at most `$2` rows of idempotency whose time was over at `$1`. On PostgreSQL those that
/// somebody has locked, who takes one up again or sweeps too, wait for the next round: two who lock
/// many in different orders would wait for each other.
pub(crate) const fn sweep_idempotency(backend: Backend) -> &'static str {
    macro_rules! sweep {
        ($lock:literal) => {
            concat!(
                "DELETE FROM idempotency_keys WHERE (account_id, environment, method, path, key) IN (
                     SELECT account_id, environment, method, path, key FROM idempotency_keys
                     WHERE expires_at <= $1 AND (finished_at IS NOT NULL OR lease_until <= $1)
                     ORDER BY expires_at LIMIT $2",
                $lock,
                ")"
            )
        };
    }
    match backend {
        Backend::Sqlite => sweep!(""),
        Backend::Postgres => sweep!(" FOR UPDATE SKIP LOCKED"),
    }
}

/// The end of the statement that claims deliveries. On PostgreSQL those that others are claiming
/// are passed over.
pub(crate) const fn claiming_deliveries(backend: Backend) -> &'static str {
    macro_rules! end {
        ($lock:literal) => {
            concat!(") ORDER BY id", $lock, ") RETURNING id, claim_epoch, attempt_count")
        };
    }
    match backend {
        Backend::Sqlite => end!(""),
        Backend::Postgres => end!(" FOR NO KEY UPDATE SKIP LOCKED"),
    }
}
