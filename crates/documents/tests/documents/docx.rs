//! DOCX files built part by part, so that each contains exactly what its test needs.

use std::io::{Cursor, Write};

use lectern_documents::{Document, Kind, Limits, Reason, Unreadable, read};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::cases::{document, titles};

/// A ZIP container of these parts. `mimetype` is stored uncompressed.
pub(crate) fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        let method = if *name == "mimetype" {
            zip::CompressionMethod::Stored
        } else {
            zip::CompressionMethod::Deflated
        };
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A paragraph of plain text.
pub(crate) fn para(text: &str) -> String {
    format!("<w:p><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
}

pub(crate) fn styled(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

const TYPES: &str = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>";
const RELATIONS: &str = "<Relationships><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"/word/document.xml\"/></Relationships>";
const STYLES: &str = "<w:styles xmlns:w=\"w\"><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val=\"en-GB\" w:eastAsia=\"ja-JP\"/></w:rPr></w:rPrDefault></w:docDefaults>\
    <w:style w:type=\"paragraph\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Titel\"><w:name w:val=\"Title\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Untertitel\"><w:name w:val=\"Subtitle\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"berschrift1\"><w:name w:val=\"heading 1\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"berschrift2\"><w:name w:val=\"heading 2\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Mine\"><w:name w:val=\"My chapters\"/><w:basedOn w:val=\"berschrift1\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Loop\"><w:name w:val=\"Loop\"/><w:basedOn w:val=\"Loop\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Verzeichnis1\"><w:name w:val=\"toc 1\"/></w:style></w:styles>";

/// The body part of a document with this content.
pub(crate) fn body(content: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><w:document xmlns:w=\"w\" xmlns:mc=\"mc\"><w:body>{content}<w:sectPr/></w:body></w:document>"
    )
}

pub(crate) fn file(paragraphs: &[String]) -> Vec<u8> {
    zip(&[
        ("[Content_Types].xml", TYPES.as_bytes()),
        ("_rels/.rels", RELATIONS.as_bytes()),
        ("word/styles.xml", STYLES.as_bytes()),
        ("word/document.xml", body(&paragraphs.concat()).as_bytes()),
    ])
}

pub(crate) fn of(paragraphs: &[String]) -> Document {
    document(Kind::Docx, file(paragraphs))
}

fn text(content: &str) -> String {
    of(&[content.to_owned()]).text
}

#[test]
fn styles_make_titles_and_chapters_in_any_language_of_word() {
    let document = of(&[
        styled("Titel", "A Small Light"),
        styled("Untertitel", "A tale"),
        styled("Verzeichnis1", "The Lamp\t3"),
        styled("berschrift1", "The Lamp"),
        para("He lit it."),
        styled("berschrift2", "Inside"),
        para("It burned."),
        styled("Mine", "The Storm"),
        styled("Loop", "It came."),
    ]);
    assert_eq!(document.title.as_deref(), Some("A Small Light"));
    assert_eq!(document.language.as_deref(), Some("en-GB"));
    assert_eq!(titles(&document), ["The Lamp", "The Storm"]);
    assert_eq!(
        document.text,
        "A Small Light\n\nA tale\n\nThe Lamp\n\nHe lit it.\n\nInside\n\nIt burned.\n\nThe Storm\n\nIt came."
    );
}

#[test]
fn what_was_deleted_is_not_read_and_what_was_inserted_is() {
    let changed = "<w:p><w:r><w:t>The </w:t></w:r><w:del><w:r><w:delText>old </w:delText></w:r></w:del>\
        <w:ins><w:r><w:t>new </w:t></w:r></w:ins><w:moveFrom><w:r><w:t>gone </w:t></w:r></w:moveFrom>\
        <w:r><w:t>lamp.</w:t></w:r></w:p>";
    assert_eq!(text(changed), "The new lamp.");
    // A deleted paragraph mark is an empty element; the text after it stays.
    let mark = "<w:p><w:pPr><w:rPr><w:del w:id=\"1\"/></w:rPr></w:pPr><w:r><w:t>Kept.</w:t></w:r></w:p>";
    assert_eq!(text(mark), "Kept.");
    let row = "<w:tbl><w:tr><w:trPr><w:del w:id=\"1\"/></w:trPr><w:tc><w:p><w:r><w:t>gone</w:t></w:r></w:p></w:tc></w:tr>\
        <w:tr><w:tc><w:p><w:r><w:t>kept</w:t></w:r></w:p></w:tc></w:tr></w:tbl>";
    assert_eq!(text(row), "kept");
    let before = "<w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val=\"berschrift1\"/></w:pPr></w:pPrChange></w:pPr><w:r><w:t>Text.</w:t></w:r></w:p>";
    assert!(of(&[before.to_owned()]).headings.is_empty());
}

#[test]
fn notes_fields_and_hidden_text_are_not_read() {
    let content = "<w:p><w:r><w:t>The lamp</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:footnoteReference w:id=\"2\"/></w:r>\
        <w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>\
        <w:r><w:rPr><w:vanish/></w:rPr><w:t> hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t> burned.</w:t></w:r></w:p>";
    assert_eq!(text(content), "The lamp burned.");
    let file = zip(&[
        ("word/document.xml", body(&para("Body.")).as_bytes()),
        ("word/header1.xml", b"<w:hdr><w:p><w:r><w:t>Head</w:t></w:r></w:p></w:hdr>"),
        (
            "word/footnotes.xml",
            b"<w:footnotes><w:footnote><w:p><w:r><w:t>Note</w:t></w:r></w:p></w:footnote></w:footnotes>",
        ),
    ]);
    assert_eq!(document(Kind::Docx, file).text, "Body.");
}

#[test]
fn tabs_breaks_and_references_are_text() {
    let content = "<w:p><w:pPr><w:tabs><w:tab w:val=\"left\" w:pos=\"720\"/></w:tabs></w:pPr><w:r><w:t>Oil</w:t><w:tab/><w:t>90 &amp; 1&#48;</w:t>\
        <w:br/><w:t>light</w:t><w:softHyphen/><w:t>house</w:t><w:noBreakHyphen/><w:t>keeper</w:t></w:r>\
        <w:hyperlink><w:r><w:t xml:space=\"preserve\"> and link</w:t></w:r></w:hyperlink></w:p>";
    assert_eq!(text(content), "Oil 90 & 10\nlighthouse-keeper and link");
}

#[test]
fn tables_are_read_row_by_row() {
    let cell = |content: &str| format!("<w:tc>{content}</w:tc>");
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let table = |rows: &[String]| format!("<w:tbl>{}</w:tbl>", rows.concat());
    let data = table(&[
        row(&[cell(&para("Ship")), cell(&para("Tons"))]),
        row(&[cell(&para("Ada")), cell(&para("")), cell(&para("90"))]),
    ]);
    assert_eq!(text(&data), "Ship, Tons\n\nAda, 90");
    let layout = table(&[row(&[
        cell(&(para("One.") + &para("Two."))),
        cell(&(table(&[row(&[cell(&para("Three."))])]) + &para(""))),
    ])]);
    assert_eq!(text(&layout), "One.\n\nTwo.\n\nThree.");
}

#[test]
fn a_text_box_is_read_once_and_after_its_paragraph() {
    let shape =
        |tag: &str| format!("<mc:{tag}><w:txbxContent>{}</w:txbxContent></mc:{tag}>", para("In the box."));
    let content = format!(
        "<w:p><w:r><w:t>Before </w:t></w:r><w:r><mc:AlternateContent>{}{}</mc:AlternateContent></w:r><w:r><w:t>after.</w:t></w:r></w:p>",
        shape("Choice"),
        shape("Fallback")
    );
    assert_eq!(text(&content), "Before after.\n\nIn the box.");
}

#[test]
fn properties_say_what_it_is_unless_the_page_does() {
    let core = |title: &str, author: &str| {
        format!(
            "<cp:coreProperties><dc:title>{title}</dc:title><dc:creator>{author}</dc:creator><dc:language>de-AT</dc:language></cp:coreProperties>"
        )
    };
    let with = |core: &str, content: &str| {
        document(
            Kind::Docx,
            zip(&[("word/document.xml", body(content).as_bytes()), ("docProps/core.xml", core.as_bytes())]),
        )
    };
    let named = with(&core("A &amp; B", "Ada Marsh"), &para("Text."));
    assert_eq!((named.title.as_deref(), named.author.as_deref()), (Some("A & B"), Some("Ada Marsh")));
    assert_eq!(named.language.as_deref(), Some("de-AT"));
    let titled = with(&core("Word Document", "python-docx"), &(styled("Title", "The Lamp") + &para("Text.")));
    assert_eq!((titled.title.as_deref(), titled.author.as_deref()), (Some("The Lamp"), None));
}

fn refused(file: &[u8], limits: &Limits) -> Unreadable {
    read(Kind::Docx, file, limits).unwrap_err()
}

#[test]
fn what_is_missing_or_broken_is_damaged() {
    let limits = Limits::default();
    for (what, file) in [
        ("no document", zip(&[("[Content_Types].xml", TYPES.as_bytes())])),
        ("cut short", zip(&[("word/document.xml", b"<w:document><w:body><w:p><w:r><w:t>Te")])),
        (
            "tags that do not match",
            zip(&[("word/document.xml", b"<w:document><w:body></w:document></w:body>")]),
        ),
        ("no container", b"PK\x03\x04 and nothing behind".to_vec()),
    ] {
        assert_eq!(refused(&file, &limits).reason, Reason::Damaged, "{what}");
    }
    let mut file = file(&[para(&"The lamp burned all night. ".repeat(400))]);
    let middle = file.len() / 2;
    file[middle - 40..middle + 40].fill(0x5A);
    assert_eq!(refused(&file, &limits).reason, Reason::Damaged, "an overwritten part");
    assert_eq!(refused(&zip(&[("word/document.xml", body("").as_bytes())]), &limits).reason, Reason::NoText);
}

#[test]
fn a_container_that_unfolds_too_far_is_too_large() {
    let bomb = zip(&[("word/document.xml", body(&para(&"a".repeat(3 << 20))).as_bytes())]);
    assert!(bomb.len() < 20_000);
    let limits = Limits { part_bytes: 1 << 20, ..Limits::default() };
    assert_eq!(refused(&bomb, &limits).reason, Reason::TooLarge);
    let limits = Limits { unpacked_bytes: 1 << 20, ..Limits::default() };
    assert_eq!(refused(&bomb, &limits).reason, Reason::TooLarge);
    let many: Vec<(String, &[u8])> =
        (0..200).map(|n| (format!("word/{n}.xml"), b"<x/>".as_slice())).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, content)| (name.as_str(), *content)).collect();
    let limits = Limits { entries: 100, ..Limits::default() };
    assert_eq!(refused(&zip(&many), &limits).reason, Reason::TooLarge);
}

