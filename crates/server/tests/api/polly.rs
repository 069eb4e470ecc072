//! The markup of Amazon Polly's documentation, tag by tag, in our own sentences: each is spoken as it was sent, or refused with
//! the name of what is not there, as the table of `docs/SSML.md` says.

use lectern_store::Tier;
use lectern_testkit::{Account, TestApp};
use serde_json::json;

/// The markup, what its words are for the engine, and how many characters are paid.
const SPOKEN: &[(&str, &str, usize)] = &[
    ("<speak>A lamb <break/>came along.</speak>", "A lamb came along.", 18),
    ("<speak>A lamb <break strength=\"x-strong\"/>came along.</speak>", "A lamb came along.", 18),
    ("<speak>A lamb <break time=\"3s\"/>came along.</speak>", "A lamb came along.", 18),
    (
        "<speak>I told you I <emphasis level=\"strong\">do like</emphasis> him.</speak>",
        "I told you I do like him.",
        25,
    ),
    ("<speak><emphasis level=\"reduced\">He left.</emphasis></speak>", "He left.", 8),
    ("<speak>The sign says <lang xml:lang=\"en-GB\">lift</lang>.</speak>", "The sign says lift.", 19),
    ("<speak>One <mark name=\"here\"/>lamb.</speak>", "One lamb.", 9),
    ("<speak><p>The first one.</p><p>The next one.</p></speak>", "The first one. The next one.", 27),
    ("<speak><s>It rains</s><s>We stay</s></speak>", "It rains. We stay.", 15),
    (
        "<speak>Say <phoneme alphabet=\"ipa\" ph=\"pɪˈkɑn\">pecan</phoneme>.</speak>",
        "Say [pecan](/pɪkˈɑn/).",
        10,
    ),
    (
        "<speak>Say <phoneme alphabet=\"x-sampa\" ph='pI\"kAn'>pecan</phoneme>.</speak>",
        "Say [pecan](/pɪkˈɑn/).",
        10,
    ),
    ("<speak><prosody volume=\"loud\">Louder now.</prosody></speak>", "Louder now.", 11),
    ("<speak><prosody volume=\"-6dB\">Softer now.</prosody></speak>", "Softer now.", 11),
    ("<speak><prosody rate=\"x-slow\">Take your time.</prosody></speak>", "Take your time.", 15),
    ("<speak><prosody rate=\"85%\">A bit slower.</prosody></speak>", "A bit slower.", 13),
    ("<speak><prosody pitch=\"high\">Up here.</prosody></speak>", "Up here.", 8),
    ("<speak><prosody pitch=\"-10%\">Down here.</prosody></speak>", "Down here.", 10),
    ("<speak><prosody rate=\"slow\" volume=\"soft\">Both.</prosody></speak>", "Both.", 5),
    (
        "<speak>His code is <say-as interpret-as=\"characters\">tv4</say-as>.</speak>",
        "His code is T V 4.",
        16,
    ),
    ("<speak>Spell <say-as interpret-as=\"spell-out\">cab</say-as>.</speak>", "Spell C [A](/ˈA/) B.", 10),
    ("<speak><say-as interpret-as=\"cardinal\">1234</say-as> sheep.</speak>", "1,234 sheep.", 11),
    ("<speak>The <say-as interpret-as=\"ordinal\">3</say-as> one.</speak>", "The 3rd one.", 10),
    ("<speak>Dial <say-as interpret-as=\"digits\">4071</say-as>.</speak>", "Dial 4 0 7 1.", 10),
    ("<speak>Use <say-as interpret-as=\"fraction\">3/20</say-as>.</speak>", "Use 3/20.", 9),
    ("<speak>Use <say-as interpret-as=\"fraction\">1+1/2</say-as>.</speak>", "Use 1 1/2.", 10),
    ("<speak>It is <say-as interpret-as=\"unit\">5foot</say-as>.</speak>", "It is 5foot.", 12),
    (
        "<speak>On <say-as interpret-as=\"date\" format=\"mdy\">12-31-2027</say-as>.</speak>",
        "On December 31, 2027.",
        14,
    ),
    ("<speak>On <say-as interpret-as=\"date\">????0922</say-as>.</speak>", "On September 22.", 12),
    (
        "<speak>It took <say-as interpret-as=\"time\">1'21\"</say-as>.</speak>",
        "It took 1 minute 21 seconds.",
        14,
    ),
    (
        "<speak>Call <say-as interpret-as=\"telephone\">2122241555</say-as>.</speak>",
        "Call 2 1 2, 2 2 4, 1 5 5 5.",
        16,
    ),
    ("<speak>Oh, <say-as interpret-as=\"expletive\">drat</say-as>!</speak>", "Oh, drat!", 9),
    ("<speak>Pour out the <sub alias=\"mercury\">Hg</sub>.</speak>", "Pour out the mercury.", 21),
    ("<speak>Two words: <w role=\"amazon:VB\">read</w> it.</speak>", "Two words: read it.", 19),
];

