//! Voices that users bring: `lectern voices add`, and what speaks with them, on a small network of a
//! Piper voice's shape (`fixtures/piper/make.py`).

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use crate::program::{self, Process};

const NAME: &str = "de_DE-anna-low";
const NETWORK: &[u8] = include_bytes!("../fixtures/piper/de_DE-anna-low.onnx");
const DESCRIPTION: &str = include_str!("../fixtures/piper/de_DE-anna-low.onnx.json");

/// A data directory, a voices directory with the standard pack, and files to add.
struct Place {
    data: tempfile::TempDir,
    voices: tempfile::TempDir,
    files: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let made = || tempfile::tempdir().unwrap();
        let place = Self { data: made(), voices: made(), files: made() };
        symlink(Path::new(&program::voices()).join("hibari"), place.voices.path().join("hibari")).unwrap();
        place
    }

    /// Writes a voice as its publisher would.
    fn file(&self, name: &str, description: &str) -> PathBuf {
        let path = self.files.path().join(format!("{name}.onnx"));
        fs::write(&path, NETWORK).unwrap();
        fs::write(self.files.path().join(format!("{name}.onnx.json")), description).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program::lectern(self.data.path(), arguments);
        command.env("LECTERN_SPEECH__VOICES_DIR", self.voices.path());
        // No espeak-ng, whatever this machine has.
        command.env("PATH", self.files.path());
        command
    }

    fn said(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let done = self.command(arguments).output().unwrap();
        (done.status.code(), String::from_utf8([done.stdout, done.stderr].concat()).unwrap())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        program::printed(&mut self.command(arguments))
    }

    fn add(&self, path: &Path) -> (Option<i32>, String) {
        self.said(&["voices", "add", path.to_str().unwrap()])
    }
}

/// The same voice, which needs espeak-ng.
fn needing_espeak() -> String {
    let mut description: Value = serde_json::from_str(DESCRIPTION).unwrap();
    description["phoneme_type"] = json!("espeak");
    description["espeak"] = json!({ "voice": "de" });
    description.to_string()
}

#[test]
fn a_voice_is_added_listed_speaks_and_is_removed() {
    let place = Place::new();
    let path = place.file(NAME, DESCRIPTION);
    let (code, said) = place.add(&path);
    assert!(code == Some(0) && said.contains("is added to"), "{said}");
    let listed = place.json(&["voices", "list", "--json"])["data"].clone();
    assert_eq!(
        listed.as_array().unwrap().last().unwrap(),
        &json!({
            "name": NAME, "engine": "piper", "languages": ["de-DE"], "gender": null, "grade": null, "installed": true,
        })
    );
    let (code, said) = place.add(&path);
    assert!(code == Some(1) && said.contains("there is a voice or a pack de_DE-anna-low already"), "{said}");

    let out = place.files.path().join("tag.wav");
    let speak = |voice: &str, language: &str| {
        place.said(&[
            "speak",
            "Guten Tag.",
            "--voice",
            voice,
            "--language",
            language,
            "-o",
            out.to_str().unwrap(),
        ])
    };
    let (code, said) = speak(NAME, "de");
    assert_eq!(code, Some(0), "{said}");
    let wav = fs::read(&out).unwrap();
    assert_eq!(u32::from_le_bytes(wav[24..28].try_into().unwrap()), 16_000);
    let (code, said) = speak(NAME, "fr");
    assert!(code == Some(2) && said.contains("it speaks: de-DE"), "{said}");
    let (code, said) = speak("de_DE-otto-low", "de");
    assert!(code == Some(2) && said.contains("de_DE-anna-low"), "the voices there are: {said}");

    assert_eq!(place.said(&["voices", "remove", NAME]).0, Some(0));
    let (code, said) = speak(NAME, "de");
    assert!(code == Some(2) && said.contains("there is no voice"), "{said}");
    assert_eq!(place.said(&["voices", "remove", NAME]).0, Some(2));
}

