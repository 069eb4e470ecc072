//! Page layouts of PDFs, built line by line, and the text that is read.

use lectern_documents::{Document, Kind, Limits, Reason, read};

use crate::{
    cases::titles,
    pdf_hostile::{CATALOG, FONT, outcome, pdf, stream},
};

/// A line: its position, size and text.
type Line<'a> = (f32, f32, f32, &'a str);

fn shown(lines: &[Line<'_>]) -> String {
    let line = |(x, y, size, text): &Line<'_>| {
        let text = text.replace('(', "\\(").replace(')', "\\)");
        format!("BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET\n")
    };
    lines.iter().map(line).collect()
}

/// A file of pages with these operators, all in one font; `page` is added to each page's
/// dictionary.
pub(crate) fn file(pages: &[String], page: &str, font: &str, more: Vec<Vec<u8>>) -> Vec<u8> {
    let count = pages.len();
    let kids: String = (0..count).map(|at| format!("{} 0 R ", 4 + 2 * at)).collect();
    let mut objects: Vec<Vec<u8>> = vec![
        CATALOG.into(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>").into_bytes(),
        font.into(),
    ];
    for (at, contents) in pages.iter().enumerate() {
        let contents_at = 5 + 2 * at;
        let own = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {contents_at} 0 R {page} \
             /Resources << /Font << /F1 3 0 R >> /XObject << /I {} 0 R >> >> >>",
            4 + 2 * count
        );
        objects.extend([own.into_bytes(), stream("", contents.as_bytes())]);
    }
    objects.extend(more);
    pdf(&objects)
}

fn plain(pages: &[Vec<Line<'_>>]) -> Vec<u8> {
    file(&pages.iter().map(|page| shown(page)).collect::<Vec<_>>(), "", FONT, Vec::new())
}

fn message(bytes: &[u8]) -> String {
    read(Kind::Pdf, bytes, &Limits::default()).unwrap_err().message
}

/// A column of body text.
fn body(x: f32, size: f32, lines: usize) -> Vec<Line<'static>> {
    let line =
        |at: usize| (x, 720.0 - 12.0 * at as f32, size, "the river carried its own landscape with it,");
    (0..lines).map(line).collect()
}

/// Negative control: with every numbered line of a small column taken for a note, "14 CFR 39.19"
/// and the text after it were dropped.
#[test]
fn a_line_of_a_small_column_that_begins_with_a_number_is_no_footnote() {
    let mut first = body(50.0, 10.0, 40);
    first.extend([(51.0, 102.0, 5.0, "3"), (55.0, 100.0, 7.5, "This note is for nobody to hear.")]);
    let mut small = body(50.0, 8.5, 45);
    small.extend([
        (50.0, 180.0, 8.5, "found in 14 CFR 39.19. In accordance with"),
        (50.0, 168.0, 8.5, "14 CFR 39.19, send your request to your"),
        (50.0, 156.0, 8.5, "principal inspector."),
    ]);
    small.extend(body(320.0, 8.5, 45));
    let bytes = plain(&[first, body(50.0, 10.0, 50), body(50.0, 10.0, 50), small]);
    let Document { text, notes, .. } = read(Kind::Pdf, &bytes, &Limits::default()).unwrap();
    assert!(text.contains("In accordance with 14 CFR 39.19, send your request to your principal inspector."));
    assert!(!text.contains("for nobody"), "{text}");
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert_eq!(notes[0].text, "This note is for nobody to hear.");
    // Without a reference it stands at the end of its page.
    assert!(text[..notes[0].at].ends_with("landscape with it,"), "{notes:?} {text}");
}

