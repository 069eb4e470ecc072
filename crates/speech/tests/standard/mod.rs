//! What SSML 1.1 demands of a synthesis processor, as far as our subset has it: one row a statement,
//! with its section, in words of our own. Where the contract of this service decides otherwise, the
//! row says so and names what is refused.
#![expect(clippy::expect_used, reason = "a test ends where its ground is missing")]

use lectern_speech::{
    language::Language,
    spec::{Course, Delivery, NarrationSpec, Pitch},
    ssml::Ssml,
};

use super::{parse, refusal, said, script};

/// A statement, a text, and the text that is read.
const READ: &[(&str, &str, &str)] = &[
    ("3.1.1: the document is what speak holds", "<speak>Hello</speak>", "Hello"),
    ("3.1.1: version 1.1 is taken", "<speak version=\"1.1\">Hello</speak>", "Hello"),
    (
        "3.1.1: elements are in the namespace of SSML",
        "<speak xmlns=\"http://www.w3.org/2001/10/synthesis\"><p>Hello</p></speak>",
        "Hello.",
    ),
    (
        "3.1.1: a location of a schema changes nothing",
        "<speak xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"a b\">Hello</speak>",
        "Hello",
    ),
    (
        "3.1.3: a base URI changes nothing that is said",
        "<speak xml:base=\"http://a.example/\">Hello</speak>",
        "Hello",
    ),
    ("2.1: an XML declaration is not said", "<?xml version=\"1.0\"?><speak>Hello</speak>", "Hello"),
    ("XML 2.5: comments are not said", "<speak>Hello<!-- not this --> you</speak>", "Hello you"),
    ("XML 2.6: processing instructions are not said", "<speak>Hello<?do not?> you</speak>", "Hello you"),
    ("XML 2.7: what stands in CDATA is text", "<speak><![CDATA[1 < 2]]></speak>", "1 < 2"),
    ("XML 4.6: the five entities are known", "<speak>&lt;&gt;&amp;&quot;&apos;a</speak>", "<>&\"'a"),
    ("XML 4.1: a character can be written by its number", "<speak>caf&#233; &#x263A;a</speak>", "café ☺a"),
    ("3.1.8.1: p is a paragraph and ends what is said", "<speak><p>One</p><p>Two</p></speak>", "One. Two."),
    ("3.1.8.1: s is a sentence and ends what is said", "<speak><s>One</s><s>Two</s></speak>", "One. Two."),
    ("3.1.8.1: p may hold s", "<speak><p><s>One</s><s>Two</s></p></speak>", "One. Two."),
    (
        "3.1.8.1: a mark that the author wrote at the end stands",
        "<speak><s>One?</s><p>Two!</p></speak>",
        "One? Two!",
    ),
    (
        "3.1.8.1: without p and s the structure is found from the text",
        "<speak>One. Two. Three.</speak>",
        "One. Two. Three.",
    ),
    ("3.1.8.2: w is a word and is said as it stands", "<speak>a <w>bow</w> tie</speak>", "a bow tie"),
    ("3.1.8.2: w takes a role", "<speak><w role=\"x:noun\">record</w></speak>", "record"),
    (
        "3.1.9: detail changes nothing where it means nothing",
        "<speak><say-as interpret-as=\"cardinal\" detail=\"1\">12</say-as></speak>",
        "12",
    ),
    (
        "3.1.9: what does not fit its kind is read as it stands",
        "<speak><say-as interpret-as=\"date\">no date</say-as></speak>",
        "no date",
    ),
    (
        "3.1.9: format settles what the figures mean",
        "<speak><say-as interpret-as=\"date\" format=\"dmy\">3.4.2021</say-as></speak>",
        "April 3, 2021",
    ),
    (
        "3.1.9: without a format the usual reading stands",
        "<speak><say-as interpret-as=\"cardinal\">2024</say-as></speak>",
        "2,024",
    ),
    (
        "3.1.10: ph is said in place of the text",
        "<speak><phoneme alphabet=\"ipa\" ph=\"təˈmɑːtoʊ\">tomato</phoneme></speak>",
        "[tomato](/təmˈɑːtO/)",
    ),
    (
        "3.1.10: without an alphabet, ours is IPA",
        "<speak><phoneme ph=\"təˈmɑːtoʊ\">tomato</phoneme></speak>",
        "[tomato](/təmˈɑːtO/)",
    ),
    (
        "3.1.10: type is taken, and says nothing that the processor needs",
        "<speak><phoneme type=\"default\" ph=\"təˈmɑːtoʊ\">tomato</phoneme></speak>",
        "[tomato](/təmˈɑːtO/)",
    ),
    (
        "3.1.11: the alias is said in place of the text",
        "<speak><sub alias=\"compact disc\">CD</sub></speak>",
        "compact disc",
    ),
    ("3.1.12: lang keeps the text", "<speak><lang xml:lang=\"fr-FR\">bonjour</lang></speak>", "bonjour"),
    (
        "3.1.13: onlangfailure is taken wherever xml:lang may stand",
        "<speak onlangfailure=\"processorchoice\"><p onlangfailure=\"ignorelang\"><s onlangfailure=\"ignorelang\"><lang xml:lang=\"fr-FR\" onlangfailure=\"ignorelang\">oui</lang></s></p></speak>",
        "oui.",
    ),
    ("3.2.1: voice keeps the text", "<speak><voice name=\"x\">Hello</voice></speak>", "Hello"),
    ("3.2.2: emphasis keeps the text", "<speak>a <emphasis>big</emphasis> car</speak>", "a big car"),
    (
        "3.2.3: break without attributes is a pause of medium strength",
        "<speak>a<break/>b</speak>",
        "a [pause 250ms] b",
    ),
    ("3.2.3: time in seconds", "<speak>a<break time=\"3s\"/>b</speak>", "a [pause 3000ms] b"),
    ("3.2.3: time in milliseconds", "<speak>a<break time=\"250ms\"/>b</speak>", "a [pause 250ms] b"),
    (
        "3.2.3: time goes before strength",
        "<speak>a<break strength=\"x-strong\" time=\"20ms\"/>b</speak>",
        "a [pause 20ms] b",
    ),
    ("3.2.3: strength none asks for no pause", "<speak>a <break strength=\"none\"/>b</speak>", "a b"),
    ("3.2.4: prosody keeps the text", "<speak><prosody rate=\"slow\">a b</prosody></speak>", "a b"),
    ("3.3.2: mark is not said", "<speak>a <mark name=\"here\"/>b</speak>", "a b"),
];

