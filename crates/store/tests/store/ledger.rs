//! The ledger and its holds.

use lectern_store::{
    Error,
    ledger::{self, Addition, HoldId, HoldOutcome, SettleOutcome},
};
use lectern_types::{AccountId, Credits, TransactionKind};

use crate::fixture::{Fixture, NOON, at, lease, new_id, on_both, writing};

async fn take(f: &Fixture, account: AccountId, credits: i64, owner: &str) -> HoldId {
    let taken =
        ledger::hold(f, account, Credits(credits), &lease(owner, NOON), Some("syn_x"), writing(NOON)).await;
    match taken.expect("it answers") {
        HoldOutcome::Held(hold) => hold,
        HoldOutcome::Insufficient { available } => panic!("only {available}"),
    }
}

async fn funds(f: &Fixture, account: AccountId) -> (i64, i64) {
    let balance = ledger::balance(f, account).await.expect("it reads").expect("there is one");
    assert_eq!(balance.available().0, balance.balance.0 - balance.held.0);
    (balance.balance.0, balance.held.0)
}

/// Kind, credits and balance after each row, oldest first.
async fn rows(f: &Fixture, account: AccountId) -> Vec<(TransactionKind, i64, i64)> {
    let page = ledger::transactions(f, account, None, 100).await.expect("it reads");
    page.into_iter().rev().map(|row| (row.kind, row.credits.0, row.balance_after.0)).collect()
}

use TransactionKind::{Charge, Grant, Hold, Purchase, Refund, Release};

