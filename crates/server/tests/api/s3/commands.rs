//! `lectern admin storage migrate`: from files to S3 and back.

use std::{
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

use super::{noise, server};

fn migrate(settings: &[(String, String)], data: &Path, from: &str, to: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lectern"))
        .args(["admin", "storage", "migrate", "--json", "--from", from, "--to", to])
        .current_dir(data)
        .env_clear()
        .env("HOME", data)
        .env("LECTERN_DATA_DIR", data)
        .envs(settings.iter().map(|(name, value)| (name, value)))
        .output()
        .unwrap()
}

fn report(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}

fn write(folder: &Path, key: &str, bytes: &[u8]) {
    let path = folder.join(key);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

// Negative control: when `migration::copy` took objects of the same size for equal, the changed
// sample counted as already copied (23 of 24).
#[test]
fn objects_are_copied_from_files_to_s3_and_back_and_verified_by_hash() {
    let (_folder, server) = server();
    let data = tempfile::tempdir().unwrap();
    let here = data.path().join("objects");
    let all: Vec<(String, Vec<u8>)> = (0..20)
        .map(|at| (format!("materials/mat_{at}/chunks/0-{at}.flac"), noise(10_000 + at)))
        .chain([
            ("materials/mat_1/book.m4b".to_owned(), noise(17 * 1024 * 1024)),
            ("samples/erd_1-en.mp3".to_owned(), noise(50)),
            ("syntheses/syn_1-abc.mp3".to_owned(), Vec::new()),
        ])
        .collect();
    for (key, bytes) in &all {
        write(&here, key, bytes);
    }
    let settings: Vec<_> =
        server.settings("books", "p").into_iter().filter(|(name, _)| !name.ends_with("__URL")).collect();
    let files = format!("file://{}", here.display());
    let first = migrate(&settings, data.path(), &files, "s3://books/p");
    assert_eq!(first.status.code(), Some(0), "{}", String::from_utf8_lossy(&first.stderr));
    let reported = report(&first);
    assert_eq!(
        (&reported["ok"], &reported["objects"], &reported["copied"]),
        (&true.into(), &23.into(), &23.into()),
        "{reported}"
    );
    for (key, bytes) in &all {
        assert!(std::fs::read(server.file("books", &format!("p/{key}"))).unwrap() == *bytes, "{key}");
    }
    assert_eq!(server.unfinished_parts(), 0);

    // When repeated, the command copies only objects that are new, changed under the same name, or
    // wrong at the target.
    write(&here, "syntheses/syn_2-abc.mp3", b"new");
    write(&here, "samples/erd_1-en.mp3", &noise(51)[1..]);
    let again = report(&migrate(&settings, data.path(), &files, "s3://books/p"));
    assert_eq!((&again["copied"], &again["already_there"]), (&2.into(), &22.into()), "{again}");
    for entry in std::fs::read_dir(data.path()).unwrap().flatten() {
        if entry.file_name().to_string_lossy().ends_with(".journal") {
            std::fs::remove_file(entry.path()).unwrap();
        }
    }
    let wrong = server.file("books", "p/materials/mat_3/chunks/0-3.flac");
    let mut bytes = std::fs::read(&wrong).unwrap();
    bytes[77] ^= 1;
    std::fs::write(&wrong, bytes).unwrap();
    let mended = report(&migrate(&settings, data.path(), &files, "s3://books/p"));
    assert_eq!((&mended["copied"], &mended["already_there"]), (&1.into(), &23.into()), "{mended}");

    let back = data.path().join("back");
    let returned = migrate(&settings, data.path(), "s3://books/p", &format!("file://{}", back.display()));
    assert_eq!(report(&returned)["copied"], 24);
    for (key, bytes) in all.iter().filter(|(key, _)| !key.starts_with("samples")) {
        assert!(std::fs::read(back.join(key)).unwrap() == *bytes, "{key}");
    }
}

#[test]
fn an_overlapping_migration_is_wrong_usage_and_a_missing_bucket_bad_configuration() {
    let (_folder, server) = server();
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("objects")).unwrap();
    let settings: Vec<_> =
        server.settings("books", "p").into_iter().filter(|(name, _)| !name.ends_with("__URL")).collect();
    let files = format!("file://{}/objects", data.path().display());
    for (from, to, code) in [
        (files.as_str(), files.as_str(), 2),
        ("file:///no/such/folder", "s3://books/p", 2),
        ("ftp://x", "s3://books/p", 2),
        (files.as_str(), "s3://nothing-here", 78),
    ] {
        let refused = migrate(&settings, data.path(), from, to);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(code), "{from} {to}: {said}");
    }
    let without_keys = migrate(&[], data.path(), &files, "s3://books/p");
    assert_eq!(without_keys.status.code(), Some(78));
    assert!(String::from_utf8(without_keys.stderr).unwrap().contains("storage.access_key_id"));
}
