//! A store of schema 0001 with rows in every table is migrated to the current schema: nothing is
//! lost, and interrupted work continues.

use lectern_store::{
    Backend, Environment, SchemaState, Store, StoreOptions, Tier, accounts, consent, ereaders,
    idempotency::{self, Replay, Request},
    jobs::JobKind,
    keys, ledger, registration, sandbox, settings,
    syntheses::{self, BeginOutcome},
};
use lectern_types::{AccountId, Credits, DocumentKind, KeyStatus, SynthesisId, Timestamp};

use crate::{
    fixture::{Fixture, at, lease, writing},
    materials,
    syntheses::{response, row_by},
};

/// A time soon after the last row was written.
const LATER: Timestamp = Timestamp(1_795_269_400_000_000);

const TABLES: [&str; 16] = [
    // Except the settings that migrations write themselves.
    "store_settings WHERE name <> 'schema_needed'",
    "accounts",
    "invites",
    "api_keys",
    "consent_documents",
    "consent_current",
    "consent_acceptances",
    "account_balances",
    "ledger_transactions",
    "holds",
    "ereaders",
    // Samples in other languages are deleted, because the voice speaks none of them.
    "ereader_samples WHERE language_key = 'en-us'",
    "syntheses",
    "idempotency_keys",
    "events",
    "sandbox_usage",
];

const ADA: &str = "acc_01a1fe64123372c1907d4082bd7a9473";

/// The schema and rows of a store as the program of 0001 left it.
async fn at_0001(backend: Backend) -> Fixture {
    let f = Fixture::empty(backend).await;
    let (schema, bytes) = match backend {
        Backend::Sqlite => (include_str!("../../migrations/sqlite/0001_initial.sql"), ("X'", "'")),
        Backend::Postgres => (include_str!("../../migrations/postgres/0001_initial.sql"), ("'\\x", "'")),
    };
    f.sql(schema).await.expect("the schema of 0001");
    f.sql("CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, body TEXT NOT NULL, applied_at BIGINT NOT NULL)")
        .await
        .expect("the table of migrations");
    let body = schema.replace('\'', "''");
    f.sql(&format!("INSERT INTO schema_migrations VALUES (1, 'initial', '{body}', 0)"))
        .await
        .expect("its row");
    let rows = include_str!("rows_of_0001.sql");
    let mut spelt = String::new();
    for line in rows.lines().filter(|line| !line.starts_with("--")) {
        let mut rest = line;
        // `{…}` holds bytes in hexadecimal, except for the event's data, which is text.
        while let Some((before, after)) = rest.split_once('{').filter(|(before, _)| !before.ends_with('\'')) {
            let (hex, after) = after.split_once('}').expect("a closing brace");
            spelt.extend([before, bytes.0, hex, bytes.1]);
            rest = after;
        }
        spelt.extend([rest, "\n"]);
    }
    f.sql(&spelt).await.expect("the rows of 0001");
    f
}

async fn counts(f: &Fixture) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in TABLES {
        let counted = f.number(&format!("SELECT COUNT(*) FROM {table}")).await;
        assert!(counted > 0, "{table} is empty: the test tests nothing of it");
        counts.push(counted);
    }
    counts
}

async fn nothing_is_lost(backend: Backend) {
    let f = at_0001(backend).await;
    assert_eq!(f.schema_state().await.expect("a state"), SchemaState::Older { found: 1 });
    let before = counts(&f).await;

    // Several processes migrate at once, as during the rollout of a deployment.
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let options = StoreOptions::new(f.url.as_str());
        tasks.spawn(async move {
            let store = Store::open(&options).await.expect("it opens");
            let applied = store.migrate(LATER).await.expect("it migrates");
            store.close().await;
            applied
        });
    }
    let applied: u32 = tasks.join_all().await.into_iter().sum();
    assert_eq!(applied, crate::schema::MIGRATIONS - 1, "0001 was there, each other was applied once");
    assert_eq!(f.schema_state().await.expect("a state"), SchemaState::Current);
    assert_eq!(counts(&f).await, before);
    everything_is_read(&f).await;
    what_was_cut_off_goes_on(&f).await;
    f.end().await;
}

