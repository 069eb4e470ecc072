//! `lectern admin voices sync` and `blend`, and the e-readers of a fresh store, with a voices
//! directory that seems to hold packs.

use std::path::Path;

use lectern_speech::engines;
use serde_json::{Value, json};

use crate::program;

/// A voices directory in which these packs count as installed.
fn installed(packs: &[&str]) -> tempfile::TempDir {
    let voices = tempfile::tempdir().unwrap();
    for pack in packs {
        let pack = engines::local(pack).unwrap().pack;
        let folder = pack.folder(voices.path());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(&pack.manifest().unwrap().files[0].name), "").unwrap();
    }
    voices
}

fn command(data: &Path, voices: &Path, arguments: &[&str]) -> std::process::Command {
    let mut command = program::lectern(data, arguments);
    command.env("LECTERN_SPEECH__VOICES_DIR", voices);
    command
}

fn json(data: &Path, voices: &Path, arguments: &[&str]) -> Value {
    program::printed(&mut command(data, voices, arguments))
}

fn refusal(data: &Path, voices: &Path, arguments: &[&str], code: i32) -> String {
    let done = command(data, voices, arguments).output().unwrap();
    let said = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
    assert_eq!(done.status.code(), Some(code), "{said}");
    said
}

const LIST: &[&str] = &["admin", "voices", "list", "--json"];
const SYNC: &[&str] = &["admin", "voices", "sync", "--json"];

fn slugs(ereaders: &Value) -> Vec<&str> {
    ereaders.as_array().unwrap().iter().map(|ereader| ereader["slug"].as_str().unwrap()).collect()
}

#[test]
fn a_fresh_store_has_an_e_reader_for_each_installed_voice() {
    let (data, voices) = (tempfile::tempdir().unwrap(), installed(&["hibari", "kokoro"]));
    let all = json(data.path(), voices.path(), LIST);
    let kokoro = engines::local("kokoro").unwrap();
    assert_eq!(slugs(&all).len(), kokoro.voices.len() + 2);
    // The command lists the oldest first, the API the newest.
    let ids: Vec<_> = all.as_array().unwrap().iter().map(|ereader| ereader["id"].as_str().unwrap()).collect();
    assert!(ids.is_sorted());
    assert_eq!(slugs(&all).last(), Some(&"heart"));
    assert_eq!(json(data.path(), voices.path(), SYNC), json!([]), "nothing is missing");

    // What the catalogue says of a voice is what `voices list` says.
    let listed = json(data.path(), voices.path(), &["voices", "list", "--json"]);
    for voice in listed["data"].as_array().unwrap() {
        let slug = voice["name"].as_str().unwrap().replace('_', "-");
        let ereader =
            all.as_array().unwrap().iter().find(|ereader| ereader["slug"] == slug.as_str()).unwrap();
        for field in ["engine", "languages", "gender", "grade"] {
            assert_eq!(ereader[field], voice[field], "{slug}: {field}");
        }
    }
}

#[test]
fn voices_that_are_installed_later_are_synced_before_the_first_e_readers() {
    let (data, none, voices) = (tempfile::tempdir().unwrap(), installed(&[]), installed(&["kokoro"]));
    assert_eq!(slugs(&json(data.path(), none.path(), LIST)), ["alma", "heart"]);
    assert_eq!(json(data.path(), none.path(), SYNC), json!([]));
    let add = [
        "admin",
        "voices",
        "add",
        "--slug",
        "bf-lily",
        "--name",
        "Lily",
        "--engine",
        "upstream",
        "--voice",
        "lily",
        "--tier",
        "free",
        "--price",
        "1",
        "--language",
        "en",
    ];
    assert_eq!(command(data.path(), none.path(), &add).status().unwrap().code(), Some(0));
    let done = command(data.path(), voices.path(), SYNC).output().unwrap();
    let (made, said) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    let made: Value = serde_json::from_str(&made).unwrap();
    assert_eq!(slugs(&made)[..2], ["af-bella", "af-heart"]);
    assert_eq!(slugs(&made).len(), engines::local("kokoro").unwrap().voices.len() - 1);
    assert!(said.contains("bf_lily has no e-reader"), "{said}");
    let all = json(data.path(), voices.path(), LIST);
    assert_eq!(slugs(&all)[slugs(&all).len() - 3..], ["alma", "heart", "bf-lily"]);
}

