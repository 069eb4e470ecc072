//! Renders SVG covers. Nothing is fetched: a picture inside is inline data or a member of the book
//! that the caller read. System files and other SVGs are never opened, and there are no fonts. The
//! cost is estimated first ([`super::cost`]), and a cover that is too expensive is dropped.

use std::{collections::HashMap, sync::Arc};

use image::DynamicImage;
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{ImageHrefResolver, ImageKind, Options, Tree},
};

use super::{
    cost,
    raster::{MAX_SIDE, format, jpeg, on_white, size},
};
use crate::{
    Cover,
    xml::{Event, Events},
};

const MAX_LINKED_PICTURES: usize = 8;

/// References from an SVG to pictures in other files.
pub(crate) fn linked_pictures(source: &str) -> Vec<String> {
    let mut links = Vec::new();
    for event in Events::lenient(source) {
        if let Event::Open(element) = event
            && element.name() == "image"
            && let Some(link) = element.attribute("href").filter(|link| !link.starts_with("data:"))
            && !links.contains(&link)
        {
            links.push(link);
            if links.len() == MAX_LINKED_PICTURES {
                break;
            }
        }
    }
    links
}

/// Renders an SVG with the `pictures` that [`linked_pictures`] named. `None` when it is damaged or
/// too expensive.
pub(crate) fn draw(source: &str, pictures: HashMap<String, Vec<u8>>) -> Option<Cover> {
    if !cost::is_affordable(source) {
        return None;
    }
    let pictures: HashMap<String, Arc<Vec<u8>>> =
        pictures.into_iter().map(|(link, bytes)| (link, Arc::new(bytes))).collect();
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, bytes, _| picture(bytes)),
            resolve_string: Box::new(move |link, _| picture(Arc::clone(pictures.get(link)?))),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(source, &options).ok()?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = MAX_SIDE as f32 / width.max(height);
    let (columns, rows) = ((width * scale).round() as u32, (height * scale).round() as u32);
    let mut canvas = Pixmap::new(columns.clamp(1, MAX_SIDE), rows.clamp(1, MAX_SIDE))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut canvas.as_mut());
    if canvas.pixels().iter().all(|pixel| pixel.alpha() == 0) {
        return None;
    }
    let (columns, rows) = (canvas.width(), canvas.height());
    let pixels = canvas.pixels().iter().flat_map(|pixel| {
        let pixel = pixel.demultiply();
        [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
    });
    let drawn = image::RgbaImage::from_raw(columns, rows, pixels.collect())?;
    jpeg(&on_white(&DynamicImage::ImageRgba8(drawn)), None)
}

/// A picture inside an SVG: JPEG or PNG, under the same limit on pixels as a cover.
fn picture(bytes: Arc<Vec<u8>>) -> Option<ImageKind> {
    let format = format(&bytes)?;
    size(&bytes, format)?;
    Some(match format {
        image::ImageFormat::Jpeg => ImageKind::JPEG(bytes),
        _ => ImageKind::PNG(bytes),
    })
}