async fn everything_is_read(f: &Fixture) {
    let ada: AccountId = ADA.parse().expect("an id");
    let account = accounts::find(f, ada).await.expect("it reads").expect("she is there");
    assert_eq!((account.email.as_str(), account.tier), ("Ada@example.com", Tier::Free));
    assert!(account.has_purchased_credits && account.email_confirmed_at.is_some());
    let ben = accounts::find_by_email(f, "BEN@example.com").await.expect("it reads").expect("he is there");
    assert_eq!(ben.tier, Tier::Premium);
    let token = hex("d1bb8594e68c61ae67d4f213e341cea8d9b36c20080ebbe4bbb519650f850e31");
    let invited = registration::find_invited(f, &token, LATER).await.expect("it reads");
    assert_eq!(invited.map(|account| account.id), Some(ben.id));

    let hash = hex("427cba1a2e50a2a5288a3a4044332aaee733c030e7173e68fec0f150c897942b");
    let caller = keys::authenticate(f, &hash).await.expect("it reads").expect("her key is there");
    assert_eq!((caller.account, caller.key.hint.as_str()), (ada, "KMe0"));
    assert_eq!(caller.consent.owed(), [], "she accepted both");
    let his = &keys::list(f, ben.id, Environment::Live, None, 10).await.expect("it reads")[0];
    assert_eq!((his.environment, his.status(LATER)), (Environment::Test, KeyStatus::Active));
    let terms = consent::current_document(f, DocumentKind::Terms).await.expect("it reads");
    let terms = terms.expect("terms were published");
    assert_eq!((terms.version.as_str(), terms.body.as_str()), ("2026-11-20", "Be kind; it's free.\n"));

    let balance = ledger::balance(f, ada).await.expect("it reads").expect("it is there");
    assert_eq!((balance.balance, balance.held), (Credits(4_972), Credits(4_320)));
    let rows = ledger::transactions(f, ada, None, 100).await.expect("it reads");
    assert_eq!(
        rows.iter().map(|row| row.credits.0).collect::<Vec<_>>(),
        [-4320, -15, 15, -15, -13, 13, -13, 5000]
    );
    assert_eq!(ledger::verify(f).await.expect("it verifies").first_difference, None);

    let heart = ereaders::find_by_slug(f, "heart").await.expect("it reads").expect("it is there");
    assert_eq!((heart.languages, heart.sample_langs), (vec!["en-US".to_owned()], vec!["en-US".to_owned()]));
    assert_eq!(heart.description, "A warm, even voice for long reading; American.");
    let alma = ereaders::find_by_slug(f, "alma").await.expect("it reads").expect("it is there");
    assert_eq!((alma.languages, alma.sample_langs), (vec!["en-US".to_owned()], vec!["en-US".to_owned()]));
    let made: SynthesisId = "syn_01a1fe6426b171768adc300e0b0bb33a".parse().expect("an id");
    let made =
        syntheses::find(f, ada, Environment::Live, made).await.expect("it reads").expect("it is there");
    assert_eq!((made.ereader, made.credits_charged, made.bytes), (heart.id, Credits(15), 8_540));
    assert_eq!(sandbox::characters(f, ada, 20_778).await.expect("it reads"), 12);
    assert!(settings::find(f, "master_key_fingerprint").await.expect("it reads").is_some());
}

async fn what_was_cut_off_goes_on(f: &Fixture) {
    let ada: AccountId = ADA.parse().expect("an id");
    let request =
        |key, fingerprint| Request { method: "POST", path: "/v1/saas/tts:synthesize", key, fingerprint };
    let done = hex("7c367ed3ea28e3dd4a2cb473fcb52833139338763e5a75903ae363078ac6caf7");
    let replay = idempotency::look_up(f, ada, Environment::Live, &request("done-1", &done), LATER).await;
    let Some(Replay::Finished(replay)) = replay.expect("it reads") else { panic!("it does not replay") };
    assert!(
        replay.status == 200 && replay.body.starts_with(b"{\"id\":\"syn_01a1fe6426b171768adc300e0b0bb33a\"")
    );

    let cut_off = hex("996e9634b7bc895e8658d7cef2a276b9c6ec10916c10e1966dca76733900df35");
    let lease = lease("the next", LATER);
    let begin = syntheses::Begin {
        synthesis: crate::fixture::new_id(),
        price: Credits(4_320),
        lease: &lease,
        idempotency: Some(request("cut-off-1", &cut_off)),
    };
    let outcome =
        syntheses::begin(f, ada, Environment::Live, &begin, writing(LATER)).await.expect("it answers");
    let BeginOutcome::Begun(claim) = outcome else { panic!("{outcome:?}") };
    assert!(claim.taken_over && claim.hold.is_some() && claim.synthesis != begin.synthesis, "{claim:?}");
    let heart = ereaders::find_by_slug(f, "heart").await.expect("it reads").expect("it is there");
    let key = keys::list(f, ada, Environment::Live, None, 10).await.expect("it reads")[0].id;
    let row = row_by(heart.id, key, &claim, 4_320, LATER);
    let finished = syntheses::Finished { synthesis: &row, said: None, event: None, response: &response() };
    assert!(syntheses::commit(f, &claim, &finished, at(LATER)).await.expect("it answers"));
    let balance = ledger::balance(f, ada).await.expect("it reads").expect("it is there");
    assert_eq!((balance.balance, balance.held), (Credits(652), Credits::ZERO), "charged once");
}

