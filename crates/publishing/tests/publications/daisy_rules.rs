//! The rules of DAISY 2.02, as the specification's tables of metadata and the DAISY Consortium's validation suite have them:
//! which metadata there must be and of what form, and which elements and attributes may stand where.
//!
//! Negative controls, each seen to fail once: a direction on the root of the control centre (as all books from right to left
//! had it), a required entry left out, two headings with one id.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Cursor,
};

use lectern_publishing::{Book, daisy};
use roxmltree::Node;

use crate::fixture::{Spoken, book, parse, text, unzip};

type Files = BTreeMap<String, Vec<u8>>;

const WHOLE: &str = "a number";
const CLOCK: &str = "hh:mm:ss";
const DATE: &str = "YYYY, YYYY-MM or YYYY-MM-DD";
const ANY: &str = "any text";
const LANGUAGE: &str = "a language";

/// Name and form of the metadata of the control centre; those that must be there.
const REQUIRED: [(&str, &str); 13] = [
    ("dc:creator", ANY),
    ("dc:date", DATE),
    ("dc:format", "Daisy 2.02"),
    ("dc:identifier", ANY),
    ("dc:language", LANGUAGE),
    ("dc:publisher", ANY),
    ("dc:title", ANY),
    ("ncc:charset", "utf-8"),
    ("ncc:pageFront", WHOLE),
    ("ncc:pageNormal", WHOLE),
    ("ncc:pageSpecial", WHOLE),
    ("ncc:tocItems", WHOLE),
    ("ncc:totalTime", CLOCK),
];

/// Those that may be there, once.
const OPTIONAL: [(&str, &str); 15] = [
    ("dc:description", ANY),
    ("dc:rights", ANY),
    ("ncc:depth", WHOLE),
    ("ncc:files", WHOLE),
    ("ncc:footnotes", WHOLE),
    ("ncc:generator", ANY),
    ("ncc:kByteSize", WHOLE),
    ("ncc:maxPageNormal", WHOLE),
    ("ncc:multimediaType", "audioFullText"),
    ("ncc:narrator", ANY),
    ("ncc:prodNotes", WHOLE),
    ("ncc:producedDate", DATE),
    ("ncc:setInfo", "1 of 1"),
    ("ncc:sidebars", WHOLE),
    ("ncc:sourceDate", DATE),
];

fn has_form(value: &str, form: &str) -> bool {
    let digits =
        |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    match form {
        ANY => !value.trim().is_empty(),
        WHOLE => value.parse::<u64>().is_ok(),
        LANGUAGE => value.split('-').all(|part| (1..=8).contains(&part.len()) && part.is_ascii()),
        CLOCK => {
            let parts: Vec<&str> = value.split(':').collect();
            let [hours, minutes, seconds] = parts[..] else { return false };
            hours.parse::<u64>().is_ok()
                && [minutes, seconds].iter().all(|part| digits(part, 2) && **part < *"60")
        }
        DATE => {
            let parts: Vec<&str> = value.split('-').collect();
            digits(parts[0], 4) && parts.len() <= 3 && parts[1..].iter().all(|part| digits(part, 2))
        }
        exact => value == exact,
    }
}

fn elements<'a, 'input>(node: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(Node::is_element)
}

fn only<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Node<'a, 'input> {
    let mut found = node.descendants().filter(|node| node.tag_name().name() == name);
    let first = found.next().unwrap_or_else(|| panic!("no {name}"));
    assert!(found.next().is_none(), "a second {name}");
    first
}

/// Checks that an element has all of the first attributes, and else only some of the second.
fn check_attributes(node: Node<'_, '_>, required: &[&str], allowed: &[&str]) {
    let has: BTreeSet<&str> = node.attributes().map(|attribute| attribute.name()).collect();
    for name in required {
        assert!(has.contains(name), "no {name} on {node:?}");
    }
    for name in has {
        assert!(required.contains(&name) || allowed.contains(&name), "{name} on {node:?}");
    }
}

fn meta(head: Node<'_, '_>) -> Vec<(String, String)> {
    let named = elements(head).filter(|node| node.has_attribute("name"));
    let mut found = Vec::new();
    for node in named {
        assert_eq!(node.tag_name().name(), "meta");
        check_attributes(node, &["name", "content"], &["scheme"]);
        found.push((
            node.attribute("name").unwrap().to_owned(),
            node.attribute("content").unwrap().to_owned(),
        ));
    }
    found
}

fn check_meta(found: &[(String, String)], required: &[(&str, &str)], optional: &[(&str, &str)]) {
    for (name, value) in found {
        let known = required.iter().chain(optional).find(|(known, _)| known == name);
        let (_, form) = known.unwrap_or_else(|| panic!("{name} is not known"));
        assert!(has_form(value, form), "{name} is {value:?}, not {form}");
        assert_eq!(found.iter().filter(|(other, _)| other == name).count(), 1, "{name} more than once");
    }
    for (name, _) in required {
        assert!(found.iter().any(|(found, _)| found == name), "no {name}");
    }
}

