//! ODT files built part by part, so that each contains exactly what its test needs.

use lectern_documents::{Document, Kind, Limits, Reason, read};

use crate::{
    cases::{document, titles},
    docx::zip,
};

const TYPE: &[u8] = b"application/vnd.oasis.opendocument.text";

const NAMESPACES: &str = "xmlns:office=\"o\" xmlns:text=\"t\" xmlns:style=\"s\" xmlns:fo=\"f\" xmlns:table=\"tb\" \
     xmlns:draw=\"d\" xmlns:xlink=\"x\" xmlns:svg=\"sv\" xmlns:math=\"m\"";

fn content(styles: &str, body: &str) -> String {
    format!(
        "<office:document-content {NAMESPACES}><office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
}

fn file(styles: &str, body: &str) -> Vec<u8> {
    zip(&[("mimetype", TYPE), ("content.xml", content(styles, body).as_bytes())])
}

fn of(styles: &str, body: &str) -> Document {
    document(Kind::Odt, file(styles, body))
}

fn text(body: &str) -> String {
    of("", body).text
}

/// The story as one flat file.
pub(crate) fn flat_story() -> String {
    let inner = |part: &str| {
        let start = part.find("<office:document-").unwrap();
        let start = start + part[start..].find('>').unwrap() + 1;
        part[start..part.rfind("</office:document-").unwrap()].to_owned()
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document {NAMESPACES} xmlns:dc=\"dc\" xmlns:meta=\"me\" \
         office:mimetype=\"application/vnd.oasis.opendocument.text\">{}{}{}</office:document>",
        inner(include_str!("fixtures/light.odt/meta.xml")),
        inner(include_str!("fixtures/light.odt/styles.xml")),
        inner(include_str!("fixtures/light.odt/content.xml"))
    )
}

/// The story in a package.
pub(crate) fn story() -> Vec<u8> {
    zip(&[
        ("mimetype", TYPE),
        ("META-INF/manifest.xml", include_bytes!("fixtures/light.odt/manifest.xml")),
        ("meta.xml", include_bytes!("fixtures/light.odt/meta.xml")),
        ("styles.xml", include_bytes!("fixtures/light.odt/styles.xml")),
        ("content.xml", include_bytes!("fixtures/light.odt/content.xml")),
    ])
}

#[test]
fn a_flat_file_is_read_like_a_package() {
    let package = document(Kind::Odt, story());
    assert_eq!(document(Kind::Odt, flat_story()), package);
    assert_eq!(titles(&package), ["A Small Light", "The Lamp", "The Storm"]);
    assert_eq!(package.copyright.as_deref(), Some("© 2020 Ada Marsh"));
}

#[test]
fn styles_make_headings_in_any_language_and_levels_are_outlines() {
    let styles = "<style:style style:name=\"P1\" style:family=\"paragraph\" style:parent-style-name=\"Heading_20_2\"/>\
        <style:style style:name=\"Loop\" style:family=\"paragraph\" style:parent-style-name=\"Loop\"/>\
        <style:style style:name=\"Mine\" style:family=\"paragraph\" style:default-outline-level=\"1\"/>\
        <style:style style:name=\"a\" style:display-name=\"Überschrift 1\" style:family=\"paragraph\"/>";
    let document = of(
        styles,
        "<text:p text:style-name=\"Title\">A Tale</text:p><text:p text:style-name=\"Subtitle\">Told twice</text:p>\
         <text:p text:style-name=\"Contents_20_Heading\">x</text:p>\
         <text:h text:outline-level=\"1\">One</text:h><text:p>a</text:p><text:p text:style-name=\"P1\">Inside</text:p><text:p>b</text:p>\
         <text:p text:style-name=\"Mine\">Two</text:p><text:p text:style-name=\"Loop\">c</text:p>\
         <text:p text:style-name=\"a\">Drei</text:p><text:h>Four</text:h><text:p>d</text:p>",
    );
    assert_eq!(document.title.as_deref(), Some("A Tale"));
    let levels: Vec<(u8, &str)> = document
        .headings
        .iter()
        .map(|heading| (heading.level, &document.text[heading.range.clone()]))
        .collect();
    assert_eq!(
        levels,
        [(1, "A Tale"), (6, "Told twice"), (1, "One"), (2, "Inside"), (1, "Two"), (1, "Drei"), (1, "Four")]
    );
}

#[test]
fn what_is_deleted_hidden_or_made_by_the_program_is_not_read() {
    let styles = "<style:style style:name=\"H\" style:family=\"text\"><style:text-properties text:display=\"none\"/></style:style>\
        <style:style style:name=\"HP\" style:family=\"paragraph\"><style:text-properties text:display=\"none\"/></style:style>\
        <style:style style:name=\"Shown\" style:family=\"text\" style:parent-style-name=\"H\"><style:text-properties text:display=\"true\"/></style:style>";
    let body = "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>\
        <text:sequence-decls><text:sequence-decl text:name=\"Table\"/></text:sequence-decls>\
        <text:p>The <text:change-start text:change-id=\"1\"/>new<text:change-end text:change-id=\"1\"/> \
        <text:span text:style-name=\"H\">hidden <text:span>deep</text:span></text:span><text:span text:style-name=\"Shown\">lamp</text:span>.\
        <office:annotation><text:p>Comment</text:p></office:annotation></text:p>\
        <text:p text:style-name=\"HP\">hidden</text:p>\
        <text:p>Never <text:hidden-paragraph text:is-hidden=\"true\"/>seen</text:p>\
        <text:p>Seen<text:hidden-paragraph text:is-hidden=\"false\"/><text:hidden-text text:is-hidden=\"true\"> not</text:hidden-text>.</text:p>\
        <text:section text:display=\"none\"><text:p>hidden</text:p></text:section>\
        <text:table-of-content><text:index-body><text:p>One 1</text:p></text:index-body></text:table-of-content>\
        <text:alphabetical-index><text:index-body><text:p>Oil 3</text:p></text:index-body></text:alphabetical-index>\
        <text:section><text:p>Kept.</text:p></text:section>";
    assert_eq!(of(styles, body).text, "The new lamp.\n\nSeen.\n\nKept.");
}

#[test]
fn spaces_breaks_readings_and_boxes_are_where_they_belong() {
    assert_eq!(
        text("<text:p>Oil<text:tab/>90<text:s text:c=\"9\"/>litres<text:line-break/>a\n  day</text:p>"),
        "Oil 90 litres\na day"
    );
    assert_eq!(
        text(
            "<text:p><text:ruby><text:ruby-base>海</text:ruby-base><text:ruby-text>うみ</text:ruby-text></text:ruby>を見る</text:p>"
        ),
        "海を見る"
    );
    assert_eq!(
        text(
            "<text:p>Before <draw:frame><draw:text-box><text:p>In the box.</text:p></draw:text-box>\
             <svg:title>Name</svg:title><svg:desc>A box</svg:desc></draw:frame>and after. <text:title>A field</text:title></text:p>"
        ),
        "Before and after. A field\n\nIn the box."
    );
}

#[test]
fn tables_are_read_row_by_row() {
    let cell = |content: &str| format!("<table:table-cell>{content}</table:table-cell>");
    let row = |cells: &[String]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let p = |text: &str| format!("<text:p>{text}</text:p>");
    let table = format!(
        "<table:table><table:table-header-rows>{}</table:table-header-rows>{}</table:table>",
        row(&[cell(&p("Ship")), cell(&p("Tons"))]),
        row(&[cell(&p("Ada")), cell(""), cell(&p("90"))])
    );
    assert_eq!(text(&table), "Ship, Tons\n\nAda, 90");
    // A table inside a cell.
    let nested = format!("<table:table>{}</table:table>", row(&[cell(&table), cell(&p("x"))]));
    assert_eq!(text(&nested), "Ship\n\nTons\n\nAda\n\n90\n\nx");
}

#[test]
fn cells_and_rows_are_not_repeated() {
    let row = "<table:table-row table:number-rows-repeated=\"1000000000\"><table:table-cell table:number-columns-repeated=\"1000000000\"><text:p>a</text:p></table:table-cell></table:table-row>";
    assert_eq!(text(&format!("<table:table>{row}</table:table>")), "a");
}

#[test]
fn notes_are_kept_apart() {
    let note = |class: &str, mark: &str, text: &str| {
        format!(
            "<text:note text:note-class=\"{class}\"><text:note-citation>{mark}</text:note-citation><text:note-body>\
             <text:p>{text}</text:p><text:p>More.</text:p></text:note-body></text:note>"
        )
    };
    let body = format!(
        "<text:p>The lamp{} burned{} all night.</text:p><text:p>{}</text:p>",
        note("footnote", "1", "With oil."),
        note("endnote", "i", "Low."),
        note("footnote", "2", "Alone.")
    );
    let document = of("", &body);
    assert_eq!(document.text, "The lamp burned all night.");
    let notes: Vec<(&str, &str)> =
        document.notes.iter().map(|note| (&document.text[..note.at], note.text.as_str())).collect();
    assert_eq!(
        notes,
        [
            ("The lamp", "With oil. More."),
            ("The lamp burned", "Low. More."),
            ("The lamp burned all night.", "Alone. More.")
        ]
    );
}

#[test]
fn numbers_of_lists_and_headings_are_read_as_they_are_shown() {
    let styles = "<text:list-style style:name=\"L\">\
        <text:list-level-style-number text:level=\"1\" style:num-format=\"1\" style:num-suffix=\".\" text:start-value=\"3\"/>\
        <text:list-level-style-number text:level=\"2\" style:num-format=\"a\" style:num-prefix=\"(\" style:num-suffix=\")\" text:display-levels=\"2\"/>\
        <text:list-level-style-bullet text:level=\"3\" text:bullet-char=\"-\"/></text:list-style>\
        <text:outline-style><text:outline-level-style text:level=\"1\" style:num-format=\"I\"/>\
        <text:outline-level-style text:level=\"2\" style:num-format=\"1\" text:display-levels=\"2\"/></text:outline-style>";
    let item = |content: &str| format!("<text:list-item>{content}</text:list-item>");
    let list = |attributes: &str, items: &[String]| {
        format!("<text:list {attributes}>{}</text:list>", items.concat())
    };
    let p = |text: &str| format!("<text:p>{text}</text:p>");
    let first = list(
        "text:style-name=\"L\"",
        &[
            item(
                &(p("wick")
                    + &p("and oil")
                    + &list("", &[item(&p("short")), item(&(p("long") + &list("", &[item(&p("x"))])))])),
            ),
            item(&p("glass")),
        ],
    );
    let next = list("text:style-name=\"L\" text:continue-numbering=\"true\"", &[item(&p("door"))]);
    let again = list(
        "text:style-name=\"L\"",
        &[
            item(&p("cat")),
            "<text:list-header><text:p>none</text:p></text:list-header>".to_owned(),
            item(&p("dog")),
        ],
    );
    assert_eq!(
        of(styles, &(first + &next + &again)).text,
        "3. wick\n\nand oil\n\n(3.a) short\n\n(3.b) long\n\nx\n\n4. glass\n\n5. door\n\n3. cat\n\nnone\n\n4. dog"
    );
    let heading = |level: usize, text: &str| {
        format!("<text:h text:outline-level=\"{level}\">{text}</text:h><text:p>a</text:p>")
    };
    let document = of(
        styles,
        &[heading(1, "Lamp"), heading(2, "Wick"), heading(2, "Oil"), heading(1, "Storm"), heading(2, "Wind")]
            .concat(),
    );
    let headings: Vec<&str> =
        document.headings.iter().map(|heading| &document.text[heading.range.clone()]).collect();
    assert_eq!(headings, ["I Lamp", "I.1 Wick", "I.2 Oil", "II Storm", "II.1 Wind"]);
}

#[test]
fn words_in_another_language_are_marked() {
    let styles = "<style:default-style style:family=\"paragraph\"><style:text-properties fo:language=\"en\" fo:country=\"GB\"/></style:default-style>\
        <style:style style:name=\"F\" style:family=\"text\"><style:text-properties fo:language=\"fr\" fo:country=\"FR\"/></style:style>\
        <style:style style:name=\"D\" style:family=\"paragraph\"><style:text-properties fo:language=\"de\" fo:country=\"none\"/></style:style>\
        <style:style style:name=\"N\" style:family=\"text\"><style:text-properties fo:language=\"zxx\" fo:country=\"none\"/></style:style>";
    let document = of(
        styles,
        "<text:p>He called it <text:span text:style-name=\"F\">la petite lumière du rocher</text:span> and <text:span text:style-name=\"N\">xyz</text:span>.</text:p>\
         <text:p text:style-name=\"D\">Das war der Leuchtturm auf dem Felsen.</text:p><text:p>The end.</text:p>",
    );
    assert_eq!(document.language.as_deref(), Some("en-GB"));
    let marked: Vec<(&str, &str)> = document
        .languages
        .iter()
        .map(|marked| (marked.tag.as_str(), &document.text[marked.range.clone()]))
        .collect();
    assert_eq!(
        marked,
        [("fr-FR", "la petite lumière du rocher"), ("de", "Das war der Leuchtturm auf dem Felsen.")]
    );
}

#[test]
fn formulas_are_spoken() {
    let formula = "<math xmlns=\"m\"><semantics><mrow><mi>a</mi><mo>=</mo><mn>2</mn></mrow><annotation encoding=\"StarMath 5.0\">a = 2</annotation></semantics></math>";
    let body = "<text:p>So <draw:frame><draw:object xlink:href=\"./Object 1\"/></draw:frame> follows.</text:p>\
        <text:p>A chart <draw:frame><draw:object xlink:href=\"./Object 2\"/><draw:object xlink:href=\"./Missing\"/></draw:frame>here.</text:p>";
    let file = zip(&[
        ("mimetype", TYPE),
        ("content.xml", content("", body).as_bytes()),
        ("Object 1/content.xml", formula.as_bytes()),
        ("Object 2/content.xml", b"<office:chart/>"),
    ]);
    assert_eq!(document(Kind::Odt, file).text, "So a equals 2 follows.\n\nA chart here.");
    let inline =
        "<text:p>So <draw:object><math:math><math:mi>b</math:mi></math:math></draw:object>.</text:p>";
    assert_eq!(text(inline), "So b.");
}

#[test]
fn a_locked_or_broken_file_says_so() {
    let reason = |bytes: &[u8]| read(Kind::Odt, bytes, &Limits::default()).unwrap_err().reason;
    let manifest = "<manifest:manifest xmlns:manifest=\"m\"><manifest:file-entry manifest:full-path=\"content.xml\">\
        <manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    let locked = zip(&[
        ("mimetype", TYPE),
        ("META-INF/manifest.xml", manifest.as_bytes()),
        ("content.xml", b"\x80\x81\x82"),
    ]);
    assert_eq!(reason(&locked), Reason::Encrypted);
    assert_eq!(reason(&zip(&[("mimetype", TYPE), ("styles.xml", b"<x/>")])), Reason::Damaged);
    assert_eq!(reason(&zip(&[("mimetype", TYPE), ("content.xml", b"<x><y>")])), Reason::Damaged);
    let flat = flat_story();
    assert_eq!(reason(&flat.as_bytes()[..flat.len() / 2]), Reason::Damaged);
    // A spreadsheet without its media type.
    let sheet = content("", "").replace("office:text", "office:spreadsheet");
    assert_eq!(
        reason(&zip(&[("content.xml", sheet.as_bytes()), ("META-INF/manifest.xml", b"<x/>")])),
        Reason::NoText
    );
}

/// Not seen to fail yet: without the limit of depth the file would be read.
#[test]
fn a_file_is_not_nested_without_end() {
    let deep = |levels: usize| {
        let body = format!(
            "{}<text:p>a</text:p>{}",
            "<text:section>".repeat(levels),
            "</text:section>".repeat(levels)
        );
        read(Kind::Odt, &file("", &body), &Limits::default()).map_err(|error| error.reason)
    };
    assert_eq!(deep(1_500).map(|document| document.text), Ok("a".to_owned()));
    assert_eq!(deep(100_000).map(|document| document.text), Err(Reason::Damaged));
}

/// Negative control: without the check of what comes out of a part, it was cut and damaged.
#[test]
fn a_part_that_unfolds_is_too_large() {
    let limits = Limits { part_bytes: 1 << 20, ..Limits::default() };
    let bomb = file("", &format!("<text:p>{}</text:p>", "a".repeat(2 << 20)));
    assert!(bomb.len() < 20_000, "{}", bomb.len());
    assert_eq!(read(Kind::Odt, &bomb, &limits).unwrap_err().reason, Reason::TooLarge);
}
