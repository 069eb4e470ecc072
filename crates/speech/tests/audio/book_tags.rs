//! A book's tags and its bit rate, read back with ffprobe, the id3 crate and mp4ameta.
//!
//! Negative controls, each seen to fail once: without the rules of `BookTags::made_sound`, with a
//! track number 0, with 16 bits cut from a larger track number, without the album, without
//! the tags in the space for the index, without the limits of AAC's bit rates, with the default
//! rate for MP3, with the default rate in the description of the AAC, and without the names
//! NARRATOR, PUBLISHER, LANGUAGE, MVNM, `©pub`, `shwm` and `trkn`.

use std::io::Cursor;

use id3::TagLike as _;
use lectern_speech::audio::{
    AudioError,
    book::{BookEncoder, BookError, BookFormat, BookOptions, BookTags},
};
use mp4ameta::{Fourcc, FreeformIdent};

use crate::{
    books::{FORMATS, OnDisk, chapter, make, options, pcm},
    signals::{RATE, speech},
};

const DESCRIPTION: &str = "A house on the moor.\nНикто не знает, whose it is; 家.";

fn tags() -> BookTags {
    let text = |text: &str| Some(text.to_owned());
    BookTags {
        narrator: text("Zoë Reader"),
        publisher: text("Heath & Son"),
        year: Some(1_848),
        description: text(DESCRIPTION),
        series: text("Moors – all"),
        series_index: text("3"),
        isbn: text("978-3-16-148410-0"),
        copyright: text("1848 Ada Brontë"),
    }
}

fn with(format: BookFormat, tags: BookTags) -> BookOptions {
    BookOptions { tags, ..options(format, vec![chapter("All", 0, 1_000)]) }
}

fn one_second() -> Vec<i16> {
    pcm(&speech(RATE as usize, 1))
}

fn id3(file: &[u8]) -> id3::Tag {
    id3::Tag::read_from2(Cursor::new(file)).expect("id3 reads it")
}

fn named(tag: &id3::Tag, name: &str) -> Option<String> {
    tag.extended_texts().find(|text| text.description == name).map(|text| text.value.clone())
}

fn mp4(file: &[u8]) -> mp4ameta::Tag {
    mp4ameta::Tag::read_from(&mut Cursor::new(file)).expect("mp4ameta reads it")
}

fn apple(tag: &mp4ameta::Tag, name: [u8; 4]) -> Option<String> {
    tag.strings_of(&Fourcc(name)).next().map(str::to_owned)
}

fn freeform(tag: &mp4ameta::Tag, name: &'static str) -> Option<String> {
    tag.strings_of(&FreeformIdent::new_static("com.apple.iTunes", name)).next().map(str::to_owned)
}

fn place(file: &[u8], kind: &[u8]) -> Option<usize> {
    file.windows(4).position(|bytes| bytes == kind)
}

/// These are the names that Audiobookshelf looks for, which has its tags from ffprobe.
#[test]
fn ffprobe_finds_every_fact_in_both_formats() {
    let samples = one_second();
    for format in FORMATS {
        let book = OnDisk::new(
            &make(BookOptions { track: Some((2, 12)), ..with(format, tags()) }, &samples).0,
            format,
        );
        let described = if format == BookFormat::Mp3 { "comment" } else { "description" };
        let wanted = [
            ("artist", "Ada Brontë"),
            ("composer", "Zoë Reader"),
            ("publisher", "Heath & Son"),
            ("date", "1848"),
            ("SERIES", "Moors – all"),
            ("SERIES-PART", "3"),
            ("ISBN", "978-3-16-148410-0"),
            ("copyright", "1848 Ada Brontë"),
            ("track", "2/12"),
        ];
        for (name, value) in wanted {
            assert_eq!(book.tag(name).trim_matches('"'), value, "{format}: {name}");
        }
        assert!(book.tag(described).contains("moor.\nНикто"), "{format}: {}", book.tag(described));
        let language = if format == BookFormat::Mp3 { "language" } else { "LANGUAGE" };
        assert_eq!(book.tag(language), "eng", "{format}");
    }
}

