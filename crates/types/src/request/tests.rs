//! What requests take and what they say of the rest. What comes over HTTP is tested with the API.

use std::fmt::Debug;

use serde_json::{Map, Value, json};
use utoipa::{PartialSchema as _, ToSchema as _, openapi::RefOr};

use super::Components;
use crate::{
    ConvertRequest, CreateKeyRequest, CreateMaterialRequest, CreateWebhookRequest, Environment, FieldErrors,
    ForgotRequest, GraceSeconds, LoginRequest, LowBalance, OrNull, PasswordCheckRequest, RegisterRequest,
    Request, RollKeyRequest, SpeechRequest, StreamRequest, SynthesizeRequest, UpdateMaterialRequest,
    UpdateWebhookRequest,
};
use example::EveryKind;

fn parse<T: Request>(body: Value) -> Result<T, FieldErrors> {
    let Value::Object(object) = body else { panic!("not an object") };
    T::parse(object)
}

/// The names of the wrong fields.
fn wrong<T: Request>(body: Value) -> Vec<String> {
    parse::<T>(body).map_or_else(|errors| errors.0.into_keys().collect(), |_| Vec::new())
}

/// The error of one field.
fn said<T: Request>(body: Value, field: &str) -> String {
    parse::<T>(body).err().and_then(|errors| errors.0.get(field).cloned()).unwrap_or_default()
}

#[test]
fn every_wrong_missing_and_unknown_field_is_named_at_once() {
    let Err(errors) = parse::<CreateKeyRequest>(
        json!({ "scopes": ["read", "x", "read"], "environment": "prod", "expires_at": 1, "x": 1 }),
    ) else {
        panic!("it was taken")
    };
    let said: Vec<_> = errors.0.iter().map(|(field, said)| (field.as_str(), said.as_str())).collect();
    assert_eq!(
        said,
        [
            ("environment", "must be one of: test, live"),
            ("expires_at", "must be a text"),
            ("name", "is required"),
            ("scopes[1]", "must be one of: read, write, admin"),
            ("scopes[2]", "is in the list twice"),
            ("x", "is not a field of this request"),
        ]
    );
}

#[test]
fn unknown_fields_are_cut_short() {
    let many: Map<String, Value> =
        (0..300).map(|at| (format!("{at}{}", "x".repeat(200)), Value::Null)).collect();
    let wrong = wrong::<LowBalance>(many.into());
    assert_eq!(wrong.len(), 101, "100 of them, and the one that is missing");
    assert!(wrong.iter().all(|field| field.len() <= 100));
}

#[test]
fn lists_name_their_first_wrong_entries() {
    for (scopes, named) in [
        (json!(["read", "read"]), vec!["scopes[1]"]),
        (json!(["Read", "admin", null]), vec!["scopes[0]", "scopes[2]"]),
        (json!("read"), vec!["scopes"]),
        (json!([]), vec!["scopes"]),
        (json!(null), vec!["scopes"]),
        (json!(["read", "write", "admin"]), vec![]),
    ] {
        assert_eq!(wrong::<CreateKeyRequest>(json!({ "name": "n", "scopes": scopes })), named, "{scopes}");
    }
    for (chunks, named) in [
        (json!([0, 1, 2.0, 4_294_967_296_u64]), vec![]),
        (json!([]), vec!["chunks"]),
        (json!("all"), vec!["chunks"]),
        (json!(null), vec!["chunks"]),
        (json!([1, 1.0]), vec!["chunks[1]"]),
        (json!([-1, 0.5, "2", 3]), vec!["chunks[0]", "chunks[1]", "chunks[2]"]),
    ] {
        let body = json!({ "ereader_id": "erd_x", "chunks": chunks });
        assert_eq!(wrong::<ConvertRequest>(body), named, "{chunks}");
    }
    for (events, named) in [
        (json!([]), vec![]),
        (json!(null), vec!["events"]),
        (json!(["no such", 1, null]), vec!["events[1]", "events[2]"]),
    ] {
        assert_eq!(wrong::<CreateWebhookRequest>(json!({ "url": "x", "events": events })), named, "{events}");
    }
    assert_eq!(wrong::<CreateWebhookRequest>(json!({ "url": "x", "events": vec![1; 1_000] })).len(), 10);
    assert_eq!(wrong::<CreateKeyRequest>(json!({ "name": "n", "scopes": vec!["x"; 1_000] })).len(), 10);
}

#[test]
fn a_name_is_1_to_100_characters_that_can_be_shown() {
    for (name, fits) in [
        ("é".repeat(100), true),
        ("é".repeat(101), false),
        (String::new(), false),
        ("\u{a0}\u{2003}".to_owned(), false),
        (" n ".to_owned(), true),
        ("a\u{0}".to_owned(), false),
        ("a\nb".to_owned(), false),
    ] {
        let body = json!({ "name": name, "scopes": ["read"] });
        assert_eq!(wrong::<CreateKeyRequest>(body).is_empty(), fits, "{name:?}");
    }
    let title = |length: usize| json!({ "title": "é".repeat(length), "text": "" });
    assert!(wrong::<CreateMaterialRequest>(title(500)).is_empty());
    assert_eq!(wrong::<CreateMaterialRequest>(title(501)), ["title"]);
}

