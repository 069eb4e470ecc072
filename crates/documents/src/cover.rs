//! Covers as players can show them: JPEG or PNG, at most [`LONGEST_SIDE`] pixels on the longer side. Smaller ones are
//! kept byte for byte. Larger ones are scaled down, and SVG is drawn (`svg`). What would unfold into more pixels than
//! any cover has is left out by what its header says, before anything is decoded. A book without a cover is a book all
//! the same.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, codecs::jpeg::JpegEncoder,
    imageops::FilterType,
};

use crate::Cover;

mod svg;
mod work;

pub(crate) use svg::{draw, linked};

/// The longer side of a cover, pixels.
const LONGEST_SIDE: u32 = 1_400;

/// A picture of more pixels is left out: ten times what a phone's camera takes would be needed to print a poster.
const PIXELS: u64 = 40_000_000;

/// What decoding may allocate, bytes.
const DECODING_BYTES: u64 = 256 << 20;

/// Quality of the JPEGs that are written here.
const QUALITY: u8 = 88;

/// A picture as a cover; `None` for what is none, is damaged or has too many pixels. One that is small enough, in
/// pixels and in bytes (`most_bytes`), is kept as it is.
pub(crate) fn prepared(bytes: Vec<u8>, most_bytes: u64) -> Option<Cover> {
    let format = format(&bytes)?;
    let (width, height) = size(&bytes, format)?;
    if width.max(height) <= LONGEST_SIDE && bytes.len() as u64 <= most_bytes {
        let media_type = format.to_mime_type().to_owned();
        return Some(Cover { media_type, bytes });
    }
    let mut decoder = reader(&bytes, format).into_decoder().ok()?;
    let orientation = decoder.orientation().ok()?;
    let profile = decoder.icc_profile().ok().flatten();
    let mut picture = DynamicImage::from_decoder(decoder).ok()?;
    if width.max(height) > LONGEST_SIDE {
        picture = picture.resize(LONGEST_SIDE, LONGEST_SIDE, FilterType::CatmullRom);
    }
    picture.apply_orientation(orientation);
    jpeg(&on_white(&picture), profile)
}

/// Whether it is a JPEG or a PNG, by its first bytes.
fn format(bytes: &[u8]) -> Option<ImageFormat> {
    match bytes {
        [0xFF, 0xD8, 0xFF, ..] => Some(ImageFormat::Jpeg),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(ImageFormat::Png),
        _ => None,
    }
}

/// Width and height, unless a picture has too many pixels or none. Only its header is read.
fn size(bytes: &[u8], format: ImageFormat) -> Option<(u32, u32)> {
    let (width, height) = reader(bytes, format).into_dimensions().ok()?;
    let pixels = u64::from(width) * u64::from(height);
    (1..=PIXELS).contains(&pixels).then_some((width, height))
}

fn reader(bytes: &[u8], format: ImageFormat) -> ImageReader<Cursor<&[u8]>> {
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(DECODING_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    reader
}

/// JPEG has no transparency: what is transparent shows a page.
fn on_white(picture: &DynamicImage) -> image::RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let over = |color: u8, alpha: u8| {
        let (color, alpha) = (u32::from(color), u32::from(alpha));
        ((color * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    let pixels = picture.to_rgba8();
    image::RgbImage::from_fn(pixels.width(), pixels.height(), |x, y| {
        let [red, green, blue, alpha] = pixels.get_pixel(x, y).0;
        image::Rgb([over(red, alpha), over(green, alpha), over(blue, alpha)])
    })
}

fn jpeg(picture: &image::RgbImage, profile: Option<Vec<u8>>) -> Option<Cover> {
    use image::ImageEncoder as _;

    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
    if let Some(profile) = profile {
        // Without it colors are a little off.
        let _ = encoder.set_icc_profile(profile);
    }
    encoder.encode_image(picture).ok()?;
    Some(Cover { media_type: ImageFormat::Jpeg.to_mime_type().to_owned(), bytes })
}
