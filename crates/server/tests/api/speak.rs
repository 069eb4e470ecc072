//! `lectern speak` as its users run it, with the real voice.

use std::process::{Command, Output};

use serde_json::{Value, json};

fn speak(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
    command.arg("speak").args(arguments);
    // The test runner's own variables are not settings of the service.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("LECTERN_TEST_")) {
        command.env_remove(name);
    }
    command.output().unwrap()
}

#[test]
fn times_of_a_text_in_ssml_have_its_marks_and_the_places_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text =
        "<speak>One <emphasis>two</emphasis><mark name=\"here\"/> <sub alias=\"three\">3rd</sub></speak>";
    let spoken = speak(&[text, "--text-type", "ssml", "-o", &path("a.wav"), "--timestamps", &path("a.json")]);
    assert!(spoken.status.success(), "{}", String::from_utf8_lossy(&spoken.stderr));
    let times: Vec<Value> = serde_json::from_slice(&std::fs::read(path("a.json")).unwrap()).unwrap();
    let found: Vec<Value> = times
        .iter()
        .map(|time| match time.get("mark") {
            Some(mark) => mark.clone(),
            None => json!([time["text"], time["start_char"], time["end_char"]]),
        })
        .collect();
    let place = |word: &str| text.find(word).unwrap();
    assert_eq!(
        found,
        [
            json!(["One", 7, 10]),
            json!(["two", place("two"), place("two") + 3]),
            json!("here"),
            json!(["3rd", place("3rd"), place("3rd") + 3]),
        ]
    );
    assert_eq!(times[2]["at_ms"], times[3]["start_ms"]);
    // Captions have the text as people see it.
    let spoken = speak(&[text, "--text-type", "ssml", "-o", &path("a.wav"), "--timestamps", &path("a.srt")]);
    assert!(spoken.status.success());
    assert!(std::fs::read_to_string(path("a.srt")).unwrap().contains("\nOne two 3rd\n"));
}

#[test]
fn a_text_may_name_several_voices() {
    let folder = tempfile::tempdir().unwrap();
    let spoken = |text: &str, more: &[&str]| {
        let path = folder.path().join("a.wav").to_str().unwrap().to_owned();
        let times = folder.path().join("a.json").to_str().unwrap().to_owned();
        let done = speak(&[&[text, "-o", &path, "--timestamps", &times], more].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let times: Vec<Value> = serde_json::from_slice(&std::fs::read(times).unwrap()).unwrap();
        let words = times.iter().map(|time| time["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        (std::fs::read(path).unwrap(), words.join(" "))
    };
    let ssml = |voice: &str| {
        format!("<speak>Who is there?<voice name=\"{voice}\"> Only me.</voice> Come in.</speak>")
    };
    let (two, words) = spoken(&ssml("alma"), &["--text-type", "ssml"]);
    assert_eq!(words, "Who is there Only me Come in");
    let (one, _) = spoken(&ssml("heart"), &["--text-type", "ssml"]);
    assert_ne!(two, one, "the second voice is not the first");
    // Lines that name who speaks do the same in plain text.
    let lines = "Who is there?\n[speaker Ann]\nOnly me.\n[speaker Bob]\nCome in.";
    let (two, words) = spoken(lines, &["--speaker", "Ann=alma"]);
    assert_eq!(words, "Who is there Only me Come in");
    let (one, _) = spoken(lines, &[]);
    assert_ne!(two, one);
    let shown = speak(&[lines, "--speaker", "Ann=alma", "--show", "words"]);
    assert_eq!(String::from_utf8(shown.stdout).unwrap(), "Who is there?\nOnly me.\nCome in.\n");

    for (arguments, why) in [
        (&[&*ssml("nobody"), "--text-type", "ssml"][..], "line 1, column 21: "),
        (&[&*ssml("alma"), "--text-type", "ssml", "--speaker", "Ann=alma"], "SSML has voice"),
        (
            &[lines, "--speaker", "Eve=alma"],
            "nobody in the text is called \"Eve\"; its speakers are: Ann, Bob",
        ),
        (&[lines, "--speaker", "Ann"], "NAME=VOICE"),
    ] {
        let refused = speak(&[arguments, &["-o", "/dev/null"]].concat());
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && said.contains(why), "{arguments:?}: {said}");
    }
}