#[test]
fn a_change_tells_an_absent_field_from_null() {
    let of =
        |body| parse::<UpdateWebhookRequest>(body).unwrap().description.map(|OrNull(note)| note.map(|n| n.0));
    assert_eq!(of(json!({})), None);
    assert_eq!(of(json!({ "description": null })), Some(None));
    assert_eq!(of(json!({ "description": "é".repeat(500) })), Some(Some("é".repeat(500))));
    for bad in [json!("é".repeat(501)), json!("a\nb"), json!(1)] {
        assert_eq!(wrong::<UpdateWebhookRequest>(json!({ "description": bad })), ["description"]);
    }
    let bad = json!({ "url": null, "events": {}, "status": "deleted", "id": "x" });
    assert_eq!(wrong::<UpdateWebhookRequest>(bad), ["events", "id", "status", "url"]);
    for (language, sentence) in [
        (json!("french!"), "must be a language tag such as en-US"),
        (json!(["fr"]), "must be a language tag such as en-US, or null"),
    ] {
        assert_eq!(said::<UpdateMaterialRequest>(json!({ "language": language }), "language"), sentence);
    }
}

#[test]
fn absent_fields_have_their_defaults_and_null_is_no_default() {
    let body = json!({ "text": "a", "ereader_id": "erd_x" });
    let request = parse::<SynthesizeRequest>(body).unwrap();
    let speech = request.speech;
    assert_eq!((speech.audio.format.as_str(), speech.speed.0, speech.ereader_id.0), ("mp3", 1.0, None));
    for field in ["format", "speed", "language", "timestamps"] {
        let mut body = json!({ "text": "a", "ereader_id": "erd_x" });
        body[field] = Value::Null;
        assert_eq!(wrong::<SynthesizeRequest>(body), [field]);
    }
    let body = json!({ "text": "a", "ereader_id": "erd_x", "speed": 2.001 });
    assert_eq!(said::<SynthesizeRequest>(body, "speed"), "must be a number from 0.5 to 2");
}

#[test]
fn a_whole_number_has_several_notations_and_one_range() {
    for notation in [json!(60), json!(60.0), json!(6e1)] {
        let request = parse::<RollKeyRequest>(json!({"previous_ends_in_seconds": notation}));
        assert_eq!(request.unwrap().previous_ends_in_seconds, Some(GraceSeconds(60)));
    }
    for wrong in [json!(60.5), json!(-1), json!(604_801), json!(1e300), json!("60"), json!(null)] {
        let said =
            said::<RollKeyRequest>(json!({"previous_ends_in_seconds": wrong}), "previous_ends_in_seconds");
        assert_eq!(said, "must be a whole number from 0 to 604800", "{wrong}");
    }
}

#[test]
fn a_threshold_is_always_said() {
    for (body, taken) in [
        (json!({ "threshold": null }), true),
        (json!({ "threshold": 1_000_000_000_000_000_i64 }), true),
        (json!({ "threshold": 1_000_000_000_000_001_i64 }), false),
        (json!({ "threshold": 0 }), false),
        (json!({ "threshold": 1.5 }), false),
        (json!({}), false),
    ] {
        assert_eq!(wrong::<LowBalance>(body.clone()).is_empty(), taken, "{body}");
    }
}

// Serde takes a unit variant as an object and a struct as a list; requests take neither.
#[test]
fn words_and_voices_have_one_spelling() {
    let body = json!({ "ereader_id": "erd_x", "format": { "mp3": null } });
    assert_eq!(
        said::<ConvertRequest>(body, "format"),
        "must be one of: mp3, wav, flac, opus, pcm, ulaw, alaw"
    );
    for voice in [json!(["heart"]), json!({ "id": "heart", "name": "x" }), json!({ "id": 1 }), json!(1)] {
        let body = json!({ "model": "tts-1", "input": "a", "voice": voice });
        assert_eq!(wrong::<SpeechRequest>(body), ["voice"]);
    }
}

#[test]
fn secrets_are_not_in_what_is_logged() {
    let request = parse::<PasswordCheckRequest>(json!({ "password": "correct horse" })).unwrap();
    assert!(!format!("{request:?}").contains("horse"));
    assert_eq!(wrong::<PasswordCheckRequest>(json!({ "password": "ä".repeat(257) })), ["password"]);
}

// Negative control: with `String` as the type of `LoginRequest::email`, the address is shown.
#[test]
fn addresses_are_not_in_what_is_logged() {
    fn shown<T: Request + Debug>(mut body: Value) -> String {
        body["email"] = json!("ada@example.com");
        format!("{:?}", parse::<T>(body).unwrap())
    }
    let password = json!({ "password": "correct horse battery staple" });
    for shown in [
        shown::<RegisterRequest>(password.clone()),
        shown::<LoginRequest>(password.clone()),
        shown::<PasswordCheckRequest>(password),
        shown::<ForgotRequest>(json!({})),
    ] {
        assert!(shown.contains("email: ") && !shown.contains("ada"), "{shown}");
    }
}

