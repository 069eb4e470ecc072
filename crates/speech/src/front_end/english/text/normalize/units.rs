//! Units of measure after numbers.

use super::{ambiguous, scan};

/// A unit as written in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    /// The byte after it.
    pub end: usize,
    /// Its name after the number one.
    pub one: &'static str,
    /// Its name after any other number.
    pub many: &'static str,
}

/// Sign, singular, plural; the plural is empty where it is the singular with an `s`.
const UNITS: &[(&str, &str, &str)] = &[
    ("km", "kilometer", ""),
    ("m", "meter", ""),
    ("cm", "centimeter", ""),
    ("mm", "millimeter", ""),
    ("nm", "nanometer", ""),
    ("μm", "micrometer", ""),
    ("km²", "square kilometer", ""),
    ("m²", "square meter", ""),
    ("cm²", "square centimeter", ""),
    ("mm²", "square millimeter", ""),
    ("km2", "square kilometer", ""),
    ("m2", "square meter", ""),
    ("m³", "cubic meter", ""),
    ("cm³", "cubic centimeter", ""),
    ("m3", "cubic meter", ""),
    ("km³", "cubic kilometer", ""),
    ("ha", "hectare", ""),
    ("mi", "mile", ""),
    ("yd", "yard", ""),
    ("yds", "yard", ""),
    ("ft", "foot", "feet"),
    ("ft²", "square foot", "square feet"),
    ("sq ft", "square foot", "square feet"),
    ("sq mi", "square mile", ""),
    ("sq km", "square kilometer", ""),
    ("sq m", "square meter", ""),
    ("mph", "mile per hour", "miles per hour"),
    ("kph", "kilometer per hour", "kilometers per hour"),
    ("km/h", "kilometer per hour", "kilometers per hour"),
    ("kmh", "kilometer per hour", "kilometers per hour"),
    ("m/s", "meter per second", "meters per second"),
    ("m/s²", "meter per second squared", "meters per second squared"),
    ("kn", "knot", ""),
    ("kts", "knot", ""),
    ("kg", "kilogram", ""),
    ("g", "gram", ""),
    ("mg", "milligram", ""),
    ("μg", "microgram", ""),
    ("mcg", "microgram", ""),
    ("t", "ton", ""),
    ("lb", "pound", ""),
    ("lbs", "pound", ""),
    ("oz", "ounce", ""),
    ("fl oz", "fluid ounce", ""),
    ("L", "liter", ""),
    ("l", "liter", ""),
    ("ml", "milliliter", ""),
    ("mL", "milliliter", ""),
    ("cl", "centiliter", ""),
    ("dl", "deciliter", ""),
    ("dL", "deciliter", ""),
    ("μL", "microliter", ""),
    ("gal", "gallon", ""),
    ("qt", "quart", ""),
    ("tbsp", "tablespoon", ""),
    ("Tbsp", "tablespoon", ""),
    ("tbsps", "tablespoon", ""),
    ("tsp", "teaspoon", ""),
    ("tsps", "teaspoon", ""),
    ("T.", "tablespoon", ""),
    ("cc", "cubic centimeter", ""),
    ("s", "second", ""),
    ("sec", "second", ""),
    ("secs", "second", ""),
    ("ms", "millisecond", ""),
    ("μs", "microsecond", ""),
    ("ns", "nanosecond", ""),
    ("min", "minute", ""),
    ("mins", "minute", ""),
    ("h", "hour", ""),
    ("hr", "hour", ""),
    ("hrs", "hour", ""),
    ("yr", "year", ""),
    ("yrs", "year", ""),
    ("wk", "week", ""),
    ("wks", "week", ""),
    ("Hz", "hertz", "hertz"),
    ("kHz", "kilohertz", "kilohertz"),
    ("MHz", "megahertz", "megahertz"),
    ("GHz", "gigahertz", "gigahertz"),
    ("KB", "kilobyte", ""),
    ("kB", "kilobyte", ""),
    ("MB", "megabyte", ""),
    ("GB", "gigabyte", ""),
    ("TB", "terabyte", ""),
    ("PB", "petabyte", ""),
    ("Kb", "kilobit", ""),
    ("Mb", "megabit", ""),
    ("Gb", "gigabit", ""),
    ("kbps", "kilobit per second", "kilobits per second"),
    ("Mbps", "megabit per second", "megabits per second"),
    ("Gbps", "gigabit per second", "gigabits per second"),
    ("MB/s", "megabyte per second", "megabytes per second"),
    ("GB/s", "gigabyte per second", "gigabytes per second"),
    ("kbit/s", "kilobit per second", "kilobits per second"),
    ("Mbit/s", "megabit per second", "megabits per second"),
    ("V", "volt", ""),
    ("kV", "kilovolt", ""),
    ("mV", "millivolt", ""),
    ("W", "watt", ""),
    ("kW", "kilowatt", ""),
    ("MW", "megawatt", ""),
    ("GW", "gigawatt", ""),
    ("mW", "milliwatt", ""),
    ("kWh", "kilowatt hour", ""),
    ("MWh", "megawatt hour", ""),
    ("Wh", "watt hour", ""),
    ("mA", "milliamp", ""),
    ("mAh", "milliamp hour", ""),
    ("Ah", "amp hour", ""),
    ("Ω", "ohm", ""),
    ("kΩ", "kilohm", ""),
    ("kcal", "kilocalorie", ""),
    ("cal", "calorie", ""),
    ("kJ", "kilojoule", ""),
    ("N·m", "newton meter", ""),
    ("kg·m", "kilogram meter", ""),
    ("Pa", "pascal", ""),
    ("kPa", "kilopascal", ""),
    ("hPa", "hectopascal", ""),
    ("mmHg", "millimeter of mercury", "millimeters of mercury"),
    ("psi", "pound per square inch", "pounds per square inch"),
    ("rpm", "revolution per minute", "revolutions per minute"),
    ("bpm", "beat per minute", "beats per minute"),
    ("fps", "frame per second", "frames per second"),
    ("dpi", "dot per inch", "dots per inch"),
    ("ppm", "part per million", "parts per million"),
    ("mpg", "mile per gallon", "miles per gallon"),
    ("dB", "decibel", ""),
    ("px", "pixel", ""),
    ("Nm", "newton meter", ""),
    ("μF", "microfarad", ""),
    ("nF", "nanofarad", ""),
    ("pF", "picofarad", ""),
    ("kA", "kiloamp", ""),
    ("μA", "microamp", ""),
    ("MΩ", "megohm", ""),
    ("MPa", "megapascal", ""),
    ("GPa", "gigapascal", ""),
    ("MJ", "megajoule", ""),
    ("GJ", "gigajoule", ""),
    ("kN", "kilonewton", ""),
    ("mol", "mole", ""),
    ("mmol", "millimole", ""),
    ("TWh", "terawatt hour", ""),
    ("GWh", "gigawatt hour", ""),
    ("TW", "terawatt", ""),
    ("THz", "terahertz", "terahertz"),
    ("Tbps", "terabit per second", "terabits per second"),
    ("GiB", "gibibyte", ""),
    ("MiB", "mebibyte", ""),
    ("atm", "atmosphere", ""),
    ("bbl", "barrel", ""),
    ("bps", "basis point", ""),
    ("mo", "month", ""),
    ("nmi", "nautical mile", ""),
    ("sq. ft", "square foot", "square feet"),
    ("sq. mi", "square mile", ""),
    ("sq. km", "square kilometer", ""),
    ("sq. m", "square meter", ""),
    ("cu ft", "cubic foot", "cubic feet"),
    ("cu. ft", "cubic foot", "cubic feet"),
    ("fl. oz", "fluid ounce", ""),
    ("pt.", "pint", ""),
    ("c.", "cup", ""),
    ("K", "kelvin", "kelvin"),
    ("A", "amp", ""),
    ("MP", "megapixel", ""),
    ("hp", "horsepower", "horsepower"),
    ("kt", "knot", ""),
    ("mos", "month", ""),
    ("qts", "quart", ""),
    ("doz.", "dozen", "dozen"),
    ("OZ", "ounce", ""),
    ("FL OZ", "fluid ounce", ""),
    ("LB", "pound", ""),
    ("LBS", "pound", ""),
    ("KG", "kilogram", ""),
    ("T", "tesla", "tesla"),
    ("mT", "millitesla", "millitesla"),
    ("μT", "microtesla", "microtesla"),
    ("nT", "nanotesla", "nanotesla"),
    ("N", "newton", ""),
    ("J", "joule", ""),
    ("mJ", "millijoule", ""),
    ("eV", "electron volt", ""),
    ("keV", "kiloelectron volt", ""),
    ("MeV", "megaelectron volt", ""),
    ("GeV", "gigaelectron volt", ""),
    ("TeV", "teraelectron volt", ""),
    ("Bq", "becquerel", ""),
    ("kBq", "kilobecquerel", ""),
    ("MBq", "megabecquerel", ""),
    ("GBq", "gigabecquerel", ""),
    ("Sv", "sievert", ""),
    ("mSv", "millisievert", ""),
    ("μSv", "microsievert", ""),
    ("Gy", "gray", ""),
    ("mGy", "milligray", ""),
    ("lx", "lux", "lux"),
    ("lm", "lumen", ""),
    ("mH", "millihenry", "millihenries"),
    ("kVA", "kilovolt amp", ""),
    ("dBA", "decibel A", "decibels A"),
    ("dBm", "decibel milliwatt", ""),
    ("mbar", "millibar", ""),
    ("Å", "angstrom", ""),
    ("ng", "nanogram", ""),
    ("pg", "picogram", ""),
    ("fs", "femtosecond", ""),
    ("dm", "decimeter", ""),
    ("hl", "hectoliter", ""),
    ("hL", "hectoliter", ""),
    ("Mt", "megaton", ""),
    ("Gt", "gigaton", ""),
    ("M", "molar", "molar"),
    ("mM", "millimolar", "millimolar"),
    ("μM", "micromolar", "micromolar"),
    ("nM", "nanomolar", "nanomolar"),
    ("pts", "point", ""),
    ("reb", "rebound", ""),
    ("rebs", "rebound", ""),
    ("ast", "assist", ""),
    ("asts", "assist", ""),
    ("mPa·s", "millipascal second", ""),
    ("Pa·s", "pascal second", ""),
    ("A·h", "amp hour", ""),
    ("kW·h", "kilowatt hour", ""),
    ("W·h", "watt hour", ""),
    ("N·s", "newton second", ""),
    ("T", "tablespoon", ""),
    ("pts", "pint", ""),
    ("pct pts", "percentage point", ""),
    ("pct. pts", "percentage point", ""),
    ("% pts", "percentage point", ""),
    ("pp", "percentage point", ""),
    ("deg", "degree", ""),
    ("deg.", "degree", ""),
    ("deg C", "degree Celsius", "degrees Celsius"),
    ("deg. C", "degree Celsius", "degrees Celsius"),
    ("deg F", "degree Fahrenheit", "degrees Fahrenheit"),
    ("deg. F", "degree Fahrenheit", "degrees Fahrenheit"),
    ("F", "degree Fahrenheit", "degrees Fahrenheit"),
    ("C", "degree Celsius", "degrees Celsius"),
    ("%", "percent", "percent"),
    ("‰", "per mille", "per mille"),
    ("pct", "percent", "percent"),
    ("°", "degree", ""),
    ("°C", "degree Celsius", "degrees Celsius"),
    ("°F", "degree Fahrenheit", "degrees Fahrenheit"),
    ("° C", "degree Celsius", "degrees Celsius"),
    ("° F", "degree Fahrenheit", "degrees Fahrenheit"),
    ("°K", "degree Kelvin", "degrees Kelvin"),
    ("°N", "degree north", "degrees north"),
    ("°S", "degree south", "degrees south"),
    ("°E", "degree east", "degrees east"),
    ("°W", "degree west", "degrees west"),
];

