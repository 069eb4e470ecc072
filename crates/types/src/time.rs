//! Instants as the whole system stores and prints them.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

/// A UTC instant in microseconds since 1970, as the database stores it; in JSON it is RFC 3339 with
/// milliseconds and `Z` (`2026-11-21T07:08:11.524Z`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The instant `micros` microseconds later (earlier when negative), held at the ends of the range.
    #[must_use]
    pub fn plus_micros(self, micros: i64) -> Self {
        Self(self.0.saturating_add(micros))
    }

    /// The instant `seconds` seconds later (earlier when negative), held at the ends of the range.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        self.plus_micros(seconds.saturating_mul(1_000_000))
    }

    /// Whole seconds since 1970, rounded down.
    pub fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(instant) => write!(f, "{instant:.3}"),
            // Years past 9999 have no RFC 3339 form; nothing the service makes gets there.
            Err(_) => write!(f, "{}us", self.0),
        }
    }
}

impl std::str::FromStr for Timestamp {
    type Err = jiff::Error;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<jiff::Timestamp>().map(|instant| Self(instant.as_microsecond()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(|_| D::Error::custom("must be a time in RFC 3339, such as 2026-11-21T07:08:11.524Z"))
    }
}

impl PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("RFC 3339, UTC, with milliseconds"))
            .examples(["2026-11-21T07:08:11.524Z"])
            .into()
    }
}

impl ToSchema for Timestamp {}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn a_time_is_printed_with_milliseconds_and_read_back() {
        let time = Timestamp(1_795_244_891_524_999);
        assert_eq!(time.to_string(), "2026-11-21T07:08:11.524Z");
        assert_eq!(
            "2026-11-21T07:08:11.524Z".parse::<Timestamp>().ok(),
            Some(Timestamp(1_795_244_891_524_000))
        );
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
    }
}
