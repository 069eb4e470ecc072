//! `[brand]`: what the pages and mails are called, and how they look.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::optional;

/// The service's name, logo, colour and support.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brand {
    #[serde(deserialize_with = "name")]
    pub name: String,
    /// An SVG, PNG or WebP file.
    #[serde(deserialize_with = "path")]
    pub logo_file: Option<PathBuf>,
    /// The colour of buttons and links; `None`: Lectern's own.
    #[serde(deserialize_with = "color")]
    pub color: Option<Color>,
    /// An address or a page where people get help.
    #[serde(deserialize_with = "support")]
    pub support: Option<Support>,
}

/// A colour of sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

/// Where people get help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Support {
    /// An e-mail address.
    Email(String),
    /// A page.
    Page(String),
}

impl Support {
    /// As people read it.
    pub fn text(&self) -> &str {
        match self {
            Self::Email(text) | Self::Page(text) => text,
        }
    }

    /// As a link.
    pub fn link(&self) -> String {
        match self {
            Self::Email(address) => format!("mailto:{address}"),
            Self::Page(page) => page.clone(),
        }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

impl std::str::FromStr for Color {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or(())?;
        let [red, green, blue] = <[u8; 3]>::try_from(hex::decode(digits).map_err(|_| ())?).map_err(|_| ())?;
        Ok(Self { red, green, blue })
    }
}

/// The most characters of a name.
const MAX_NAME: usize = 40;

fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?.trim().to_owned();
    if (1..=MAX_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control) {
        return Ok(name);
    }
    Err(D::Error::custom("must be 1 to 40 characters, none of them a control character"))
}

fn color<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
    let invalid = |()| D::Error::custom("must be a colour such as #0d544c");
    optional(deserializer)?.map(|text| text.trim().parse().map_err(invalid)).transpose()
}

fn support<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Support>, D::Error> {
    let Some(text) = optional(deserializer)? else { return Ok(None) };
    if text.starts_with("https://") || text.starts_with("http://") {
        let page: super::WebUrl = text.parse().map_err(D::Error::custom)?;
        return Ok(Some(Support::Page(page.as_str().to_owned())));
    }
    let is_address = text.parse::<lettre::Address>().is_ok();
    let invalid =
        "must be an e-mail address such as help@example.com or a page such as https://example.com/help";
    if is_address { Ok(Some(Support::Email(text))) } else { Err(D::Error::custom(invalid)) }
}

fn path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(optional(deserializer)?.map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::Color;

    #[test]
    fn a_color_is_six_hexadecimal_digits() {
        let color: Color = "#0d544C".parse().unwrap();
        assert_eq!(
            (color.red, color.green, color.blue, color.to_string()),
            (13, 84, 76, "#0d544c".to_owned())
        );
        for bad in ["", "0d544c", "#0d5", "#0d544", "#0d544g", "#0d544c00", "green", "#é44c00"] {
            assert_eq!(bad.parse::<Color>(), Err(()), "{bad}");
        }
    }
}