/// Negative control: when raised figures that the library puts on the baseline are text like any other, both notes stand at
/// the end of the page and the figures are read.
#[test]
fn a_raised_figure_refers_to_the_note_of_its_page_and_an_exponent_stays() {
    // A figure after a word, where the word ends.
    let raised = |y: f32, before: &str, mark: &str, after: &str| {
        format!(
            "BT /F1 10 Tf 50 {y} Td ({before}) Tj /F1 6 Tf 5 Ts ({mark}) Tj /F1 10 Tf 0 Ts ({after}) Tj ET\n"
        )
    };
    let page = shown(&body(50.0, 10.0, 30))
        + &raised(350.0, "the keeper went home.", "1", " The sea was calm that night, and")
        + &raised(338.0, "the tower has 40 m", "2", " of floor, as the old book says,")
        + &raised(326.0, "and nobody counted", "3", " the steps. Then it was day again.")
        + &shown(&[
            (51.0, 105.0, 4.5, "1"),
            (54.0, 102.0, 7.5, "He had no other home."),
            (51.0, 94.5, 4.5, "3"),
            (54.0, 90.0, 7.5, "There are ninety of them, if the last"),
            (50.0, 81.0, 7.5, "one is not left out."),
        ]);
    let Document { text, notes, .. } =
        read(Kind::Pdf, &file(&[page], "", FONT, Vec::new()), &Limits::default()).unwrap();
    assert!(text.contains("went home. The sea was") && text.contains("40 m2 of floor"), "{text}");
    assert!(text.contains("nobody counted the steps."), "{text}");
    let notes: Vec<(&str, &str)> =
        notes.iter().map(|note| (&text[note.at - 8..note.at], note.text.as_str())).collect();
    assert_eq!(
        notes,
        [
            ("nt home.", "He had no other home."),
            (" counted", "There are ninety of them, if the last one is not left out.")
        ]
    );
}

/// Negative control: with heads at most 1.1 times as large as the body text, each of these was
/// read.
#[test]
fn large_heads_that_change_sides_with_the_numbers_of_pages_are_gone() {
    let numbers: Vec<String> = (47_698..47_704).map(|number: u32| number.to_string()).collect();
    let pages: Vec<Vec<Line<'_>>> = numbers
        .iter()
        .enumerate()
        .map(|(at, number)| {
            let head = [(120.0, 770.0, 12.5, "Federal Gazette / Vol. 85")];
            let side = if at % 2 == 0 { 45.0 } else { 520.0 };
            [(side, 770.0, 13.0, number.as_str())]
                .into_iter()
                .chain(head)
                .chain(body(50.0, 10.0, 50))
                .collect()
        })
        .collect();
    let bytes = plain(&pages);
    let document = read(Kind::Pdf, &bytes, &Limits::default()).unwrap();
    assert!(!document.text.contains("Gazette") && !document.text.contains("477"), "{}", document.text);
    assert_eq!(titles(&document), ["-"]);
}

/// Negative control: with `continues` returning `false`, the first line was a separate paragraph
/// that ended in "posses-".
#[test]
fn words_and_sentences_go_on_from_a_larger_first_line() {
    let mut page = vec![
        (50.0, 740.0, 11.5, "it is a truth universally acknowledged, that a man in posses-"),
        (50.0, 722.0, 10.0, "sion of a good fortune must be in want of a wife, and however little known"),
        (50.0, 700.0, 10.0, "the feelings of such a man may be on his first entering a village, this"),
    ];
    page.extend(body(50.0, 10.0, 45).into_iter().skip(4));
    let text = outcome(&plain(&[page])).unwrap();
    assert!(text.contains("a man in possession of a good fortune"), "{text}");
    assert!(text.contains("however little known the feelings"), "{text}");
}

/// Negative control: when read from the library's runs instead of letters, every second row lost
/// its middle cells. With the library's boxes of rotated runs, columns touched: "FROMDIRECTOR".
#[test]
fn rows_of_a_table_on_a_turned_page_are_read_one_by_one() {
    let cells = ["DHAW20190001", "05/03/2019", "CITIBANK - TRAVEL CARD", "STAFF TRANSPORTATION", "920.68"];
    let row = |row: usize| -> String {
        let cell = |(at, text): (usize, &&str)| {
            let (x, y) = (100 + 14 * row, 40 + 120 * at);
            format!("BT /F1 7 Tf 0 1 -1 0 {x} {y} Tm ({text}) Tj ET\n")
        };
        cells.iter().enumerate().map(cell).collect()
    };
    let bytes = file(&[(0..20).map(row).collect()], "/Rotate 90", FONT, Vec::new());
    let text = outcome(&bytes).unwrap();
    assert_eq!(text.split("\n\n").count(), 20, "{text}");
    assert!(text.split("\n\n").all(|row| row == cells.join(" ")), "{text}");
}

