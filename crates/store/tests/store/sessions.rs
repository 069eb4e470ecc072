//! Sign-ins.

use lectern_store::{
    consent::{self, AcceptedBy},
    sessions::{self, NewSession},
};
use lectern_types::DocumentKind;

use crate::{
    fixture::{Fixture, NOON, new_id, on_both},
    registration::registered,
};

on_both! {
    async fn a_session_is_found_with_account_and_consent_until_it_ends(f: &Fixture) {
        let account = registered(f, "ada@example.org").await;
        consent::publish(f, DocumentKind::Terms, "v1", "Terms.", NOON).await.expect("it publishes");
        let end = NOON.plus_seconds(43_200);
        let new = NewSession { id: new_id(), account: account.id, expires_at: end, ip: Some("192.0.2.1"), user_agent: Some("a browser") };
        assert!(sessions::create(f, new, "a hash", NOON).await.expect("it writes"));
        let found = sessions::find(f, new.id, NOON).await.expect("it reads").expect("it lives");
        assert_eq!((&found.account, found.expires_at, found.session), (&account, end, new.id));
        assert_eq!(found.consent.owed(), [DocumentKind::Terms]);
        consent::accept_current(f, account.id, AcceptedBy::Owner, NOON).await.expect("it writes");
        let found = sessions::find(f, new.id, end.plus_seconds(-1)).await.expect("it reads").expect("it lives");
        assert_eq!(found.consent.owed(), []);
        assert_eq!(sessions::find(f, new.id, end).await.expect("it reads"), None);
        assert_eq!(sessions::find(f, new_id(), NOON).await.expect("it reads"), None);
    }

    async fn a_session_is_revoked_by_its_account_only_and_once(f: &Fixture) {
        let account = registered(f, "ada@example.org").await.id;
        let other = registered(f, "bob@example.org").await.id;
        let mut sessions = Vec::new();
        for _ in 0..3 {
            let new = NewSession { id: new_id(), account, expires_at: NOON.plus_seconds(60), ip: None, user_agent: None };
            assert!(sessions::create(f, new, "a hash", NOON).await.expect("it writes"));
            sessions.push(new.id);
        }
        assert!(!sessions::revoke(f, other, sessions[0], NOON).await.expect("it answers"));
        assert!(sessions::revoke(f, account, sessions[0], NOON).await.expect("it answers"));
        assert!(!sessions::revoke(f, account, sessions[0], NOON).await.expect("it answers"));
        assert_eq!(sessions::find(f, sessions[0], NOON).await.expect("it reads"), None);
        assert!(sessions::find(f, sessions[1], NOON).await.expect("it reads").is_some());
    }

    async fn a_changed_password_begins_no_session_with_the_old_one(f: &Fixture) {
        let account = registered(f, "ada@example.org").await.id;
        assert_eq!(f.sql("UPDATE accounts SET password_hash = 'new'").await.expect("it runs"), 1);
        let new = NewSession { id: new_id(), account, expires_at: NOON.plus_seconds(60), ip: None, user_agent: None };
        assert!(!sessions::create(f, new, "a hash", NOON).await.expect("it answers"));
        assert!(sessions::create(f, new, "new", NOON).await.expect("it writes"));
    }
}