#[test]
fn a_file_that_is_no_voice_is_refused_and_leaves_nothing() {
    let place = Place::new();
    let path = place.file("broken", "{}");
    let (code, said) = place.add(&path);
    assert!(code == Some(1) && said.contains("broken.onnx.json") && said.contains("audio"), "{said}");
    fs::remove_file(place.files.path().join("broken.onnx.json")).unwrap();
    let (code, said) = place.add(&path);
    assert!(code == Some(1) && said.contains("broken.onnx.json"), "{said}");
    let path = place.file("text", DESCRIPTION);
    fs::write(&path, "no network").unwrap();
    let (code, said) = place.add(&path);
    assert!(code == Some(1) && said.contains("no network of a Piper voice"), "{said}");
    let path = place.file("heart", DESCRIPTION);
    let (code, said) = place.add(&path);
    assert!(code == Some(1) && said.contains("rename the file"), "{said}");
    assert!(
        !place.voices.path().join("piper").exists()
            || fs::read_dir(place.voices.path().join("piper")).unwrap().count() == 0
    );
}

// Negative control: when the engine is not loaded for a voice that was added, both answers are 503.
#[tokio::test]
async fn a_service_speaks_with_it_and_says_when_espeak_is_missing() {
    let place = Place::new();
    assert_eq!(place.add(&place.file(NAME, DESCRIPTION)).0, Some(0));
    let (code, said) = place.add(&place.file("de_DE-berta-low", &needing_espeak()));
    assert!(code == Some(0) && said.contains("needs the program espeak-ng"), "{said}");
    let (code, said) = place.said(&["doctor"]);
    assert!(code == Some(1) && said.contains("de_DE-berta-low cannot speak without"), "{said}");

    let invited =
        place.json(&["admin", "invite", "create", "--email", "a@example.com", "--credits", "900", "--json"]);
    let ereaders = place.json(&["admin", "voices", "list", "--json"]);
    let ereader = |slug: &str| {
        let all = ereaders.as_array().unwrap();
        all.iter()
            .find(|ereader| ereader["slug"] == slug)
            .unwrap_or_else(|| panic!("{slug}: {ereaders}"))
            .clone()
    };
    let anna = ereader("de-de-anna-low");
    assert_eq!(
        (&anna["engine"], &anna["languages"], &anna["sample_rate_hz"]),
        (&json!("piper"), &json!(["de-DE"]), &json!(16_000))
    );
    assert_eq!(anna["price_per_character"], 1);

    let service = Process::start(&mut place.command(&["serve"]));
    let _ = rustls::crypto::ring::default_provider().install_default();
    #[expect(clippy::disallowed_methods, reason = "a test's own client")]
    let client = reqwest::Client::new();
    let speak = async |slug: &str| {
        let request = client.post(format!("{}/v1/saas/tts:synthesize", service.url));
        let request = request.bearer_auth(invited["live_key"].as_str().unwrap());
        let body = json!({ "ereader_id": ereader(slug)["id"], "text": "Guten Tag.", "language": "de", "timestamps": "word" });
        request.json(&body).send().await.unwrap().json::<Value>().await.unwrap()
    };
    let spoken = speak("de-de-anna-low").await;
    assert_eq!(
        (&spoken["credits_charged"], &spoken["timestamps"][1]["text"]),
        (&json!(10), &json!("Tag")),
        "{spoken}"
    );
    let refused = speak("de-de-berta-low").await;
    assert_eq!(refused["error"]["code"], "tts_provider_error", "{refused}");
}

#[test]
fn a_program_in_the_settings_reads_the_text() {
    let place = Place::new();
    // It answers as espeak-ng does: a line for each line.
    let program = place.files.path().join("reader");
    fs::write(&program, "#!/bin/bash\nwhile read -r line; do echo \"${line,,}\"; done").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(place.add(&place.file(NAME, &needing_espeak())).0, Some(0));
    let out = place.files.path().join("tag.mp3");
    let speak = ["speak", "Guten Tag.", "--voice", NAME, "-o", out.to_str().unwrap()];
    let (code, said) = place.said(&speak);
    assert!(code == Some(1) && said.contains("needs espeak-ng"), "{said}");
    let done = place.command(&speak).env("LECTERN_SPEECH__ESPEAK", &program).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(fs::metadata(&out).unwrap().len() > 500);
}
