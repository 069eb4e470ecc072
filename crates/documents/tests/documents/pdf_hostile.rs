//! PDFs built to hang, overflow or expand: each is refused or read as far as possible, soon.

use std::{fmt::Write as _, io::Write as _, sync::LazyLock, time::Duration};

use flate2::{Compression, write::ZlibEncoder};
use lectern_documents::{Kind, Limits, Reason, detect, read};
use rustix::time::{ClockId, clock_gettime};

/// The limit on processor time.
const MOST: Duration = Duration::from_secs(10);

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

/// The content stream of a page with this text.
fn shown(text: &str) -> Vec<u8> {
    format!("BT /F1 12 Tf 20 300 Td ({text}) Tj ET").into_bytes()
}

fn page_of(contents: Vec<u8>) -> Vec<u8> {
    pdf(&[CATALOG.into(), PAGES.into(), PAGE.into(), contents, FONT.into()])
}

/// The processor time of this thread.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The text, or the reason of the refusal.
#[track_caller]
pub(crate) fn outcome(bytes: &[u8]) -> Result<String, Reason> {
    assert_eq!(detect(bytes, bytes), Ok(Kind::Pdf));
    let began = processor_time();
    let read = read(Kind::Pdf, bytes, &Limits::default());
    let took = processor_time().saturating_sub(began);
    assert!(took < MOST, "it took {took:?}: {:?}", read.map(|document| document.text.len()));
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
    // A chain of references, and circular forms.
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
    // Negative control: when only the library counted, this file and the next took four seconds in
    // an optimized build and were refused with "no text".
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

/// A form that draws another one twice.
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

/// Negative control: while the library searched pages without text for pictures, this took a minute
/// and a half.
#[test]
fn forms_that_draw_each_other_twice_forty_deep_are_not_drawn_a_billion_times() {
    let forms = (0..40).map(|n| doubling(if n == 39 { 6 } else { n + 7 })).collect();
    assert_eq!(outcome(&page_of_forms(forms)), Err(Reason::NoText));
}

/// Negative control: without the work estimate, the second file took minutes.
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

/// A page whose contents are these parts.
fn page_of_parts(parts: &[Vec<u8>]) -> Vec<u8> {
    let numbers: String = (0..parts.len()).map(|at| format!(" {} 0 R", at + 5)).collect();
    let page = PAGE.replace("4 0 R", &format!("[{numbers}]")).replace("5 0 R >> >>", "4 0 R >> >>");
    let first = [CATALOG.into(), PAGES.into(), page.into_bytes(), FONT.into()];
    pdf(&first.into_iter().chain(parts.iter().cloned()).collect::<Vec<Vec<u8>>>())
}

/// Deflated data that exceeds the limit of one stream.
static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| deflated(&[&vec![b' '; 66 << 20][..], b"BT ET"].concat()));

/// Seen to fail when every word `stream` counted as the start of a stream, with the first filter
/// after the last `endstream`: the real stream was then not counted.
#[test]
fn streams_are_counted_whatever_stands_before_them() {
    let bomb = &*BOMB;
    let flate = stream("/Filter /FlateDecode", bomb);
    let after = |before: &str| [before.as_bytes(), &flate].concat();
    let in_dictionary = |entry: &str| stream(&format!("{entry} /Filter /FlateDecode"), bomb);
    let text = || stream("", &shown("x"));
    for (what, object) in [
        ("a comment", after("%stream\n")),
        ("a comment after the dictionary", {
            let at = flate.windows(6).position(|word| word == b"stream").unwrap();
            [&flate[..at], b"% stream\n", &flate[at..]].concat()
        }),
        ("a string", in_dictionary("/X (stream)")),
        ("a string with an end", in_dictionary("/X (>>stream endstream)")),
        ("another filter", in_dictionary("/X << /Filter /Standard >>")),
        ("a name", stream("/F#69lter /Fl#61teDecode", bomb)),
        ("another object's filter", after("<< /Filter /Standard >>\nendobj\n9 0 obj\n")),
        ("a filter that is named twice", stream("/Filter /FlateDecode /X [/Filter [/X /Y]]", bomb)),
        ("filters with a comment", stream("/Filter [ %]\n /FlateDecode ]", bomb)),
    ] {
        assert_eq!(outcome(&page_of_parts(&[object, text()])), Err(Reason::TooLarge), "{what}");
    }
    // Harmless content at these places is accepted.
    let harmless = [stream("/X (stream) /Y << /Filter /X >>", &shown("Only this line."))];
    assert_eq!(outcome(&page_of_parts(&harmless)), Ok("Only this line.".to_owned()));
}

/// Seen to fail when only the first attempt was counted: the stream was unpacked, and the page had
/// "no text".
#[test]
fn broken_streams_are_counted_as_often_as_they_are_tried() {
    // Without the two-byte zlib header, and with three other bytes in its place.
    let broken = [b"\xFF\xFF\xFF", &BOMB[2..]].concat();
    let broken = page_of_parts(&[stream("/Filter /FlateDecode", &broken)]);
    assert_eq!(outcome(&broken), Err(Reason::TooLarge));
}

/// Seen to fail when unpacked data was not searched for streams: the page was read.
#[test]
fn streams_in_lists_of_objects_are_counted() {
    let bomb = stream("/Filter /FlateDecode", &BOMB);
    let list = deflated(&[b"9 0 ", &bomb[..]].concat());
    let list = stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &list);
    let file = |other: &str| page_of_parts(&[stream(other, &shown("x")), list.clone()]);
    assert_eq!(outcome(&file("")), Err(Reason::TooLarge));
    assert_eq!(outcome(&file("/X << /Filter [/Fl /Fl] >>")), Err(Reason::TooLarge));
}

