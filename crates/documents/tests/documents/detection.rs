//! Kinds are detected by content, whatever the file's name.

use lectern_documents::{Kind, Reason, detect};

use crate::{cases, docx};

#[track_caller]
fn refused(bytes: &[u8]) -> (Reason, String) {
    let refused = detect(bytes, bytes).unwrap_err();
    (refused.reason, refused.message)
}

#[test]
fn an_empty_file_is_empty() {
    assert_eq!(refused(b"").0, Reason::Empty);
}

#[test]
fn texts_are_told_apart_by_their_signs() {
    let cases: &[(&str, Kind)] = &[
        ("A plain story.\n\nIt has *stars* and _lines_ and # signs.", Kind::PlainText),
        (
            "The Title\n=========\n\nUnderlined, as plain texts are.\n\n* * *\n\n- not a list?\n",
            Kind::PlainText,
        ),
        ("#hashtag is no heading\n\n#another", Kind::PlainText),
        ("#!/bin/sh\n# a comment\necho 1 < 2\n", Kind::PlainText),
        ("He said [kəˈkɔːroʊ](/kəˈkɔːroʊ/) to her.", Kind::PlainText),
        ("a < b and c > d\n", Kind::PlainText),
        ("<3 you, she wrote. </3 came back.", Kind::PlainText),
        ("# The Title\n\nText.\n", Kind::Markdown),
        ("Text first.\n\n## One\n\nMore.\n", Kind::Markdown),
        ("---\ntitle: A Tale\n---\n\nOnce.\n", Kind::Markdown),
        ("See [the page](https://example.org/) for more.", Kind::Markdown),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", Kind::Markdown),
        ("Look:\n\n```rust\nlet a = 1;\n```\n", Kind::Markdown),
        ("<!DOCTYPE html><title>x</title><p>Text", Kind::Html),
        ("\u{FEFF}  <!-- made by hand -->\n<HTML><body>Text</body></HTML>", Kind::Html),
        ("<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><body/></html>", Kind::Html),
        ("<p>A fragment</p>", Kind::Html),
        ("<div class=x>A fragment</div>", Kind::Html),
        ("<?xml version=\"1.0\"?>\n<!-- made by hand --><FictionBook><body/></FictionBook>", Kind::Fb2),
        (
            "<?xml version=\"1.0\"?>\n<office:document xmlns:office=\"o\" office:mimetype=\"application/vnd.oasis.opendocument.text\">",
            Kind::Odt,
        ),
        ("<FictionBookshelf>is a fragment</FictionBookshelf>", Kind::PlainText),
    ];
    for (text, kind) in cases {
        assert_eq!(detect(text.as_bytes(), text.as_bytes()).unwrap(), *kind, "{text:?}");
    }
}

#[test]
fn text_is_text_in_any_common_encoding() {
    let story = "Der Leuchtturmwärter hörte das Meer. Über ihm kreisten Möwen – früh, wie immer.";
    let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { story.encode_utf16().flat_map(bytes).collect() };
    let marked = |mark: &[u8], text: Vec<u8>| [mark, &text].concat();
    let latin: Vec<u8> = story.replace('–', "-").chars().map(|c| c as u8).collect();
    let utf_32: Vec<u8> = story.chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
    for (name, bytes, expected) in [
        ("UTF-8", story.as_bytes().to_vec(), story.to_owned()),
        ("UTF-8, marked", marked(b"\xEF\xBB\xBF", story.as_bytes().to_vec()), story.to_owned()),
        ("UTF-16LE, marked", marked(b"\xFF\xFE", wide(u16::to_le_bytes)), story.to_owned()),
        ("UTF-16BE, marked", marked(b"\xFE\xFF", wide(u16::to_be_bytes)), story.to_owned()),
        ("UTF-16LE", wide(u16::to_le_bytes), story.to_owned()),
        ("UTF-16BE", wide(u16::to_be_bytes), story.to_owned()),
        ("UTF-32LE", utf_32.clone(), story.to_owned()),
        ("UTF-32LE, marked", marked(b"\xFF\xFE\0\0", utf_32), story.to_owned()),
        ("Latin-1", latin, story.replace('–', "-")),
    ] {
        let document = cases::document(Kind::PlainText, &bytes);
        assert_eq!(document.text, expected, "{name}");
    }
    let russian = "Смотритель маяка слушал море. Над ним кружили чайки, рано, как всегда. Он считал волны.";
    let cyrillic: Vec<u8> = russian
        .chars()
        .map(|c| match c {
            'А'..='я' => (c as u32 - 'А' as u32 + 0xC0) as u8,
            c => c as u8,
        })
        .collect();
    assert_eq!(cases::document(Kind::PlainText, cyrillic).text, russian);
}

#[test]
fn a_character_that_the_head_cuts_in_two_is_no_fault() {
    let text = "ä".repeat(40_000);
    let head = &text.as_bytes()[..65_537];
    assert_eq!(detect(head, head).unwrap(), Kind::PlainText);
}