#[test]
fn an_mp3_has_the_frames_of_version_2_3() {
    let file = make(with(BookFormat::Mp3, tags()), &one_second()).0;
    assert_eq!(&file[..4], b"ID3\x03");
    let tag = id3(&file);
    let text = |id: &str| tag.get(id).and_then(|frame| frame.content().text()).map(str::to_owned);
    assert_eq!(text("TPE1").as_deref(), Some("Ada Brontë"));
    assert_eq!(text("TCOM").as_deref(), Some("Zoë Reader"));
    assert_eq!(text("TPUB").as_deref(), Some("Heath & Son"));
    assert_eq!(tag.year(), Some(1_848));
    assert_eq!(text("TCOP").as_deref(), Some("1848 Ada Brontë"));
    assert_eq!(text("TLAN").as_deref(), Some("eng"));
    assert_eq!(named(&tag, "NARRATOR").as_deref(), Some("Zoë Reader"));
    assert_eq!(named(&tag, "SERIES").as_deref(), Some("Moors – all"));
    assert_eq!(named(&tag, "SERIES-PART").as_deref(), Some("3"));
    assert_eq!(named(&tag, "ISBN").as_deref(), Some("978-3-16-148410-0"));
    let comments: Vec<_> = tag.comments().collect();
    assert_eq!(comments.len(), 1);
    assert_eq!((comments[0].lang.as_str(), comments[0].text.as_str()), ("eng", DESCRIPTION));
    let raw = |id: &str| {
        let unknown = tag.get(id).expect("the frame is there").content().to_unknown();
        let data = unknown.expect("it has bytes").data.clone();
        assert_eq!(data[..3], [1, 0xFF, 0xFE], "{id} is UTF-16 with a byte order mark");
        let units: Vec<u16> = data[3..].as_chunks::<2>().0.iter().map(|&b| u16::from_le_bytes(b)).collect();
        String::from_utf16(&units).expect("UTF-16")
    };
    assert_eq!((raw("MVNM"), raw("MVIN")), ("Moors – all".to_owned(), "3".to_owned()));
}

#[test]
fn an_m4b_has_the_atoms_of_apples_players() {
    let file = make(BookOptions { track: Some((2, 12)), ..with(BookFormat::M4b, tags()) }, &one_second()).0;
    let tag = mp4(&file);
    for (name, value) in [
        (*b"\xA9nrt", "Zoë Reader"),
        (*b"\xA9wrt", "Zoë Reader"),
        (*b"\xA9pub", "Heath & Son"),
        (*b"\xA9day", "1848"),
        (*b"desc", DESCRIPTION),
        (*b"ldes", DESCRIPTION),
        (*b"\xA9cmt", DESCRIPTION),
        (*b"cprt", "1848 Ada Brontë"),
        (*b"\xA9mvn", "Moors – all"),
    ] {
        assert_eq!(apple(&tag, name).as_deref(), Some(value), "{}", name.escape_ascii());
    }
    for (name, value) in [
        ("PUBLISHER", "Heath & Son"),
        ("SERIES", "Moors – all"),
        ("SERIES-PART", "3"),
        ("ISBN", "978-3-16-148410-0"),
        ("LANGUAGE", "eng"),
    ] {
        assert_eq!(freeform(&tag, name).as_deref(), Some(value), "{name}");
    }
    assert_eq!(tag.movement_index(), Some(3));
    assert!(tag.show_movement());
    assert_eq!(tag.track(), (Some(2), Some(12)));
    assert_eq!(tag.media_type(), Some(mp4ameta::MediaType::AudioBook));
}

#[test]
fn values_are_cleaned_cut_and_left_out_where_a_format_cannot_hold_them() {
    let samples = one_second();
    let hostile = BookTags {
        narrator: Some(format!("\u{0}Zo\u{1b}[31më\r\n{}", "x".repeat(9_000))),
        publisher: Some(" \u{7}\t ".to_owned()),
        year: Some(10_000),
        description: Some(format!("One.\r\nTwo.\u{0}\r{}", "ß".repeat(9_000))),
        series: Some("Moors".to_owned()),
        series_index: Some("2.5".to_owned()),
        ..BookTags::default()
    };
    let narrator = format!("Zo[31më{}", "x".repeat(493));
    let description = format!("One.\nTwo.\n{}", "ß".repeat(3_990));
    let mp3 = id3(&make(with(BookFormat::Mp3, hostile.clone()), &samples).0);
    assert_eq!(mp3.get("TCOM").and_then(|frame| frame.content().text()), Some(narrator.as_str()));
    assert_eq!(mp3.comments().next().map(|comment| comment.text.as_str()), Some(description.as_str()));
    assert_eq!(named(&mp3, "SERIES-PART").as_deref(), Some("2.5"));
    for absent in ["TPUB", "TYER", "TCOP", "TRCK", "MVIN"] {
        assert!(mp3.get(absent).is_none(), "{absent}");
    }
    let m4b = mp4(&make(with(BookFormat::M4b, hostile), &samples).0);
    assert_eq!(apple(&m4b, *b"\xA9nrt").as_deref(), Some(narrator.as_str()));
    assert_eq!(apple(&m4b, *b"desc").as_deref(), Some(description.as_str()));
    assert_eq!(freeform(&m4b, "SERIES-PART").as_deref(), Some("2.5"));
    for absent in [*b"\xA9pub", *b"\xA9day", *b"cprt", *b"trkn", *b"\xA9mvi"] {
        assert!(m4b.data_of(&Fourcc(absent)).next().is_none(), "{}", absent.escape_ascii());
    }
    // A place in no series, and impossible numbers of tracks.
    let alone = BookTags { series_index: Some("3".to_owned()), ..BookTags::default() };
    let mp3 = id3(&make(BookOptions { track: Some((0, 9)), ..with(BookFormat::Mp3, alone) }, &samples).0);
    assert!(named(&mp3, "SERIES-PART").is_none() && mp3.get("MVIN").is_none() && mp3.get("TRCK").is_none());
    let many = BookOptions { track: Some((70_000, 80_000)), ..with(BookFormat::M4b, BookTags::default()) };
    assert_eq!(mp4(&make(many, &samples).0).track(), (None, None));
}

