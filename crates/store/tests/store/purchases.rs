//! Purchases in the table. Their effects are tested through the service
//! (`crates/server/tests/api/web/buying.rs`).

use lectern_store::{
    Backend,
    purchases::{self, AskOutcome, NewPurchase},
};
use lectern_types::{Credits, PaymentProvider};

use crate::fixture::{Fixture, NOON, new_id, on_both};

on_both! {
    // Negative control: without migration 10, the table rejects the provider.
    async fn a_provider_needs_no_migration_and_all_other_rules_stand(f: &Fixture) {
        let (account, _) = f.account(10).await;
        let row = |id: &str, provider: &str, status: &str, credits: i64| {
            format!(
                "INSERT INTO purchases (id, account_id, provider, status, credits, price_minor, currency, created_at, updated_at)
                 VALUES ('{id}', '{account}', '{provider}', '{status}', {credits}, 1, 'eur', 0, 0)"
            )
        };
        assert_eq!(f.sql(&row("a", "another", "pending", 1)).await.expect("it is written"), 1);
        f.sql(&row("b", "manual", "wished_for", 1)).await.expect_err("a status nobody knows");
        f.sql(&row("c", "manual", "pending", 0)).await.expect_err("no credits");
        f.sql(&row("d", "manual", "paid", 1)).await.expect_err("paid, and not booked");
        f.sql(&row("a", "manual", "pending", 1)).await.expect_err("the same id");
    }

    // SQLite rebuilds the table, which must lose neither rows nor indexes. PostgreSQL only drops a
    // constraint.
    async fn purchases_outlive_the_rebuilding_of_their_table(f: &Fixture) {
        let (account, _) = f.account(10).await;
        let new = NewPurchase {
            id: new_id(),
            provider: PaymentProvider::Stripe,
            credits: Credits(5),
            price_minor: 7,
            currency: "eur",
            automatic: None,
        };
        let asked = purchases::ask(f, account, &new, 10, None, NOON).await.expect("it answers");
        let AskOutcome::Noted(purchase) = asked else { panic!("{asked:?}") };
        if f.backend() == Backend::Sqlite {
            f.sql(include_str!("../../migrations/sqlite/0010_payment_providers.sql")).await.expect("it is rebuilt");
            // A later migration adds it.
            f.sql("ALTER TABLE purchases ADD COLUMN automatic INTEGER NOT NULL DEFAULT 0").await.expect("it is added");
            let indexes = "SELECT COUNT(*) FROM sqlite_schema WHERE tbl_name = 'purchases' AND name LIKE 'purchases_%'";
            assert_eq!(f.number(indexes).await, 2);
        }
        assert_eq!(purchases::find(f, account, new.id).await.expect("it reads"), Some(purchase));
    }
}