#[test]
fn a_schema_says_what_the_parser_does() {
    let schema = |schema: RefOr<_>| serde_json::to_value(schema).unwrap();
    let key = schema(CreateKeyRequest::schema());
    assert_eq!(key["required"], json!(["name", "scopes"]));
    assert_eq!(key["additionalProperties"], json!(false));
    assert_eq!(key["properties"]["name"]["maxLength"], 100);
    let speech = schema(SpeechRequest::schema());
    assert_eq!(speech["properties"]["response_format"]["default"], "mp3");
    assert_eq!(speech["required"], json!(["model", "input", "voice"]));
}

#[test]
fn the_fields_of_a_part_are_fields_of_the_request() {
    let errors = parse::<StreamRequest>(json!({ "text": 1, "timestamps": "word", "x": 1 })).unwrap_err();
    let named: Vec<_> = errors.0.into_keys().collect();
    assert_eq!(named, ["ereader_id", "text", "timestamps", "x"]);
    let schema = serde_json::to_value(StreamRequest::schema()).unwrap();
    assert_eq!(schema["required"], json!(["text", "ereader_id"]));
    assert_eq!(schema["properties"]["text"]["maxLength"], 40_000);
    let mut all = Components::new();
    StreamRequest::schemas(&mut all);
    let components: Vec<_> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(components, ["AudioFormat", "TextType", "Id_erd", "Id_lex", "NoTimestamps", "StreamLoudness"]);
}

mod example {
    #![expect(unreachable_pub, reason = "the macro makes structs for other crates")]

    use serde::Serialize;
    use serde_json::Value;
    use utoipa::openapi::{RefOr, Schema, schema::ArrayBuilder};

    use crate::{
        Environment, Field, LanguageTag, OrNull, Wrong, request,
        request::{Nullable, entries},
    };

    /// A list with a default.
    #[derive(Debug, Serialize)]
    pub struct Words(pub Vec<String>);

    impl Field for Words {
        fn property() -> RefOr<Schema> {
            ArrayBuilder::new().items(String::property()).into()
        }

        fn read(value: Value) -> Result<Self, Wrong> {
            entries(value, "must be a list", String::read).map(Self)
        }
    }

    impl Nullable for Environment {}

    request! {
        /// A field of each kind of schema.
        pub struct EveryKind {
            /// A text.
            #[example("a")]
            pub text: String = "b".to_owned(),
            /// A list.
            #[example(["a"])]
            pub list: Words = Words(vec!["b".to_owned()]),
            /// A component.
            #[example("live")]
            pub component: Environment = Environment::Test,
            /// A text or null.
            #[example("a")]
            pub text_or_null: OrNull<LanguageTag>,
            /// A component or null.
            #[example("live")]
            pub component_or_null: OrNull<Environment>,
        }
    }
}

// Negative control: with `annotated` without its cases for lists and references, the default and
// the examples of `list` and `component` are missing; without `OrNull::components`, `Environment`
// is listed once.
#[test]
fn defaults_and_examples_stand_in_every_kind_of_schema() {
    let schema = serde_json::to_value(EveryKind::schema()).unwrap();
    let environment = json!({ "$ref": "#/components/schemas/Environment" });
    for (field, expected) in [
        ("text", json!({ "type": "string", "description": "A text.", "default": "b", "example": "a" })),
        (
            "list",
            json!({
                "type": "array",
                "items": { "type": "string" },
                "description": "A list.",
                "default": ["b"],
                "example": ["a"],
            }),
        ),
        (
            "component",
            json!({
                "allOf": [environment],
                "description": "A component.",
                "default": "test",
                "example": "live",
            }),
        ),
        (
            "component_or_null",
            json!({
                "oneOf": [
                    { "$ref": "#/components/schemas/Environment", "description": "A component or null." },
                    { "type": "null" },
                ],
                "example": "live",
            }),
        ),
    ] {
        assert_eq!(schema["properties"][field], expected, "{field}");
    }
    assert_eq!(schema["properties"]["text_or_null"]["type"], json!(["string", "null"]));
    assert_eq!(schema["properties"]["text_or_null"]["example"], "a");
    assert_eq!(schema["required"], json!(["text_or_null", "component_or_null"]));
    let mut all = Components::new();
    EveryKind::schemas(&mut all);
    assert_eq!(all.iter().filter(|(name, _)| name == "Environment").count(), 2);
    let body = json!({ "text_or_null": null, "component_or_null": "live" });
    let EveryKind { text, list, component, text_or_null, component_or_null } = parse(body).unwrap();
    assert_eq!((text.as_str(), list.0, component), ("b", vec!["b".to_owned()], Environment::Test));
    assert_eq!((text_or_null, component_or_null), (OrNull(None), OrNull(Some(Environment::Live))));
    let body = json!({ "text_or_null": 1, "component_or_null": null });
    assert_eq!(wrong::<EveryKind>(body), ["text_or_null"]);
}