#[test]
fn documents_are_known_by_what_they_hold() {
    assert_eq!(detect(b"%PDF-1.7\n...", b"%%EOF").unwrap(), Kind::Pdf);
    assert_eq!(detect(b"\xEF\xBB\xBF\n junk %PDF-1.4", b"%%EOF").unwrap(), Kind::Pdf);
    let docx = docx::file(&[docx::para("Hello.")]);
    assert_eq!(detect(&docx, &docx).unwrap(), Kind::Docx);
    let epub = docx::zip(&[
        ("mimetype", b"application/epub+zip".as_slice()),
        ("META-INF/container.xml", b"<container/>"),
    ]);
    assert_eq!(detect(&epub, &epub).unwrap(), Kind::Epub);
    let without_type = docx::zip(&[("META-INF/container.xml", b"<container/>".as_slice())]);
    assert_eq!(detect(&without_type, &without_type).unwrap(), Kind::Epub);
    let odt = |media_type: &[u8]| docx::zip(&[("mimetype", media_type), ("content.xml", b"<x/>")]);
    for media_type in [
        b"application/vnd.oasis.opendocument.text".as_slice(),
        b"application/vnd.oasis.opendocument.text-template",
        b"application/vnd.oasis.opendocument.text-web",
    ] {
        let file = odt(media_type);
        assert_eq!(detect(&file, &file).unwrap(), Kind::Odt);
    }
    let again = docx::zip(&[("content.xml", b"<x/>".as_slice()), ("META-INF/manifest.xml", b"<x/>")]);
    assert_eq!(detect(&again, &again).unwrap(), Kind::Odt);
    for rtf in [&b"{\\rtf1\\ansi Hello}"[..], b"\xEF\xBB\xBF{\\rtf1 a}", b"\r\n {\\rtf a}"] {
        assert_eq!(detect(rtf, rtf).unwrap(), Kind::Rtf);
    }
    let kindle = [vec![0; 60], b"BOOKMOBI".to_vec()].concat();
    assert_eq!(detect(&kindle, &kindle).unwrap(), Kind::Kindle);
    // Only the ends of the file are read: the name is in the directory, far from the head.
    let mut noise = 1_u32;
    let picture: Vec<u8> = (0..300_000)
        .map(|_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (noise >> 24) as u8
        })
        .collect();
    let large =
        docx::zip(&[("picture.png", picture.as_slice()), ("META-INF/container.xml", b"<container/>")]);
    assert!(large.len() > 200_000);
    assert_eq!(detect(&large[..65_536], &large[large.len() - 65_536..]).unwrap(), Kind::Epub);
}

#[test]
fn what_cannot_be_read_is_named() {
    let sheet =
        docx::zip(&[("[Content_Types].xml", b"<Types/>".as_slice()), ("xl/workbook.xml", b"<workbook/>")]);
    let other = docx::zip(&[("a.txt", b"text".as_slice())]);
    let of_type = |media_type: &[u8]| docx::zip(&[("mimetype", media_type), ("content.xml", b"<x/>")]);
    let calc = of_type(b"application/vnd.oasis.opendocument.spreadsheet");
    let impress = of_type(b"application/vnd.oasis.opendocument.presentation-template");
    let draw = of_type(b"application/vnd.oasis.opendocument.graphics");
    let master = of_type(b"application/vnd.oasis.opendocument.text-master");
    let old = of_type(b"application/vnd.sun.xml.writer");
    let mut program = b"MZ\x90\0".to_vec();
    program.resize(400, 0);
    for (bytes, word) in [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), "PNG"),
        (b"ID3\x04\0\0\0\0\0\0".to_vec(), "MP3"),
        (b"\xFF\xFB\x90\x64\0\0\0\0".to_vec(), "MP3"),
        (b"RIFF\0\0\0\0WAVEfmt ".to_vec(), "WAV"),
        (b"\0\0\0\x20ftypM4B \0\0".to_vec(), "MPEG-4"),
        (program, "program"),
        (sheet, "Excel"),
        (calc, "OpenDocument spreadsheet"),
        (impress, "OpenDocument presentation"),
        (draw, "OpenDocument drawing"),
        (master, "master document"),
        (old, "save it as ODT"),
        (other, "ZIP"),
        (b"<?xml version=\"1.0\"?><rss><channel/></rss>".to_vec(), "text"),
        ((0..=255).cycle().take(4_096).collect(), "text"),
    ] {
        let (reason, message) = refused(&bytes);
        assert_eq!(reason, Reason::UnknownKind, "{message}");
        assert!(message.contains(word), "{word}: {message}");
        assert!(message.contains("EPUB"), "the message names the supported formats: {message}");
    }
}

#[test]
fn an_encrypted_docx_is_a_compound_file_and_says_so() {
    let mut file = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    file.resize(1_024, 0);
    let old = file.clone();
    file.extend("EncryptedPackage".bytes().flat_map(|byte| [byte, 0]));
    assert_eq!(refused(&file).0, Reason::Encrypted);
    let (reason, message) =
        refused(&[old, "WordDocument".bytes().flat_map(|byte| [byte, 0]).collect()].concat());
    assert_eq!(reason, Reason::UnknownKind);
    assert!(message.contains("DOC"), "{message}");
}
