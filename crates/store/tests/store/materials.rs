//! Materials from the upload to the last chunk: what each step leaves behind, and what it refuses.

use std::sync::Arc;

use lectern_store::{
    Environment, Store, Tier,
    chunks::{self, ChunkAudio, MarkedLanguage, PauseAt, Spoken, Started, Starting},
    ereaders, events,
    idempotency::{Request, Response},
    job_outcomes,
    jobs::{self, Claiming, JobClaim, JobKind, Outcome},
    ledger,
    materials::{
        self, Conversion, Convert, ConvertOutcome, CreateOutcome, Extracted, Failure, Language, Material,
        NewChapter, NewChunk, NewMaterial, Which,
    },
    object_deletions,
};
use lectern_types::{
    AccountId, AudioFormat, ChapterRole, ChunkStatus, Credits, EreaderId, ErrorCode, KeyId, LanguageSource,
    MaterialId, MaterialStatus, Timestamp,
};

use crate::{
    ereaders::ereader,
    fixture::{Fixture, NOON, new_id, on_both, writing},
};

pub(crate) const LIVE: Environment = Environment::Live;

/// An account with a key, and an e-reader at one credit a character.
pub(crate) struct Reader {
    pub(crate) account: AccountId,
    pub(crate) key: KeyId,
    pub(crate) ereader: EreaderId,
}

pub(crate) async fn reader(f: &Fixture, credits: i64) -> Reader {
    let (account, key) = f.account(credits).await;
    let heart = match ereaders::find_by_slug(f, "heart").await.expect("it reads") {
        Some(heart) => heart,
        None => ereaders::put(f, &ereader("heart", Tier::Free), NOON).await.expect("it writes"),
    };
    Reader { account, key, ereader: heart.id }
}

pub(crate) fn response() -> Response {
    Response { status: 202, content_type: "application/json".into(), body: b"{}".into(), sealed: false }
}

pub(crate) fn new_material(key: KeyId, source: &str) -> NewMaterial<'_> {
    NewMaterial {
        id: new_id(),
        key,
        title: "the-harbour",
        title_given: false,
        language: None,
        filename: Some("the-harbour.epub"),
        media_type: "application/epub+zip",
        source_bytes: 1_234,
        source_url: None,
        source_sha256: &[7; 32],
        source_object: source,
    }
}

/// Uploads a material for the reader, without extracting it.
pub(crate) async fn upload(
    store: &Store,
    reader: &Reader,
    environment: Environment,
    now: Timestamp,
) -> MaterialId {
    let id: MaterialId = new_id();
    let source = format!("materials/{id}/source");
    let material = NewMaterial { id, ..new_material(reader.key, &source) };
    object_deletions::reserve(store, &[&source], now.plus_seconds(3_600)).await.expect("it reserves");
    let made = materials::create(store, reader.account, environment, &material, None, writing(now)).await;
    assert!(matches!(made.expect("it answers"), CreateOutcome::Created(_)));
    id
}

pub(crate) async fn claim(store: &Store, kind: JobKind, now: Timestamp) -> Option<JobClaim> {
    claim_of(store, &[kind], now).await
}

pub(crate) async fn claim_of(store: &Store, kinds: &[JobKind], now: Timestamp) -> Option<JobClaim> {
    let room: Vec<_> = kinds.iter().map(|kind| (*kind, 1)).collect();
    let mut claims = claim_all(store, &room, now).await;
    assert!(claims.len() <= 1, "work of several kinds was due: {claims:?}");
    claims.pop()
}

/// Claims jobs in one transaction, at most the given number of each kind.
pub(crate) async fn claim_all(store: &Store, room: &[(JobKind, usize)], now: Timestamp) -> Vec<JobClaim> {
    let engines = ["hibari", ""];
    let claiming = Claiming { worker: "w1", room, engines: &engines, now, lease_until: now.plus_seconds(30) };
    jobs::claim(store, &claiming).await.expect("it answers")
}

