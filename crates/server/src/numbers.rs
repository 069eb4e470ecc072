//! Numbers on the command line. A negative number is parsed as a value, not as an unknown option,
//! and an error names the valid range.

/// Parses an integer within a range.
pub(crate) fn whole<T: TryFrom<i128>>(
    least: i128,
    most: i128,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse::<i128>().ok().filter(|number| (least..=most).contains(number));
        let sign = match (least, text.starts_with('-')) {
            (1, true) => "must be positive: ",
            (0, true) => "must not be negative: ",
            _ => "must be ",
        };
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| format!("{sign}a whole number from {least} to {most}"))
    }
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn a_number_out_of_range_names_the_valid_range() {
        let read = whole::<u16>(1, 1024);
        assert_eq!((read("1"), read("1024")), (Ok(1), Ok(1024)));
        for (text, words) in [
            ("-5", "must be positive: a whole number from 1 to 1024"),
            ("0", "must be a whole number from 1 to 1024"),
            ("1025", "must be a whole number from 1 to 1024"),
            ("1.5", "must be a whole number"),
            ("", "must be a whole number"),
            ("9999999999999999999999999999999999999999999", "must be a whole number"),
        ] {
            assert!(read(text).unwrap_err().starts_with(words), "{text}: {:?}", read(text));
        }
        assert!(whole::<i64>(0, 9)("-1").unwrap_err().starts_with("must not be negative"));
        assert_eq!(whole::<u64>(0, u64::MAX.into())("18446744073709551615"), Ok(u64::MAX));
    }
}
