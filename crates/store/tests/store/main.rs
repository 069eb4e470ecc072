//! The store's rules, each tested on SQLite and on PostgreSQL.
//!
//! A rule is written once (see `fixture::on_both!`) and becomes two tests, `…::sqlite` and
//! `…::postgres`. Nothing is skipped: where no PostgreSQL is found, its tests fail and say what to
//! install.
//!
//! Negative controls. Each of these was removed, and the named test then failed on both databases:
//! - in `ledger::posting`, the condition of `hold` on the available credits
//!   (`parallel_holds_never_overspend`: a check of the database then refuses, with an error instead
//!   of the outcome), and the conditions of `settle` on the owner (`only_the_owner_settles_a_hold`,
//!   `who_lost_the_lease_can_change_nothing`), on the hold being open (`a_hold_is_settled_once`) and
//!   on the lease (`a_hold_whose_lease_ended_is_given_back_unless_renewed`);
//! - in `idempotency`, the upsert's condition (`of_many_identical_requests_one_begins`), the comparison of
//!   fingerprints (`another_body_under_a_live_or_finished_key_is_named_at_once`), the owner in `finish`;
//! - in `syntheses`, the adoption of the dead attempt's hold (`after_a_crash_the_same_key_takes_over_…`), account
//!   and environment in `find` (`a_committed_synthesis_is_found_by_its_account_in_its_environment`);
//! - `FOR NO KEY UPDATE` in `dialect` (`of_two_revocations_of_the_last_admin_keys_one_succeeds`, on PostgreSQL;
//!   SQLite's one writer needs no lock);
//! - the condition of `keys::touch` (`a_use_is_noted_once_a_minute`), and that of `sandbox::add`
//!   (`the_sandbox_counts_up_to_its_cap_and_not_beyond`);
//! - the triggers and checks of the migrations: `the_ledger_refuses_change_by_direct_sql` then lists
//!   the accepted statements. `verification_names_each_kind_of_difference` breaks and repairs each
//!   figure separately.

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
