//! The store's rules, each tried on SQLite and on PostgreSQL.
//!
//! A rule is written once (see `fixture::on_both!`) and becomes two tests, `…::sqlite` and `…::postgres`. Nothing is
//! skipped: where no PostgreSQL can be found, its half fails and says what to install.
//!
//! Negative controls. Each of these was taken away, and the test named after it failed on both databases:
//! - in `ledger::book`, the condition of `hold` on what is available (`parallel_holds_never_overspend`: the
//!   database's own check refuses then, with an error in place of the outcome), that of `settle` on the owner
//!   (`only_the_owner_settles_a_hold`, `who_lost_the_lease_can_change_nothing`), on the hold being open
//!   (`a_hold_is_settled_once`) and on the lease (`a_hold_whose_lease_ended_is_given_back_unless_renewed`);
//! - in `idempotency`, the upsert's condition (`of_many_identical_requests_one_begins`), the comparison of
//!   fingerprints (`another_body_under_a_live_or_finished_key_is_named_at_once`), the owner in `finish`;
//! - in `syntheses`, the adoption of the dead attempt's hold (`after_a_crash_the_same_key_takes_over_…`), account
//!   and environment in `find` (`a_committed_synthesis_is_found_by_its_account_in_its_environment`);
//! - `FOR NO KEY UPDATE` in `dialect` (`of_two_revocations_of_the_last_admin_keys_one_succeeds`, on PostgreSQL;
//!   SQLite's one writer needs no lock);
//! - the condition of `keys::touch` (`a_use_is_noted_once_a_minute`), of `sandbox::add`
//!   (`the_sandbox_counts_up_to_its_cap_and_not_beyond`);
//! - the triggers and checks of the migrations: `the_ledger_refuses_change_by_direct_sql` then lists what went
//!   through. `verification_names_each_kind_of_difference` breaks and mends each figure by itself.

#![expect(clippy::expect_used, reason = "a test ends where something it relies on fails")]

mod accounts;
mod clock_steps;
#[path = "../../../testkit/src/cluster.rs"]
mod cluster;
mod consent;
mod conversions;
mod deliveries;
mod ereaders;
mod fixture;
mod idempotency;
mod jobs;
mod keys;
mod leader_lock;
mod ledger;
mod mails;
mod materials;
mod notifications;
mod operations;
mod purchases;
mod registration;
mod rounds;
mod schema;
mod sessions;
mod syntheses;
mod upgrade;
mod usage;
