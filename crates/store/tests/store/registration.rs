//! Registration, and the tokens in mails.

use lectern_store::{
    Environment, Scopes, Store, Tier,
    accounts::{self, Account, AccountState, InviteOutcome, NewInvite},
    email_tokens::{self, NewToken, Purpose},
    keys, ledger,
    mails::{self, NewMail},
    registration::{self, RegisterOutcome, Registrant, Registration},
    sessions::{self, NewSession},
};
use lectern_types::{AccountId, Credits, MailId, SessionId, Timestamp};

use crate::fixture::{Fixture, KeyParts, NOON, at, new_id, on_both};

const WEEK: i64 = 7 * 86_400;

pub(crate) fn token(hash: &[u8], purpose: Purpose) -> NewToken<'_> {
    NewToken { hash, purpose, expires_at: NOON.plus_seconds(WEEK) }
}

pub(crate) fn mail(purpose: Purpose) -> NewMail<'static> {
    NewMail {
        id: new_id::<lectern_types::kinds::Mail>(),
        kind: purpose.into(),
        sealed: b"sealed",
        expires_at: NOON.plus_seconds(WEEK),
        reserved_until: NOON.plus_seconds(60),
    }
}

async fn register(
    store: &Store,
    registrant: Registrant<'_>,
    confirm: &[u8],
    now: Timestamp,
) -> lectern_store::Result<RegisterOutcome> {
    let token = token(confirm, Purpose::Confirm);
    let registration =
        Registration { registrant, password_hash: "a hash", token, mail: mail(Purpose::Confirm) };
    registration::register(store, &registration, at(now)).await
}