/// Seen to fail when only results were counted: not finished after 25 s of processor time.
#[test]
fn streams_that_begin_in_each_other_are_read_a_few_times_at_most() {
    // Empty blocks between blocks with the start of another stream.
    let empty = [0, 0, 0, 0xFF, 0xFF].repeat(6_000);
    let next = b"\nendstream\nendobj\n9 0 obj\n<< /Filter /FlateDecode >>\nstream\n\x78\x01";
    let length = next.len() as u16;
    let mut data = b"\x78\x01".to_vec();
    for _ in 0..400 {
        data.extend(&empty);
        data.push(0);
        data.extend(length.to_le_bytes());
        data.extend((!length).to_le_bytes());
        data.extend(next);
    }
    data.extend([1, 0, 0, 0xFF, 0xFF]);
    let nested = page_of_parts(&[stream("", &shown("x")), stream("/Filter /FlateDecode", &data)]);
    assert_eq!(outcome(&nested), Err(Reason::TooLarge));
}

/// Seen to fail before objects were counted: not finished after 34 s of processor time.
#[test]
fn objects_without_end_are_not_read_to_the_end_of_the_file_each() {
    let mut parts = vec![stream("", &shown("x")); 2_500];
    parts.push(stream("", "a line of a stream that nobody needs\n".repeat(30_000).as_bytes()));
    let file = String::from_utf8(page_of_parts(&parts)).unwrap();
    assert_eq!(outcome(file.replace("endobj", "endOBJ").as_bytes()), Err(Reason::TooLarge));
}

/// Pages that each draw a form of 200 kB 500 times at different positions.
fn pages_that_draw(draw: &str, form: &str) -> Vec<u8> {
    let contents = format!("1 0 0 1 1 0 cm {draw}\n").repeat(500);
    let long = format!("BT /F1 12 Tf (word) Tj ET {}", "1 1 m 2 2 l S\n".repeat(14_000));
    let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 400 400] {form}");
    let resources = "/Resources << /Font << /F1 3 0 R >> /XObject << /A 5 0 R >> >>";
    let page = format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R {resources} >>");
    let kids: String = (6..14).map(|page| format!("{page} 0 R ")).collect();
    let first = [
        CATALOG.into(),
        format!("<< /Type /Pages /Kids [{kids}] /Count 8 >>").into_bytes(),
        FONT.into(),
        stream("", contents.as_bytes()),
        stream(&form, long.as_bytes()),
    ];
    pdf(&first.into_iter().chain((0..8).map(|_| page.clone().into_bytes())).collect::<Vec<Vec<u8>>>())
}

/// Seen to fail when operators were split at white space: with "/A Do%" no form was counted, and
/// the file had "no text".
#[test]
fn forms_are_counted_however_they_are_drawn() {
    let resources = "/Resources << /Font << /F1 3 0 R >> >>";
    for draw in [
        "/A Do",
        "/A Do%",
        "/A Do/B gs",
        "/A Do[]0 d",
        "/#41 Do",
        "/A\nDo",
        "[(a)]/A Do(b)",
        "/B gs /A (Do) Do",
    ] {
        assert_eq!(outcome(&pages_that_draw(draw, resources)), Err(Reason::TooLarge), "{draw}");
    }
    assert_eq!(outcome(&pages_that_draw("/A Do", "")), Err(Reason::TooLarge), "the page's resources");
    // Operators that only look similar draw nothing.
    for draw in ["/A Done", "(/A) Dot", "/A gs"] {
        assert!(outcome(&pages_that_draw(draw, resources)) != Err(Reason::TooLarge), "{draw}");
    }
}

/// Seen to fail when each page climbed the tree on its own, with longer lists: not finished after
/// 26 s of processor time.
#[test]
fn a_tall_tree_of_pages_is_climbed_once() {
    let names = "/A".repeat(5_000);
    let mut objects: Vec<Vec<u8>> = vec![CATALOG.into()];
    objects.extend((0..40).map(|at| {
        let parent = if at == 0 { String::new() } else { format!("/Parent {} 0 R", at + 1) };
        format!("<< /Type /Pages {parent} /Kids [{} 0 R] /Count 2000 /X [{names}] >>", at + 3).into_bytes()
    }));
    let kids: String = (0..2_000).map(|at| format!("{} 0 R ", at + 43)).collect();
    objects.push(format!("<< /Type /Pages /Parent 41 0 R /Kids [{kids}] /Count 2000 >>").into_bytes());
    objects.extend((0..2_000).map(|_| b"<< /Type /Page /Parent 42 0 R /MediaBox [0 0 9 9] >>".to_vec()));
    let file = pdf(&objects);
    let end = file.windows(4).position(|word| word == b"xref").unwrap();
    let _ = outcome(&file[..end]);
}

#[test]
fn what_is_cut_short_or_garbled_is_damaged_or_read_as_far_as_it_goes() {
    let whole = page_of(stream("", &shown("Only this line.")));
    for length in (9..whole.len()).step_by(37) {
        let _ = outcome(&whole[..length]);
    }
    // Replace each byte once by another, by a fixed rule.
    for at in (9..whole.len()).step_by(5) {
        let mut garbled = whole.clone();
        garbled[at] = garbled[at].wrapping_mul(31).wrapping_add(17);
        let _ = outcome(&garbled);
    }
    assert_eq!(outcome(b"%PDF-1.7\n%%EOF"), Err(Reason::Damaged));
}
