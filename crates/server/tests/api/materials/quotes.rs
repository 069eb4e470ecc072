//! The quotes of a material: listed with their speakers, given to others, and spoken as they were given.

use lectern_store::Tier;
use lectern_testkit::{Account, Reply, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    PATH,
    cast::{cast, put, until, uploaded},
    file, upload,
};

const NOVEL: &str = "Morning came, and with it rain.\n\n“Who is there?” asked a voice.\n\nIt rained.\n\n* * *\n\n\
    “Good evening,” said Ines. The door closed.\n\n“You are late,” said Tom.\n\n\
    “I know,” said Ines, and she sat down by the window of the old house.";

async fn quotes(app: &TestApp, account: &Account, id: &str, query: &str) -> Vec<Value> {
    let reply = app.get(&format!("{PATH}/{id}/quotes{query}"), &account.live).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    reply.json()["data"].as_array().unwrap().clone()
}

async fn set(app: &TestApp, account: &Account, id: &str, quotes: Value) -> Reply {
    let request = app.request(Method::PATCH, &format!("{PATH}/{id}/quotes")).bearer_auth(&account.live);
    app.send(request.json(&json!({ "quotes": quotes }))).await
}

/// Text and speaker of each.
fn said(quotes: &[Value]) -> Vec<(&str, Option<&str>)> {
    quotes.iter().map(|one| (one["text"].as_str().unwrap(), one["speaker"].as_str())).collect()
}

fn place(quote: &Value, speaker: Option<&str>) -> Value {
    json!({ "chunk_index": quote["chunk_index"], "start": quote["start"], "text": quote["text"], "speaker": speaker })
}

