//! PDFs made to hang, to overflow or to unfold: each ends as a reason, or as what can be read of it, soon.

use std::{
    fmt::Write as _,
    io::Write as _,
    time::{Duration, Instant},
};

use flate2::{Compression, write::ZlibEncoder};
use lectern_documents::{Kind, Limits, Reason, detect, read};

/// A file of these objects, numbered from 1; the first is the catalog.
pub(crate) fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut table = String::from("0000000000 65535 f \n");
    for (at, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        let _ = writeln!(file, "{} 0 obj", at + 1);
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    let size = objects.len() + 1;
    let _ = write!(
        file,
        "xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    file
}

pub(crate) fn stream(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let mut object = format!("<< {dictionary} /Length {} >>\nstream\n", data.len()).into_bytes();
    object.extend(data);
    object.extend(b"\nendstream");
    object
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::fast());
    deflated.write_all(bytes).unwrap();
    deflated.finish().unwrap()
}

pub(crate) const CATALOG: &str = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGES: &str = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const PAGE: &str = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R \
                    /Resources << /Font << /F1 5 0 R >> >> >>";
pub(crate) const FONT: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/// What a page shows.
fn shown(text: &str) -> Vec<u8> {
    format!("BT /F1 12 Tf 20 300 Td ({text}) Tj ET").into_bytes()
}

fn page_of(contents: Vec<u8>) -> Vec<u8> {
    pdf(&[CATALOG.into(), PAGES.into(), PAGE.into(), contents, FONT.into()])
}

/// The text, or why there is none.
pub(crate) fn outcome(bytes: &[u8]) -> Result<String, Reason> {
    assert_eq!(detect(bytes, bytes), Ok(Kind::Pdf));
    let began = Instant::now();
    let read = read(Kind::Pdf, bytes, &Limits::default());
    // An unoptimised build on a busy machine; the point is that it is no matter of minutes.
    assert!(began.elapsed() < Duration::from_mins(1), "it took {:?}", began.elapsed());
    read.map(|document| document.text).map_err(|unreadable| unreadable.reason)
}

#[test]
fn the_file_that_the_others_are_variations_of_is_read() {
    assert_eq!(outcome(&page_of(stream("", &shown("Only this line.")))), Ok("Only this line.".to_owned()));
}

#[test]
fn pages_that_hold_each_other_are_walked_once() {
    let circle = pdf(&[
        CATALOG.into(),
        b"<< /Type /Pages /Kids [3 0 R 6 0 R 2 0 R] /Count 3 >>".to_vec(),
        PAGE.into(),
        stream("", &shown("Only this line.")),
        FONT.into(),
        b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 6 0 R] /Count 2 >>".to_vec(),
    ]);
    let read = outcome(&circle);
    assert!(
        matches!(&read, Ok(text) if text.contains("Only this line.")) || read == Err(Reason::Damaged),
        "{read:?}"
    );
    let own = pdf(&[CATALOG.into(), b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>".to_vec()]);
    assert!(outcome(&own).is_err());
    let boast = pdf(&[CATALOG.into(), b"<< /Type /Pages /Kids [] /Count 2000000000 >>".to_vec()]);
    assert!(outcome(&boast).is_err());
}

#[test]
fn ten_thousand_nested_objects_overflow_nothing() {
    let arrays = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let dictionaries = format!("{}1{}", "<< /A ".repeat(10_000), " >>".repeat(10_000));
    for nested in [&arrays, &dictionaries] {
        let in_catalog = pdf(&[
            format!("<< /Type /Catalog /Pages 2 0 R /X {nested} >>").into_bytes(),
            PAGES.into(),
            PAGE.into(),
            stream("", &shown("Only this line.")),
            FONT.into(),
        ]);
        assert_eq!(outcome(&in_catalog), Err(Reason::Damaged));
        let contents = format!("{nested} TJ {}", String::from_utf8(shown("x")).unwrap());
        assert!(outcome(&page_of(stream("", contents.as_bytes()))).is_err());
        assert!(outcome(&page_of(stream("/Filter /FlateDecode", &deflated(contents.as_bytes())))).is_err());
    }
    // A chain of references, and of forms that draw each other.
    let mut objects: Vec<Vec<u8>> = vec![CATALOG.into(), PAGES.into(), PAGE.into()];
    objects.extend((0..10_000).map(|n| format!("{} 0 R", n + 5).into_bytes()));
    assert!(outcome(&pdf(&objects)).is_err());
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 400 400] /Resources << /XObject << /X 4 0 R >> /Font << /F1 5 0 R >> >>";
    let drawn = page_of(stream(form, b"/X Do /X Do /X Do"));
    assert!(outcome(&drawn).is_err());
}

