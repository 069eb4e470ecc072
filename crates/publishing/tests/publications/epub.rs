use std::{
    collections::{BTreeMap, BTreeSet},
    io::Cursor,
};

use lectern_publishing::{
    Book, ChapterRole, Cover,
    epub::{self, Granularity},
};
use proptest::prelude::*;

use crate::fixture::{Spoken, all_text, book, ms, parse, text, unzip};

const BOTH: [Granularity; 2] = [Granularity::Word, Granularity::Sentence];

fn made(book: &Book, contents: &mut Spoken, granularity: Granularity) -> Vec<u8> {
    epub::write(book, contents, granularity, Cursor::new(Vec::new())).unwrap().into_inner()
}

/// A reference resolved against the file that it stands in, and its fragment.
fn resolve(from: &str, reference: &str) -> (String, Option<String>) {
    let (path, fragment) = match reference.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment.to_owned())),
        None => (reference, None),
    };
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        if part == ".." {
            parts.pop().unwrap();
        } else {
            parts.push(part);
        }
    }
    (parts.join("/").replace("%20", " "), fragment)
}

/// The elements and clips of an overlay, and checks of what holds for every overlay.
pub(crate) fn pars(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Vec<(String, u64, u64)> {
    let smil = parse(text(files, name));
    let mut ids = BTreeSet::new();
    let mut found = Vec::new();
    for par in smil.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/ns/SMIL", "par"))) {
        let mut children = par.children().filter(roxmltree::Node::is_element);
        let (element, clip) = (children.next().unwrap(), children.next().unwrap());
        let (document, id) = resolve(name, element.attribute("src").unwrap());
        let id = id.expect("a fragment");
        assert!(text(files, &document).contains(&format!("id=\"{id}\"")), "{document} has no {id}");
        let (audio, _) = resolve(name, clip.attribute("src").unwrap());
        assert!(files.contains_key(&audio), "no {audio}");
        let (begin, end) = (ms(clip.attribute("clipBegin").unwrap()), ms(clip.attribute("clipEnd").unwrap()));
        assert!(begin < end, "{id}: {begin} to {end}");
        assert!(ids.insert(id.clone()), "{id} twice");
        found.push((id, begin, end));
    }
    assert!(!found.is_empty());
    found
}

/// Checks that the package lists every file, that the durations are right, and gives the package.
pub(crate) fn check_package(files: &BTreeMap<String, Vec<u8>>, path: &str) {
    let package = parse(text(files, path));
    let mut listed: BTreeSet<String> = BTreeSet::new();
    let mut durations = BTreeMap::new();
    for item in package.descendants().filter(|node| node.tag_name().name() == "item") {
        assert!(listed.insert(resolve(path, item.attribute("href").unwrap()).0));
        if item.attribute("media-type") == Some("application/smil+xml") {
            let (name, _) = resolve(path, item.attribute("href").unwrap());
            let sum: u64 = pars(files, &name).iter().map(|(_, begin, end)| end - begin).sum();
            durations.insert(format!("#{}", item.attribute("id").unwrap()), sum);
        }
    }
    let unlisted = |name: &&String| !name.starts_with("META-INF/") && *name != "mimetype" && *name != path;
    let present: BTreeSet<String> = files.keys().filter(unlisted).cloned().collect();
    assert_eq!(listed, present);
    let mut total = None;
    for meta in package.descendants().filter(|node| node.attribute("property") == Some("media:duration")) {
        let duration = ms(meta.text().unwrap());
        match meta.attribute("refines") {
            Some(id) => assert_eq!(durations.get(id), Some(&duration), "{id}"),
            None => assert_eq!(total.replace(duration), None),
        }
    }
    assert_eq!(total, Some(durations.values().sum()));
}

#[test]
fn overlays_packages_and_files_agree() {
    let chapters = [
        (Some("The Sea"), "The Sea\n\nIt was {(a)} dark. It was cold.\n\nNobody spoke."),
        (None, "Alone & <lost>."),
        (Some("Silence"), "{***}"),
    ];
    let (mut book, mut contents) = book(&chapters);
    book.cover = Some(Cover { media_type: "image/jpeg".to_owned(), bytes: b"picture".to_vec() });
    book.chapters[2].duration_ms = 1_500;
    for granularity in BOTH {
        let files = unzip(&made(&book, &mut contents, granularity));
        check_package(&files, "EPUB/package.opf");
        let clips = pars(&files, "EPUB/overlays/c0001.smil");
        assert_eq!(clips.len(), if granularity == Granularity::Word { 10 } else { 4 });
        // All of the chapter is played: clips meet, from its start to its end.
        assert_eq!(clips[0].1, 0);
        assert!(clips.windows(2).all(|pair| pair[0].2 == pair[1].1));
        assert_eq!(clips.last().unwrap().2, book.chapters[0].duration_ms);
        assert_eq!(pars(&files, "EPUB/overlays/c0003.smil"), [("chapter".to_owned(), 0, 1_500)]);
    }
}

#[test]
fn a_sentence_begins_with_its_first_word() {
    let (book, mut contents) = book(&[(None, "It was dark. It was cold.")]);
    let files = unzip(&made(&book, &mut contents, Granularity::Sentence));
    let page = text(&files, "EPUB/text/c0001.xhtml");
    assert!(page.contains(
        "<p id=\"p1\"><span id=\"s1\">It was dark.</span> <span id=\"s2\">It was cold.</span></p>"
    ));
    let clips = pars(&files, "EPUB/overlays/c0001.smil");
    assert_eq!(clips, [("s1".to_owned(), 0, 1_350), ("s2".to_owned(), 1_350, 2_650)]);
}