on_both! {
    async fn a_quote_is_spoken_by_whom_it_was_given_to(setup: Setup) {
        let app = setup.start().await;
        let account = app.account_of(Tier::Premium, 10_000).await;
        let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
        let id = uploaded(&app, &account, NOVEL).await;
        let all = quotes(&app, &account, &id, "").await;
        assert_eq!(
            said(&all),
            [("“Who is there?”", None), ("“Good evening,”", Some("Ines")), ("“You are late,”", Some("Tom")), ("“I know,”", Some("Ines"))]
        );
        for quote in &all[1..] {
            let start = usize::try_from(quote["start"].as_u64().unwrap()).unwrap();
            let text = quote["text"].as_str().unwrap();
            assert!(NOVEL.chars().skip(start).collect::<String>().starts_with(text), "{quote}");
            assert!(quote["confidence"].as_f64().unwrap() >= 0.9 && quote["given"] == false, "{quote}");
        }
        assert_eq!((&all[0]["confidence"], &all[0]["given"]), (&Value::Null, &json!(false)));
        assert_eq!(quotes(&app, &account, &id, "?speaker=Ines").await, [all[1].clone(), all[3].clone()]);
        assert_eq!(quotes(&app, &account, &id, "?unattributed=true").await, [all[0].clone()]);
        assert!(quotes(&app, &account, &id, "?speaker=Ines&unattributed=true").await.is_empty());

        // Tom takes one of Ines's, a stranger the one that was nobody's, and the narrator Tom's.
        let changes = json!([place(&all[0], Some("A stranger")), place(&all[1], Some("Tom")), place(&all[2], None)]);
        let changed = set(&app, &account, &id, changes).await;
        assert_eq!(changed.status, 200, "{}", changed.json());
        let given = |quote: &Value, speaker: Option<&str>| {
            let mut quote = quote.clone();
            quote["speaker"] = json!(speaker);
            quote["confidence"] = json!(speaker.map(|_| 1.0));
            quote["given"] = json!(true);
            quote
        };
        let expected = [given(&all[0], Some("A stranger")), given(&all[1], Some("Tom")), given(&all[2], None)];
        assert_eq!(changed.json()["quotes"], json!(expected));
        assert!(quotes(&app, &account, &id, "?unattributed=true").await.is_empty(), "all are decided");
        let counted: Vec<(String, u64)> = cast(&app, &account, &id).await.iter()
            .map(|one| (one["name"].as_str().unwrap().to_owned(), one["quotes"].as_u64().unwrap())).collect();
        let counted: Vec<(&str, u64)> = counted.iter().map(|(name, quotes)| (name.as_str(), *quotes)).collect();
        assert_eq!(counted, [("A stranger", 1), ("Tom", 1), ("Ines", 1)]);

        let speakers = json!([{ "name": "Tom", "ereader_id": alma }, { "name": "A stranger", "ereader_id": alma }]);
        assert_eq!(put(&app, &account, &id, speakers).await.status, 200);
        let characters = app.material(&account.live, &id).await["characters"].as_i64().unwrap();
        let queued = app.post(&format!("{PATH}/{id}/convert"), &account.live, &json!({ "ereader_id": heart })).await.json();
        let alma_says = i64::try_from("“Good evening,”“Who is there?”".chars().count()).unwrap();
        let held = queued["credits_held"].as_i64().unwrap();
        assert!((held - characters - alma_says).abs() <= 2, "{held} for {characters} characters");
        until(&app, &account, &id, "completed").await;
        let spoken: Vec<String> = app.engine.utterances().iter().map(|said| said.trim().to_owned()).collect();
        assert!(spoken.iter().any(|said| said == "“Good evening,”"), "{spoken:?}");
        assert!(!spoken.iter().any(|said| said == "“You are late,”"), "{spoken:?}");
        let locked = set(&app, &account, &id, json!([place(&all[1], None)])).await;
        assert_eq!(locked.refusal(), "ereader_locked");
        app.finish().await;
    }

    // Negative control, seen: without what `kept` carries over, the quote is Ines's again.
    async fn what_was_said_of_a_quote_survives_an_edit_of_its_text(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account, NOVEL).await;
        let all = quotes(&app, &account, &id, "").await;
        assert_eq!(set(&app, &account, &id, json!([place(&all[1], Some("Tom"))])).await.status, 200);
        let path = format!("{PATH}/{id}/chunks/0/text");
        let edited = NOVEL.replace("The door closed.", "A door closed. “You!” said Ines.");
        let request = app.request(Method::PUT, &path).bearer_auth(&account.live).header("content-type", "text/plain");
        assert_eq!(app.send(request.body(edited)).await.status, 200);
        let after = quotes(&app, &account, &id, "").await;
        assert_eq!(
            said(&after),
            [("“Who is there?”", None), ("“Good evening,”", Some("Tom")), ("“You!”", Some("Ines")), ("“You are late,”", Some("Tom")), ("“I know,”", Some("Ines"))]
        );
        assert_eq!((&after[1]["given"], &after[2]["given"]), (&json!(true), &json!(false)));
        let names: Vec<(String, u64)> = cast(&app, &account, &id).await.iter()
            .map(|one| (one["name"].as_str().unwrap().to_owned(), one["quotes"].as_u64().unwrap())).collect();
        assert_eq!(names, [("Tom".to_owned(), 2), ("Ines".to_owned(), 2)]);
        app.finish().await;
    }

    // Negative control, seen: when the new text is read by itself, its beginning is nobody's and Tom says “No”.
    async fn an_edit_leaves_a_text_to_the_speaker_that_its_lines_name(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10_000).await;
        let long = "She told them of the sea, and of the ships that had come home. ".repeat(100);
        let id = uploaded(&app, &account, &format!("[speaker Ines]\n{long}\n\nThat is all.\n\n[speaker Tom]\nAye.")).await;
        let last = app.material(&account.live, &id).await["chunk_count"].as_u64().unwrap() - 1;
        assert!(last > 0, "a text of several chunks");
        let path = format!("{PATH}/{id}/chunks/{last}/text");
        let edited = "That was all. “No,” said Tom.\n\n[speaker Tom]\nAye, aye.";
        let request = app.request(Method::PUT, &path).bearer_auth(&account.live).header("content-type", "text/plain");
        assert_eq!(app.send(request.body(edited)).await.status, 200);
        let after = quotes(&app, &account, &id, "").await;
        let after = after.iter().filter(|quote| quote["chunk_index"] == last);
        let after: Vec<(&str, &str)> = after.map(|one| (one["text"].as_str().unwrap().trim(), one["speaker"].as_str().unwrap())).collect();
        assert_eq!(after, [("That was all. “No,” said Tom.", "Ines"), ("Aye, aye.", "Tom")]);
        let counted: Vec<(String, u64, f64)> = cast(&app, &account, &id).await.iter()
            .map(|one| (one["name"].as_str().unwrap().to_owned(), one["quotes"].as_u64().unwrap(), one["confidence"].as_f64().unwrap())).collect();
        assert_eq!(counted, [("Ines".to_owned(), 1, 1.0), ("Tom".to_owned(), 1, 1.0)]);
        app.finish().await;
    }

    // Negative control: when only the first piece is given, the others are still hers.
    async fn a_passage_across_chunks_is_given_whole(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10_000).await;
        let long = "She told them of the sea, and of the ships that had come home. ".repeat(200);
        let id = uploaded(&app, &account, &format!("[speaker Ines]\n{long}\n\n[speaker Tom]\nAye.")).await;
        let hers = quotes(&app, &account, &id, "?speaker=Ines").await;
        let continues: Vec<bool> = hers.iter().map(|one| one["continues"].as_bool().unwrap()).collect();
        assert!(continues.len() > 2 && !continues[0] && continues[1..].iter().all(|on| *on), "{continues:?}");
        assert_eq!(set(&app, &account, &id, json!([place(&hers[0], Some("Tom"))])).await.status, 200);
        assert!(quotes(&app, &account, &id, "?speaker=Ines").await.is_empty());
        let of_tom = quotes(&app, &account, &id, "?speaker=Tom").await;
        assert_eq!(of_tom.len(), hers.len() + 1);
        assert_eq!(of_tom.last().unwrap()["given"], false);
        let tom = json!([{ "name": "Tom", "ereader_id": null, "quotes": 2, "confidence": 1.0 }]);
        assert_eq!(json!(cast(&app, &account, &id).await), tom);
        app.finish().await;
    }

    async fn quotes_are_found_far_into_a_book(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100_000).await;
        let chapter = |at: u32| format!("Chapter {at}\n\n“Number {at} is here,” said {}.", if at > 230 { "Ines" } else { "Tom" });
        let id = uploaded(&app, &account, &(1..=240).map(chapter).collect::<Vec<_>>().join("\n\n\n")).await;
        assert!(app.material(&account.live, &id).await["chunk_count"].as_u64().unwrap() > 200);
        let hers = quotes(&app, &account, &id, "?speaker=Ines&limit=10").await;
        assert_eq!(said(&hers)[9].0, "“Number 240 is here,”");
        let page = app.get(&format!("{PATH}/{id}/quotes?speaker=Ines&limit=9"), &account.live).await.json();
        let cursor = page["next_cursor"].as_str().unwrap();
        let last = quotes(&app, &account, &id, &format!("?speaker=Ines&limit=9&cursor={cursor}")).await;
        assert_eq!(last, hers[9..]);
        app.finish().await;
    }

    async fn many_quotes_come_in_pages(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100_000).await;
        let speech: Vec<String> = (0..250).map(|at| format!("“Number {at} is here,” said {}.", ["Ines", "Tom"][at % 2])).collect();
        let id = uploaded(&app, &account, &speech.join("\n\n")).await;
        let mut found = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = app.get(&format!("{PATH}/{id}/quotes?speaker=Tom&limit=40{cursor}"), &account.live).await.json();
            let data = page["data"].as_array().unwrap();
            assert!(data.len() <= 40);
            found.extend(data.iter().map(|one| one["text"].as_str().unwrap().to_owned()));
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        let expected: Vec<String> = (0..250).filter(|at| at % 2 == 1).map(|at| format!("“Number {at} is here,”")).collect();
        assert_eq!(found, expected);
        app.finish().await;
    }

    // Negative control, seen: with a text that is divided anew as it was uploaded, the quote is Ines's again.
    async fn what_was_said_of_a_quote_survives_notes_in_another_place(setup: Setup) {
        let app = setup.start().await;
        let account = app.account_of(Tier::Premium, 10_000).await;
        let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
        let page = "<!doctype html><html lang=en><title>Notes</title><body><h1>One</h1>\
            <p>“Good evening,” said Ines.<a epub:type=noteref role=doc-noteref href=#n>1</a> The door closed.</p>\
            <p>“You are late,” said Tom.</p><aside id=n role=doc-footnote><p>An evening in May.</p></aside>";
        let reply = upload(&app, &account.live, &[file("notes.html", page.as_bytes())]).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        let id = reply.json()["id"].as_str().unwrap().to_owned();
        until(&app, &account, &id, "ready").await;
        let all = quotes(&app, &account, &id, "?speaker=Ines").await;
        assert_eq!(set(&app, &account, &id, json!([place(&all[0], Some("A stranger"))])).await.status, 200);
        let speakers = json!([{ "name": "A stranger", "ereader_id": alma }]);
        assert_eq!(put(&app, &account, &id, speakers).await.status, 200);
        let before = app.material(&account.live, &id).await["characters"].as_i64().unwrap();
        let body = json!({ "ereader_id": heart, "notes": "inline" });
        let queued = app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await;
        assert_eq!(queued.status, 202, "{}", queued.json());
        let characters = app.material(&account.live, &id).await["characters"].as_i64().unwrap();
        assert!(characters > before, "the note is read");
        // The voice of a name that the text does not have stays, too.
        let alma_says = i64::try_from("“Good evening,”".chars().count()).unwrap();
        let held = queued.json()["credits_held"].as_i64().unwrap();
        assert!((held - characters - alma_says).abs() <= 1, "{held} for {characters} characters");
        assert_eq!(said(&quotes(&app, &account, &id, "?speaker=A+stranger").await), [("“Good evening,”", Some("A stranger"))]);
        until(&app, &account, &id, "completed").await;
        app.finish().await;
    }
}