#[test]
fn the_file_of_a_chapter_names_its_book_as_the_album() {
    let samples = one_second();
    for format in FORMATS {
        let chapter = BookOptions {
            title: Some("I. A Visit".to_owned()),
            album: Some("The Moor".to_owned()),
            track: Some((1, 0)),
            ..with(format, BookTags::default())
        };
        let book = OnDisk::new(&make(chapter, &samples).0, format);
        assert_eq!((book.tag("title"), book.tag("album")), ("I. A Visit".to_owned(), "The Moor".to_owned()));
        assert_eq!(book.tag("track"), "1", "{format}");
    }
}

/// The space for the index is reserved before the first sample: a tag that was not counted would
/// send the index to the end of the file.
#[test]
fn tags_of_any_length_stay_in_front_of_the_sound() {
    let samples = one_second();
    let long = |chars: usize| Some("家".repeat(chars));
    let longest = BookTags {
        narrator: long(500),
        publisher: long(500),
        description: long(4_000),
        series: long(500),
        ..tags()
    };
    for tags in [BookTags::default(), tags(), longest] {
        let file = make(with(BookFormat::M4b, tags.clone()), &samples).0;
        assert!(place(&file, b"moov") < place(&file, b"mdat"), "the index comes before the data");
        let m4b = OnDisk::new(&file, BookFormat::M4b);
        assert_eq!(m4b.probe(&["-show_entries", "format=duration"]), "1.000000");
        let file = make(with(BookFormat::Mp3, tags), &samples).0;
        let size = file[6..10].iter().fold(0, |size, &byte| size << 7 | usize::from(byte));
        assert_eq!(file[10 + size], 0xFF, "a frame of sound follows the tag");
        assert!(place(&file[10 + size..], b"Info").is_some_and(|at| at < 64), "with the LAME tag");
    }
}

#[test]
fn a_bit_rate_is_used_or_refused() {
    let samples = pcm(&speech(12 * RATE as usize, 1));
    let at = |format, bitrate_kbps| BookOptions { bitrate_kbps, ..options(format, Vec::new()) };
    for format in FORMATS {
        for kbps in [None, Some(32), Some(96)] {
            let (file, done) = make(at(format, kbps), &samples);
            let heard = (done.bytes * 8) as f64 / 12_000.0;
            let wanted = f64::from(kbps.unwrap_or(64));
            assert!((heard / wanted - 1.0).abs() < 0.12, "{format}: {heard} for {wanted} kbit/s");
            if format == BookFormat::M4b {
                // The decoder's description names the rate twice.
                let rate = (wanted as u32 * 1_000).to_be_bytes();
                let esds = place(&file, b"esds").expect("a description");
                assert_eq!(file[esds + 20..esds + 28], [rate, rate].concat());
            }
        }
    }
    let refused = |options: BookOptions| {
        BookEncoder::new(options, Cursor::new(Vec::new())).expect_err("the rate is refused")
    };
    for kbps in [0, 7, 15, 145, 320, u32::MAX] {
        assert!(matches!(
            refused(at(BookFormat::M4b, Some(kbps))),
            BookError::Audio(AudioError::AacBitrate { bitrate_kbps, sample_rate_hz: RATE }) if bitrate_kbps == kbps
        ));
    }
    for kbps in [0, 63, 192, u32::MAX] {
        assert!(matches!(
            refused(at(BookFormat::Mp3, Some(kbps))),
            BookError::Audio(AudioError::Bitrate { bitrate_kbps, .. }) if bitrate_kbps == kbps
        ));
    }
    for kbps in [16, 144] {
        assert!(BookEncoder::new(at(BookFormat::M4b, Some(kbps)), Cursor::new(Vec::new())).is_ok(), "{kbps}");
    }
}
