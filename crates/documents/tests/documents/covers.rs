//! Covers that players can show, and hostile ones.

use lectern_documents::{Cover, Kind};

use crate::{
    book::{Book, zipped},
    cases::document,
    pdf_hostile::processor_time,
};

const CHAPTER: &str = "<h1>One</h1><p>He lit the lamp.</p>";

/// The cover of a book with these members; the first one is the cover.
fn cover(media_type: &str, members: &[(&str, &[u8])]) -> Option<Cover> {
    let mut book = Book {
        items: format!(
            "<item id=\"cover\" href=\"{}\" media-type=\"{media_type}\" properties=\"cover-image\"/>",
            members[0].0
        ),
        ..Book::default()
    }
    .page("one.xhtml", CHAPTER);
    for (name, bytes) in members {
        book = book.member(&format!("OEBPS/{name}"), bytes);
    }
    let document = document(Kind::Epub, book.epub());
    // The book is read whatever its cover.
    assert_eq!(document.text, "One\n\nHe lit the lamp.");
    document.cover
}

fn svg(inside: &str) -> Option<Cover> {
    let source = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 200 300\">{inside}</svg>"
    );
    cover("image/svg+xml", &[("cover.svg", source.as_bytes())])
}

/// A picture of one color.
pub(crate) fn picture(width: u32, height: u32, color: [u8; 3], format: image::ImageFormat) -> Vec<u8> {
    let picture = image::RgbImage::from_pixel(width, height, image::Rgb(color));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// The size of a cover and the color of its center.
fn seen(cover: &Cover) -> ((u32, u32), [u8; 3]) {
    let picture = image::load_from_memory(&cover.bytes).unwrap().to_rgb8();
    let middle = picture.get_pixel(picture.width() / 2, picture.height() / 2).0;
    (picture.dimensions(), middle)
}

#[track_caller]
fn is_close(color: [u8; 3], expected: [u8; 3]) {
    assert!(color.iter().zip(expected).all(|(a, b)| a.abs_diff(b) < 10), "{color:?}, not {expected:?}");
}

#[test]
fn small_covers_are_kept_byte_for_byte_and_large_ones_scaled_down() {
    for (format, media_type) in
        [(image::ImageFormat::Png, "image/png"), (image::ImageFormat::Jpeg, "image/jpeg")]
    {
        let small = picture(300, 1_400, [20, 90, 160], format);
        let kept = cover(media_type, &[("cover", &small)]).unwrap();
        assert_eq!((kept.media_type.as_str(), &kept.bytes), (media_type, &small));
        let large = picture(1_000, 2_800, [20, 90, 160], format);
        let scaled = cover(media_type, &[("cover", &large)]).unwrap();
        assert_eq!(scaled.media_type, "image/jpeg");
        let (size, color) = seen(&scaled);
        assert_eq!(size, (500, 1_400));
        is_close(color, [20, 90, 160]);
    }
}

#[test]
fn transparency_becomes_white() {
    let clear = image::RgbaImage::from_pixel(1_500, 100, image::Rgba([0, 0, 0, 0]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    clear.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let (size, color) = seen(&cover("image/png", &[("cover.png", bytes.get_ref())]).unwrap());
    assert_eq!(size, (1_400, 93));
    is_close(color, [255, 255, 255]);
}

/// Seen to fail: a PNG of a few hundred bytes that declares 3.6 billion pixels was stored
/// unchanged.
#[test]
fn a_picture_that_unfolds_into_billions_of_pixels_is_left_out() {
    let mut bomb = picture(1, 1, [0, 0, 0], image::ImageFormat::Png);
    // The first chunk has width and height at fixed offsets, and a checksum.
    bomb[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
    bomb[20..24].copy_from_slice(&60_000_u32.to_be_bytes());
    let mut sum = flate2::Crc::new();
    sum.update(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&sum.sum().to_be_bytes());
    assert_eq!(cover("image/png", &[("cover.png", &bomb)]), None);
    // A drawing leaves it out and shows the rest.
    let bytes: &[(&str, &[u8])] = &[
        (
            "cover.svg",
            b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 3'><rect width='2' height='3' fill='red'/>\
              <image href='bomb.png' width='2' height='3'/></svg>",
        ),
        ("bomb.png", &bomb),
    ];
    is_close(seen(&cover("image/svg+xml", bytes).unwrap()).1, [255, 0, 0]);
    for damaged in [&b"\x89PNG\r\n\x1a\nshort"[..], b"\xFF\xD8\xFF\xE0short", b"GIF89a", b""] {
        assert_eq!(cover("image/png", &[("cover.png", damaged)]), None);
    }
}

#[test]
fn drawings_are_drawn() {
    let drawn = svg("<rect width='200' height='300' fill='#205080'/><path d='M0 0h10v10z'/>").unwrap();
    assert_eq!(drawn.media_type, "image/jpeg");
    let (size, color) = seen(&drawn);
    assert_eq!(size, (933, 1_400));
    is_close(color, [0x20, 0x50, 0x80]);
    // Text is not drawn, because there are no fonts.
    assert_eq!(svg("<text x='9' y='99'>The Lamp</text>"), None);
    assert_eq!(svg("<rect"), None);
}

#[test]
fn pictures_in_a_drawing_are_data_or_members_of_the_book() {
    let green = picture(4, 4, [0, 128, 0], image::ImageFormat::Png);
    let linked = |link: &str| {
        let source = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 2 2'>\
             <rect width='2' height='2' fill='white'/><image xlink:href='{link}' width='2' height='2'/></svg>"
        );
        seen(
            &cover("image/svg+xml", &[("pictures/cover.svg", source.as_bytes()), ("a b.png", &green)])
                .unwrap(),
        )
        .1
    };
    is_close(linked("../a%20b.png"), [0, 128, 0]);
    // Files outside of the book are not read, even if they exist.
    let file = tempfile::Builder::new().suffix(".png").tempfile().unwrap();
    std::fs::write(file.path(), &green).unwrap();
    let path = file.path().to_str().unwrap();
    for outside in [path, &format!("file://{path}"), &format!("../../../../../../..{path}"), "missing.png"] {
        is_close(linked(outside), [255, 255, 255]);
    }
}

/// Negative control: with `is_affordable` returning `true` this was stopped after 30 s of processor
/// time.
#[test]
fn hostile_drawings_are_left_out_at_once() {
    let uses: String = (0..12)
        .map(|n| format!("<g id='g{}'>{}</g>", n + 1, format!("<use xlink:href='#g{n}'/>").repeat(10)))
        .collect();
    let entities: String =
        (1..10).map(|n| format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(10))).collect();
    let bomb = format!(
        "<!DOCTYPE svg [<!ENTITY e0 \"<rect width='9' height='9'/>\">{entities}]><svg xmlns='http://www.w3.org/2000/svg'>&e9;</svg>"
    );
    let began = processor_time();
    for (what, inside) in [
        ("uses", format!("<g id='g0'><rect width='9' height='9'/></g>{uses}<use xlink:href='#g12'/>")),
        ("a circle", "<g id='a'><use xlink:href='#b'/></g><g id='b'><use xlink:href='#a'/></g><rect width='9' height='9'/>".to_owned()),
        ("depth", format!("{}<rect width='9' height='9'/>{}", "<g>".repeat(20_000), "</g>".repeat(20_000))),
        ("a filter", "<filter id='f'><feTurbulence numOctaves='9999'/></filter><rect width='200' height='300' filter='url(#f)'/>".to_owned()),
        ("blurs", "<rect width='200' height='300' filter='blur(90px)'/>".repeat(500)),
        ("elements", "<rect width='9' height='9'/>".repeat(60_000)),
        ("dashes", "<path d='M0 0h99999' stroke='red' stroke-dasharray='0.001'/>".repeat(500)),
        ("a pattern", "<pattern id='p' width='99999' height='99999'/><rect width='9' height='9' fill='url(#p)'/>".to_owned()),
        ("styles", format!("<style>{}</style><rect width='9' height='9'/>", "a b c{x:y}".repeat(5_000))),
    ] {
        assert_eq!(svg(&inside), None, "{what}");
    }
    assert_eq!(cover("image/svg+xml", &[("cover.svg", bomb.as_bytes())]), None);
    let took = processor_time().saturating_sub(began);
    assert!(took < std::time::Duration::from_secs(10), "it took {took:?}");
    // Namespace entities, as editors declare them, are allowed.
    let editors = "<!DOCTYPE svg [<!ENTITY ns_svg \"http://www.w3.org/2000/svg\">]><svg xmlns=\"&ns_svg;\" viewBox=\"0 0 2 3\">\
                   <rect width=\"2\" height=\"3\"/></svg>";
    assert!(cover("image/svg+xml", &[("cover.svg", editors.as_bytes())]).is_some());
    // A file that is not a book is still refused.
    assert!(lectern_documents::detect(&zipped(&[("cover.svg", b"<svg/>")]), &[]).is_err());
}