#[test]
fn a_chapter_without_audio_has_no_overlay() {
    let (book, mut contents) = book(&[(None, "{one}"), (None, "two")]);
    let files = unzip(&made(&book, &mut contents, Granularity::Word));
    assert!(!files.contains_key("EPUB/overlays/c0001.smil"));
    check_package(&files, "EPUB/package.opf");
}

#[test]
fn the_type_comes_first_and_is_not_compressed() {
    let (book, mut contents) = book(&[(None, "one")]);
    let bytes = made(&book, &mut contents, Granularity::Word);
    assert_eq!(&bytes[30..58], b"mimetypeapplication/epub+zip");
    assert_eq!(bytes, made(&book, &mut contents, Granularity::Word));
}

// Negative control: with whole titles compared in `title_paragraphs`, this fails.
#[test]
fn a_title_that_is_read_becomes_the_heading_and_another_is_added() {
    let chapters = [
        (Some("Chapter 1: The Sea"), "CHAPTER 1\n\nThe Sea\n\nIt was dark."),
        (Some("The Land"), "Chapter 2. The Land\n\nIt was."),
        (Some("The Sky"), "It was blue."),
    ];
    let (mut book, mut contents) = book(&chapters);
    book.chapters[1].level = 5;
    let files = unzip(&made(&book, &mut contents, Granularity::Sentence));
    let page = |number| text(&files, &format!("EPUB/text/c000{number}.xhtml")).to_owned();
    assert!(
        page(1).contains(
            "<h1 id=\"p1\"><span id=\"s1\">CHAPTER 1</span></h1>\n<p class=\"subtitle\" id=\"p2\">"
        )
    );
    assert!(page(2).contains("<h2 id=\"p1\">"), "{}", page(2));
    assert!(page(3).contains("<h1>The Sky</h1>\n<p id=\"p1\">"));
    // A level that skips one is raised.
    let navigation = parse(text(&files, "EPUB/nav.xhtml"));
    let depths: Vec<usize> = navigation
        .descendants()
        .filter(|node| {
            node.has_tag_name(("http://www.w3.org/1999/xhtml", "a")) && node.attributes().len() == 1
        })
        .map(|node| node.ancestors().filter(|node| node.tag_name().name() == "ol").count())
        .collect();
    assert_eq!(depths, [1, 2, 1]);
}

#[test]
fn metadata_is_complete_and_malformed_values_are_left_out() {
    let (mut book, mut contents) = book(&[(Some("&"), "one")]);
    book.chapters[0].role = ChapterRole::Foreword;
    book.copyright = Some("© 1998\nA. Writer".to_owned());
    book.series = Some("Tides".to_owned());
    book.series_index = Some("one".to_owned());
    book.language = Some("not a language".to_owned());
    let files = unzip(&made(&book, &mut contents, Granularity::Word));
    let package = text(&files, "EPUB/package.opf");
    for line in [
        "<dc:identifier id=\"pub-id\">urn:uuid:00000000-0000-0000-0000-000000000007</dc:identifier>",
        "<dc:identifier id=\"isbn\">urn:isbn:9783161484100</dc:identifier>",
        "<dc:title id=\"title\">The &lt;Sea&gt; &amp; the Land</dc:title>",
        "<dc:language>und</dc:language>",
        "<dc:date>1998</dc:date>",
        "<dc:rights>© 1998 A. Writer</dc:rights>",
        "<meta property=\"dcterms:modified\">2023-11-14T22:13:21Z</meta>",
        "<meta property=\"media:narrator\">A Voice</meta>",
        "<meta property=\"media:active-class\">-epub-media-overlay-active</meta>",
        "<meta property=\"schema:accessibilityFeature\">synchronizedAudioText</meta>",
        "<meta property=\"belongs-to-collection\" id=\"series\">Tides</meta>",
    ] {
        assert!(package.contains(line), "{line}\n{package}");
    }
    assert!(!package.contains("group-position"));
    assert!(text(&files, "EPUB/css/style.css").contains(".-epub-media-overlay-active {"));
    assert!(text(&files, "EPUB/text/c0001.xhtml").contains("role=\"doc-foreword\""));
    book.isbn = Some("978-3-16-148410-1".to_owned());
    book.language = Some("ar".to_owned());
    let files = unzip(&made(&book, &mut contents, Granularity::Word));
    let package = text(&files, "EPUB/package.opf");
    assert!(!package.contains("isbn"));
    assert!(package.contains("page-progression-direction=\"rtl\""));
    assert!(text(&files, "EPUB/text/c0001.xhtml").contains(" dir=\"rtl\""));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_page_has_the_whole_text(text_of in "[a-c<&\"é海\u{1}\\. ]{0,40}(\n[ab\\.]{0,9}){0,3}(\n\n[ab \\.!]{1,30}){0,4}") {
        let (book, mut contents) = book(&[(None, &text_of), (None, "end")]);
        for granularity in BOTH {
            let files = unzip(&made(&book, &mut contents, granularity));
            let page = parse(text(&files, "EPUB/text/c0001.xhtml"));
            let body = page.descendants().find(|node| node.tag_name().name() == "body").unwrap();
            let words = |text: &str| text.replace('\u{1}', "").split_whitespace().collect::<String>();
            prop_assert_eq!(words(&all_text(body)), words(&text_of));
            if files.contains_key("EPUB/overlays/c0001.smil") {
                pars(&files, "EPUB/overlays/c0001.smil");
            }
        }
    }
}
