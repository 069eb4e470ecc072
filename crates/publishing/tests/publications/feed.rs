use jiff::Timestamp;
use lectern_publishing::feed::{Episode, Feed, Mark, chapters_json, rss};
use uuid::Uuid;

use crate::fixture::parse;

const ITUNES: &str = "http://www.itunes.com/dtds/podcast-1.0.dtd";
const PODCAST: &str = "https://podcastindex.org/namespace/1.0";

fn feed() -> Feed {
    let episode = |title: Option<&str>, number: u64| Episode {
        title: title.map(str::to_owned),
        guid: format!("chapter-{number}"),
        audio_url: format!("https://example.org/{number}.mp3?a=1&b=2"),
        audio_bytes: 1_000 + number,
        duration_ms: 61_500,
        chapters_url: (number == 1).then(|| "https://example.org/1.json".to_owned()),
    };
    Feed {
        title: "The <Sea> & \u{1}\"Land\"".to_owned(),
        description: None,
        author: Some("A. Writer".to_owned()),
        language: Some("en-GB".to_owned()),
        copyright: Some("© 1998 A. Writer".to_owned()),
        feed_url: "https://example.org/feed?key=1&x=2".to_owned(),
        page_url: "https://example.org/".to_owned(),
        image_url: Some("https://example.org/cover.jpg".to_owned()),
        guid: Uuid::from_u128(9),
        modified: Timestamp::from_second(1_700_000_000).unwrap(),
        private: true,
        episodes: vec![episode(Some("]]> One"), 1), episode(None, 2), episode(Some("Three"), 3)],
    }
}

#[test]
fn episodes_are_in_order_by_number_and_by_date() {
    let text = rss(&feed());
    let document = parse(&text);
    let items: Vec<_> = document.descendants().filter(|node| node.has_tag_name("item")).collect();
    let of = |item: &roxmltree::Node<'_, '_>, name: (&'static str, &'static str)| {
        let found = item.children().find(|node| {
            node.tag_name().name() == name.1 && node.tag_name().namespace().unwrap_or_default() == name.0
        });
        found.and_then(|node| node.text()).unwrap_or_default().to_owned()
    };
    let all = |name| items.iter().map(|item| of(item, name)).collect::<Vec<_>>();
    assert_eq!(all(("", "title")), ["]]> One", "Chapter 2", "Three"]);
    assert_eq!(all((ITUNES, "episode")), ["1", "2", "3"]);
    assert_eq!(all((ITUNES, "duration")), ["62", "62", "62"]);
    assert_eq!(
        all(("", "pubDate")),
        [
            "Tue, 14 Nov 2023 22:11:20 +0000",
            "Tue, 14 Nov 2023 22:12:20 +0000",
            "Tue, 14 Nov 2023 22:13:20 +0000"
        ]
    );
    let enclosure = items[1].children().find(|node| node.has_tag_name("enclosure")).unwrap();
    assert_eq!(enclosure.attribute("url"), Some("https://example.org/2.mp3?a=1&b=2"));
    assert_eq!(enclosure.attribute("length"), Some("1002"));
    assert_eq!(enclosure.attribute("type"), Some("audio/mpeg"));
    assert_eq!(text.matches("<podcast:chapters url=\"https://example.org/1.json\"").count(), 1);
}

// Negative control: without the condition on `private`, this fails.
#[test]
fn the_channel_says_what_it_is() {
    let text = rss(&feed());
    let document = parse(&text);
    let channel = document.root_element().first_element_child().unwrap();
    let value = |namespace: &str, name: &str| {
        let found = channel.children().find(|node| {
            node.tag_name().name() == name && node.tag_name().namespace().unwrap_or_default() == namespace
        });
        found.and_then(|node| node.text())
    };
    assert_eq!(value("", "title"), Some("The <Sea> & \"Land\""));
    assert_eq!(value("", "description"), value("", "title"));
    assert_eq!(value("", "language"), Some("en-GB"));
    assert_eq!(value("", "copyright"), Some("© 1998 A. Writer"));
    assert_eq!(value(ITUNES, "type"), Some("serial"));
    assert_eq!(value(ITUNES, "block"), Some("Yes"));
    assert_eq!(value(PODCAST, "medium"), Some("audiobook"));
    assert_eq!(value(PODCAST, "locked"), Some("yes"));
    assert_eq!(value(PODCAST, "guid"), Some("00000000-0000-0000-0000-000000000009"));
    assert!(text.contains("<atom:link rel=\"self\" type=\"application/rss+xml\" href=\"https://example.org/feed?key=1&amp;x=2\"/>"));
    let public = rss(&Feed { private: false, language: Some("nonsense!".to_owned()), ..feed() });
    assert!(!public.contains("block>") && !public.contains("<language>"));
}

#[test]
fn marks_are_in_seconds() {
    let marks = [
        Mark { title: "One \"quoted\"".to_owned(), start_ms: 0 },
        Mark { title: "Two".to_owned(), start_ms: 12_345 },
    ];
    let json: serde_json::Value = serde_json::from_str(&chapters_json(&marks)).unwrap();
    assert_eq!(json["version"], "1.2.0");
    assert_eq!(json["chapters"][1]["startTime"], 12.345);
    assert_eq!(json["chapters"][0]["title"], "One \"quoted\"");
}
