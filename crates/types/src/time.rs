//! Points in time as the whole system stores and prints them.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

use crate::component_fields;

/// A UTC instant in microseconds since 1970, as the database stores it. In JSON it is RFC 3339 with
/// milliseconds and `Z` (`2026-11-21T07:08:11.524Z`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The last instant that RFC 3339 can write.
    pub const LAST: Self = Self(LAST_MILLIS * 1000);

    /// The instant `micros` microseconds later (earlier if negative), clamped to the range.
    #[must_use]
    pub fn plus_micros(self, micros: i64) -> Self {
        Self(self.0.saturating_add(micros))
    }

    /// The instant `seconds` seconds later (earlier if negative), clamped to the range.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        self.plus_micros(seconds.saturating_mul(1_000_000))
    }

    /// Parses RFC 3339 with any offset and truncates to milliseconds. `None` for anything else,
    /// including other forms of ISO 8601 and years outside of 0 to 9999 in UTC.
    pub fn parse_rfc_3339(text: &str) -> Option<Self> {
        if !is_rfc_3339(text.as_bytes()) {
            return None;
        }
        // `jiff::Timestamp` ends a day before the end of year 9999, so use civil times.
        let offset = if text.ends_with(['Z', 'z']) { 0 } else { text.len().checked_sub(6)? };
        let (civil, offset_seconds) = match offset {
            0 => (&text[..text.len() - 1], 0),
            at => (&text[..at], offset_seconds(&text[at..])?),
        };
        let civil: jiff::civil::DateTime = civil.parse().ok()?;
        let millis = i64::try_from(civil.duration_since(UNIX_EPOCH).as_millis()).ok()?;
        let millis = millis.checked_sub(offset_seconds * 1000)?;
        (FIRST_MILLIS..=LAST_MILLIS).contains(&millis).then_some(Self(millis * 1000))
    }

    /// Whole seconds since 1970, rounded down.
    pub fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }
}

/// 1970-01-01T00:00:00 as a civil time.
const UNIX_EPOCH: jiff::civil::DateTime = jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0);

/// 0000-01-01T00:00:00Z.
const FIRST_MILLIS: i64 = -62_167_219_200_000;

/// 9999-12-31T23:59:59.999Z.
const LAST_MILLIS: i64 = 253_402_300_799_999;

/// The seconds of an offset such as `+00:00`; `None` for invalid hours or minutes.
fn offset_seconds(text: &str) -> Option<i64> {
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    let seconds = (hours * 60 + minutes) * 60;
    (hours < 24 && minutes < 60).then_some(if text.starts_with('-') { -seconds } else { seconds })
}

/// Whether a text has the form of RFC 3339, section 5.6. The days of each month are not checked.
fn is_rfc_3339(text: &[u8]) -> bool {
    let form = |text: &[u8], form: &[u8]| {
        text.len() == form.len()
            && text.iter().zip(form).all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                b'T' => byte.eq_ignore_ascii_case(&b'T'),
                b'+' => matches!(byte, b'+' | b'-'),
                form => byte == form,
            })
    };
    let Some((instant, rest)) = text.split_at_checked(19) else { return false };
    let fraction = match rest {
        [b'.', digits @ ..] => 1 + digits.iter().take_while(|byte| byte.is_ascii_digit()).count(),
        _ => 0,
    };
    let offset = &rest[fraction..];
    form(instant, b"0000-00-00T00:00:00")
        && (fraction == 0 || (2..=10).contains(&fraction))
        && (offset.eq_ignore_ascii_case(b"Z") || form(offset, b"+00:00"))
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(instant) => write!(f, "{instant:.3}"),
            // Only civil times reach the last day of 9999. Later years have no RFC 3339 form.
            Err(_) => match UNIX_EPOCH.checked_add(jiff::SignedDuration::from_micros(self.0)) {
                Ok(civil) => write!(f, "{civil:.3}Z"),
                Err(_) => write!(f, "{}us", self.0),
            },
        }
    }
}

impl std::str::FromStr for Timestamp {
    type Err = jiff::Error;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wide = text.parse::<jiff::Timestamp>().map(|instant| Self(instant.as_microsecond()));
        wide.or_else(|error| Self::parse_rfc_3339(text).ok_or(error))
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

component_fields! {
    Timestamp: |value: &Value| {
        let text = value.as_str().ok_or("must be a text")?;
        let wrong =
            "must be a time in RFC 3339, not after the year 9999 of UTC, such as 2026-11-21T07:08:11.524Z";
        Self::parse_rfc_3339(text).ok_or_else(|| wrong.into())
    };
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn rfc_3339_with_any_offset_is_read_and_nothing_else() {
        let noon = Timestamp(1_795_262_400_524_000);
        for text in [
            "2026-11-21T12:00:00.524Z",
            "2026-11-21t12:00:00.524z",
            "2026-11-21T12:00:00.5249999Z",
            "2026-11-21T17:30:00.524+05:30",
            "2026-11-20T23:59:00.524-12:01",
        ] {
            assert_eq!(Timestamp::parse_rfc_3339(text), Some(noon), "{text}");
        }
        for bad in [
            "",
            "2026-11-21",
            "2026-11-21T12:00Z",
            "2026-11-21T12:00:00",
            "2026-11-21T12:00:00.Z",
            "2026-11-21T12:00:00.0000000001Z",
            "2026-11-21T12:00:00,5Z",
            "2026-11-21 12:00:00Z",
            "20261121T120000Z",
            "2026-11-21T12:00:00+0530",
            "2026-11-21T12:00:00+05",
            "2026-11-21T12:00:00+99:99",
            "2026-11-21T12:00:00Z[UTC]",
            "2026-02-30T12:00:00Z",
            "2026-13-01T12:00:00Z",
            "2026-11-21T24:01:00Z",
            "+002026-11-21T12:00:00Z",
            "2026-11-21T12:00:00é",
            "1795262400",
        ] {
            assert_eq!(Timestamp::parse_rfc_3339(bad), None, "{bad} was taken");
        }
    }

    #[test]
    fn the_years_0_to_9999_are_read_to_their_ends_and_printed_back() {
        for (text, printed) in [
            ("9999-12-30T22:00:01Z", "9999-12-30T22:00:01.000Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
            ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999Z"),
            ("9999-12-31T23:59:59+23:59", "9999-12-31T00:00:59.000Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
            ("2024-02-29T00:00:00-00:00", "2024-02-29T00:00:00.000Z"),
        ] {
            let time = Timestamp::parse_rfc_3339(text).unwrap();
            assert_eq!(time.to_string(), printed);
            assert_eq!(printed.parse::<Timestamp>().ok(), Some(time), "{text}");
        }
        for beyond in ["9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01", "2026-11-21T12:00:00+24:00"]
        {
            assert_eq!(Timestamp::parse_rfc_3339(beyond), None, "{beyond} was taken");
        }
    }

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