#[test]
fn bookmarks_that_lead_in_circles_are_read_once() {
    let circle = pdf(&[
        b"<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>".to_vec(),
        PAGES.into(),
        PAGE.into(),
        stream("", &shown("Only this line.")),
        FONT.into(),
        b"<< /First 7 0 R /Last 8 0 R >>".to_vec(),
        b"<< /Title (One) /Next 8 0 R /First 6 0 R /Dest [3 0 R /XYZ 0 310 0] >>".to_vec(),
        b"<< /Title (Two) /Next 7 0 R /First 7 0 R /A << /S /GoTo /D [3 0 R /Fit] >> >>".to_vec(),
    ]);
    assert_eq!(outcome(&circle), Ok("Only this line.".to_owned()));
}

#[test]
fn a_stream_that_unfolds_without_end_is_not_unfolded() {
    let bomb = deflated(&vec![b' '; 80 << 20]);
    assert_eq!(outcome(&page_of(stream("/Filter /FlateDecode", &bomb))), Err(Reason::TooLarge));
    // Negative control: when only the library counted, this and the next took four seconds of an optimised build, and
    // had "no text".
    let four = deflated(&deflated(&deflated(&bomb)));
    let nested = stream("/Filter [/FlateDecode /FlateDecode /Fl /FlateDecode]", &four);
    assert_eq!(outcome(&page_of(nested)), Err(Reason::TooLarge));
    let many: Vec<Vec<u8>> =
        [CATALOG.into(), PAGES.into(), PAGE.into(), stream("", &shown("x")), FONT.into()]
            .into_iter()
            .chain((0..5).map(|_| stream("/Filter /FlateDecode", &deflated(&vec![b' '; 60 << 20]))))
            .collect();
    assert_eq!(outcome(&pdf(&many)), Err(Reason::TooLarge));
}

/// A form that draws another twice, at two places.
fn doubling(next: usize) -> Vec<u8> {
    let form = format!(
        "/Type /XObject /Subtype /Form /BBox [0 0 400 400] /Resources << /Font << /F1 5 0 R >> /XObject << /X {next} 0 R >> >>"
    );
    stream(&form, b"q 1 0 0 1 1 0 cm /X Do Q q 1 0 0 1 0 1 cm /X Do Q")
}

fn page_of_forms(forms: Vec<Vec<u8>>) -> Vec<u8> {
    let page = PAGE.replace("/Resources <<", "/Resources << /XObject << /X 6 0 R >>");
    let first = [CATALOG.into(), PAGES.into(), page.into_bytes(), stream("", b"/X Do"), FONT.into()];
    pdf(&first.into_iter().chain(forms).collect::<Vec<Vec<u8>>>())
}

/// Negative control: while pages without text were searched for pictures by the library, this took a minute and a half.
#[test]
fn forms_that_draw_each_other_twice_forty_deep_are_not_drawn_a_billion_times() {
    let forms = (0..40).map(|n| doubling(if n == 39 { 6 } else { n + 7 })).collect();
    assert_eq!(outcome(&page_of_forms(forms)), Err(Reason::NoText));
}

/// Negative control: without the count of work the second of these took minutes.
#[test]
fn what_shows_very_much_is_refused_before_it_is_read() {
    let long = format!("{} BT /F1 12 Tf (word) Tj ET", "1 1 m 2 2 l S\n".repeat(100_000));
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 400 400] /Resources << /Font << /F1 5 0 R >> >>";
    let forms =
        (0..9).map(|n| if n == 8 { stream(form, long.as_bytes()) } else { doubling(n + 7) }).collect();
    assert_eq!(outcome(&page_of_forms(forms)), Err(Reason::TooLarge));
    let flood = format!("BT /F1 1 Tf 20 300 Td {} ET", "(a) Tj 1 0 Td\n".repeat(100_000));
    assert_eq!(outcome(&page_of(stream("", flood.as_bytes()))), Err(Reason::TooLarge));
}

#[test]
fn what_is_cut_short_or_garbled_is_damaged_or_read_as_far_as_it_goes() {
    let whole = page_of(stream("", &shown("Only this line.")));
    for length in (9..whole.len()).step_by(37) {
        let _ = outcome(&whole[..length]);
    }
    // Every byte once turned into another, by a fixed rule.
    for at in (9..whole.len()).step_by(5) {
        let mut garbled = whole.clone();
        garbled[at] = garbled[at].wrapping_mul(31).wrapping_add(17);
        let _ = outcome(&garbled);
    }
    assert_eq!(outcome(b"%PDF-1.7\n%%EOF"), Err(Reason::Damaged));
}
