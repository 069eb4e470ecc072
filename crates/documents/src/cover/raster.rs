//! Reads the size of JPEG and PNG pictures from their headers, and writes pictures as JPEG.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, codecs::jpeg::JpegEncoder};

use crate::Cover;

/// The largest length of a cover's longer side in pixels.
pub(super) const MAX_SIDE: u32 = 1_400;

/// A picture with more pixels is dropped. No book needs one: this is several times a phone's
/// camera.
const MAX_PIXELS: u64 = 40_000_000;

/// The number of bytes that decoding may allocate.
const MAX_DECODING_BYTES: u64 = 256 << 20;

const JPEG_QUALITY: u8 = 88;

/// JPEG or PNG, by the first bytes.
pub(super) fn format(bytes: &[u8]) -> Option<ImageFormat> {
    match bytes {
        [0xFF, 0xD8, 0xFF, ..] => Some(ImageFormat::Jpeg),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(ImageFormat::Png),
        _ => None,
    }
}

/// Width and height from the header; `None` for too many pixels or none.
pub(super) fn size(bytes: &[u8], format: ImageFormat) -> Option<(u32, u32)> {
    let (width, height) = reader(bytes, format).into_dimensions().ok()?;
    let pixels = u64::from(width) * u64::from(height);
    (1..=MAX_PIXELS).contains(&pixels).then_some((width, height))
}

pub(super) fn reader(bytes: &[u8], format: ImageFormat) -> ImageReader<Cursor<&[u8]>> {
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MAX_DECODING_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    reader
}

/// JPEG has no transparency, so put the picture on a white page.
pub(super) fn on_white(picture: &DynamicImage) -> image::RgbImage {
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

pub(super) fn jpeg(picture: &image::RgbImage, profile: Option<Vec<u8>>) -> Option<Cover> {
    use image::ImageEncoder as _;

    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
    if let Some(profile) = profile {
        // Without the profile colors are only slightly off.
        let _ = encoder.set_icc_profile(profile);
    }
    encoder.encode_image(picture).ok()?;
    Some(Cover { media_type: ImageFormat::Jpeg.to_mime_type().to_owned(), bytes })
}