#[test]
fn a_blend_is_an_e_reader_that_can_be_mixed_anew() {
    let (data, voices) = (tempfile::tempdir().unwrap(), installed(&["kokoro"]));
    let blend = |arguments: &[&str]| {
        let all = [&["admin", "voices", "blend", "--json"], arguments].concat();
        json(data.path(), voices.path(), &all)
    };
    let made = blend(&["warm", "--of", "af_bella:2.0, af_sky"]);
    let mut rest = made.clone();
    assert!(rest.as_object_mut().unwrap().remove("id").is_some());
    assert_eq!(
        rest,
        json!({
            "slug": "warm", "name": "Warm", "description": "A blend of voices: Bella 67 %, Sky 33 %.",
            "languages": ["en-US"], "gender": "female", "grade": null, "preview": false, "tier": "free",
            "engine": "kokoro", "sample_rate_hz": 24_000, "price_per_character": 3,
            "sample_langs": ["en-US"], "formats": ["mp3", "wav", "flac", "opus", "pcm", "ulaw", "alaw"], "active": true,
        })
    );
    let again = blend(&["warm", "--of", "af_bella:1,am_adam:3", "--price", "7", "--name", "Both"]);
    assert_eq!(
        (&again["id"], &again["price_per_character"], &again["name"]),
        (&made["id"], &json!(7), &json!("Both"))
    );
    assert_eq!(
        (&again["gender"], &again["description"]),
        (&Value::Null, &json!("A blend of voices: Bella 25 %, Adam 75 %."))
    );
    let kept = blend(&["warm", "--of", "af_bella:1,am_adam:4"]);
    assert_eq!((&kept["price_per_character"], &kept["name"]), (&json!(7), &json!("Both")));
    for (of, part) in [
        ("af_bella", "takes at least two"),
        ("heart,alma", "cannot be blended"),
        ("af_bella,heart", "voices of one engine"),
        ("af_bella,nobody", "there is no voice \"nobody\""),
        ("nobody,af_bella", "there is no voice \"nobody\""),
        ("af_bella:0,af_sky:1", "must be a number above 0"),
        ("af_bella:-1,af_sky:1", "must be a number above 0"),
        ("af_bella:x,af_sky", "must be a number above 0"),
        ("af_bella:NaN,af_sky", "must be a number above 0"),
        ("af_bella,af_bella:2", "is named twice"),
        ("af_bella,ef_dora", "no language in common"),
        ("", "there is no voice"),
    ] {
        let said = refusal(data.path(), voices.path(), &["admin", "voices", "blend", "mixed", "--of", of], 1);
        assert!(said.contains(part), "{of}: {said}");
    }
    let taken = ["admin", "voices", "blend", "heart", "--of", "af_bella,af_sky"];
    assert!(refusal(data.path(), voices.path(), &taken, 1).contains("heart is no blend"));
    let slug = ["admin", "voices", "blend", "Warm", "--of", "af_bella,af_sky"];
    assert!(refusal(data.path(), voices.path(), &slug, 2).contains("a-z, 0-9 and -"));
}

#[test]
fn a_bad_price_or_name_ends_the_start() {
    let (data, voices) = (tempfile::tempdir().unwrap(), installed(&[]));
    for (variable, value, key) in [
        ("LECTERN_VOICES__PRICES", "kokorro:3", "voices.prices"),
        ("LECTERN_VOICES__OPENAI", "nova", "voices.openai"),
    ] {
        let done = command(data.path(), voices.path(), &["serve"]).env(variable, value).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(78), "{said}");
        assert!(said.contains(key) && said.contains("must"), "{said}");
    }
}
