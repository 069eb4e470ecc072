//! Outgoing mails.

use lectern_store::{Backend, mails};

use crate::{
    fixture::{Fixture, NOON, on_both},
    registration::registered,
};

on_both! {
    // SQLite rebuilds the table, which must lose neither rows nor indexes. PostgreSQL only drops a constraint.
    async fn mails_outlive_the_rebuilding_of_their_table(f: &Fixture) {
        let account = registered(f, "ada@example.org").await.id;
        let before = mails::list(f, account, 10).await.expect("it reads");
        if f.backend() == Backend::Sqlite {
            f.sql(include_str!("../../migrations/sqlite/0024_mail_kinds.sql")).await.expect("it is rebuilt");
            let indexes = "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'outgoing_mails' AND name LIKE 'outgoing%'";
            assert_eq!(f.number(indexes).await, 3);
        }
        assert_eq!(mails::list(f, account, 10).await.expect("it reads"), before);
    }

    async fn a_mail_is_its_makers_first_and_anybodys_when_it_is_due(f: &Fixture) {
        let account = registered(f, "ada@example.org").await.id;
        let (due, until) = (NOON.plus_seconds(60), NOON.plus_seconds(120));
        let claimed = mails::claim_due(f, due.plus_seconds(-1), until, 10).await.expect("it answers");
        assert_eq!(claimed, [], "the mail is still reserved for its maker");
        let claimed = mails::claim_due(f, due, until, 10).await.expect("it answers");
        assert_eq!(claimed.len(), 1);
        assert_eq!((claimed[0].account, &claimed[0].sealed[..], claimed[0].attempts), (account, &b"sealed"[..], 0));
        assert_eq!(mails::claim_due(f, due, until, 10).await.expect("it answers"), []);

        mails::failed(f, claimed[0].id, "the server is away", until).await.expect("it writes");
        let now = mails::list(f, account, 1).await.expect("it reads");
        assert_eq!((now[0].attempts, now[0].last_error.as_deref()), (1, Some("the server is away")));
        let claimed = mails::claim_due(f, until, until.plus_seconds(60), 10).await.expect("it answers");
        assert_eq!(claimed[0].attempts, 1);
        mails::delivered(f, claimed[0].id, until).await.expect("it writes");
        let now = mails::list(f, account, 1).await.expect("it reads");
        assert_eq!((now[0].attempts, now[0].delivered_at), (2, Some(until)));
        assert!(now[0].last_error.is_some(), "the earlier error is kept");
        let later = until.plus_seconds(3_600);
        assert_eq!(mails::claim_due(f, later, later, 10).await.expect("it answers"), []);
        let kept = f.sql("UPDATE outgoing_mails SET attempts = attempts WHERE sealed IS NOT NULL").await;
        assert_eq!(kept.expect("it runs"), 0, "the text of a delivered mail must be deleted");
    }

    async fn a_mail_past_its_time_is_not_tried(f: &Fixture) {
        registered(f, "ada@example.org").await;
        let end = NOON.plus_seconds(7 * 86_400);
        assert_eq!(mails::claim_due(f, end, end, 10).await.expect("it answers"), []);
    }

    // Negative control: without the outer condition, two workers claim the same mail on PostgreSQL.
    async fn of_many_workers_one_takes_a_mail(f: &Fixture) {
        for number in 0..6 {
            registered(f, &format!("reader{number}@example.org")).await;
        }
        let now = NOON.plus_seconds(60);
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let store = f.store.clone();
            tasks.spawn(async move { mails::claim_due(&store, now, now.plus_seconds(60), 4).await });
        }
        let taken: usize =
            tasks.join_all().await.into_iter().map(|taken| taken.expect("it answers").len()).sum();
        assert!(taken <= 6, "{taken} of 6 mails were taken");
        let rest = mails::claim_due(f, now, now.plus_seconds(60), 10).await.expect("it answers");
        assert_eq!(taken + rest.len(), 6);
    }
}