#[test]
fn a_scan_with_a_stamp_is_a_scan_and_a_picture_with_a_word_is_read() {
    let image = stream(
        "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",
        b"x",
    );
    let scan = |area: u32| {
        let contents =
            format!("q {area} 0 0 {area} 0 0 cm /I Do Q {}", shown(&[(50.0, 40.0, 9.0, "No. 17")]));
        outcome(&file(&[contents], "", FONT, vec![image.clone()]))
    };
    // Negative control: when `is_scan` required no text at all, the stamp was the book: "No. 17".
    assert_eq!(scan(700), Err(Reason::ImageOnly));
    assert_eq!(scan(120), Ok("No. 17".to_owned()));
}

#[test]
fn a_file_that_breaks_off_says_so_and_one_that_has_lost_its_table_only_is_read() {
    let pages: Vec<Vec<Line<'_>>> = (0..4).map(|_| body(50.0, 10.0, 30)).collect();
    let whole = plain(&pages);
    let text = outcome(&whole).unwrap();
    let table = whole.windows(5).position(|window| window == b"xref\n").unwrap();
    assert_eq!(outcome(&whole[..table]), Ok(text.clone()), "only the table is gone");
    // Negative control: with `integrity::check` returning `Ok`, the remaining part was read as the
    // whole file.
    for part in [table - 200, table * 3 / 4] {
        assert!(message(&whole[..part]).contains("incomplete"), "{part}: {}", message(&whole[..part]));
    }
    // A page is found even if the page tree has a wrong position; a missing page is not.
    let lost = String::from_utf8(whole.clone())
        .unwrap()
        .replace("8 0 R 10 0 R ]", "8 0 R 90 0 R ]")
        .replace("10 0 obj\n<< /Type /Page ", "10 0 obj\n<< /Type /Gone ");
    assert!(message(lost.as_bytes()).contains("incomplete"), "{}", message(lost.as_bytes()));
    // Some programs number a table from 1 that starts with object 0.
    let shifted = String::from_utf8(whole).unwrap().replace("xref\n0 ", "xref\n1 ");
    assert_eq!(outcome(shifted.as_bytes()), Ok(text));
}

/// Seen to fail: "only 4 of its 5 pages can be found", though the file is complete.
#[test]
fn a_file_that_counts_more_pages_than_it_has_is_read() {
    let pages: Vec<Vec<Line<'_>>> = (0..4).map(|_| body(50.0, 10.0, 30)).collect();
    let whole = String::from_utf8(plain(&pages)).unwrap();
    let miscounted = whole.replace("/Count 4", "/Count 5");
    assert_eq!(outcome(miscounted.as_bytes()), outcome(whole.as_bytes()));
    // A circular page tree.
    let looped = whole.replace("10 0 R ] /Count 4", "10 0 R 2 0 R ] /Count 9");
    assert_ne!(looped, whole);
    assert_eq!(outcome(looped.as_bytes()), outcome(whole.as_bytes()));
    let cut = &miscounted[..miscounted.find("xref\n").unwrap()];
    assert!(message(cut.as_bytes()).contains("incomplete"), "{}", message(cut.as_bytes()));
}

/// Seen to fail: "Mit arbei terinnen".
#[test]
fn a_soft_hyphen_that_is_drawn_as_a_space_parts_no_word() {
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Italic /Encoding /WinAnsiEncoding >>";
    let hyphen = "/Span <</ActualText <feff00ad>>> BDC";
    let contents = format!(
        "BT /F1 10 Tf 1 0 0 1 10 700 Tm (Mit) Tj {hyphen} 14 0 Td ( ) Tj EMC T* (arbei) Tj {hyphen} ( ) Tj EMC \
         21.2 0 Td (terinnen) Tj ET"
    );
    let text = outcome(&file(&[contents], "", font, Vec::new())).unwrap();
    assert_eq!(text, "Mitarbeiterinnen");
}

/// A font that maps the alphabet to the letters of `to`.
fn translated(to: &str) -> (String, Vec<u8>) {
    let letter = |(at, c): (usize, char)| format!("<{:02X}> <{:04X}>\n", b'a' + at as u8, c as u32);
    let map: String = to.chars().enumerate().map(letter).collect();
    let map = format!(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n\
         1 begincodespacerange <00> <FF> endcodespacerange\n{} beginbfchar\n{map}endbfchar endcmap end end",
        to.chars().count()
    );
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Secret /ToUnicode 6 0 R >>".to_owned();
    (font, stream("", map.as_bytes()))
}