pub(crate) fn chunk(characters: u32) -> NewChunk {
    NewChunk {
        text: "é".repeat(characters as usize),
        characters,
        title: Some("Chapter 1".to_owned()),
        starts_chapter: true,
        chapter: 0,
        pauses: vec![PauseAt { at: 2, pause_ms: 600 }],
        pause_after_ms: 350,
        scripts: format!("Latn {characters}"),
        languages: vec![MarkedLanguage { start: 0, end: 2, tag: "fr".to_owned() }],
        speakers: Vec::new(),
        pronounced: Vec::new(),
        headings: Vec::new(),
    }
}

pub(crate) fn language(tag: &str, source: LanguageSource) -> Language {
    Language { tag: tag.to_owned(), source }
}

pub(crate) fn extraction(chunks: &[u32]) -> Extracted {
    Extracted {
        title: Some("The Harbour".to_owned()),
        author: Some("Ada".to_owned()),
        copyright: Some("© 2020 Ada".to_owned()),
        language: Some(language("en", LanguageSource::Declared)),
        cover: None,
        scripts: String::new(),
        document_object: None,
        chapters: vec![NewChapter { title: None, level: 1, role: ChapterRole::Body, included: true }],
        chunks: chunks.iter().map(|&characters| chunk(characters)).collect(),
        speakers: Vec::new(),
        lexicon: None,
    }
}

/// A material of the reader's with chunks of these many characters.
pub(crate) async fn ready(
    store: &Store,
    reader: &Reader,
    environment: Environment,
    chunks: &[u32],
    now: Timestamp,
) -> MaterialId {
    let id = upload(store, reader, environment, now).await;
    let job = claim(store, JobKind::Extract, now).await.expect("its extraction is queued");
    assert_eq!(job.material, Some(id));
    assert!(materials::extracted(store, &job, &extraction(chunks), writing(now)).await.expect("it answers"));
    id
}

pub(crate) fn conversion<'a>(
    reader: &Reader,
    material: MaterialId,
    indexes: Option<&'a [u32]>,
) -> Convert<'a> {
    Convert {
        material,
        key: reader.key,
        ereader: reader.ereader,
        engine: "hibari",
        price_per_character: Credits(1),
        is_paid: true,
        format: AudioFormat::Mp3,
        language: Some("en-US"),
        unspeakable: None,
        which: indexes.map_or(Which::Book, Which::Chunks),
        recut: None,
        again: false,
        lexicon: None,
        daily_cap: None,
        is_watched: false,
    }
}

pub(crate) async fn convert(
    store: &Store,
    reader: &Reader,
    environment: Environment,
    convert: &Convert<'_>,
    idempotency: Option<&Request<'_>>,
    now: Timestamp,
) -> ConvertOutcome {
    let respond = |_: &Conversion| Ok::<_, lectern_store::Error>(response());
    materials::convert(store, reader.account, environment, convert, idempotency, respond, writing(now))
        .await
        .expect("it answers")
}

/// Queues all chunks that are not completed.
pub(crate) async fn queue(
    store: &Store,
    reader: &Reader,
    material: MaterialId,
    now: Timestamp,
) -> Conversion {
    match convert(store, reader, LIVE, &conversion(reader, material, None), None, now).await {
        ConvertOutcome::Queued(conversion, _) => *conversion,
        refused => panic!("{refused:?}"),
    }
}

pub(crate) fn audio(claim: &JobClaim, duration_ms: u64) -> ChunkAudio {
    let name = |ending| {
        let material = claim.material.expect("it has one");
        format!("materials/{material}/{}-{}.{ending}", claim.chunk.expect("it has one"), claim.epoch)
    };
    ChunkAudio {
        audio_object: name("mp3"),
        lossless_object: name("flac"),
        words_object: name("json"),
        mp3_object: Some(name("mp3")),
        aac_object: Some(name("aac")),
        audio_bytes: 4_321,
        audio_etag: "\"abc\"".to_owned(),
        duration_ms,
        sample_rate_hz: 24_000,
    }
}