fn hex(text: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
    (0..text.len()).step_by(2).map(digits).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sqlite_store_of_0001_loses_nothing() {
    nothing_is_lost(Backend::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_store_of_0001_loses_nothing() {
    nothing_is_lost(Backend::Postgres).await;
}

/// The tables that 0002 added.
const TABLES_OF_0002: [&str; 3] = ["sessions", "email_tokens", "outgoing_mails"];

/// The rows of 0002 are still there after 0003, and materials can refer to them.
async fn nothing_of_0002_is_lost(backend: Backend) {
    let f = at_0001(backend).await;
    let (schema, hash) = match backend {
        Backend::Sqlite => (include_str!("../../migrations/sqlite/0002_sign_in.sql"), "X'aa'"),
        Backend::Postgres => (include_str!("../../migrations/postgres/0002_sign_in.sql"), "'\\xaa'"),
    };
    f.sql(schema).await.expect("the schema of 0002");
    let body = schema.replace('\'', "''");
    f.sql(&format!("INSERT INTO schema_migrations VALUES (2, 'sign_in', '{body}', 0)"))
        .await
        .expect("its row");
    f.sql(&format!(
        "INSERT INTO sessions VALUES ('ses_1', '{ADA}', 1, 2, NULL);
         INSERT INTO email_tokens VALUES ({hash}, '{ADA}', 'reset', 1, 2, NULL);
         INSERT INTO outgoing_mails VALUES ('eml_1', '{ADA}', 'reset', {hash}, 1, 2, 3, 4, 'busy', NULL);"
    ))
    .await
    .expect("the rows of 0002");
    let before = counts(&f).await;
    assert_eq!(f.schema_state().await.expect("a state"), SchemaState::Older { found: 2 });
    let applied = f.migrate(LATER).await.expect("it migrates");
    assert_eq!(applied, crate::schema::MIGRATIONS - 2);
    assert_eq!(counts(&f).await, before);
    for table in TABLES_OF_0002 {
        assert_eq!(f.number(&format!("SELECT COUNT(*) FROM {table}")).await, 1, "{table}");
    }
    let busy = "SELECT COUNT(*) FROM outgoing_mails WHERE attempts = 4 AND last_error = 'busy' AND sealed IS NOT NULL";
    assert_eq!(f.number(busy).await, 1);
    everything_is_read(&f).await;

    let ada: AccountId = ADA.parse().expect("an id");
    let key = keys::list(&f, ada, Environment::Live, None, 10).await.expect("it reads")[0].id;
    let heart = ereaders::find_by_slug(&f, "heart").await.expect("it reads").expect("it is there");
    let reader = materials::Reader { account: ada, key, ereader: heart.id };
    let id = materials::ready(&f, &reader, Environment::Live, &[10], LATER).await;
    materials::queue(&f, &reader, id, LATER).await;
    let job = materials::claim(&f, JobKind::ConvertChunk, LATER).await.expect("it is queued");
    materials::speak(&f, &job, LATER).await;
    let balance = ledger::balance(&f, ada).await.expect("it reads").expect("it is there");
    assert_eq!(
        (balance.balance, balance.held),
        (Credits(4_962), Credits(4_320)),
        "the old hold is as it was"
    );
    f.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sqlite_store_of_0002_loses_nothing() {
    nothing_of_0002_is_lost(Backend::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_store_of_0002_loses_nothing() {
    nothing_of_0002_is_lost(Backend::Postgres).await;
}