#[test]
fn entities_of_a_documents_own_unfold_into_nothing() {
    let mut part = String::from("<?xml version=\"1.0\"?><!DOCTYPE d [<!ENTITY a \"ha\">");
    for (name, of) in "bcdefghijklmnop".chars().zip("abcdefghijklmno".chars()) {
        part += &format!("<!ENTITY {name} \"{}\">", format!("&{of};").repeat(10));
    }
    part +=
        "]><w:document><w:body><w:p><w:r><w:t>Text &p;&amp; more.</w:t></w:r></w:p></w:body></w:document>";
    assert_eq!(document(Kind::Docx, zip(&[("word/document.xml", part.as_bytes())])).text, "Text & more.");
}

#[test]
fn nesting_is_bounded_and_never_walked_by_recursion() {
    let nested = |levels: usize| {
        let inner = para("Deep.");
        let content =
            "<w:tbl><w:tr><w:tc>".repeat(levels) + &inner + &"</w:tc></w:tr></w:tbl>".repeat(levels);
        zip(&[("word/document.xml", body(&content).as_bytes())])
    };
    assert_eq!(document(Kind::Docx, nested(500)).text, "Deep.");
    let refused = refused(&nested(100_000), &Limits::default());
    assert_eq!(refused.reason, Reason::Damaged);
    assert!(refused.message.contains("nested"), "{}", refused.message);
}

