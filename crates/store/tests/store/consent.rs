//! Terms and privacy policy, and who accepted them.

use lectern_store::{
    consent::{self, AcceptOutcome, AcceptedBy, Act, PublishOutcome, Standing, Versions},
    keys,
};
use lectern_types::DocumentKind;

use crate::fixture::{Fixture, NOON, new_id, on_both};

async fn owed(f: &Fixture, key: lectern_types::KeyId) -> Vec<DocumentKind> {
    let found = keys::authenticate(f, key.to_string().as_bytes()).await.expect("it reads").expect("there");
    found.consent.owed()
}

on_both! {
    async fn what_is_published_is_owed_until_accepted(f: &Fixture) {
        let (account, key) = f.account(0).await;
        assert_eq!(owed(f, key).await, [], "without a published document, nothing is owed");
        assert_eq!(consent::current(f).await.expect("it reads"), Versions::default());

        let later = NOON.plus_seconds(1);
        consent::publish(f, DocumentKind::Privacy, "2026-11-02", "Privacy.", NOON).await.expect("it publishes");
        consent::publish(f, DocumentKind::Terms, "2026-11-01", "Terms.", later).await.expect("it publishes");
        assert_eq!(owed(f, key).await, [DocumentKind::Terms, DocumentKind::Privacy]);

        let standing = consent::accept_current(f, account, AcceptedBy::Operator, later).await;
        let versions = Versions { terms: Some("2026-11-01".into()), privacy: Some("2026-11-02".into()) };
        let expected = Standing { current: versions.clone(), accepted: versions };
        assert_eq!(standing.expect("it accepts"), Some(expected));
        assert_eq!(owed(f, key).await, []);

        consent::publish(f, DocumentKind::Terms, "2026-12-01", "New terms.", later).await.expect("it publishes");
        assert_eq!(owed(f, key).await, [DocumentKind::Terms]);
        let text = consent::current_document(f, DocumentKind::Terms).await.expect("it reads").expect("there");
        assert_eq!((text.version.as_str(), text.body.as_str()), ("2026-12-01", "New terms."));
    }

    async fn only_the_version_in_force_can_be_accepted(f: &Fixture) {
        let (account, key) = f.account(0).await;
        for version in ["1", "2"] {
            consent::publish(f, DocumentKind::Terms, version, "Terms.", NOON).await.expect("it publishes");
        }
        let act = Act { by: AcceptedBy::Owner, ip: Some("192.0.2.7") };
        let accept = |version| consent::accept(f, account, DocumentKind::Terms, version, act, NOON);
        assert_eq!(accept("1").await.expect("it answers"), AcceptOutcome::NotCurrent);
        assert_eq!(accept("3").await.expect("it answers"), AcceptOutcome::NotCurrent);
        assert_eq!(owed(f, key).await, [DocumentKind::Terms]);
        assert_eq!(accept("2").await.expect("it answers"), AcceptOutcome::Accepted);
        assert_eq!(accept("2").await.expect("it answers"), AcceptOutcome::Accepted);
        assert_eq!(owed(f, key).await, []);
        let nobody = consent::accept(f, new_id(), DocumentKind::Terms, "2", act, NOON).await;
        assert_eq!(nobody.expect("it answers"), AcceptOutcome::NoAccount);

        let noted = consent::acceptance(f, account, DocumentKind::Terms, "2").await.expect("it reads").expect("there");
        assert_eq!((noted.by, noted.at, noted.ip.as_deref()), (AcceptedBy::Owner, NOON, Some("192.0.2.7")));
        assert_eq!(consent::acceptance(f, account, DocumentKind::Terms, "1").await.expect("it reads"), None);
        assert_eq!(consent::text(f, DocumentKind::Terms, "1").await.expect("it reads").as_deref(), Some("Terms."));
    }

    async fn a_version_is_published_once(f: &Fixture) {
        let publish = |body| consent::publish(f, DocumentKind::Terms, "1", body, NOON);
        assert_eq!(publish("First.").await.expect("it answers"), PublishOutcome::Published);
        assert_eq!(publish("Second.").await.expect("it answers"), PublishOutcome::VersionExists);
        let text = consent::current_document(f, DocumentKind::Terms).await.expect("it reads").expect("there");
        assert_eq!(text.body, "First.");
        let other = consent::publish(f, DocumentKind::Privacy, "1", "Privacy.", NOON).await.expect("it answers");
        assert_eq!(other, PublishOutcome::Published, "the other document has its own versions");
    }
}