#[test]
fn what_the_standard_says_about_text_is_read_so() {
    for (statement, text, expected) in READ {
        assert_eq!(said(text), *expected, "{statement}: {text}");
    }
}

/// A statement, a text, and what the refusal says. Where the standard lets a processor go on, ours says
/// why it stops: section 12 of the contract refuses what it cannot do.
const REFUSED: &[(&str, &str, &str)] = &[
    ("3.1.1: the root is speak", "<p>Hello</p>", "the text must be in <speak>"),
    ("3.1.1: speak stands in nothing", "<speak><speak>a</speak></speak>", "may not stand inside speak"),
    ("XML 2.1: a document that is not well-formed is an error", "<speak><p>a</speak>", "not well-formed"),
    ("XML 2.1: there is one root", "<speak>a</speak><speak>b</speak>", "not well-formed"),
    (
        "XML 3.1: an attribute stands once",
        "<speak><break time=\"1s\" time=\"2s\"/></speak>",
        "not well-formed",
    ),
    (
        "XML 4.1: an entity that is not declared is an error",
        "<speak>&eacute;</speak>",
        "&eacute; is not known",
    ),
    (
        "ours: no document type, so no entity but the five",
        "<!DOCTYPE speak [<!ENTITY a \"b\">]><speak>&a;</speak>",
        "document type",
    ),
    (
        "ours: elements of another namespace are not passed over",
        "<speak xmlns:a=\"urn:a\"><a:b>x</a:b></speak>",
        "the element a:b is not supported",
    ),
    (
        "3.1.2: a language is a tag of BCP 47",
        "<speak xml:lang=\"no_tag!\">a</speak>",
        "xml:lang of speak is wrong",
    ),
    (
        "3.1.4 to 3.1.7: lexicon, meta and metadata are refused by name",
        "<speak><lexicon uri=\"x\" xml:id=\"y\"/>a</speak>",
        "the element lexicon is not supported",
    ),
    ("3.1.6: meta", "<speak><meta name=\"a\" content=\"b\"/>a</speak>", "the element meta is not supported"),
    ("3.1.8.1: p stands in no p", "<speak><p><p>a</p></p></speak>", "may not stand inside p"),
    ("3.1.8.1: p stands in no s", "<speak><s><p>a</p></s></speak>", "may not stand inside s"),
    ("3.1.8.1: s stands in no s", "<speak><s><s>a</s></s></speak>", "may not stand inside s"),
    ("3.1.8.2: no sentence stands in a word", "<speak><w><s>a</s></w></speak>", "may not stand inside w"),
    ("3.1.9: say-as says how", "<speak><say-as>1</say-as></speak>", "needs the attribute interpret-as"),
    (
        "3.1.9: say-as holds text only",
        "<speak><say-as interpret-as=\"date\"><s>1</s></say-as></speak>",
        "may not stand inside say-as",
    ),
    (
        "3.1.9, ours: a kind that is not known is refused",
        "<speak><say-as interpret-as=\"net\">a</say-as></speak>",
        "interpret-as of say-as must be one of",
    ),
    ("3.1.10: phoneme says what", "<speak><phoneme>a</phoneme></speak>", "needs the attribute ph"),
    (
        "3.1.10: phoneme holds text only",
        "<speak><phoneme ph=\"a\"><s>a</s></phoneme></speak>",
        "may not stand inside phoneme",
    ),
    (
        "3.1.10: an alphabet that is not known is an error",
        "<speak><phoneme alphabet=\"x-none\" ph=\"a\">a</phoneme></speak>",
        "must be ipa or x-sampa",
    ),
    (
        "3.1.10: a symbol that the alphabet lacks is an error",
        "<speak><phoneme ph=\"7\">a</phoneme></speak>",
        "not a symbol of IPA",
    ),
    (
        "3.1.10, ours: the text that is pronounced is there",
        "<speak><phoneme ph=\"a\"/></speak>",
        "needs the text",
    ),
    ("3.1.11: sub says what", "<speak><sub>a</sub></speak>", "needs the attribute alias"),
    (
        "3.1.11: sub holds text only",
        "<speak><sub alias=\"a\"><w>a</w></sub></speak>",
        "may not stand inside sub",
    ),
    ("3.1.12: lang says which", "<speak><lang>a</lang></speak>", "needs the attribute xml:lang"),
    (
        "3.2.1, ours: a voice is chosen by its name alone",
        "<speak><voice gender=\"male\">a</voice></speak>",
        "the attribute gender of voice",
    ),
    (
        "3.2.2: a level of emphasis is one of four",
        "<speak><emphasis level=\"high\">a</emphasis></speak>",
        "level of emphasis must be one of",
    ),
    ("3.2.3: break is empty", "<speak><break>a</break></speak>", "must be empty"),
    (
        "3.2.3: a strength is one of six",
        "<speak><break strength=\"long\"/></speak>",
        "strength of break must be one of",
    ),
    ("3.2.3: a time has its unit", "<speak><break time=\"5\"/></speak>", "must be a time"),
    ("3.2.3: a time is not negative", "<speak><break time=\"-5s\"/></speak>", "must be a time"),
    (
        "3.2.4: a number has no exponent",
        "<speak><prosody rate=\"1e2%\">a</prosody></speak>",
        "rate of prosody must be",
    ),
    (
        "3.2.4: a rate is not negative",
        "<speak><prosody rate=\"-200%\">a</prosody></speak>",
        "rate of prosody must be",
    ),
    (
        "3.2.4: a change of semitones has its sign",
        "<speak><prosody pitch=\"2st\">a</prosody></speak>",
        "pitch of prosody must be",
    ),
    (
        "3.2.4: a change of volume has its unit",
        "<speak><prosody volume=\"+6\">a</prosody></speak>",
        "volume of prosody must be",
    ),
    (
        "3.2.4: a duration has its unit",
        "<speak><prosody duration=\"2\">a</prosody></speak>",
        "duration of prosody must be a time",
    ),
    (
        "3.2.4: a point of a contour has its place and its pitch",
        "<speak><prosody contour=\"(0%)\">a</prosody></speak>",
        "contour of prosody must be points",
    ),
    (
        "3.3.1, ours: audio is refused by name",
        "<speak><audio src=\"a.wav\"/></speak>",
        "the element audio is not supported",
    ),
    ("3.3.2: mark is empty", "<speak><mark name=\"a\">b</mark></speak>", "must be empty"),
    ("3.3.2: mark says its name", "<speak><mark/>a</speak>", "needs the attribute name"),
];