/// Negative control: with names copied and compared for each paragraph, up to 16 times, this took
/// 40 seconds.
#[test]
fn a_style_of_a_long_name_costs_no_more_for_each_paragraph() {
    let long = "n".repeat(1 << 20);
    let style = |n: u32| {
        let next = n + 1;
        format!(
            "<w:style w:styleId=\"s{n}\"><w:name w:val=\"{long}{n}\"/><w:basedOn w:val=\"s{next}\"/></w:style>"
        )
    };
    let styles: String = (0..16).map(style).collect();
    let styles = format!("<w:styles xmlns:w=\"w\">{styles}</w:styles>");
    let content = styled("s0", "Text.").repeat(20_000);
    let file =
        zip(&[("word/styles.xml", styles.as_bytes()), ("word/document.xml", body(&content).as_bytes())]);
    let began = std::time::Instant::now();
    let document = document(Kind::Docx, file);
    assert!(began.elapsed() < std::time::Duration::from_secs(30), "it took {:?}", began.elapsed());
    assert_eq!(document.text.len(), 20_000 * 7 - 2);
}

#[test]
fn names_that_climb_out_of_a_folder_lead_nowhere() {
    let file = zip(&[
        ("../../../../tmp/lectern-climbed.xml", b"<x/>".as_slice()),
        ("/etc/lectern-climbed", b"x"),
        ("word/document.xml", body(&para("Text.")).as_bytes()),
    ]);
    assert_eq!(document(Kind::Docx, file).text, "Text.");
    assert!(!std::path::Path::new("/tmp/lectern-climbed.xml").exists());
}