async fn invite(f: &Fixture, email: &str, token: &[u8], keys: &[keys::NewKey<'_>]) -> AccountId {
    let invite = NewInvite {
        account: new_id(),
        email,
        tier: Tier::Premium,
        token_hash: token,
        expires_at: NOON.plus_seconds(14 * 86_400),
        keys,
        credits: Credits(500),
    };
    let Ok(InviteOutcome::Created(account)) = accounts::invite(f, &invite, at(NOON)).await else {
        panic!("{email} was not invited")
    };
    account.id
}

/// A registered account.
pub(crate) async fn registered(f: &Fixture, email: &str) -> Account {
    let open = Registrant::Open { account: new_id(), email };
    match register(f, open, email.as_bytes(), NOON).await {
        Ok(RegisterOutcome::Registered(account)) => account,
        other => panic!("{other:?}"),
    }
}

async fn signed_in(f: &Fixture, account: AccountId, password_hash: &str) -> Option<SessionId> {
    let session = NewSession {
        id: new_id(),
        account,
        expires_at: NOON.plus_seconds(43_200),
        ip: None,
        user_agent: None,
    };
    sessions::create(f, session, password_hash, NOON).await.expect("it writes").then_some(session.id)
}

on_both! {
    async fn who_holds_the_token_takes_up_the_invited_account_as_it_is(f: &Fixture) {
        let key = KeyParts::new();
        let id = invite(f, "Ada@example.org", b"t", &[key.key(Environment::Live, Scopes::ALL)]).await;
        let found = registration::find_invited(f, b"t", NOON).await.expect("it reads").expect("it is there");
        assert_eq!((found.id, found.email.as_str()), (id, "Ada@example.org"));

        let outcome = register(f, Registrant::Invited { token_hash: b"t" }, b"c", NOON).await;
        let Ok(RegisterOutcome::Registered(account)) = outcome else { panic!("{outcome:?}") };
        assert_eq!((account.id, account.state, account.tier), (id, AccountState::Registered, Tier::Premium));
        assert_eq!(account.email_confirmed_at, None);
        let found = keys::authenticate(f, &key.hash).await.expect("it reads").expect("its key works");
        assert_eq!(found.account, id);
        let balance = ledger::balance(f, id).await.expect("it reads").expect("there is one");
        assert_eq!(balance.balance, Credits(500));
        let credentials = accounts::credentials(f, "ADA@EXAMPLE.ORG").await.expect("it reads").expect("one");
        assert_eq!((credentials.account.id, credentials.password_hash.as_deref()), (id, Some("a hash")));
        assert!(!format!("{credentials:?}").contains("hash\""), "a hash must not get into logs");
        assert_eq!(mails::list(f, id, 10).await.expect("it reads").len(), 1, "registration stores the mail");
    }

    // Negative control: without `used_at IS NULL`, a second registration reports that the address
    // is in use; without the comparison of `expires_at`, the late registration succeeds.
    async fn a_token_that_is_unknown_used_or_over_is_invalid(f: &Fixture) {
        invite(f, "ada@example.org", b"t", &[]).await;
        let invited = Registrant::Invited { token_hash: b"t" };
        let later = NOON.plus_seconds(14 * 86_400);
        for (registrant, now) in [(Registrant::Invited { token_hash: b"x" }, NOON), (invited, later)] {
            let outcome = register(f, registrant, b"c", now).await;
            assert_eq!(outcome.expect("it answers"), RegisterOutcome::InviteInvalid);
        }
        assert_eq!(registration::find_invited(f, b"t", later).await.expect("it reads"), None);
        let outcome = register(f, invited, b"c", later.plus_seconds(-1)).await;
        assert!(matches!(outcome, Ok(RegisterOutcome::Registered(_))), "{outcome:?}");
        let again = register(f, invited, b"c2", NOON).await;
        assert_eq!(again.expect("it answers"), RegisterOutcome::InviteInvalid);
        assert_eq!(registration::find_invited(f, b"t", NOON).await.expect("it reads"), None);
    }

    async fn an_address_has_one_account_however_it_is_spelt(f: &Fixture) {
        registered(f, "ada@example.org").await;
        invite(f, "bob@example.org", b"t", &[]).await;
        // An invited address is taken as well: only its token activates the account with its
        // credits.
        for email in ["ADA@example.org", "Bob@example.org"] {
            let open = Registrant::Open { account: new_id(), email };
            let outcome = register(f, open, email.as_bytes(), NOON).await;
            assert_eq!(outcome.expect("it answers"), RegisterOutcome::EmailInUse, "{email}");
        }
        let credentials = accounts::credentials(f, "bob@example.org").await.expect("it reads").expect("one");
        assert_eq!(credentials.password_hash, None);
    }

    // Negative control: without `used_at IS NULL`, the losing calls report that the address is in
    // use.
    async fn of_many_registrations_at_once_one_succeeds(f: &Fixture) {
        invite(f, "ada@example.org", b"t", &[]).await;
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..12_u8 {
            let store = f.store.clone();
            tasks.spawn(async move {
                let invited = Registrant::Invited { token_hash: b"t" };
                let one = register(&store, invited, &[number], NOON).await.expect("it answers");
                let open = Registrant::Open { account: new_id(), email: "bob@example.org" };
                let other = register(&store, open, &[number, 1], NOON).await.expect("it answers");
                (one, other)
            });
        }
        let outcomes = tasks.join_all().await;
        let registered = |outcome: &RegisterOutcome| matches!(outcome, RegisterOutcome::Registered(_));
        assert_eq!(outcomes.iter().filter(|(invited, _)| registered(invited)).count(), 1);
        assert_eq!(outcomes.iter().filter(|(_, open)| registered(open)).count(), 1);
        let rest = |o: &(RegisterOutcome, RegisterOutcome)| {
            (registered(&o.0) || o.0 == RegisterOutcome::InviteInvalid)
                && (registered(&o.1) || o.1 == RegisterOutcome::EmailInUse)
        };
        assert!(outcomes.iter().all(rest), "{outcomes:?}");
    }

    async fn a_confirmation_token_works_once_for_its_purpose_and_in_its_time(f: &Fixture) {
        let account = registered(f, "ada@example.org").await;
        let hash = b"ada@example.org";
        let over = NOON.plus_seconds(WEEK);
        assert_eq!(email_tokens::confirm(f, hash, over).await.expect("it answers"), None);
        assert_eq!(email_tokens::confirm(f, b"other", NOON).await.expect("it answers"), None);
        assert_eq!(email_tokens::reset(f, hash, "new", NOON).await.expect("it answers"), None);
        let found = email_tokens::find(f, hash, Purpose::Confirm, NOON).await.expect("it reads");
        assert_eq!(found.map(|found| found.id), Some(account.id));
        let later = over.plus_seconds(-1);
        let confirmed = email_tokens::confirm(f, hash, later).await.expect("it answers").expect("it works");
        assert_eq!((confirmed.id, confirmed.email_confirmed_at), (account.id, Some(later)));
        assert_eq!(email_tokens::confirm(f, hash, NOON).await.expect("it answers"), None);
        assert_eq!(email_tokens::find(f, hash, Purpose::Confirm, NOON).await.expect("it reads"), None);
    }

    // Negative control: without the statement that revokes sessions, the session outlives the
    // reset.
    async fn a_reset_changes_the_password_and_ends_what_the_old_one_opened(f: &Fixture) {
        let account = registered(f, "ada@example.org").await.id;
        let session = signed_in(f, account, "a hash").await.expect("the password is right");
        for hash in [b"r1", b"r2"] {
            let token = token(hash, Purpose::Reset);
            assert!(email_tokens::issue(f, account, &token, &mail(Purpose::Reset), NOON, NOON).await.expect("it writes"));
        }
        let reset = email_tokens::reset(f, b"r1", "new", NOON).await.expect("it answers").expect("it works");
        assert_eq!((reset.id, reset.email_confirmed_at), (account, Some(NOON)));
        assert_eq!(sessions::find(f, session, NOON).await.expect("it reads"), None);
        assert_eq!(signed_in(f, account, "a hash").await, None, "the old password must not start a session");
        assert!(signed_in(f, account, "new").await.is_some());
        let other = email_tokens::reset(f, b"r2", "newer", NOON).await.expect("it answers");
        assert_eq!(other, None, "other reset tokens must end with the reset");
    }

    async fn an_invited_account_cannot_be_reset(f: &Fixture) {
        let account = invite(f, "ada@example.org", b"t", &[]).await;
        let token = token(b"r", Purpose::Reset);
        email_tokens::issue(f, account, &token, &mail(Purpose::Reset), NOON, NOON).await.expect("it writes");
        assert_eq!(email_tokens::reset(f, b"r", "new", NOON).await.expect("it answers"), None);
        let credentials = accounts::credentials(f, "ada@example.org").await.expect("it reads").expect("one");
        assert_eq!(credentials.password_hash, None);
    }

    // Negative control: when the token is marked before the account is locked, PostgreSQL reports a
    // deadlock.
    async fn of_many_resets_at_once_each_ends_and_one_succeeds(f: &Fixture) {
        let account = registered(f, "ada@example.org").await.id;
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..12_u8 {
            let token = [number];
            let token = token_of(&token);
            email_tokens::issue(f, account, &token, &mail(Purpose::Reset), NOON, NOON).await.expect("it writes");
        }
        for number in 0..12_u8 {
            let store = f.store.clone();
            tasks.spawn(async move { email_tokens::reset(&store, &[number], "new", NOON).await });
        }
        let outcomes = tasks.join_all().await;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        assert_eq!(outcomes.iter().flatten().flatten().count(), 1);
    }

    // Negative control: without the account's lock, several tokens are issued on PostgreSQL.
    async fn a_second_mail_of_a_kind_waits_its_time(f: &Fixture) {
        let account = registered(f, "ada@example.org").await.id;
        let later = NOON.plus_seconds(300);
        let issue = async |store: &Store, hash: &[u8], now: Timestamp| {
            let token = token(hash, Purpose::Confirm);
            let mail = mail(Purpose::Confirm);
            email_tokens::issue(store, account, &token, &mail, now.plus_seconds(-300), now).await.expect("it writes")
        };
        assert!(!issue(f, b"1", later.plus_seconds(-1)).await, "the registration's own mail counts");
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..8_u8 {
            let store = f.store.clone();
            let (id, hash) = (new_id::<lectern_types::kinds::Mail>(), [number, 0]);
            tasks.spawn(async move {
                let token = token(&hash, Purpose::Confirm);
                let mail = NewMail { id, ..mail(Purpose::Confirm) };
                email_tokens::issue(&store, account, &token, &mail, NOON, later).await.expect("it writes")
            });
        }
        assert_eq!(tasks.join_all().await.into_iter().filter(|issued| *issued).count(), 1);
        let mails = mails::list(f, account, 10).await.expect("it reads");
        assert_eq!(mails.len(), 2);
        let ids: Vec<MailId> = mails.iter().map(|mail| mail.id).collect();
        assert!(ids.is_sorted_by(|a, b| a > b), "newest first");
    }

    async fn what_has_ended_is_swept(f: &Fixture) {
        let account = registered(f, "ada@example.org").await.id;
        signed_in(f, account, "a hash").await.expect("the password is right");
        let end = NOON.plus_seconds(WEEK);
        for (now, gone) in [(NOON, 0), (end, 1), (end, 0)] {
            assert_eq!(email_tokens::sweep(f, now, 10).await.expect("it sweeps"), gone);
            assert_eq!(sessions::sweep(f, now, 10).await.expect("it sweeps"), gone);
            assert_eq!(mails::sweep(f, now, 10).await.expect("it sweeps"), gone);
        }
    }
}

fn token_of(hash: &[u8]) -> NewToken<'_> {
    token(hash, Purpose::Reset)
}
