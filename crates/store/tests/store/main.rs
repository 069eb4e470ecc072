//! The store's rules, each tried on SQLite and on PostgreSQL.
//!
//! A rule is written once (see `fixture::on_both!`) and becomes two tests, `…::sqlite` and `…::postgres`. Nothing is
//! skipped: where no PostgreSQL can be found, its half fails and says what to install.
//!
//! Negative controls. Each guard was taken away once, and the named test failed then:
//! - `AND balance - held >= $2` in `ledger::book::hold`: `parallel_holds_never_overspend` (the database's own
//!   check then refuses with an error instead of the outcome);
//! - `AND owner = $5` in `ledger::book::settle`: `only_the_owner_settles_a_hold`;
//! - the triggers and checks of the migrations, one by one: `the_ledger_refuses_change_by_direct_sql`;
//! - `dialect::lock_account` without `FOR NO KEY UPDATE`: `of_two_revocations_of_the_last_admin_keys_one_succeeds`
//!   on PostgreSQL;
//! - the `WHERE` of the idempotency upsert: `of_many_identical_requests_one_begins`;
//! - `AND owner = $6` in `idempotency::finish` and `book::settle`: `who_lost_the_lease_can_change_nothing`;
//! - each query of `ledger::verify`: `verification_names_each_kind_of_difference`.

mod accounts;
mod cluster;
mod consent;
mod ereaders;
mod fixture;
mod idempotency;
mod keys;
mod ledger;
mod operations;
mod schema;
mod syntheses;