/// Checks the control centre, and gives the references of its headings.
fn check_center(files: &Files) -> Vec<String> {
    let center = parse(text(files, "ncc.html"));
    let root = center.root_element();
    assert_eq!(root.tag_name().name(), "html");
    check_attributes(root, &[], &["lang"]);
    let head = only(root, "head");
    only(head, "title");
    let found = meta(head);
    check_meta(&found, &REQUIRED, &OPTIONAL);
    let value = |name: &str| found.iter().find(|(found, _)| found == name).unwrap().1.clone();
    let headings: Vec<Node<'_, '_>> = elements(only(root, "body")).collect();
    assert_eq!(value("ncc:tocItems"), headings.len().to_string());
    let (mut ids, mut last, mut deepest, mut references) = (BTreeSet::new(), 0, 0, Vec::new());
    for (at, heading) in headings.iter().enumerate() {
        let level: u32 = heading.tag_name().name().strip_prefix('h').unwrap().parse().unwrap();
        assert!((1..=6).contains(&level) && level <= last + 1, "a level is left out before {heading:?}");
        (last, deepest) = (level, deepest.max(level));
        check_attributes(*heading, &["id"], &["class"]);
        assert!(ids.insert(heading.attribute("id").unwrap()), "an id occurs twice");
        assert_eq!((heading.attribute("class") == Some("title"), level == 1 || at > 0), (at == 0, true));
        let inside: Vec<Node<'_, '_>> = heading.children().collect();
        assert_eq!(inside.len(), 1, "a heading is a link and nothing else");
        check_attributes(inside[0], &["href"], &["id"]);
        assert!(!inside[0].text().unwrap().trim().is_empty());
        references.push(inside[0].attribute("href").unwrap().to_owned());
    }
    assert_eq!(value("ncc:depth"), deepest.to_string());
    assert_eq!(value("ncc:files"), files.len().to_string());
    references
}

/// Checks a chapter's SMIL, and gives the ids of its events.
fn check_smil(files: &Files, name: &str) -> BTreeSet<String> {
    let smil = parse(text(files, name));
    let root = smil.root_element();
    check_attributes(root, &[], &["id"]);
    let required =
        [("dc:format", "Daisy 2.02"), ("ncc:timeInThisSmil", CLOCK), ("ncc:totalElapsedTime", CLOCK)];
    let optional = [("dc:identifier", ANY), ("dc:title", ANY), ("title", ANY), ("ncc:generator", ANY)];
    check_meta(&meta(only(root, "head")), &required, &optional);
    check_attributes(only(root, "region"), &["id"], &[]);
    let body: Vec<Node<'_, '_>> = elements(only(root, "body")).collect();
    assert_eq!(body.len(), 1);
    check_attributes(body[0], &["dur"], &["id"]);
    let (mut ids, mut events) = (BTreeSet::new(), BTreeSet::new());
    for event in elements(body[0]) {
        assert_eq!(event.tag_name().name(), "par");
        check_attributes(event, &["id", "endsync"], &[]);
        events.insert(event.attribute("id").unwrap().to_owned());
        let inside: Vec<&str> = elements(event).map(|part| part.tag_name().name()).collect();
        assert!(inside == ["text", "audio"] || inside == ["text"], "{inside:?}");
        for part in elements(event).chain([event]) {
            assert!(ids.insert(part.attribute("id").unwrap().to_owned()), "an id occurs twice in {name}");
            match part.tag_name().name() {
                "text" => check_attributes(part, &["id", "src"], &[]),
                "audio" => check_attributes(part, &["id", "src", "clip-begin", "clip-end"], &[]),
                _ => {}
            }
        }
    }
    assert!(!events.is_empty(), "{name} has no event");
    events
}

fn check_master(files: &Files) {
    let master = parse(text(files, "master.smil"));
    let root = master.root_element();
    let required = [("dc:format", "Daisy 2.02"), ("dc:identifier", ANY), ("ncc:timeInThisSmil", CLOCK)];
    let optional = [("dc:title", ANY), ("ncc:generator", ANY)];
    check_meta(&meta(only(root, "head")), &required, &optional);
    let references: Vec<&str> = elements(only(root, "body"))
        .map(|reference| {
            check_attributes(reference, &["id", "src"], &["title"]);
            reference.attribute("src").unwrap()
        })
        .collect();
    let chapters: Vec<&str> = files
        .keys()
        .map(String::as_str)
        .filter(|name| name.strip_suffix(".smil").is_some_and(|stem| stem != "master"))
        .collect();
    assert_eq!(references, chapters);
}

fn check(book: &Book, mut contents: Spoken) {
    let files = unzip(&daisy::write(book, &mut contents, Cursor::new(Vec::new())).unwrap().into_inner());
    for reference in check_center(&files) {
        let (smil, event) = reference.split_once('#').unwrap();
        assert!(check_smil(&files, smil).contains(event), "{reference} leads to no event");
    }
    check_master(&files);
}

#[test]
fn every_book_keeps_the_rules() {
    let chapters = [
        (Some("The Sea"), "The Sea\n\nIt was dark. {Silence.} It was cold."),
        (Some("\u{1}<Land> & \"more\""), "Nobody spoke.\n\nNobody."),
        (None, "{***}"),
        (Some("  "), ""),
        (Some("الليل"), "كان الظلام. وكان البرد."),
    ];
    let (plain, contents) = book(&chapters);
    check(&plain, contents);
    for language in [Some("ar"), Some("he-IL"), Some("de"), Some("not a language"), None] {
        let (mut other, contents) = book(&chapters);
        other.language = language.map(str::to_owned);
        check(&other, contents);
    }
    let (mut deep, contents) = book(&chapters);
    for (chapter, level) in deep.chapters.iter_mut().zip([4, 1, 3, 6, 2]) {
        chapter.level = level;
    }
    check(&deep, contents);
    let (mut bare, contents) = book(&chapters[..1]);
    (bare.title, bare.author, bare.narrator, bare.year) = (" \u{1} ".to_owned(), None, None, None);
    check(&bare, contents);
    let (mut full, contents) = book(&chapters[..2]);
    full.publisher = Some("A \"House\" & Sons".to_owned());
    full.description = Some("Words\n\nand <marks>".to_owned());
    full.copyright = Some("© Nobody".to_owned());
    full.year = Some(33);
    check(&full, contents);
}
