//! Accounts and invitations.

use lectern_store::{
    Environment, Scopes, Tier,
    accounts::{self, AccountState, InviteOutcome, NewAccount, NewInvite},
    consent, keys, ledger,
};
use lectern_types::{Credits, DocumentKind};

use crate::fixture::{Fixture, KeyParts, NOON, at, new_id, on_both};

fn invitation<'a>(email: &'a str, token: &'a [u8], keys: &'a [keys::NewKey<'a>]) -> NewInvite<'a> {
    NewInvite {
        account: new_id(),
        email,
        tier: Tier::Standard,
        token_hash: token,
        expires_at: NOON.plus_seconds(14 * 86_400),
        keys,
        credits: Credits(500),
    }
}

on_both! {
    async fn an_invitation_makes_account_keys_and_purchased_credits_together(f: &Fixture) {
        let (live, test) = (KeyParts::new(), KeyParts::new());
        let new = [live.key(Environment::Live, Scopes::ALL), test.key(Environment::Test, Scopes::ALL)];
        let outcome = accounts::invite(f, &invitation("Ada@Example.org", b"t1", &new), at(NOON)).await;
        let Ok(InviteOutcome::Created(account)) = outcome else { panic!("{outcome:?}") };
        assert_eq!((account.state, account.tier), (AccountState::Invited, Tier::Standard));
        assert_eq!(account.email, "Ada@Example.org");
        assert!(account.has_purchased_credits && account.email_confirmed_at.is_none());

        let balance = ledger::balance(f, account.id).await.expect("it reads").expect("there is one");
        assert_eq!((balance.balance, balance.held), (Credits(500), Credits::ZERO));
        assert!(balance.has_purchased_credits);
        for key in [&live, &test] {
            let found = keys::authenticate(f, &key.hash).await.expect("it reads").expect("there is one");
            assert_eq!((found.key.id, found.account, found.key.scopes), (key.id, account.id, Scopes::ALL));
        }
        assert_eq!(accounts::find(f, account.id).await.expect("it reads"), Some(account.clone()));
        assert_eq!(accounts::find_by_email(f, "aDA@eXAMPLE.ORG").await.expect("it reads"), Some(account));
    }

    async fn one_address_has_one_account_whatever_its_spelling(f: &Fixture) {
        let made = accounts::invite(f, &invitation("u@Bücher.example", b"t1", &[]), at(NOON)).await;
        let Ok(InviteOutcome::Created(made)) = made else { panic!("{made:?}") };
        assert_eq!(made.email, "u@Bücher.example", "it keeps the given spelling");
        for spelling in ["u@bücher.example", "U@BÜCHER.EXAMPLE", "u@xn--bcher-kva.example", "u@bu\u{308}cher.example"] {
            let found = accounts::find_by_email(f, spelling).await.expect("it reads");
            assert_eq!(found.as_ref(), Some(&made), "{spelling}");
            let again = accounts::invite(f, &invitation(spelling, b"t2", &[]), at(NOON)).await;
            assert_eq!(again.expect("it answers"), InviteOutcome::ReplacedInvite(made.clone()), "{spelling}");
        }
        assert_eq!(accounts::find_by_email(f, "u@bucher.example").await.expect("it reads"), None);
        assert_eq!(accounts::twins(f).await.expect("it reads"), Vec::<Vec<String>>::new());
    }

    // Negative control: when only the canonical key is looked up, the first account is found under
    // neither of its spellings.
    async fn accounts_from_before_are_found_by_their_spelling_and_told_of(f: &Fixture) {
        let old = |email: &'static str, key: &'static str| async move {
            let outcome = accounts::invite(f, &invitation(email, key.as_bytes(), &[]), at(NOON)).await;
            let Ok(InviteOutcome::Created(account)) = outcome else { panic!("{outcome:?}") };
            f.sql(&format!("UPDATE accounts SET email_key = '{key}' WHERE id = '{}'", account.id)).await.expect("it writes");
            account
        };
        let alone = old("a@bücher.example", "a@bücher.example").await;
        for spelling in ["a@bücher.example", "A@BÜCHER.example", "a@xn--bcher-kva.example"] {
            assert_eq!(accounts::find_by_email(f, spelling).await.expect("it reads"), Some(alone.clone()), "{spelling}");
            let again = accounts::invite(f, &invitation(spelling, b"again", &[]), at(NOON)).await;
            assert_eq!(again.expect("it answers"), InviteOutcome::ReplacedInvite(alone.clone()), "{spelling}");
        }
        let one = old("u@other.example", "u@bücher.example").await;
        f.sql(&format!("UPDATE accounts SET email = 'u@bücher.example' WHERE id = '{}'", one.id)).await.expect("it writes");
        let two = old("u@third.example", "u@xn--bcher-kva.example").await;
        f.sql(&format!("UPDATE accounts SET email = 'u@xn--bcher-kva.example' WHERE id = '{}'", two.id)).await.expect("it writes");
        for (spelling, account) in [("U@bücher.example", one.id), ("u@XN--bcher-kva.example", two.id)] {
            let found = accounts::credentials(f, spelling).await.expect("it reads").expect("there is one");
            assert_eq!(found.account.id, account, "{spelling}");
        }
        let twins = accounts::twins(f).await.expect("it reads");
        assert_eq!(twins, [["u@bücher.example", "u@xn--bcher-kva.example"]]);
    }

    async fn a_second_invitation_replaces_the_token_and_nothing_else(f: &Fixture) {
        let first = accounts::invite(f, &invitation("ada@example.org", b"t1", &[]), at(NOON)).await;
        let Ok(InviteOutcome::Created(first)) = first else { panic!("{first:?}") };
        let key = KeyParts::new();
        let keys = [key.key(Environment::Live, Scopes::ALL)];
        let mut again = invitation("ADA@example.org", b"t2", &keys);
        again.tier = Tier::Premium;
        let again = accounts::invite(f, &again, at(NOON)).await;
        let Ok(InviteOutcome::ReplacedInvite(again)) = again else { panic!("{again:?}") };
        assert_eq!(again, first);
        assert_eq!(keys::authenticate(f, &key.hash).await.expect("it reads"), None);
        let balance = ledger::balance(f, first.id).await.expect("it reads").expect("there is one");
        assert_eq!(balance.balance, Credits(500), "credits must not be added twice");
        f.sql("UPDATE invites SET token_hash = token_hash").await.expect("there is a table");
    }

    async fn a_registered_address_cannot_be_invited(f: &Fixture) {
        let demo = NewAccount {
            id: new_id(), email: "demo@example.org", tier: Tier::Free, keys: &[], credits: Credits(9),
        };
        assert!(accounts::create_confirmed(f, &demo, at(NOON)).await.expect("it is made").is_some());
        let outcome = accounts::invite(f, &invitation("Demo@example.org", b"t1", &[]), at(NOON)).await;
        assert_eq!(outcome.expect("it answers"), InviteOutcome::AlreadyRegistered);
        assert_eq!(f.sql("DELETE FROM invites").await.expect("it runs"), 0, "no token may be left behind");
    }

    async fn of_many_invitations_of_one_address_one_makes_the_account(f: &Fixture) {
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..12_u8 {
            let store = f.store.clone();
            tasks.spawn(async move {
                let token = [number];
                accounts::invite(&store, &invitation("ada@example.org", &token, &[]), at(NOON)).await
            });
        }
        let outcomes = tasks.join_all().await;
        let made = outcomes.iter().filter(|o| matches!(o, Ok(InviteOutcome::Created(_)))).count();
        let replaced = outcomes.iter().filter(|o| matches!(o, Ok(InviteOutcome::ReplacedInvite(_)))).count();
        assert_eq!((made, replaced), (1, 11), "{outcomes:?}");
    }

    async fn a_confirmed_account_owes_nothing_and_its_address_is_its_own(f: &Fixture) {
        consent::publish(f, DocumentKind::Terms, "2026-11-01", "Terms.", NOON).await.expect("it publishes");
        assert!(accounts::none_exist(f).await.expect("it reads"));
        let key = KeyParts::new();
        let demo = NewAccount {
            id: new_id(),
            email: "demo@example.org",
            tier: Tier::Free,
            keys: &[key.key(Environment::Live, Scopes::ALL)],
            credits: Credits(1_000),
        };
        let account = accounts::create_confirmed(f, &demo, at(NOON)).await.expect("it is made").expect("free");
        assert_eq!(account.state, AccountState::Registered);
        assert_eq!(account.email_confirmed_at, Some(NOON));
        assert!(!accounts::none_exist(f).await.expect("it reads"));
        let found = keys::authenticate(f, &key.hash).await.expect("it reads").expect("there is one");
        assert_eq!(found.consent.owed(), []);
        assert!(found.email_confirmed && found.has_purchased_credits);

        let twin = NewAccount { id: new_id(), email: "DEMO@example.org", ..demo };
        assert_eq!(accounts::create_confirmed(f, &twin, at(NOON)).await.expect("it answers"), None);
    }

    async fn tier_and_confirmation_change_what_is_asked(f: &Fixture) {
        let (id, _) = f.account(0).await;
        let account = accounts::set_tier(f, id, Tier::Premium, NOON).await.expect("it writes").expect("there");
        assert_eq!(account.tier, Tier::Premium);
        let later = NOON.plus_seconds(5);
        let account = accounts::confirm_email(f, id, NOON).await.expect("it writes").expect("there");
        assert_eq!(account.email_confirmed_at, Some(NOON));
        let account = accounts::confirm_email(f, id, later).await.expect("it writes").expect("there");
        assert_eq!(account.email_confirmed_at, Some(NOON), "a second confirmation must not move the first");
        assert_eq!(accounts::set_tier(f, new_id(), Tier::Free, NOON).await.expect("it answers"), None);
    }
}