pub(crate) async fn start(store: &Store, claim: &JobClaim, now: Timestamp) -> Option<Started> {
    start_all(store, &[claim], now).await.pop().expect("there is an answer")
}

/// Begins claimed chunks at once.
pub(crate) async fn start_all(store: &Store, claims: &[&JobClaim], now: Timestamp) -> Vec<Option<Started>> {
    let starting = claims.iter().map(|&claim| {
        let ChunkAudio { audio_object, lossless_object, words_object, aac_object, .. } = audio(claim, 0);
        let objects: Vec<String> =
            [audio_object, lossless_object, words_object].into_iter().chain(aac_object).collect();
        Starting { claim: claim.clone(), objects: Arc::new(move |_| objects.clone()) }
    });
    let starting: Vec<Starting> = starting.collect();
    let started = chunks::start(store, &starting, now.plus_seconds(86_400)).await;
    started.into_iter().map(|answer| answer.expect("it answers")).collect()
}

/// Gives a begun chunk audio of a second.
pub(crate) async fn complete(store: &Store, claim: &JobClaim, now: Timestamp) -> Outcome {
    complete_all(store, &[claim], now).await.pop().expect("there is an answer")
}

/// Gives begun chunks audio at once, of a second each.
pub(crate) async fn complete_all(store: &Store, claims: &[&JobClaim], now: Timestamp) -> Vec<Outcome> {
    let spoken = claims.iter().map(|&claim| Spoken { claim: claim.clone(), audio: audio(claim, 1_000) });
    let completed = chunks::complete(store, &spoken.collect::<Vec<_>>(), writing(now)).await;
    completed.into_iter().map(|answer| answer.expect("it answers")).collect()
}

/// Speaks a claimed chunk.
pub(crate) async fn speak(store: &Store, claim: &JobClaim, now: Timestamp) -> Outcome {
    if start(store, claim, now).await.is_none() {
        return Outcome::Lost;
    }
    complete(store, claim, now).await
}

pub(crate) async fn look(store: &Store, reader: &Reader, material: MaterialId) -> Material {
    materials::find(store, reader.account, LIVE, material).await.expect("it reads").expect("it is there")
}

pub(crate) async fn statuses(store: &Store, reader: &Reader, material: MaterialId) -> Vec<ChunkStatus> {
    let chunks = chunks::list(store, reader.account, LIVE, material, None, 1_000).await.expect("it reads");
    chunks.iter().map(|chunk| chunk.status).collect()
}

pub(crate) fn failure() -> Failure {
    Failure { code: ErrorCode::TtsProviderError, message: "The engine failed.".to_owned() }
}

async fn balance(f: &Fixture, reader: &Reader) -> (i64, i64) {
    let balance = ledger::balance(f, reader.account).await.expect("it reads").expect("it is there");
    (balance.balance.0, balance.held.0)
}

