//! Requests: [`request!`](crate::request!) makes one struct the value that services work with, its
//! schema, and the parser that names every wrong field at once. The type of a field, a [`Field`],
//! says what the field takes. Types that belong to one resource are in its module.

mod schema;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, HashSet},
    fmt::{self, Debug, Display},
    hash::Hash,
    ops::RangeInclusive,
};

use secrecy::SecretString;
use serde::de::{DeserializeOwned, IntoDeserializer as _, value::Error as NoWord};
use serde_json::{Map, Value};
use utoipa::{
    PartialSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

pub use schema::{RequestSchema, component, or_null, reference, text_schema};

/// Unknown fields that are named: a body of nothing else must not make an answer several times its
/// size.
pub const MOST_UNKNOWN: usize = 100;

/// How many wrong entries of a list are named.
const MOST_ENTRIES: usize = 10;

/// Schemas that others refer to, by name.
pub type Components = Vec<(String, RefOr<Schema>)>;

/// The invalid fields of a request, each with what is wrong with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldErrors(pub BTreeMap<String, String>);

impl FieldErrors {
    /// One field, and a sentence that says what is wrong with it.
    pub fn one(field: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self(BTreeMap::from([(field.into(), sentence.into())]))
    }

    /// Adds a field; the first sentence about a field stays.
    pub fn add(&mut self, field: impl Into<String>, sentence: impl Into<String>) {
        self.0.entry(field.into()).or_insert_with(|| sentence.into());
    }

    /// `Err` when any field is invalid.
    pub fn into_result(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

/// What is wrong with a field: a sentence about the whole, or one for each wrong entry, under its
/// place (`[3]`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong(Vec<(String, String)>);

impl<T: Display> From<T> for Wrong {
    fn from(sentence: T) -> Self {
        Self(vec![(String::new(), sentence.to_string())])
    }
}

impl Wrong {
    /// What is wrong with the fields of an object that is a field itself, each under its place (`.speed`).
    pub fn within(errors: FieldErrors) -> Self {
        Self(errors.0.into_iter().map(|(field, sentence)| (format!(".{field}"), sentence)).collect())
    }
}

/// What a field of a request takes.
pub trait Field: Sized {
    /// Whether the schema lists it as required.
    const REQUIRED: bool = true;

    /// The schema of its values.
    fn property() -> RefOr<Schema>;

    /// Adds the schemas that the property refers to.
    fn components(_: &mut Components) {}

    /// The value that a request sends.
    fn read(value: Value) -> Result<Self, Wrong>;

    /// The value of a request that does not send the field.
    fn absent() -> Result<Self, Wrong> {
        Err("is required".into())
    }
}

/// A field that may be absent, but not null.
impl<T: Field> Field for Option<T> {
    const REQUIRED: bool = false;

    fn property() -> RefOr<Schema> {
        T::property()
    }

    fn components(all: &mut Components) {
        T::components(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        T::read(value).map(Some)
    }

    fn absent() -> Result<Self, Wrong> {
        Ok(None)
    }
}

/// A value or null. In a change, `Option<OrNull<T>>` tells a field that stays from one that is
/// removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrNull<T>(pub Option<T>);

/// A value that can be null.
pub trait Nullable: Field {
    /// What is wrong with a value that is neither.
    const OR_NULL: &'static str = "must be a text or null";

    /// Whether a value is of the kind of JSON that this is written in.
    fn is_kind(value: &Value) -> bool {
        value.is_string()
    }
}

impl<T: Nullable> Field for OrNull<T> {
    fn property() -> RefOr<Schema> {
        or_null(T::property())
    }

    fn components(all: &mut Components) {
        T::components(all);
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        match value {
            Value::Null => Ok(Self(None)),
            value if T::is_kind(&value) => T::read(value).map(|value| Self(Some(value))),
            _ => Err(T::OR_NULL.into()),
        }
    }
}

impl Field for String {
    fn property() -> RefOr<Schema> {
        text_schema().into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        match value {
            Value::String(text) => Ok(text),
            _ => Err("must be a text".into()),
        }
    }
}

impl Field for bool {
    fn property() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Boolean).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        value.as_bool().ok_or_else(|| "must be true or false".into())
    }
}

/// A displayable name of at most `MOST` characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name<const MOST: usize>(pub String);

impl<const MOST: usize> Field for Name<MOST> {
    fn property() -> RefOr<Schema> {
        let pattern =
            r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";
        text_schema().min_length(Some(1)).max_length(Some(MOST)).pattern(Some(pattern)).into()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        let text = String::read(value)?;
        let says = text.chars().any(|character| !character.is_whitespace());
        if says && text.chars().nth(MOST).is_none() && !text.chars().any(char::is_control) {
            return Ok(Self(text));
        }
        Err(format!(
            "must be 1 to {MOST} characters, not only white space and none of them a control character"
        )
        .into())
    }
}

/// An e-mail address as it was sent. It is personal data, so `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct EmailAddress(pub String);

impl Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EmailAddress([REDACTED])")
    }
}

impl Field for EmailAddress {
    fn property() -> RefOr<Schema> {
        String::property()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        String::read(value).map(Self)
    }
}

impl Field for SecretString {
    fn property() -> RefOr<Schema> {
        String::property()
    }