/// The markup, and how its refusal begins.
const REFUSED: &[(&str, &str)] = &[
    (
        "<speak><amazon:breath duration=\"long\"/>So.</speak>",
        "line 1, column 9: the element amazon:breath is not supported",
    ),
    (
        "<speak><amazon:auto-breaths>So.</amazon:auto-breaths></speak>",
        "line 1, column 9: the element amazon:auto-breaths",
    ),
    (
        "<speak><amazon:domain name=\"news\">So.</amazon:domain></speak>",
        "line 1, column 9: the element amazon:domain",
    ),
    (
        "<speak><amazon:effect name=\"drc\">So.</amazon:effect></speak>",
        "line 1, column 9: the element amazon:effect",
    ),
    (
        "<speak><amazon:effect phonation=\"soft\">So.</amazon:effect></speak>",
        "line 1, column 9: the element amazon:effect",
    ),
    (
        "<speak><prosody amazon:max-duration=\"2s\">So.</prosody></speak>",
        "line 1, column 17: the attribute amazon:max-duration",
    ),
    (
        "<speak><phoneme alphabet=\"x-amazon-pinyin\" ph=\"bao2\">薄</phoneme></speak>",
        "line 1, column 17: alphabet of phoneme must be ipa or x-sampa, not \"x-amazon-pinyin\"",
    ),
    (
        "<speak><say-as interpret-as=\"address\">1 Elm St</say-as></speak>",
        "line 1, column 16: interpret-as of say-as must be one of: characters",
    ),
    ("<speak><prosody rate=\"20%\">So.</prosody></speak>", "line 1, column 17: rate of prosody must be"),
];

async fn say(app: &TestApp, account: &Account, text: &str) -> lectern_testkit::Reply {
    let body = json!({ "ereader_id": app.ereader("heart").await, "text_type": "ssml", "text": text });
    app.post("/v1/saas/tts:synthesize", &account.live, &body).await
}

#[tokio::test]
async fn texts_for_polly_are_spoken_or_refused_by_name() {
    let app = TestApp::start().await;
    let account = app.account_of(Tier::Premium, 100_000).await;
    let mut wrong = Vec::new();
    for &(text, words, paid) in SPOKEN {
        let before = app.engine.utterances().len();
        let reply = say(&app, &account, text).await;
        assert_eq!(reply.status, 200, "{text}: {}", reply.json());
        assert_eq!(reply.json()["characters"], json!(paid), "{text}");
        // The parts of a text are spoken at the same time, in no order.
        let spoken = app.engine.utterances().split_off(before).join(" ");
        let sorted = |text: &str| {
            let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        };
        if sorted(&spoken) != sorted(words) {
            wrong.push(format!("{text}\n  {spoken}"));
        }
    }
    for &(text, refusal) in REFUSED {
        let reply = say(&app, &account, text).await;
        assert_eq!(reply.refusal(), "validation_failed", "{text}");
        let sentence =
            reply.json()["error"]["details"]["fields"]["text"].as_str().unwrap_or_default().to_owned();
        if !sentence.starts_with(refusal) {
            wrong.push(format!("{text}\n  {sentence}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    app.finish().await;
}