#[test]
fn what_the_standard_calls_an_error_is_refused_with_its_place() {
    for (statement, text, expected) in REFUSED {
        let refused = refusal(text);
        assert!(refused.contains(expected), "{statement}: {text}\n  refused with: {refused}");
        assert!(refused.starts_with("line 1, column "), "{statement}: {refused}");
    }
}

/// How the x of a text is delivered.
fn delivery(text: &str) -> Delivery {
    let script = script(text);
    let base = NarrationSpec::new("hibari", "heart", Language::EN_US, script.text.clone());
    script.spec(None, base).delivery_at(script.text.find('x').expect("there is an x"))
}

fn prosody(attributes: &str) -> Delivery {
    delivery(&format!("<speak><prosody {attributes}>x</prosody></speak>"))
}

/// An attribute of `prosody`, its labels in order, and what they change.
type Labels = (&'static str, &'static [&'static str], fn(&Delivery) -> f32);

/// The labels of an attribute are in order, and the last two name the usual value.
#[test]
fn labels_of_prosody_and_break_never_go_down_and_the_default_changes_nothing() {
    // 3.2.4: from x-slow, x-low, silent on, each label is at least the one before.
    let orders: [Labels; 4] = [
        ("rate", &["x-slow", "slow", "medium", "fast", "x-fast"], |d| d.rate),
        ("pitch", &["x-low", "low", "medium", "high", "x-high"], |d| d.pitch.semitones),
        ("range", &["x-low", "low", "medium", "high", "x-high"], |d| d.range),
        ("volume", &["silent", "x-soft", "soft", "medium", "loud", "x-loud"], |d| d.volume_db),
    ];
    for (attribute, labels, value) in orders {
        let of = |label: &str| value(&prosody(&format!("{attribute}=\"{label}\"")));
        for pair in labels.windows(2) {
            assert!(of(pair[0]) < of(pair[1]), "{attribute}: {pair:?}");
        }
        assert!((of("default") - of("medium")).abs() < 1e-6, "{attribute}");
        assert!((of("medium") - value(&Delivery::default())).abs() < 1e-6, "{attribute}");
    }
    // 3.2.3: from none to x-strong, each strength is at least the one before.
    let pauses = ["none", "x-weak", "weak", "medium", "strong", "x-strong"];
    let pauses =
        pauses.map(|label| parse(&format!("<speak>a<break strength=\"{label}\"/>b</speak>")).pauses_ms());
    assert!(pauses.is_sorted() && pauses[0] == 0 && pauses[5] > pauses[3], "{pauses:?}");
    // 3.2.3: a break without attributes has the strength of medium.
    assert_eq!(parse("<speak>a<break/>b</speak>").pauses_ms(), pauses[3]);
}

/// A statement, attributes of `prosody`, and whether the delivery is as stated.
type Delivered = (&'static str, &'static str, fn(Delivery) -> bool);

const DELIVERED: &[Delivered] = &[
    ("3.2.4: a rate of 100% is the usual one", "rate=\"100%\"", |d| near(d.rate, 1.0)),
    ("3.2.4: a rate of 50% is half as fast", "rate=\"50%\"", |d| near(d.rate, 0.5)),
    ("3.2.4: a rate of 200% is twice as fast", "rate=\"200%\"", |d| near(d.rate, 2.0)),
    ("3.2.4: a number may begin with its point", "pitch=\"+.5st\"", |d| near(d.pitch.semitones, 0.5)),
    ("3.2.4: a number may end with its point", "pitch=\"+2.st\"", |d| near(d.pitch.semitones, 2.0)),
    ("3.2.4: a pitch in semitones is a change", "pitch=\"-2st\"", |d| near(d.pitch.semitones, -2.0)),
    ("3.2.4: a pitch in per cent is a change", "pitch=\"+100%\"", |d| near(d.pitch.semitones, 12.0)),
    ("3.2.4: a pitch in Hertz with a sign is a change", "pitch=\"+10Hz\"", |d| near(d.pitch.hertz, 10.0)),
    ("3.2.4: a pitch in Hertz without a sign is the pitch", "pitch=\"150Hz\"", |d| {
        d.pitch.base_hertz.is_some_and(|hertz| near(hertz, 150.0))
    }),
    ("3.2.4: a range is a change of how far the pitch moves", "range=\"+50%\"", |d| near(d.range, 1.5)),
    ("3.2.4: +6dB is about twice the amplitude", "volume=\"+6dB\"", |d| near(d.volume_db, 6.0)),
    ("3.2.4: -6dB is about half the amplitude", "volume=\"-6dB\"", |d| near(d.volume_db, -6.0)),
    ("3.2.4: silent is not heard", "volume=\"silent\"", |d| d.volume_db == f32::NEG_INFINITY),
    ("3.2.4: what is not named stays", "rate=\"50%\"", |d| near(d.volume_db, 0.0) && near(d.range, 1.0)),
];

fn near(one: f32, other: f32) -> bool {
    (one - other).abs() < 1e-4
}

#[test]
fn what_the_standard_says_about_prosody_is_delivered() {
    for (statement, attributes, holds) in DELIVERED {
        let found = prosody(attributes);
        assert!(holds(found), "{statement}: {attributes}: {found:?}");
    }
}

/// The courses of a text, and what their stretches say.
fn courses(text: &str) -> Vec<(String, Course)> {
    let script = script(text);
    let said = |course: &Course| (script.text[course.range.clone()].to_owned(), course.clone());
    script.courses.iter().map(said).collect()
}

#[test]
fn what_the_standard_says_about_contours_and_durations_is_kept() {
    // 3.2.4: points are at shares of the time of the text, and outside of it they say nothing.
    let text = "<speak>a <prosody contour=\"(50%,+2st) ( 0% , high ) (100%,200Hz)(-10%,+1st) (110%,+1st)\">b c</prosody>d</speak>";
    let found = courses(text);
    assert_eq!(found.len(), 1);
    let (said, Course { contour, duration_ms, .. }) = &found[0];
    assert_eq!((said.as_str(), duration_ms), ("b c", &None));
    let targets: Vec<(f32, f32, Option<f32>)> =
        contour.iter().map(|one| (one.at, one.pitch.semitones, one.pitch.base_hertz)).collect();
    assert_eq!(targets, [(0.0, 2.0, None), (0.5, 2.0, None), (1.0, 0.0, Some(200.0))]);
    // 3.2.4: a change is one of the pitch before the text.
    let nested =
        "<speak><prosody pitch=\"+3st\"><prosody contour=\"(0%,+1st)\">x</prosody></prosody></speak>";
    assert!(near(courses(nested)[0].1.contour[0].pitch.semitones, 4.0));
    assert_eq!(delivery(nested).pitch, Pitch::default(), "it is not added twice");
    // 3.2.4: a contour goes before pitch and range, a duration before the rate.
    let all = prosody("contour=\"(0%,+1st)\" pitch=\"+5st\" range=\"+50%\" duration=\"2s\" rate=\"50%\"");
    assert_eq!(all, Delivery::default());
    let lasting = courses("<speak><prosody duration=\"1.5s\" rate=\"50%\"> x y </prosody></speak>");
    assert_eq!((lasting[0].0.as_str(), lasting[0].1.duration_ms), ("x y", Some(1500)));
    // Without anything to say there is no course, and inner ones stand behind outer ones.
    let two = courses(
        "<speak><prosody duration=\"9s\">a <prosody duration=\"1s\">b</prosody> <prosody duration=\"1s\"><break/></prosody></prosody></speak>",
    );
    let said: Vec<&str> =
        two.iter().map(|(said, _)| said.as_str()).filter(|said| !said.starts_with("[pause")).collect();
    assert_eq!(said.len(), 2);
    assert!(said[0].starts_with("a b") && said[1] == "b", "{said:?}");
}

#[test]
fn elements_hold_to_their_end_and_changes_add_up() {
    // 3.2.4: an element's prosody ends with it.
    let after = delivery("<speak><prosody rate=\"slow\" pitch=\"high\">a</prosody> x</speak>");
    assert_eq!(after, Delivery::default());
    // 3.2.4: a change is one of what the element around says.
    let inner = "<prosody pitch=\"+1st\" volume=\"+1dB\">x</prosody>";
    let nested =
        delivery(&format!("<speak><prosody pitch=\"+2st\" volume=\"-3dB\">{inner}</prosody></speak>"));
    assert!(near(nested.pitch.semitones, 3.0) && near(nested.volume_db, -2.0), "{nested:?}");
    // 3.2.4: a rate in per cent is of the usual rate, whatever stands around.
    let absolute =
        delivery("<speak><prosody rate=\"200%\"><prosody rate=\"50%\">x</prosody></prosody></speak>");
    assert!(near(absolute.rate, 0.5), "{absolute:?}");
    // 3.2.2: emphasis without a level is moderate; strong is more of it, reduced the opposite, none nothing.
    let level = |attribute: &str| delivery(&format!("<speak><emphasis{attribute}>x</emphasis></speak>"));
    assert_eq!(level(""), level(" level=\"moderate\""));
    assert_eq!(level(" level=\"none\""), Delivery::default());
    let (strong, moderate, reduced) = (level(" level=\"strong\""), level(""), level(" level=\"reduced\""));
    assert!(strong.volume_db > moderate.volume_db && moderate.volume_db > 0.0 && reduced.volume_db < 0.0);
    assert!(strong.rate < moderate.rate && moderate.rate < 1.0 && reduced.rate > 1.0);
}

#[test]
fn languages_voices_and_marks_hold_as_the_standard_says() {
    // 3.1.2: the language of speak is that of the whole text.
    assert_eq!(parse("<speak xml:lang=\"fr-FR\">a</speak>").language(), Some(Language::FR_FR));
    // 3.1.2: xml:lang is inherited, and the innermost holds.
    let marked = |text: &str| {
        let script = script(text);
        let of = |one: &lectern_speech::spec::InLanguage| {
            (script.text[one.range.clone()].trim().to_owned(), one.language.to_string())
        };
        script.marked.iter().map(of).collect::<Vec<_>>()
    };
    let inherited =
        marked("<speak><p xml:lang=\"fr-FR\"><w>un</w> <lang xml:lang=\"es-ES\">dos</lang></p></speak>");
    let languages: Vec<&str> = inherited.iter().map(|(_, language)| language.as_str()).collect();
    // The last is the end of the paragraph.
    assert_eq!(languages, ["fr-FR", "es-ES", "fr-FR"], "{inherited:?}");
    // 3.1.12: a change of language changes no voice.
    let text = "<speak><voice name=\"a\">x <lang xml:lang=\"fr-FR\">oui</lang></voice></speak>";
    assert_eq!(script(text).turns.len(), 1);
    // 3.2.1: a voice holds to the end of its element; the one around speaks again after it.
    let turns =
        script("<speak><voice name=\"a\">one <voice name=\"b\">two</voice> three</voice> four</speak>").turns;
    let voices: Vec<Option<usize>> = turns.iter().map(|turn| turn.voice).collect();
    assert_eq!(voices, [Some(0), Some(1), Some(0), None]);
    // 3.3.2: every mark comes back with its name, in the order of the document.
    let marks = script("<speak><mark name=\"a\"/>one <mark name=\"b\"/>two<mark name=\"a\"/></speak>").marks;
    let names: Vec<&str> = marks.iter().map(|mark| mark.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "a"]);
    assert!(marks.is_sorted_by_key(|mark| mark.at));
    // 3.3.2: a mark changes nothing that is said or paid.
    let without = parse("<speak>one two</speak>").paid();
    assert_eq!(parse("<speak>one <mark name=\"m\"/>two</speak>").paid(), without);
    // 3.1.3: of two texts that are one but for white space between blocks, both are paid alike.
    let spread = Ssml::parse("<speak>\n <p>one</p>\n <p>two</p>\n</speak>", 1.0).expect("is taken");
    assert_eq!(spread.paid(), parse("<speak><p>one</p><p>two</p></speak>").paid());
}