    fn read(value: Value) -> Result<Self, Wrong> {
        String::read(value).map(Into::into)
    }
}

/// One of a closed set of words.
///
/// # Errors
/// For anything else, naming the words.
pub fn word<T: PartialSchema + DeserializeOwned>(value: &Value) -> Result<T, Wrong> {
    let text = value.as_str().ok_or_else(one_of::<T>)?;
    Ok(parse_word(text)?)
}

/// The same of a text, with the sentence about another one.
///
/// # Errors
/// As [`word`].
pub fn parse_word<T: PartialSchema + DeserializeOwned>(text: &str) -> Result<T, String> {
    T::deserialize(text.into_deserializer()).map_err(|_: NoWord| one_of::<T>())
}

/// The sentence about what is none of the words that the schema of `T` lists.
pub fn one_of<T: PartialSchema>() -> String {
    format!("must be one of: {}", words::<T>())
}

/// The words that the schema of `T` lists.
pub fn words<T: PartialSchema>() -> String {
    let RefOr::T(Schema::Object(schema)) = T::schema() else { return String::new() };
    let words = schema.enum_values.iter().flatten().filter_map(Value::as_str);
    words.collect::<Vec<_>>().join(", ")
}

/// A whole number of this range, whatever its notation in JSON, where 12.0 is one too.
///
/// # Errors
/// The sentence about any other value.
pub fn whole<T: TryFrom<u64> + Copy + PartialOrd + Display>(
    value: &Value,
    range: RangeInclusive<T>,
) -> Result<T, Wrong> {
    let spelt_as_fraction = || value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0);
    let number = value.as_u64().or_else(|| spelt_as_fraction().map(|number| number as u64));
    let number = number.and_then(|number| T::try_from(number).ok()).filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be a whole number from {} to {}", range.start(), range.end()).into())
}

/// The entries of a list, read one by one. Wrong ones are named by their place.
///
/// # Errors
/// `no_list` for what is no list, else the first wrong entries.
pub fn entries<T>(
    value: Value,
    no_list: &str,
    mut read: impl FnMut(Value) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    let Value::Array(entries) = value else { return Err(no_list.into()) };
    let (mut found, mut wrong) = (Vec::with_capacity(entries.len()), Vec::new());
    for (at, entry) in entries.into_iter().enumerate() {
        match read(entry) {
            Ok(entry) => found.push(entry),
            Err(Wrong(said)) => {
                wrong.extend(said.into_iter().map(|(place, sentence)| (format!("[{at}]{place}"), sentence)));
            }
        }
        if wrong.len() >= MOST_ENTRIES {
            break;
        }
    }
    if wrong.is_empty() { Ok(found) } else { Err(Wrong(wrong)) }
}

/// The entries of a list of at least one, none of them twice.
///
/// # Errors
/// As [`entries`].
pub fn distinct<T: Copy + Eq + Hash>(
    value: Value,
    no_list: &str,
    mut read: impl FnMut(&Value) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    if value.as_array().is_none_or(Vec::is_empty) {
        return Err(no_list.into());
    }
    let mut seen = HashSet::new();
    entries(value, no_list, |entry| {
        let entry = read(&entry)?;
        if seen.insert(entry) { Ok(entry) } else { Err("is in the list twice".into()) }
    })
}

/// The fields of a body, taken one by one. The fields left at the end are unknown ones.
pub struct Fields {
    rest: Map<String, Value>,
    errors: FieldErrors,
}

impl Fields {
    /// The fields of this object.
    pub fn of(object: Map<String, Value>) -> Self {
        Self { rest: object, errors: FieldErrors::default() }
    }

    /// Takes a field, which is `default` when it is absent; `None` when it is wrong, which is noted.
    pub fn take<T: Field>(&mut self, field: &str, default: Option<T>) -> Option<T> {
        let read = match self.rest.remove(field) {
            Some(value) => T::read(value),
            None => default.map_or_else(T::absent, Ok),
        };
        let noted = |Wrong(sentences)| {
            for (place, said) in sentences {
                self.errors.add(format!("{field}{place}"), said);
            }
        };
        read.map_err(noted).ok()
    }

    /// Notes that a field is wrong.
    pub fn wrong(&mut self, field: &str, sentence: &str) {
        self.errors.add(field, sentence);
    }

    /// What was read of them, or everything that is wrong, unknown fields included.
    ///
    /// # Errors
    /// The wrong fields. There are some when nothing was read.
    pub fn finish<T>(mut self, read: Option<T>) -> Result<T, FieldErrors> {
        for field in self.rest.keys().take(MOST_UNKNOWN) {
            self.errors.add(field.chars().take(100).collect::<String>(), "is not a field of this request");
        }
        self.errors.0.is_empty().then_some(read).flatten().ok_or(self.errors)
    }
}

/// A request whose body is a JSON object.
pub trait Request: Sized {
    /// Takes the fields; `None` when one is wrong, which is noted.
    fn take(fields: &mut Fields) -> Option<Self>;

    /// The request that a body is.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    fn parse(object: Map<String, Value>) -> Result<Self, FieldErrors> {
        let mut fields = Fields::of(object);
        let read = Self::take(&mut fields);
        fields.finish(read)
    }
}
