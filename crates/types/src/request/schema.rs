//! The macros that make requests and their fields, and the schemas that they put together.

use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        AllOf, AllOfBuilder, Array, Object, ObjectBuilder, OneOf, OneOfBuilder, Ref, RefOr, Schema, Type,
        schema::{AdditionalProperties, AnyOf, SchemaType},
    },
};

use super::{Components, Field};

/// The schema of a text, to be narrowed down.
pub fn text_schema() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// A reference to the component that `T` is.
pub fn reference<T: ToSchema>() -> RefOr<Schema> {
    Ref::from_schema_name(T::name()).into()
}

/// Adds `T`, and what it refers to, to the components.
pub fn component<T: ToSchema>(all: &mut Components) {
    all.push((T::name().into_owned(), T::schema()));
    T::schemas(all);
}

/// The schema of a request, which [`request!`](crate::request!) fills.
pub struct RequestSchema(Object);

impl RequestSchema {
    /// A schema without fields, under its doc comment's lines.
    pub fn new(about: &[&str], example: Option<Value>) -> Self {
        let mut object = Object::with_type(Type::Object);
        object.description = Some(prose(about));
        object.example = example;
        object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        Self(object)
    }

    /// Adds a field.
    #[must_use]
    pub fn field<T: Field>(
        mut self,
        name: &str,
        about: &[&str],
        default: Option<Value>,
        example: Option<Value>,
    ) -> Self {
        if T::REQUIRED && default.is_none() {
            self.0.required.push(name.to_owned());
        }
        self.0.properties.insert(name.to_owned(), annotated(T::property(), prose(about), default, example));
        self
    }

    /// Adds the fields of a part that several requests share.
    #[must_use]
    pub fn part<T: PartialSchema>(mut self) -> Self {
        if let RefOr::T(Schema::Object(part)) = T::schema() {
            self.0.required.extend(part.required);
            self.0.properties.extend(part.properties);
        }
        self
    }
}

/// A property with what its request says of it.
fn annotated(
    mut property: RefOr<Schema>,
    about: String,
    new_default: Option<Value>,
    new_example: Option<Value>,
) -> RefOr<Schema> {
    if new_example.is_some() && matches!(property, RefOr::Ref(_)) {
        // A reference itself cannot have an example.
        property = AllOfBuilder::new().item(property).into();
    }
    match &mut property {
        RefOr::Ref(named) => (named.description, named.default) = (about, new_default),
        RefOr::T(
            Schema::Object(Object { description, default, example, .. })
            | Schema::Array(Array { description, default, example, .. })
            | Schema::AllOf(AllOf { description, default, example, .. })
            | Schema::AnyOf(AnyOf { description, default, example, .. }),
        ) => (*description, *default, *example) = (Some(about), new_default, new_example),
        // What may be null is described where it is not.
        RefOr::T(Schema::OneOf(OneOf { items, default, example, .. })) => {
            (*default, *example) = (new_default, new_example);
            if let Some(value) = items.first_mut() {
                *value = annotated(value.clone(), about, None, None);
            }
        }
        // utoipa has no further kinds of schemas, but may get some.
        RefOr::T(_) => {}
    }
    property
}

/// The schema of what a schema describes, or null.
pub fn or_null(mut property: RefOr<Schema>) -> RefOr<Schema> {
    // A closed set of words would have to list null as well.
    if let RefOr::T(Schema::Object(Object { schema_type, enum_values: None, .. })) = &mut property
        && let SchemaType::Type(kind) = schema_type
    {
        *schema_type = SchemaType::Array(vec![kind.clone(), Type::Null]);
        return property;
    }
    OneOfBuilder::new().item(property).item(ObjectBuilder::new().schema_type(Type::Null)).into()
}

impl From<RequestSchema> for RefOr<Schema> {
    fn from(RequestSchema(object): RequestSchema) -> Self {
        Schema::Object(object).into()
    }
}

/// The lines of a doc comment without their indentation.
fn prose(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n")
}

/// A request: a struct, its schema and its parser. `= value` is the value of an absent field,
/// `#[example(…)]` goes into the schema, `..` adds the fields of another such struct.
#[macro_export]
macro_rules! request {
    (
        $(#[doc = $about:literal])+
        $(#[derive($($derive:ident),+)])?
        $(#[example($($example:tt)+)])?
        pub struct $name:ident {
            $(..pub $part:ident: $shared:ty,)?
            $(
                $(#[doc = $doc:literal])+
                $(#[example($($like:tt)+)])?
                pub $field:ident: $type:ty $(= $default:expr)?,
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, $($($derive),+)?)]
        pub struct $name {
            $(pub $part: $shared,)?
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl $crate::Request for $name {
            fn take(fields: &mut $crate::Fields) -> Option<Self> {
                $(let $part = <$shared as $crate::Request>::take(fields);)?
                $(let $field = fields.take(stringify!($field), [$($default)?].into_iter().next());)+
                Some(Self { $($part: $part?,)? $($field: $field?),+ })
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                let example = [$(serde_json::json!($($example)+))?].into_iter().next();
                $crate::request::RequestSchema::new(&[$($about),+], example)
                    $(.part::<$shared>())?
                    $(.field::<$type>(
                        stringify!($field),
                        &[$($doc),+],
                        [$(serde_json::json!($default))?].into_iter().next(),
                        [$(serde_json::json!($($like)+))?].into_iter().next(),
                    ))+
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn schemas(all: &mut $crate::request::Components) {
                $(<$shared as utoipa::ToSchema>::schemas(all);)?
                $(<$type as $crate::Field>::components(all);)+
            }
        }
    };
}

/// Makes fields of types whose schemas are components, each with what reads a value.
#[macro_export]
macro_rules! component_fields {
    ($($type:ty: $read:expr;)+) => {$(
        impl $crate::Field for $type {
            fn property() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::request::reference::<Self>()
            }

            fn components(all: &mut $crate::request::Components) {
                $crate::request::component::<Self>(all);
            }

            fn read(value: serde_json::Value) -> Result<Self, $crate::Wrong> {
                $read(&value)
            }
        }
    )+};
}

/// Makes types of texts, each with its schema and with what is wrong with a text, if anything is.
#[macro_export]
macro_rules! text_fields {
    ($($(#[$about:meta])+ $name:ident: $schema:expr, $wrong:expr;)+) => {$(
        $(#[$about])+
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(pub String);

        impl $crate::Field for $name {
            fn property() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $schema.into()
            }

            fn read(value: serde_json::Value) -> Result<Self, $crate::Wrong> {
                let text = String::read(value)?;
                let wrong: Option<String> = $wrong(&text);
                wrong.map_or(Ok(Self(text)), |sentence| Err(sentence.into()))
            }
        }
    )+};
}
