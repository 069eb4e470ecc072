//! The operator's name, logo and colour, as the pages need them.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::config::{Brand, Color, ConfigError};

/// The name of a service without a brand.
pub const NAME: &str = "Lectern";

/// The largest logo, in bytes.
const MAX_LOGO_BYTES: usize = 200 * 1024;

/// The lowest contrast ratio at which a text counts as readable (WCAG 2.2, 1.4.3).
const READABLE: f64 = 4.5;

const WHITE: Color = Color { red: 255, green: 255, blue: 255 };
const BLACK: Color = Color { red: 0, green: 0, blue: 0 };

/// How much of white, and of the dark page, is in the soft variant of a color.
const LIGHT_SHARE: f64 = 0.86;
const DARK_SHARE: f64 = 0.76;

/// The dark page.
const NIGHT: Color = Color { red: 0x13, green: 0x17, blue: 0x16 };

/// The darkest of the light surfaces, and the lightest of the dark ones, of `web/src/app.css`.
const LIGHT: Color = Color { red: 0xf2, green: 0xee, blue: 0xe5 };
const DARK: Color = Color { red: 0x22, green: 0x29, blue: 0x27 };
/// The text on an accent in the dark.
const INK: Color = Color { red: 0x0c, green: 0x1b, blue: 0x18 };

/// What the pages show instead of Lectern's own.
#[derive(Debug, Clone)]
pub struct Branding {
    pub name: String,
    pub logo: Option<Logo>,
    /// The style sheet with the colours, if there is one of its own.
    pub style: Option<String>,
    /// Where people get help, as a link.
    pub support: Option<String>,
    /// Changes whenever anything of it does.
    pub version: String,
}

/// The operator's logo.
#[derive(Debug, Clone)]
pub struct Logo {
    pub bytes: Vec<u8>,
    pub media_type: &'static str,
}

impl Branding {
    /// The branding that the settings describe; `None` when all is Lectern's own.
    ///
    /// # Errors
    /// [`ConfigError`] when the logo cannot be used.
    pub fn new(settings: &Brand) -> Result<Option<Self>, ConfigError> {
        let Brand { name, logo_file, color, support } = settings;
        if name == NAME && logo_file.is_none() && color.is_none() && support.is_none() {
            return Ok(None);
        }
        let logo = logo_file.as_deref().map(logo).transpose()?;
        let style = color.map(style);
        let mut hash = Sha256::new();
        hash.update(style.as_deref().unwrap_or_default());
        hash.update(logo.as_ref().map_or(&[][..], |logo| &logo.bytes));
        let support = support.as_ref().map(crate::config::Support::link);
        for text in [Some(name.as_str()), support.as_deref()] {
            hash.update([0]);
            hash.update(text.unwrap_or_default());
        }
        let version = hex::encode(&hash.finalize()[..8]);
        Ok(Some(Self { name: name.clone(), logo, style, support, version }))
    }
}

fn logo(path: &Path) -> Result<Logo, ConfigError> {
    let refused = |why: String| ConfigError::new("brand.logo_file", why);
    let bytes = std::fs::read(path).map_err(|error| refused(format!("cannot be read: {error}")))?;
    if bytes.len() > MAX_LOGO_BYTES {
        return Err(refused("must have at most 200 kB".to_owned()));
    }
    let starts_as_svg = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(1_000)]).to_ascii_lowercase();
        text.trim_start_matches('\u{feff}').trim_start().starts_with('<') && text.contains("<svg")
    };
    let media_type = match &bytes[..] {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        other if starts_as_svg(other) => "image/svg+xml",
        _ => return Err(refused("must be an SVG, PNG or WebP file".to_owned())),
    };
    Ok(Logo { bytes, media_type })
}

/// The color and that of a text on it, as they can be read on the light pages.
pub fn on_light(color: Color) -> (Color, Color) {
    let accent = toward(color, BLACK, &[LIGHT, mix(color, WHITE, LIGHT_SHARE)]);
    (accent, text_on(accent))
}