on_both! {
    async fn one_synthesis_lists_hold_release_and_charge(f: &Fixture) {
        let (account, _) = f.account(100).await;
        let hold = take(f, account, 40, "a").await;
        assert_eq!(funds(f, account).await, (100, 40));
        let settled = ledger::capture(f, account, hold, "a", Credits(30), at(NOON)).await.expect("it answers");
        assert_eq!(settled, SettleOutcome::Settled { charged: Credits(30) });
        assert_eq!(funds(f, account).await, (70, 0));
        assert_eq!(rows(f, account).await, [(Grant, 100, 100), (Hold, -40, 100), (Release, 40, 100), (Charge, -30, 70)]);
        let newest = &ledger::transactions(f, account, None, 1).await.expect("it reads")[0];
        assert_eq!(newest.reference.as_deref(), Some("syn_x"));
    }

    async fn a_released_hold_charges_nothing_and_a_hold_is_never_charged_for_more(f: &Fixture) {
        let (account, _) = f.account(100).await;
        let first = take(f, account, 60, "a").await;
        let released = ledger::release(f, account, first, "a", at(NOON)).await.expect("it answers");
        assert_eq!(released, SettleOutcome::Settled { charged: Credits::ZERO });
        let second = take(f, account, 60, "a").await;
        let cut = ledger::capture(f, account, second, "a", Credits(99), at(NOON)).await.expect("it answers");
        assert_eq!(cut, SettleOutcome::Settled { charged: Credits(60) });
        let third = take(f, account, 40, "a").await;
        let none = ledger::capture(f, account, third, "a", Credits(-5), at(NOON)).await.expect("it answers");
        assert_eq!(none, SettleOutcome::Settled { charged: Credits::ZERO });
        assert_eq!(funds(f, account).await, (40, 0));
    }

    async fn a_hold_is_settled_once(f: &Fixture) {
        let (account, _) = f.account(100).await;
        let hold = take(f, account, 40, "a").await;
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..16 {
            let store = f.store.clone();
            tasks.spawn(async move {
                ledger::capture(&store, account, hold, "a", Credits(number), at(NOON)).await.expect("it answers")
            });
        }
        let outcomes = tasks.join_all().await;
        assert_eq!(outcomes.iter().filter(|&&o| o != SettleOutcome::Gone).count(), 1, "{outcomes:?}");
        assert_eq!(funds(f, account).await.1, 0);
    }

    async fn only_the_owner_settles_a_hold(f: &Fixture) {
        let (account, _) = f.account(100).await;
        let (other, _) = f.account(100).await;
        let hold = take(f, account, 40, "a").await;
        let capture = |account, owner| ledger::capture(f, account, hold, owner, Credits(1), at(NOON));
        assert_eq!(capture(account, "b").await.expect("it answers"), SettleOutcome::Gone);
        assert_eq!(capture(other, "a").await.expect("it answers"), SettleOutcome::Gone);
        assert!(!ledger::renew(f, account, hold, &lease("b", NOON)).await.expect("it answers"));
        assert_eq!(funds(f, account).await, (100, 40));
        assert_ne!(capture(account, "a").await.expect("it answers"), SettleOutcome::Gone);
    }

    async fn parallel_holds_never_overspend(f: &Fixture) {
        let (account, _) = f.account(100).await;
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..64 {
            let store = f.store.clone();
            tasks.spawn(async move {
                let lease = lease("a", NOON);
                ledger::hold(&store, account, Credits(7), &lease, None, writing(NOON)).await.expect("it answers")
            });
        }
        let outcomes = tasks.join_all().await;
        let taken = outcomes.iter().filter(|o| matches!(o, HoldOutcome::Held(_))).count();
        assert_eq!(taken, 14, "14 × 7 = 98 of 100");
        assert!(outcomes.contains(&HoldOutcome::Insufficient { available: Credits(2) }));
        assert_eq!(funds(f, account).await, (100, 98));
    }

    async fn too_little_is_an_outcome_and_changes_nothing(f: &Fixture) {
        let (account, _) = f.account(10).await;
        let hold = |account, credits| {
            async move { ledger::hold(f, account, Credits(credits), &lease("a", NOON), None, writing(NOON)).await }
        };
        let outcome = hold(account, 11).await.expect("it answers");
        assert_eq!(outcome, HoldOutcome::Insufficient { available: Credits(10) });
        let nobody = hold(new_id(), 1).await.expect("it answers");
        assert_eq!(nobody, HoldOutcome::Insufficient { available: Credits::ZERO });
        for nothing in [0, -1, i64::MIN] {
            assert!(matches!(hold(account, nothing).await, Err(Error::CreditsOutOfRange)));
        }
        assert_eq!(rows(f, account).await, [(Grant, 10, 10)]);
        assert!(matches!(hold(account, 10).await, Ok(HoldOutcome::Held(_))), "all of it can be held");
    }

    async fn additions_are_positive_and_only_a_purchase_counts_as_one(f: &Fixture) {
        let (account, _) = f.account(0).await;
        let add = |source, credits| ledger::add(f, account, source, Credits(credits), Some("why"), at(NOON));
        for nothing in [0, -1, i64::MIN] {
            assert!(matches!(add(Addition::Grant, nothing).await, Err(Error::CreditsOutOfRange)));
        }
        add(Addition::Grant, 5).await.expect("it adds").expect("there is an account");
        add(Addition::Refund, 6).await.expect("it adds").expect("there is an account");
        let balance = ledger::balance(f, account).await.expect("it reads").expect("there is one");
        assert!(!balance.has_purchased_credits);
        let row = add(Addition::Purchase, 7).await.expect("it adds").expect("there is an account");
        assert_eq!((row.kind, row.balance_after, row.reference.as_deref()), (Purchase, Credits(18), Some("why")));
        let balance = ledger::balance(f, account).await.expect("it reads").expect("there is one");
        assert!(balance.has_purchased_credits);
        let over = add(Addition::Purchase, i64::MAX).await;
        assert!(matches!(over, Err(Error::CreditsOutOfRange)), "{over:?}");
        assert_eq!(rows(f, account).await, [(Grant, 5, 5), (Refund, 6, 11), (Purchase, 7, 18)]);
        let nobody = ledger::add(f, new_id(), Addition::Grant, Credits(1), None, at(NOON)).await;
        assert_eq!(nobody.expect("it answers"), None);
        assert_eq!(ledger::balance(f, new_id()).await.expect("it reads"), None);
    }

    async fn a_hold_whose_lease_ended_is_given_back_unless_renewed(f: &Fixture) {
        let (account, _) = f.account(100).await;
        let dead = take(f, account, 10, "a").await;
        let alive = take(f, account, 20, "b").await;
        let end = NOON.plus_seconds(30);
        assert_eq!(ledger::settle_due(f, end, 100, at(end)).await.expect("it settles"), 0, "a lease is still valid at its end");
        let renewed = ledger::renew(f, account, alive, &lease("b", end)).await.expect("it answers");
        assert!(renewed);
        let past = end.plus_micros(1);
        assert_eq!(ledger::settle_due(f, past, 100, at(past)).await.expect("it settles"), 1);
        assert_eq!(funds(f, account).await, (100, 20));
        let late = ledger::capture(f, account, dead, "a", Credits(10), at(past)).await.expect("it answers");
        assert_eq!(late, SettleOutcome::Gone, "a released hold cannot be charged");
        assert_eq!(ledger::settle_due(f, past.plus_seconds(99), 100, at(past)).await.expect("it settles"), 1);
        assert_eq!(funds(f, account).await, (100, 0));
    }

    async fn the_ledger_is_read_in_pages_newest_first(f: &Fixture) {
        let (account, _) = f.account(1).await;
        for credits in 2..=7 {
            ledger::add(f, account, Addition::Grant, Credits(credits), None, at(NOON)).await.expect("it adds");
        }
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let page = ledger::transactions(f, account, before, 3).await.expect("it reads");
            let Some(last) = page.last() else { break };
            before = Some(last.id);
            seen.extend(page.iter().map(|row| row.credits.0));
        }
        assert_eq!(seen, [7, 6, 5, 4, 3, 2, 1]);
        let (other, _) = f.account(1).await;
        let foreign = ledger::transactions(f, other, before, 3).await.expect("it reads");
        assert_eq!(foreign, [], "another account's row is not a valid cursor");
    }

    async fn the_ledger_refuses_change_by_direct_sql(f: &Fixture) {
        let (account, _) = f.account(100).await;
        let open = take(f, account, 10, "a").await;
        let settled = take(f, account, 10, "a").await;
        ledger::capture(f, account, settled, "a", Credits(4), at(NOON)).await.expect("it settles");
        let (open, settled) = (open.0, settled.0);
        // Each row has its own id and number, so that none is refused only because of the row
        // before it.
        let mut number = 90;
        let mut row = |kind: &str, credits: i64, from: &str, to: &str, hold: &str| {
            number += 1;
            format!(
                "INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account,
                     balance_after, held_after, hold_id, created_at)
                 VALUES ('txn_{number}', '{account}', {number}, '{kind}', {credits}, '{from}', '{to}',
                     1000, 0, {hold}, 0)"
            )
        };
        let mut forbidden = vec![
            "UPDATE ledger_transactions SET credits = credits + 1".to_owned(),
            "UPDATE ledger_transactions SET reference = 'x'".to_owned(),
            "DELETE FROM ledger_transactions WHERE kind = 'grant'".to_owned(),
            "DELETE FROM holds".to_owned(),
            format!("UPDATE holds SET credits = 11 WHERE id = '{open}'"),
            format!("UPDATE holds SET settled_at = NULL, charged = NULL WHERE id = '{settled}'"),
            format!("UPDATE holds SET charged = 11, settled_at = 1 WHERE id = '{open}'"),
            "DELETE FROM account_balances".to_owned(),
            "UPDATE account_balances SET balance = -1, held = 0".to_owned(),
            "UPDATE account_balances SET held = -1".to_owned(),
            "UPDATE account_balances SET held = balance + 1".to_owned(),
            row("grant", -5, "sys:grants", &account.to_string(), "NULL"),
            row("grant", 5, "sys:revenue", &account.to_string(), "NULL"),
            row("grant", 5, "sys:grants", "acc_another", "NULL"),
            row("charge", 5, &account.to_string(), "sys:revenue", "NULL"),
            row("gift", 5, "sys:grants", &account.to_string(), "NULL"),
            // A hold charged a second time.
            row("charge", -1, &account.to_string(), "sys:revenue", &format!("'{settled}'")),
        ];
        if f.backend() == lectern_store::Backend::Postgres {
            forbidden.extend(["TRUNCATE ledger_transactions CASCADE", "TRUNCATE holds", "TRUNCATE account_balances"].map(str::to_owned));
        } else {
            forbidden.push(format!("INSERT OR REPLACE INTO ledger_transactions SELECT id, account_id, seq, 'grant', 7, 'sys:grants',
                account_id, 7, 0, NULL, NULL, 0 FROM ledger_transactions WHERE kind = 'grant' AND account_id = '{account}'"));
        }
        let mut taken = Vec::new();
        for sql in forbidden {
            if f.sql(&sql).await.is_ok() {
                taken.push(sql);
            }
        }
        assert_eq!(taken, Vec::<String>::new(), "these statements were accepted");
        // The form of the statements is valid: a similar one within the rules is accepted.
        f.sql(&row("grant", 5, "sys:grants", &account.to_string(), "NULL")).await.expect("a row within the rules");
        f.break_books();
    }

    async fn verification_names_each_kind_of_difference(f: &Fixture) {
        f.break_books();
        let (account, _) = f.account(100).await;
        let (other, _) = f.account(50).await;
        let open = take(f, account, 10, "a").await.0;
        let settled = take(f, account, 20, "a").await;
        ledger::capture(f, account, settled, "a", Credits(4), at(NOON)).await.expect("it settles");
        let found = ledger::verify(f).await.expect("it verifies");
        assert_eq!((found.accounts, found.transactions, found.first_difference), (2, 6, None));

        let triggers = match f.backend() {
            lectern_store::Backend::Sqlite => "DROP TRIGGER ledger_transactions_no_update; DROP TRIGGER holds_settled_once;
                DROP TRIGGER ledger_transactions_no_delete; DROP TRIGGER holds_no_delete",
            lectern_store::Backend::Postgres => "DROP TRIGGER ledger_transactions_no_update ON ledger_transactions;
                DROP TRIGGER ledger_transactions_no_delete ON ledger_transactions;
                DROP TRIGGER holds_settled_once ON holds; DROP TRIGGER holds_no_delete ON holds",
        };
        f.sql(triggers).await.expect("the guards are taken away");
        let settled = settled.0;
        // The statement that breaks a row, the statement that repairs it, and the account that the
        // verification must name, with the computed and the stored value.
        let breaks = [
            (format!("UPDATE account_balances SET balance = 97 WHERE account_id = '{account}'"),
             format!("UPDATE account_balances SET balance = 96 WHERE account_id = '{account}'"),
             account.to_string(), (96, 97)),
            (format!("UPDATE account_balances SET held = 11 WHERE account_id = '{account}'"),
             format!("UPDATE account_balances SET held = 10 WHERE account_id = '{account}'"),
             account.to_string(), (10, 11)),
            (format!("UPDATE account_balances SET last_seq = 2 WHERE account_id = '{other}'"),
             format!("UPDATE account_balances SET last_seq = 1 WHERE account_id = '{other}'"),
             other.to_string(), (2, 1)),
            (format!("UPDATE ledger_transactions SET balance_after = 99 WHERE id = '{open}'"),
             format!("UPDATE ledger_transactions SET balance_after = 100 WHERE id = '{open}'"),
             open.to_string(), (100, 99)),
            (format!("UPDATE ledger_transactions SET held_after = 9 WHERE id = '{open}'"),
             format!("UPDATE ledger_transactions SET held_after = 10 WHERE id = '{open}'"),
             open.to_string(), (10, 9)),
            (format!("UPDATE holds SET credits = 12 WHERE id = '{open}'"),
             format!("UPDATE holds SET credits = 10 WHERE id = '{open}'"),
             account.to_string(), (12, 10)),
            (format!("UPDATE holds SET credits = 21 WHERE id = '{settled}'"),
             format!("UPDATE holds SET credits = 20 WHERE id = '{settled}'"),
             settled.to_string(), (20, 21)),
            (format!("UPDATE holds SET charged = 5 WHERE id = '{settled}'"),
             format!("UPDATE holds SET charged = 4 WHERE id = '{settled}'"),
             settled.to_string(), (4, 5)),
            (format!("UPDATE ledger_transactions SET hold_id = 'txn_0' WHERE kind = 'release' AND hold_id = '{settled}'"),
             format!("UPDATE ledger_transactions SET hold_id = '{settled}' WHERE hold_id = 'txn_0'"),
             String::new(), (20, 0)),
        ];
        for (break_it, mend_it, subject, (expected, found_value)) in breaks {
            assert_eq!(f.sql(&break_it).await.expect("it is broken"), 1, "{break_it}");
            let found = ledger::verify(f).await.expect("it verifies").first_difference;
            let found = found.unwrap_or_else(|| panic!("not seen: {break_it}"));
            assert!(subject.is_empty() || found.subject == subject, "{break_it}: {found:?}");
            assert_eq!((found.expected.abs(), found.found), (expected, found_value), "{break_it}: {found:?}");
            assert_eq!(f.sql(&mend_it).await.expect("it is mended"), 1);
            assert_eq!(ledger::verify(f).await.expect("it verifies").first_difference, None, "{mend_it}");
        }
        // A deleted row, with the balance adjusted to fit.
        let gone = format!("DELETE FROM ledger_transactions WHERE account_id = '{other}'");
        assert_eq!(f.sql(&gone).await.expect("it is broken"), 1);
        f.sql(&format!("UPDATE account_balances SET balance = 0 WHERE account_id = '{other}'")).await.expect("ok");
        let found = ledger::verify(f).await.expect("it verifies").first_difference.expect("a gap");
        assert_eq!((found.subject, found.expected, found.found), (other.to_string(), 1, 0));
    }
}