/// Seen to fail: a drop cap is a separate paragraph in the file, read as "D", "rop cap".
#[test]
fn a_large_first_letter_belongs_to_its_paragraph() {
    let capital = |kind: &str, text: &str| {
        format!("<w:p><w:pPr><w:framePr w:dropCap=\"{kind}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let content =
        capital("drop", "D") + &para("rop cap.") + &capital("margin", "“T") + &para("") + &para("he end.”");
    assert_eq!(text(&content), "Drop cap.\n\n“The end.”");
    // A frame without the property is a paragraph, and a drop cap without a next paragraph is kept.
    assert_eq!(text(&(capital("none", "A") + &para("b") + &capital("drop", "C"))), "A\n\nb\n\nC");
}

const NUMBERING: &str = "<w:numbering xmlns:w=\"w\">\
    <w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/></w:lvl>\
    <w:lvl w:ilvl=\"1\"><w:start w:val=\"1\"/><w:numFmt w:val=\"lowerLetter\"/><w:lvlText w:val=\"%2)\"/></w:lvl>\
    <w:lvl w:ilvl=\"2\"><w:numFmt w:val=\"upperRoman\"/><w:lvlText w:val=\"%1.%3\"/></w:lvl></w:abstractNum>\
    <w:abstractNum w:abstractNumId=\"1\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"bullet\"/><w:lvlText w:val=\"\u{f0b7}\"/></w:lvl></w:abstractNum>\
    <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num><w:num w:numId=\"2\"><w:abstractNumId w:val=\"1\"/></w:num>\
    <w:num w:numId=\"3\"><w:abstractNumId w:val=\"0\"/><w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"7\"/></w:lvlOverride></w:num></w:numbering>";

/// Seen to fail: "Step 3" referred to nothing, because Word generates numbers for display.
#[test]
fn numbers_of_lists_are_read() {
    let item = |list: u32, level: u32, text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let items = [
        item(1, 0, "Oil"),
        item(1, 1, "lamp"),
        item(1, 1, "stove"),
        item(1, 0, "Wicks"),
        item(1, 1, "round"),
        item(1, 2, "deep"),
        item(2, 0, "a bullet"),
        para("Between."),
        item(1, 0, "Flags"),
        item(3, 0, "anew"),
        item(3, 0, "and on"),
        item(0, 0, "none"),
        item(9, 0, "unknown"),
        item(1, 0, ""),
        item(1, 99, "deeper than any"),
    ];
    let file = zip(&[
        ("[Content_Types].xml", TYPES.as_bytes()),
        ("_rels/.rels", RELATIONS.as_bytes()),
        ("word/numbering.xml", NUMBERING.as_bytes()),
        ("word/document.xml", body(&items.concat()).as_bytes()),
    ]);
    assert_eq!(
        document(Kind::Docx, file).text.replace("\n\n", " | "),
        "1. Oil | a) lamp | b) stove | 2. Wicks | a) round | 2.I. deep | a bullet | Between. | 3. Flags | 7. anew | 8. and on \
         | none | unknown | deeper than any"
    );
}

#[test]
fn a_file_that_breaks_off_is_said_to() {
    let whole = file(&[para("Text.")]);
    let refused = refused(&whole[..whole.len() - 30], &Limits::default());
    assert_eq!(refused.reason, Reason::Damaged);
    assert!(
        refused.message.contains("end is missing") && refused.message.contains("again"),
        "{}",
        refused.message
    );
}