fn text_on(accent: Color) -> Color {
    if contrast(accent, WHITE) >= READABLE { WHITE } else { INK }
}

/// The colours of the pages, made of one.
fn style(color: Color) -> String {
    let (light_soft, dark_soft) = (mix(color, WHITE, LIGHT_SHARE), mix(color, NIGHT, DARK_SHARE));
    let (light, text_on_light) = on_light(color);
    let dark = toward(color, WHITE, &[DARK, dark_soft]);
    format!(
        ":root{{--accent:{light};--accent-text:{};--accent-soft:{light_soft}}}\n\
         :root[data-theme='dark']{{--accent:{dark};--accent-text:{};--accent-soft:{dark_soft}}}\n",
        text_on_light,
        text_on(dark)
    )
}

/// The color, moved towards `end` until it can be read on all of these.
fn toward(color: Color, end: Color, behind: &[Color]) -> Color {
    let is_readable = |color| behind.iter().all(|behind| contrast(color, *behind) >= READABLE);
    let steps = (0..=100).map(|step| mix(color, end, f64::from(step) / 100.0));
    steps.into_iter().find(|color| is_readable(*color)).unwrap_or(end)
}

/// `share` of the second color in the first.
fn mix(one: Color, two: Color, share: f64) -> Color {
    let channel = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
    Color {
        red: channel(one.red, two.red),
        green: channel(one.green, two.green),
        blue: channel(one.blue, two.blue),
    }
}

/// The contrast of two colors (WCAG 2.2, "contrast ratio").
fn contrast(one: Color, two: Color) -> f64 {
    let (one, two) = (luminance(one), luminance(two));
    (one.max(two) + 0.05) / (one.min(two) + 0.05)
}

/// The relative luminance of sRGB (WCAG 2.2).
fn luminance(color: Color) -> f64 {
    let channel = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(color.red) + 0.7152 * channel(color.green) + 0.0722 * channel(color.blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn color(text: &str) -> Color {
        text.parse().unwrap()
    }

    // Pages are prepared once for each version. Seen to fail without the name in it.
    #[test]
    fn the_version_tells_brands_apart() {
        let version = |name: &str, color: Option<Color>| {
            let settings = Brand { name: name.to_owned(), logo_file: None, color, support: None };
            Branding::new(&settings).unwrap().unwrap().version
        };
        let versions =
            [version("A", None), version("B", None), version("A", Some(BLACK)), version("A", Some(WHITE))];
        assert_eq!(versions.iter().collect::<std::collections::HashSet<_>>().len(), 4, "{versions:?}");
        assert_eq!(version("A", None), versions[0]);
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        assert!((contrast(color("#000000"), WHITE) - 21.0).abs() < 0.001);
        assert!((contrast(color("#777777"), WHITE) - 4.478).abs() < 0.001);
    }

    // Negative control: with the color as it is, yellow on paper has a contrast of 1.1.
    #[test]
    fn any_color_can_be_read_in_the_light_and_in_the_dark() {
        for text in ["#ffff00", "#000000", "#ffffff", "#0d544c", "#ff0000", "#0000ff", "#808080", "#00ffcc"] {
            let style = style(color(text));
            let value = |theme: usize, name: &str| {
                let rule = style.lines().nth(theme).unwrap();
                let at = rule.find(&format!("--{name}:")).unwrap() + name.len() + 3;
                color(&rule[at..at + 7])
            };
            for (theme, behind) in [(0, LIGHT), (0, WHITE), (1, DARK)] {
                let accent = value(theme, "accent");
                for other in [behind, value(theme, "accent-text"), value(theme, "accent-soft")] {
                    assert!(contrast(accent, other) >= READABLE, "{text} {theme}: {accent} on {other}");
                }
            }
        }
        // What can be read stays as it is.
        assert!(style(color("#0d544c")).starts_with(":root{--accent:#0d544c;--accent-text:#ffffff;"));
    }
}