#[tokio::test]
async fn wrong_quotes_are_refused_and_nothing_is_changed() {
    let app = TestApp::start().await;
    let account = app.account(1_000).await;
    let id = uploaded(&app, &account, NOVEL).await;
    let all = quotes(&app, &account, &id, "").await;
    let good = place(&all[1], Some("Tom"));
    for (wrong, field) in [
        (json!([]), "quotes"),
        (json!({}), "quotes"),
        (Value::Array(vec![good.clone(); 501]), "quotes"),
        (json!([good, good]), "quotes[1]"),
        (json!([good, { "chunk_index": 0, "start": 1, "speaker": "Tom" }]), "quotes[1]"),
        (json!([good, { "chunk_index": 9, "start": 0, "speaker": "Tom" }]), "quotes[1]"),
        (json!([{ "chunk_index": 0, "start": 4_294_967_295_u32, "speaker": "Tom" }]), "quotes[0]"),
        (json!([{ "chunk_index": 0, "start": -1, "speaker": "Tom" }]), "quotes[0]"),
        (json!([{ "chunk_index": 0, "speaker": "Tom" }]), "quotes[0]"),
        (json!([{ "chunk_index": 0, "start": 0 }]), "quotes[0]"),
        (json!([{ "chunk_index": 0, "start": 0, "speaker": " " }]), "quotes[0]"),
        (json!([{ "chunk_index": 0, "start": 0, "speaker": "Tom " }]), "quotes[0]"),
        (
            json!([{ "chunk_index": 0, "start": all[1]["start"], "text": "“Good night,”", "speaker": "Tom" }]),
            "quotes[0]",
        ),
        (json!([{ "chunk_index": 0, "start": all[1]["start"], "text": 1, "speaker": "Tom" }]), "quotes[0]"),
        (json!([{ "chunk_index": 0, "start": 0, "speaker": "a".repeat(101) }]), "quotes[0]"),
        (json!([{ "chunk_index": 0, "start": 0, "speaker": "Tom", "voice": 1 }]), "quotes[0]"),
        (json!(["Tom"]), "quotes[0]"),
    ] {
        assert_eq!(set(&app, &account, &id, wrong).await.fields(), [field]);
    }
    assert_eq!(quotes(&app, &account, &id, "").await, all);
    let path = format!("{PATH}/{id}/quotes");
    assert_eq!(app.get(&format!("{path}?unattributed=yes"), &account.live).await.fields(), ["unattributed"]);
    assert_eq!(app.get(&format!("{path}?limit=501"), &account.live).await.fields(), ["limit"]);
    assert_eq!(app.get(&format!("{path}?cursor=00"), &account.live).await.fields(), ["cursor"]);
    let stranger = app.account(1_000).await;
    assert_eq!(app.get(&path, &stranger.live).await.refusal(), "material_not_found");
    assert_eq!(
        set(&app, &stranger, &id, json!([place(&all[1], None)])).await.refusal(),
        "material_not_found"
    );
    app.finish().await;
}
