//! SSML: what is taken, what is refused and where, and what a text becomes.

mod malformed;
mod standard;

use std::fmt::Write as _;

use lectern_speech::{language::Language, markup, script::Script, ssml::Ssml};

fn parse(text: &str) -> Ssml {
    Ssml::parse(text, 1.0).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn script(text: &str) -> Script {
    parse(text).script(Language::EN_US, &[Language::EN_GB, Language::FR_FR])
}

fn refusal(text: &str) -> String {
    match Ssml::parse(text, 1.0) {
        Ok(_) => panic!("taken: {text}"),
        Err(error) => error.to_string(),
    }
}

/// The sentences and pauses of a script, without signs that nobody hears.
fn said(text: &str) -> String {
    script(text).text.replace('\u{2060}', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn elements_become_this_crates_markup() {
    for (text, expected) in [
        ("<speak>Hello &amp; goodbye</speak>", "Hello & goodbye"),
        ("<speak>One<break time=\"1s\"/>two</speak>", "One [pause 1000ms] two"),
        ("<speak>One.<break time=\"0.25s\"/>two</speak>", "One. [pause 250ms] two"),
        ("<speak>One, <break strength=\"strong\"/>two</speak>", "One, [pause 400ms] two"),
        ("<speak>One <break strength=\"none\"/>two</speak>", "One two"),
        ("<speak><p>One</p><p>Two!</p></speak>", "One. Two!"),
        ("<speak><s>One</s><s>Two</s></speak>", "One. Two."),
        ("<speak>Before <p>one</p> after</speak>", "Before . one. after"),
        ("<speak><sub alias=\"World Wide Web\">WWW</sub> today</speak>", "World Wide Web today"),
        (
            "<speak>I say <phoneme alphabet=\"ipa\" ph=\"pɪˈkɑːn\">pecan</phoneme>.</speak>",
            "I say [pecan](/pɪkˈɑːn/).",
        ),
        ("<speak><phoneme alphabet=\"x-sampa\" ph='pI\"kA:n'>pecan</phoneme></speak>", "[pecan](/pɪkˈɑːn/)"),
        ("<speak><phoneme ph=\"nun\">none</phoneme></speak>", "[none](/nun'/)"),
        ("<speak><say-as interpret-as=\"cardinal\">2024</say-as></speak>", "2,024"),
        ("<speak><say-as interpret-as=\"spell-out\">hi</say-as></speak>", "H I"),
        ("<speak><![CDATA[a < b]]></speak>", "a < b"),
        ("<speak>one <![CDATA[two]]> three<![CDATA[ four]]></speak>", "one two three four"),
        ("<speak><sub alias=\"x\">a<![CDATA[b]]></sub> c</speak>", "x c"),
        ("<speak>a <!-- not said --> b <?x y?> c</speak>", "a b c"),
        (
            "<speak version=\"1.1\" xmlns=\"http://www.w3.org/2001/10/synthesis\" xml:lang=\"en-US\"><w role=\"x\">Hi</w></speak>",
            "Hi",
        ),
    ] {
        assert_eq!(said(text), expected, "{text}");
    }
}

#[test]
fn brackets_that_were_sent_as_text_are_no_markup() {
    let script = script("<speak>[pause 1s] [word](/ˈwɜːd/) <sub alias=\"[pause 2s]\">x</sub></speak>");
    assert_eq!(markup::find(&script.text).count(), 0, "{}", script.text);
}

#[test]
fn what_is_paid_is_the_text_after_parsing() {
    for (text, paid) in [
        ("<speak>Hello</speak>", 5),
        ("<speak>a &amp; b</speak>", 5),
        ("<speak>\n  <p>Hi</p>\n  <p><s>Ho</s> <s>Ha</s></p>\n</speak>", 6),
        ("<speak><p>Hi</p> <break time=\"1s\"/> <p>Ho</p></speak>", 4),
        ("<speak>Hi <!-- comment --><break/><mark name=\"m\"/>ho</speak>", 5),
        ("<speak><sub alias=\"four\">a long text</sub></speak>", 4),
        ("<speak><say-as interpret-as=\"date\">1/2/2026</say-as></speak>", 8),
        ("<speak>a\r\nb</speak>", 3),
        ("<speak>&#x1F600;é</speak>", 2),
        ("<speak><![CDATA[<b>]]></speak>", 3),
        ("<speak><voice name=\"x\">ab</voice> <voice name=\"y\">cd</voice></speak>", 5),
    ] {
        assert_eq!(parse(text).paid(), paid, "{text}");
        let script = script(text);
        assert_eq!(script.paid_by_voice(2).iter().sum::<usize>(), paid, "{text}: {:?}", script.text);
    }
    assert!(parse("<speak> <break time=\"1s\"/><mark name=\"x\"/> </speak>").is_empty());
    assert!(!parse("<speak>.</speak>").is_empty());
}

#[test]
fn each_voice_says_and_pays_its_turns() {
    let text = "<speak>He said <voice name=\"brit\">hello</voice>, and <voice name=\"fr\">salut</voice><break time=\"1s\"/> <voice name=\"brit\">bye</voice></speak>";
    let ssml = parse(text);
    let names: Vec<&str> = ssml.voices().iter().map(|voice| voice.name.as_str()).collect();
    assert_eq!(names, ["brit", "fr"]);
    let script = script(text);
    let turns: Vec<(Option<usize>, &str)> =
        script.turns.iter().map(|turn| (turn.voice, script.text[turn.range.clone()].trim())).collect();
    assert_eq!(
        turns,
        [
            (None, "He said"),
            (Some(0), "hello"),
            (None, ", and"),
            (Some(1), "salut [pause 1000ms]"),
            (Some(0), "bye"),
        ]
    );
    assert_eq!(script.paid_by_voice(2), [8 + 6 + 1, 5 + 3, 5]);
}

#[test]
fn parts_of_a_script_know_what_they_read() {
    let text = "<speak>I love <sub alias=\"World Wide Web\">WWW</sub> &amp; tea</speak>";
    let script = script(text);
    let part = |word: &str| {
        let at = script.text.find(word).expect("the word is said");
        let (source, shown) = script.source(at..at + word.len());
        (text[source].to_owned(), shown.into_owned())
    };
    assert_eq!(part("love"), ("love".to_owned(), "love".to_owned()));
    assert_eq!(part("World"), ("WWW".to_owned(), "WWW".to_owned()));
    assert_eq!(part("&"), ("&amp;".to_owned(), "&".to_owned()));
    assert_eq!(part("tea"), ("tea".to_owned(), "tea".to_owned()));
    assert_eq!(script.shown(), "I love WWW & tea");
}

#[test]
fn prosody_is_checked_multiplied_and_kept_by_place() {
    let text = "<speak>a <prosody rate=\"80%\" pitch=\"+3st\" volume=\"-6dB\">b <prosody pitch=\"+10%\" rate=\"+50%\">c</prosody></prosody> <emphasis level=\"strong\">d</emphasis> <say-as interpret-as=\"expletive\">e</say-as></speak>";
    let script = script(text);
    let spec = script.spec(
        None,
        lectern_speech::spec::NarrationSpec::new("hibari", "heart", Language::EN_US, script.text.clone()),
    );
    let at = |word: &str| spec.delivery_at(script.text.find(word).expect("said"));
    assert_eq!(at("a ").rate.to_bits(), 1.0_f32.to_bits());
    let b = at("b ");
    assert!((b.rate - 0.8).abs() < 1e-6 && (b.pitch.semitones - 3.0).abs() < 1e-6, "{b:?}");
    assert!((b.volume_db + 6.0).abs() < 1e-6);
    let c = at("c");
    assert!((c.rate - 1.2).abs() < 1e-6 && (c.pitch.semitones - 3.0 - 1.65).abs() < 0.01, "{c:?}");
    let d = at("d ");
    assert!(d.rate < 1.0 && d.pitch.semitones > 1.0 && d.range > 1.0 && d.volume_db > 1.0, "{d:?}");
    assert!(at("e").bleep && !d.bleep);
}

#[test]
fn the_rate_is_limited_together_with_the_speed() {
    let text = "<speak><prosody rate=\"150%\">a</prosody></speak>";
    assert!(Ssml::parse(text, 1.0).is_ok());
    let refused = Ssml::parse(text, 1.5).unwrap_err();
    assert!(refused.problem.contains("after multiplying with `speed`"), "{refused}");
    // A word says what is possible.
    assert!(Ssml::parse("<speak><prosody rate=\"x-fast\">a</prosody></speak>", 2.0).is_ok());
}

#[test]
fn marks_and_languages_have_their_places() {
    let text = "<speak><mark name=\"start\"/>One <mark name=\"before\"/><break time=\"1s\"/><mark name=\"after\"/>two <lang xml:lang=\"fr-FR\">bonjour</lang></speak>";
    let script = script(text);
    let marks: Vec<(&str, bool)> =
        script.marks.iter().map(|mark| (mark.name.as_str(), mark.before_pause)).collect();
    assert_eq!(marks, [("start", false), ("before", true), ("after", false)]);
    let base = lectern_speech::spec::NarrationSpec::new("k", "v", Language::EN_US, script.text.clone());
    let spec = script.spec(None, base);
    assert_eq!(spec.marked.len(), 1);
    assert_eq!(&script.text[spec.marked[0].range.clone()], "bonjour");
    assert!(spec.exact_pauses);
}

fn assert_refused(text: &str, expected: &str) {
    let refused = refusal(text);
    assert!(refused.contains(expected), "{text}\n  refused with: {refused}\n  expected: {expected}");
    assert!(refused.starts_with("line "), "{refused}");
}

#[test]
fn elements_of_other_services_are_refused_by_name() {
    for (text, expected) in [
        ("<speak xmlns:a=\"urn:x\"><a:effect>x</a:effect></speak>", "the element a:effect is not supported"),
        (
            "<speak>\n<amazon:effect name=\"whispered\">x</amazon:effect></speak>",
            "line 2, column 2: the element amazon:effect is not supported; there are p, s,",
        ),
        ("<speak><amazon:breath/></speak>", "the element amazon:breath is not supported"),
        ("<speak>é <mstts:silence type=\"x\"/></speak>", "the element mstts:silence is not supported"),
        (
            "<speak><prosody amazon:max-duration=\"2s\">x</prosody></speak>",
            "line 1, column 17: the attribute amazon:max-duration is not supported",
        ),
        (
            "<speak xmlns:amazon=\"urn:x\"><prosody amazon:max-duration=\"2s\">x</prosody></speak>",
            "the attribute amazon:max-duration of prosody is not supported; it takes rate,",
        ),
        ("<speak><other:effect>x</other:effect></speak>", "not well-formed XML: an unknown namespace prefix"),
    ] {
        assert_refused(text, expected);
    }
}

/// Negative control, seen: without the commas, most of them are one number, a unit or a word.
#[test]
fn what_has_a_say_as_of_its_own_stays_apart() {
    let kind = |kind: &str, text: &str| format!("<say-as interpret-as=\"{kind}\">{text}</say-as>");
    let (four, third) = (kind("cardinal", "4"), kind("fraction", "1/3"));
    for (inner, expected) in [
        (format!("{four} {third}"), "4 , 1/3"),
        (format!("{four}{third}"), "4, 1/3"),
        (format!("{four} 1/3"), "4, 1/3"),
        (format!("2 {third}"), "2 , 1/3"),
        (format!("{four} <sub alias=\"5\">V</sub>"), "4 , 5"),
        (kind("cardinal", "XIV") + " 3/20", "14, 3/20"),
        (kind("ordinal", "3") + &four, "3rd, 4"),
        (kind("cardinal", "10") + " " + &kind("cardinal", "-4"), "10 , -4"),
        (four.clone() + " " + &kind("currency", "$45.30"), "4 , $45.30"),
        (four.clone() + " " + &kind("characters", "kg"), "4 , K G"),
        (format!("12{}", kind("characters", "km")), "12, K M"),
        (kind("unit", "5kg") + &kind("unit", "3m"), "5kg, 3m"),
        (kind("characters", "bc") + &kind("characters", "de"), "B C, D E"),
        (format!("{four},{}", kind("cardinal", "500")), "4, 500"),
        (format!("{four}:{}", kind("cardinal", "50")), "4: 50"),
        // Words beside it are not parted.
        (format!("{four} apples, 4 1/3"), "4 apples, 4 1/3"),
        (format!("Your code {} is new.", kind("digits", "40")), "Your code 4 0 is new."),
        (format!("{four}, {third}"), "4, 1/3"),
    ] {
        assert_eq!(said(&format!("<speak>{inner}</speak>")), expected, "{inner}");
    }
    // The comma belongs to neither: what is louder is the second number alone.
    let louder = script(&format!("<speak>{four} <prosody volume=\"+6dB\">{third}</prosody></speak>"));
    assert_eq!(&louder.text[louder.deliveries[0].range.clone()], "1/3");
}

/// What is wrong, and what the refusal must name.
#[test]
fn wrong_texts_are_refused_with_their_place() {
    for (text, expected) in [
        ("Hello", "line 1, column 1: "),
        ("<p>Hello</p>", "line 1, column 1: the text must be in <speak>, not <p>"),
        ("<speak>Hello", "not well-formed"),
        ("<speak>a & b</speak>", "line 1, column 10"),
        ("<speak>&nbsp;</speak>", "the entity &nbsp; is not known"),
        ("<!DOCTYPE speak><speak>x</speak>", "a document type (<!DOCTYPE>) is not allowed"),
        ("<speak>\n  <audio src=\"x\"/></speak>", "line 2, column 3: the element audio is not supported"),
        ("<speak><break time=\"1\"/></speak>", "must be a time such as 500ms or 1.5s"),
        ("<speak><break time=\"1d\"/></speak>", "must be a time"),
        ("<speak><break time=\"86400s\"/></speak>", "must be at most 10 s"),
        ("<speak><break time=\"-1s\"/></speak>", "must be a time"),
        ("<speak><break strength=\"huge\"/></speak>", "strength of break must be one of: none, x-weak"),
        (
            "<speak><break length=\"1s\"/></speak>",
            "line 1, column 15: the attribute length of break is not supported; it takes strength, time",
        ),
        (
            "<speak><prosody pitch=\"+1000%\">x</prosody></speak>",
            "pitch of prosody must be within 12 semitones",
        ),
        ("<speak><prosody pitch=\"3st\">x</prosody></speak>", "must be a change such as +3st"),
        ("<speak><prosody rate=\"20%\">x</prosody></speak>", "rate of prosody must be from 50% to 200%"),
        ("<speak><prosody volume=\"+20dB\">x</prosody></speak>", "must be from -20dB to +10dB"),
        (
            "<speak><prosody contour=\"0%,+20Hz\">x</prosody></speak>",
            "contour of prosody must be points such as (0%,+20Hz) (50%,-2st)",
        ),
        (
            "<speak><prosody contour=\"(0%,+2st)(50%,+13st)\">x</prosody></speak>",
            "contour of prosody at 50% must be within 12 semitones",
        ),
        ("<speak><prosody contour=\"\">x</prosody></speak>", "contour of prosody must be points"),
        (
            "<speak><prosody duration=\"0s\">x</prosody></speak>",
            "duration of prosody must be from 50 ms to 300 s",
        ),
        ("<speak><prosody duration=\"999999999s\">x</prosody></speak>", "duration of prosody must be from"),
        (
            "<speak><prosody duration=\"5\">x</prosody></speak>",
            "duration of prosody must be a time such as 500ms",
        ),
        ("<speak><emphasis level=\"much\">x</emphasis></speak>", "strong, moderate, none, reduced"),
        ("<speak><say-as>x</say-as></speak>", "say-as needs the attribute interpret-as"),
        (
            "<speak><say-as interpret-as=\"address\">x</say-as></speak>",
            "interpret-as of say-as must be one of",
        ),
        (
            "<speak><say-as interpret-as=\"date\" format=\"q\">x</say-as></speak>",
            "format of say-as must be an order",
        ),
        ("<speak><sub>x</sub></speak>", "sub needs the attribute alias"),
        ("<speak><sub alias=\"a\"><p>x</p></sub></speak>", "the element p may not stand inside sub"),
        ("<speak><phoneme>x</phoneme></speak>", "phoneme needs the attribute ph"),
        ("<speak><phoneme ph=\"ˈdeɪtə\"/></speak>", "phoneme needs the text"),
        ("<speak><phoneme ph=\"d7\">x</phoneme></speak>", "has '7', which is not a symbol of IPA"),
        ("<speak><phoneme alphabet=\"x-sampa\" ph=\"東\">x</phoneme></speak>", "not a symbol of X-SAMPA"),
        ("<speak><phoneme alphabet=\"arpabet\" ph=\"K\">x</phoneme></speak>", "must be ipa or x-sampa"),
        ("<speak><lang>x</lang></speak>", "lang needs the attribute xml:lang"),
        ("<speak><lang xml:lang=\"??\">x</lang></speak>", "xml:lang of lang is wrong"),
        ("<speak><voice>x</voice></speak>", "voice needs the attribute name"),
        (
            "<speak><voice gender=\"female\">x</voice></speak>",
            "the attribute gender of voice is not supported",
        ),
        ("<speak><mark/></speak>", "mark needs the attribute name"),
        ("<speak><p><p>x</p></p></speak>", "the element p may not stand inside p"),
        ("<speak><s><p>x</p></s></speak>", "the element p may not stand inside s"),
        ("<speak><speak>x</speak></speak>", "the element speak may not stand inside speak"),
        ("<speak><break>x</break></speak>", "the element break must be empty"),
        ("<speak foo=\"1\">x</speak>", "the attribute foo of speak"),
        ("<speak xmlns=\"urn:other\">x</speak>", "the element speak is not supported"),
        ("<speak>a</speak><speak>b</speak>", "not well-formed"),
        ("<speak a=\"1\" a=\"2\">x</speak>", "not well-formed"),
        ("<speak>\u{1}</speak>", "not well-formed"),
        ("", "not well-formed"),
    ] {
        assert_refused(text, expected);
    }
    let deep = format!("<speak>{}x{}</speak>", "<w>".repeat(33), "</w>".repeat(33));
    assert!(refusal(&deep).contains("nested 32 deep"));
    let breaks = format!("<speak>x{}</speak>", "<break time=\"10s\"/>".repeat(31));
    assert!(refusal(&breaks).contains("the breaks add up to 310 s, and may to 300 s"));
}

/// Texts of 40,000 characters of one kind, and the refusal, or the characters that are paid.
#[test]
fn floods_of_one_kind_are_judged_like_short_texts() {
    let nested = |element: &str| {
        let (open, close) = (format!("<{element}>"), format!("</{element}>"));
        format!("<speak>{}x{}</speak>", open.repeat(5_000), close.repeat(5_000))
    };
    let attributes: Vec<String> = (0..3_000).map(|number| format!("a{number}=\"\"")).collect();
    let voices = "<voice name=\"a\">x</voice><voice name=\"b\">y</voice>".repeat(800);
    for (flood, expected) in [
        ("<w>".repeat(13_000), Err("not well-formed")),
        (nested("w"), Err("nested 32 deep")),
        (nested("p"), Err("the element p may not stand inside p")),
        (format!("<speak {}>x</speak>", attributes.join(" ")), Err("the attribute a0 of speak")),
        (format!("<speak>{}</speak>", "<break/> ".repeat(4_000)), Err("the breaks add up to 1000 s")),
        (format!("<speak>{}</speak>", "&#65;".repeat(8_000)), Ok(8_000)),
        (format!("<speak>{}</speak>", "[".repeat(39_000)), Ok(39_000)),
        (format!("<speak>{voices}</speak>"), Ok(1_600)),
    ] {
        match (Ssml::parse(&flood, 1.0), expected) {
            (Ok(ssml), Ok(paid)) => {
                let by_voice = ssml.script(Language::EN_US, &[]).paid_by_voice(2);
                assert_eq!((ssml.paid(), by_voice.iter().sum::<usize>()), (paid, paid));
            }
            (Err(error), Err(problem)) => assert!(error.problem.contains(problem), "{error}"),
            (found, expected) => panic!("{:?} instead of {expected:?}", found.map(|ssml| ssml.paid())),
        }
    }
}

#[test]
fn each_of_many_voices_has_its_place() {
    let mut text = "<speak>".to_owned();
    for at in 0..1_300 {
        let _ = write!(text, "<voice name=\"v{at}\">é</voice>");
    }
    text.push_str("</speak>");
    let parsed = parse(&text);
    let last = parsed.voices().last().unwrap();
    assert_eq!(
        (parsed.voices().len(), last.line, last.column),
        (1_300, 1, 8 + 10 * 26 + 90 * 27 + 900 * 28 + 299 * 29)
    );
}
