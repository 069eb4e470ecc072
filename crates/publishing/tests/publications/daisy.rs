use std::{collections::BTreeSet, io::Cursor};

use lectern_publishing::{Book, daisy};

use crate::fixture::{Spoken, book, ms, parse, text, unzip};

fn made(book: &Book, contents: &mut Spoken) -> std::collections::BTreeMap<String, Vec<u8>> {
    unzip(&daisy::write(book, contents, Cursor::new(Vec::new())).unwrap().into_inner())
}

fn small() -> (Book, Spoken) {
    book(&[
        (Some("The Sea"), "The Sea\n\nIt was dark. {Silence.} It was cold."),
        (Some("The <Land>"), "Nobody spoke.\n\nNobody."),
        (None, "{***}"),
    ])
}

/// The value of each `meta` of a file.
fn meta(file: &str, name: &str) -> Option<String> {
    let document = parse(file);
    let found = document.descendants().find(|node| node.attribute("name") == Some(name))?;
    found.attribute("content").map(str::to_owned)
}

#[test]
fn the_control_centre_has_the_metadata_of_the_book() {
    let (mut book, mut contents) = small();
    book.copyright = Some("© 1998 A. Writer".to_owned());
    let files = made(&book, &mut contents);
    let center = text(&files, "ncc.html");
    for (name, value) in [
        ("dc:title", "The <Sea> & the Land"),
        ("dc:creator", "A. Writer"),
        // A book without a publisher says so, because the element is required.
        ("dc:publisher", "Unknown"),
        ("dc:date", "2023-11-14"),
        ("dc:format", "Daisy 2.02"),
        ("dc:identifier", "00000000-0000-0000-0000-000000000007"),
        ("dc:language", "en-GB"),
        ("dc:rights", "© 1998 A. Writer"),
        ("ncc:charset", "utf-8"),
        ("ncc:narrator", "A Voice"),
        ("ncc:multimediaType", "audioFullText"),
        ("ncc:pageFront", "0"),
        ("ncc:pageNormal", "0"),
        ("ncc:pageSpecial", "0"),
        ("ncc:setInfo", "1 of 1"),
        ("ncc:depth", "1"),
        ("ncc:tocItems", "4"),
        ("ncc:totalTime", "00:00:05"),
    ] {
        assert_eq!(meta(center, name).as_deref(), Some(value), "{name}");
    }
    assert_eq!(meta(center, "ncc:files"), Some(files.len().to_string()));
    assert!(center.contains("<meta http-equiv=\"Content-type\" content=\"text/html; charset=utf-8\" />"));
}

#[test]
fn the_first_heading_is_the_title_and_every_heading_leads_to_an_event() {
    let (mut book, mut contents) = small();
    book.chapters[1].level = 2;
    let files = made(&book, &mut contents);
    let center = parse(text(&files, "ncc.html"));
    let body = center.descendants().find(|node| node.tag_name().name() == "body").unwrap();
    let headings: Vec<_> = body.children().filter(roxmltree::Node::is_element).collect();
    let names: Vec<&str> = headings.iter().map(|heading| heading.tag_name().name()).collect();
    assert_eq!(names, ["h1", "h1", "h2", "h1"]);
    assert_eq!(headings[0].attribute("class"), Some("title"));
    for heading in headings {
        assert!(heading.attribute("id").is_some());
        let link = heading.first_element_child().unwrap().attribute("href").unwrap();
        let (file, id) = link.split_once('#').unwrap();
        let smil = parse(text(&files, file));
        assert!(smil.descendants().any(|node| node.attribute("id") == Some(id)), "{link}");
    }
}

// Negative control: with the heading's id left out of the text, this fails.
#[test]
fn events_lead_to_text_and_audio_and_times_add_up() {
    let (mut book, mut contents) = small();
    book.chapters[2].duration_ms = 2_000;
    let files = made(&book, &mut contents);
    let mut elapsed = 0;
    for (at, chapter) in book.chapters.iter().enumerate() {
        let name = format!("c{:04}.smil", at + 1);
        let smil = text(&files, &name);
        let clock = |ms: u64| format!("00:00:{:02}", (ms + 500) / 1000);
        assert_eq!(meta(smil, "dc:format").as_deref(), Some("Daisy 2.02"));
        assert_eq!(meta(smil, "ncc:timeInThisSmil"), Some(clock(chapter.duration_ms)));
        assert_eq!(meta(smil, "ncc:totalElapsedTime"), Some(clock(elapsed)));
        elapsed += chapter.duration_ms;
        let smil = parse(smil);
        let sequence = smil.descendants().find(|node| node.tag_name().name() == "seq").unwrap();
        assert_eq!(ms(sequence.attribute("dur").unwrap()), chapter.duration_ms);
        let (mut ids, mut end) = (BTreeSet::new(), 0);
        for event in sequence.children().filter(roxmltree::Node::is_element) {
            assert_eq!(event.attribute("endsync"), Some("last"));
            assert!(ids.insert(event.attribute("id").unwrap().to_owned()));
            for part in event.children().filter(roxmltree::Node::is_element) {
                let source = part.attribute("src").unwrap();
                if let Some((page, id)) = source.split_once('#') {
                    assert!(text(&files, page).contains(&format!("id=\"{id}\"")), "{source}");
                } else {
                    assert!(files.contains_key(source));
                    assert_eq!(ms(part.attribute("clip-begin").unwrap()), end);
                    end = ms(part.attribute("clip-end").unwrap());
                }
            }
        }
        assert_eq!(end, chapter.duration_ms, "{name}");
    }
    let master = parse(text(&files, "master.smil"));
    let references = master.descendants().filter(|node| node.tag_name().name() == "ref");
    let sources: Vec<&str> = references.filter_map(|node| node.attribute("src")).collect();
    assert_eq!(sources, ["c0001.smil", "c0002.smil", "c0003.smil"]);
    assert_eq!(files["c0002.mp3"], crate::fixture::audio(1));
}

#[test]
fn the_text_has_one_heading_and_all_words() {
    let (book, mut contents) = small();
    let files = made(&book, &mut contents);
    let first = text(&files, "c0001.html");
    assert!(first.contains("<h1 id=\"h1\"><span id=\"s1\">The Sea</span></h1>"), "{first}");
    assert!(first.contains("<span id=\"s2\">It was dark.</span> <span id=\"s3\">{Silence.} It"), "{first}");
    let second = text(&files, "c0002.html");
    assert!(
        second.contains("<h1 id=\"h1\">The &lt;Land&gt;</h1>\n<p><span id=\"s1\">Nobody spoke.</span></p>")
    );
    for name in files.keys() {
        assert!(name.len() <= 12 && name.is_ascii(), "{name}");
    }
}
