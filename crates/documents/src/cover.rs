//! Covers in a form that players can show: JPEG or PNG, at most [`MAX_SIDE`] pixels on the longer
//! side. A smaller picture is kept byte for byte, a larger one is scaled down, and SVG is rendered
//! (`svg`). A picture whose header declares too many pixels is dropped before it is decoded. A book
//! without a cover is fine.

use image::{DynamicImage, ImageDecoder as _, imageops::FilterType};

use crate::Cover;

mod cost;
mod raster;
mod svg;

use raster::{MAX_SIDE, format, jpeg, on_white, reader, size};
pub(crate) use svg::{draw, linked_pictures};

impl Cover {
    /// A picture as a cover. One that is within the limits on pixels and bytes is kept as it is, a larger one
    /// scaled down; `None` for what is no picture, is damaged or has too many pixels.
    pub fn of_picture(bytes: Vec<u8>, max_bytes: u64) -> Option<Self> {
        // A picture that is kept as it is was not decoded.
        is_whole(&bytes).then(|| prepare(bytes, max_bytes)).flatten()
    }
}

/// Whether a picture can be decoded.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(format) = format(bytes).filter(|format| size(bytes, *format).is_some()) else { return false };
    reader(bytes, format).into_decoder().is_ok_and(|decoder| DynamicImage::from_decoder(decoder).is_ok())
}

/// Turns a picture into a cover; `None` if it is not a picture, is damaged or has too many pixels.
/// A picture within the limits on pixels and bytes (`max_bytes`) is kept as it is.
pub(crate) fn prepare(bytes: Vec<u8>, max_bytes: u64) -> Option<Cover> {
    let format = format(&bytes)?;
    let (width, height) = size(&bytes, format)?;
    if width.max(height) <= MAX_SIDE && bytes.len() as u64 <= max_bytes {
        let media_type = format.to_mime_type().to_owned();
        return Some(Cover { media_type, bytes });
    }
    let mut decoder = reader(&bytes, format).into_decoder().ok()?;
    let orientation = decoder.orientation().ok()?;
    let profile = decoder.icc_profile().ok().flatten();
    let mut picture = DynamicImage::from_decoder(decoder).ok()?;
    if width.max(height) > MAX_SIDE {
        picture = picture.resize(MAX_SIDE, MAX_SIDE, FilterType::CatmullRom);
    }
    picture.apply_orientation(orientation);
    jpeg(&on_white(&picture), profile)
}
