//! `[voices]`: the catalogue of e-readers.

use lectern_speech::engines;
use lectern_types::{Credits, Grade};
use serde::{Deserialize, Deserializer, de::Error as _};

/// The highest price of a character, in credits.
pub const HIGHEST_PRICE: i64 = 1_000_000;

/// The prices of engines that the setting leaves out.
const USUAL_PRICES: &[&str] = &["hibari:1", "kokoro/AB:4", "kokoro:3", "piper:1"];

/// The catalogue of e-readers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Voices {
    /// What a character costs with the e-readers that `lectern admin voices sync` and `blend` make.
    #[serde(deserialize_with = "prices")]
    pub prices: Prices,
    /// The e-readers that other services' voice names stand for.
    #[serde(deserialize_with = "aliases")]
    pub openai: Vec<Alias>,
}

/// Prices by engine and grade; the first that fits counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices(Vec<Price>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Price {
    engine: String,
    /// Only voices of these grades; empty: all.
    grades: Vec<Grade>,
    credits: Credits,
}

impl Prices {
    /// The price of a character of a voice.
    pub fn of(&self, engine: &str, grade: Option<Grade>) -> Credits {
        let fits = |price: &&Price| {
            let has_grade = price.grades.is_empty() || grade.is_some_and(|own| price.grades.contains(&own));
            price.engine == engine && has_grade
        };
        self.0.iter().find(fits).map_or(Credits(1), |price| price.credits)
    }
}

/// The name of a voice elsewhere, and the slug of the e-reader that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    pub name: String,
    pub slug: String,
}

fn prices<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Prices, D::Error> {
    let set = Vec::<String>::deserialize(deserializer)?;
    // An engine that is left out keeps its usual prices.
    let all = set.iter().map(String::as_str).chain(USUAL_PRICES.iter().copied());
    all.map(price).collect::<Result<_, _>>().map(Prices).map_err(D::Error::custom)
}

fn price(text: &str) -> Result<Price, String> {
    let form = || {
        format!(
            "must be ENGINE:CREDITS or ENGINE/GRADES:CREDITS, 0 to {HIGHEST_PRICE} credits a character, such as \
             kokoro/AB:4"
        )
    };
    let (what, credits) = text.trim().split_once(':').ok_or_else(form)?;
    let (engine, grades) =
        what.split_once('/').map_or((what, None), |(engine, grades)| (engine, Some(grades)));
    let known: Vec<&str> = engines::names().collect();
    if !known.contains(&engine) {
        return Err(format!("must name one of these engines: {}", known.join(", ")));
    }
    let grades = match grades {
        None => Vec::new(),
        Some("") => return Err(form()),
        Some(letters) => letters
            .chars()
            .map(|letter| letter.to_string().parse().map_err(|_| "must name grades from A to D".to_owned()))
            .collect::<Result<_, _>>()?,
    };
    let digits = !credits.is_empty() && credits.bytes().all(|byte| byte.is_ascii_digit());
    let credits =
        credits.parse().ok().filter(|credits| digits && *credits <= HIGHEST_PRICE).ok_or_else(form)?;
    Ok(Price { engine: engine.to_owned(), grades, credits: Credits(credits) })
}

fn aliases<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Alias>, D::Error> {
    let mut aliases: Vec<Alias> = Vec::new();
    for text in Vec::<String>::deserialize(deserializer)? {
        let alias = alias(&text).ok_or_else(|| {
            D::Error::custom("must be NAME:SLUG, the slug that of an e-reader, such as nova:af-nova")
        })?;
        if aliases.iter().any(|other| other.name == alias.name) {
            return Err(D::Error::custom(format!("must name {} once", alias.name)));
        }
        aliases.push(alias);
    }
    Ok(aliases)
}

fn alias(text: &str) -> Option<Alias> {
    let (name, slug) = text.split_once(':')?;
    let (name, slug) = (name.trim(), slug.trim());
    let is_name = (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (is_name && is_slug(slug)).then(|| Alias { name: name.to_owned(), slug: slug.to_owned() })
}

/// Whether a text can be an e-reader's slug.
pub fn is_slug(text: &str) -> bool {
    let plain = text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    plain && (1..=64).contains(&text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn with(variable: &str, value: &str) -> Result<Voices, String> {
        let environment = vec![(variable.into(), value.into())];
        let sources = crate::config::Sources { environment, ..crate::config::Sources::default() };
        Config::load(&sources).map(|config| config.voices).map_err(|error| error.to_string())
    }

    fn of(voices: &Voices, engine: &str, grade: Option<Grade>) -> i64 {
        voices.prices.of(engine, grade).0
    }

    #[test]
    fn the_first_price_that_fits_counts_and_engines_left_out_keep_theirs() {
        let usual = with("LECTERN_VOICES__PRICES", "").unwrap();
        assert_eq!(of(&usual, "hibari", None), 1);
        for (grade, price) in
            [(Some(Grade::A), 4), (Some(Grade::B), 4), (Some(Grade::C), 3), (Some(Grade::D), 3), (None, 3)]
        {
            assert_eq!(of(&usual, "kokoro", grade), price, "{grade:?}");
        }
        let written: toml::Table = toml::from_str(crate::config::DEFAULTS).unwrap();
        let written: Vec<_> = written["voices"]["prices"].as_array().unwrap().clone();
        assert_eq!(written, USUAL_PRICES.iter().map(|price| toml::Value::from(*price)).collect::<Vec<_>>());
        let set = with("LECTERN_VOICES__PRICES", "kokoro/D:0, kokoro:9").unwrap();
        assert_eq!(
            (
                of(&set, "kokoro", Some(Grade::D)),
                of(&set, "kokoro", Some(Grade::A)),
                of(&set, "hibari", None)
            ),
            (0, 9, 1)
        );
    }

    // Negative control: without the check of the engine's name the first of these is taken.
    #[test]
    fn bad_prices_and_names_are_refused_by_key() {
        for bad in [
            "kokorro:3",
            "kokoro",
            "kokoro:",
            "kokoro:-1",
            "kokoro:+1",
            "kokoro:1000001",
            "kokoro/:3",
            "kokoro/E:3",
            "kokoro/a:3",
            ":3",
        ] {
            let error = with("LECTERN_VOICES__PRICES", bad).unwrap_err();
            assert!(error.contains("voices.prices") && error.contains("must"), "{bad}: {error}");
        }
        for bad in ["nova", "nova:", ":af-nova", "nova:AF", "no va:x", "nova:a,nova:b"] {
            let error = with("LECTERN_VOICES__OPENAI", bad).unwrap_err();
            assert!(error.contains("voices.openai") && error.contains("must"), "{bad}: {error}");
        }
        assert_eq!(with("LECTERN_VOICES__OPENAI", "").unwrap().openai, []);
    }
}