on_both! {
    async fn a_material_goes_from_upload_to_its_last_chunk_and_each_chunk_is_charged_once(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[10, 20], NOON).await;
        let material = look(f, &reader, id).await;
        assert_eq!((material.status, material.title.as_str()), (MaterialStatus::Ready, "The Harbour"));
        assert_eq!((material.characters, material.chunk_count), (Some(30), Some(2)));
        assert_eq!(material.language, Some(language("en", LanguageSource::Declared)));

        let queued = queue(f, &reader, id, NOON).await;
        assert_eq!((queued.chunks, queued.characters, queued.credits_held), (2, 30, Credits(30)));
        assert_eq!(queued.material, look(f, &reader, id).await, "what it answers is what is stored");
        assert_eq!(balance(f, &reader).await, (100, 30));

        let first = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert_eq!((first.chunk, first.epoch, first.attempts), (Some(0), 1, 0));
        let started = start(f, &first, NOON).await.expect("it is ours");
        assert_eq!((started.text.as_str(), started.characters), ("éééééééééé", 10));
        assert_eq!((started.pauses[0].at, started.pause_after_ms, started.format), (2, 350, AudioFormat::Mp3));
        assert_eq!(started.languages, chunk(1).languages);
        let speaks = started.ereader.as_ref().map(|ereader| ereader.id);
        assert_eq!((speaks, started.speech_language.as_deref()), (Some(reader.ereader), Some("en-US")));
        assert_eq!(statuses(f, &reader, id).await, [ChunkStatus::Converting, ChunkStatus::Queued]);
        let done = complete(f, &first, NOON).await;
        assert_eq!(done, Outcome::Going);
        assert_eq!(balance(f, &reader).await, (90, 20));
        let again = complete(f, &first, NOON).await;
        assert_eq!((again, balance(f, &reader).await), (Outcome::Lost, (90, 20)), "a doubled commit does nothing");

        let second = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert_eq!(speak(f, &second, NOON).await, Outcome::Ended(MaterialStatus::Completed));
        let material = look(f, &reader, id).await;
        assert_eq!((material.status, material.whole_duration_ms()), (MaterialStatus::Completed, Some(2_000)));
        assert_eq!((material.chunks_completed, material.chunks_queued), (2, 0));
        assert_eq!(balance(f, &reader).await, (70, 0));
        let told = events::of_material(f, reader.account, LIVE, id, 0, 100).await.expect("it reads");
        let told: Vec<_> = told.iter().map(|event| (event.sequence, event.kind.as_str())).collect();
        assert_eq!(told, [(1, "material.ready"), (2, "chunk.completed"), (3, "chunk.completed"), (4, "material.completed")]);
        let book = claim(f, JobKind::Assemble, NOON).await.expect("the book is queued");
        assert_eq!(book.detail.as_deref(), Some("mp3"));
    }

    async fn a_chunk_that_fails_for_good_is_released_and_may_be_converted_again(f: &Fixture) {
        let reader = reader(f, 30).await;
        let id = ready(f, &reader, LIVE, &[10, 20], NOON).await;
        queue(f, &reader, id, NOON).await;
        let first = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert!(start(f, &first, NOON).await.is_some());
        let buried = job_outcomes::fail_permanently(f, &first, &failure(), "the engine said no", writing(NOON)).await;
        assert_eq!(buried.expect("it answers"), Outcome::Going);
        assert_eq!(balance(f, &reader).await, (30, 20));
        let second = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert_eq!(speak(f, &second, NOON).await, Outcome::Ended(MaterialStatus::PartiallyFailed));
        assert_eq!(balance(f, &reader).await, (10, 0));
        let chunk = chunks::find(f, reader.account, LIVE, id, 0).await.expect("it reads").expect("it is there");
        assert_eq!((chunk.status, chunk.failure), (ChunkStatus::Failed, Some(failure())));
        let told = events::of_material(f, reader.account, LIVE, id, 1, 100).await.expect("it reads");
        let kinds: Vec<_> = told.iter().map(|event| event.kind.as_str()).collect();
        assert_eq!(kinds, ["chunk.failed", "chunk.completed", "material.failed"]);
        assert!(told[0].data.contains("\"error\":{\"code\":\"tts_provider_error\",\"message\":\"The engine failed.\"}"));
        assert!(told[2].data.contains("\"status\":\"partially_failed\""), "{}", told[2].data);

        let again = queue(f, &reader, id, NOON).await;
        assert_eq!((again.chunks, again.credits_held), (1, Credits(10)));
        assert_eq!((again.material.chunks_failed, again.material.status), (0, MaterialStatus::Converting));
        let third = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert_eq!((third.chunk, third.id, third.epoch), (Some(0), first.id, 2), "the dead job has come back");
        assert_eq!(speak(f, &third, NOON).await, Outcome::Ended(MaterialStatus::Completed));
        assert_eq!(balance(f, &reader).await, (0, 0));
    }
}