#[test]
fn words_from_right_to_left_are_read_from_the_right() {
    let (font, map) = translated("אבגדהוזחטיכלמנסעפצקרשת");
    // In page order: the last word of the line first, with its last letter first.
    let contents =
        shown(&[(100.0, 700.0, 12.0, "gfed"), (140.0, 700.0, 12.0, "lkji"), (180.0, 700.0, 12.0, "dcba")]);
    let text = outcome(&file(&[contents], "", &font, vec![map])).unwrap();
    assert_eq!(text, "אבגד טיכל דהוז");
}

#[test]
fn fonts_that_do_not_say_which_letters_they_show_are_named() {
    let (font, map) = translated("\"#$%&'()*+,-./:;<=>?@[]");
    let lines: Vec<Line<'_>> = (0..30)
        .map(|at| (50.0, 700.0 - 14.0 * at as f32, 10.0, "the river carried its own landscape"))
        .collect();
    let bytes = file(&[shown(&lines)], "", &font, vec![map]);
    // Negative control: without `undecoded::check` the file had "no text", and no font was named.
    assert_eq!(outcome(&bytes), Err(Reason::NoText));
    assert!(message(&bytes).contains("Secret") && message(&bytes).contains("OCR"), "{}", message(&bytes));
}

/// Seen to fail with uncut names: the message had 200,000 characters.
#[test]
fn long_names_of_fonts_are_cut() {
    let (font, map) = translated("\"#$%&'()*+,-./:;<=>?@[]");
    let font = font.replace("Secret", &format!("Secret#0A#07{}", "Long".repeat(50_000)));
    let lines: Vec<Line<'_>> = (0..30)
        .map(|at| (50.0, 700.0 - 14.0 * at as f32, 10.0, "the river carried its own landscape"))
        .collect();
    let message = message(&file(&[shown(&lines)], "", &font, vec![map]));
    assert!(message.contains("Secret LongLong") || message.contains("SecretLong"), "{message:.300}");
    assert!(message.len() < 300 && !message.contains(char::is_control), "{message:.300}");
}

#[test]
fn fonts_whose_letters_are_numbers_of_shapes_only_are_named() {
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Shapes /FirstChar 2 /LastChar 30 \
                /Encoding << /Differences [2 /g18 /g152 /g135 /g148 /g139 /g153 /g3 /g145 /g136 /g150 /g138 /g23 \
                /g133 /g144 /g142 /g137 /g155 /g4 /g146 /g131 /g16 /g134 /g483 /g149 /g481 /g7 /g143 /g9 /g151] >> >>";
    let helvetica = FONT.as_bytes().to_vec();
    let line = |at: usize| {
        let codes: String = (0..60).map(|n| format!("\\{:03o}", 2 + (n * 7 + at) % 29)).collect();
        format!("BT /F1 10 Tf 50 {} Td ({codes}) Tj ET\n", 700 - 14 * at)
    };
    let told = |lines: usize| -> String { shown(&body(50.0, 10.0, lines)).replace("/F1", "/F2") };
    let page = |numbers: usize, lines: usize| {
        let contents = (0..numbers).map(line).collect::<String>() + &told(lines);
        let resources = "/Resources << /Font << /F1 3 0 R /F2 6 0 R >> >>";
        let own =
            format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R {resources} >>");
        pdf(&[
            CATALOG.into(),
            b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>".to_vec(),
            font.into(),
            own.into_bytes(),
            stream("", contents.as_bytes()),
            helvetica.clone(),
        ])
    };
    // Negative control: without `undecoded::check` only the few lines in another font were read.
    let most = page(40, 8);
    assert_eq!(outcome(&most), Err(Reason::NoText));
    assert!(message(&most).contains("Shapes") && !message(&most).contains("F1"), "{}", message(&most));
    // Signs between text, as in formulas, are accepted.
    assert!(outcome(&page(8, 40)).is_ok_and(|text| text.contains("the river carried its own landscape")));
}