/// Plurals of the units whose plural is the singular with an `s`, in the order of `UNITS`.
fn plural(index: usize) -> &'static str {
    static PLURALS: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    let plurals = PLURALS.get_or_init(|| {
        let form = |unit: &(&str, &str, &str)| {
            if unit.2.is_empty() { format!("{}s", unit.1) } else { unit.2.to_owned() }
        };
        UNITS.iter().map(form).collect()
    });
    plurals.get(index).map_or("", String::as_str)
}

/// The unit directly after a number that ends at `at`, with or without a space; the longest one
/// that fits.
pub(super) fn at(t: &str, at: usize) -> Option<Unit> {
    let start = scan::past_space(t, at);
    let rest = scan::tail(t, start);
    let fits = |sign: &str, name: &str| {
        let end = start + sign.len();
        let whole = scan::edge(t, end) || !sign.ends_with(char::is_alphanumeric);
        rest.starts_with(sign)
            && whole
            && ambiguous::stands(t, at, (sign, name), end)
            && !scan::tail(t, end).starts_with('\'')
    };
    let (index, unit) = UNITS
        .iter()
        .enumerate()
        .filter(|(_, unit)| fits(unit.0, unit.1))
        .max_by_key(|(_, unit)| unit.0.len())?;
    Some(Unit { end: start + unit.0.len(), one: unit.1, many: plural(index) })
}

/// The unit directly at `at`, the longest one that fits, where nothing else can be meant: after a slash or a sign of
/// multiplication.
pub(super) fn factor(t: &str, at: usize) -> Option<(&'static str, usize)> {
    let fits = |sign: &str| scan::tail(t, at).starts_with(sign) && scan::edge(t, at + sign.len());
    let unit = UNITS.iter().filter(|unit| fits(unit.0)).max_by_key(|unit| unit.0.len())?;
    Some((unit.1, at + unit.0.len()))
}

/// What exactly this sign is called after one thing.
pub(super) fn named(sign: &str) -> Option<&'static str> {
    UNITS.iter().find(|unit| unit.0 == sign).map(|unit| unit.1)
}

/// What exactly this sign is called after many.
pub(super) fn called(sign: &str) -> Option<&'static str> {
    UNITS.iter().position(|unit| unit.0 == sign).map(plural)
}
