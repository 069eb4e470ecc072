//! Shares the repeated parts of the finished document. A failure's response, a parameter, a header
//! or an example that occurs in several places moves to the components, and each place refers to
//! it. The document means the same as before.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::{failures::KEYED, operations};

/// A part that may be shared, its place, and the name of its component.
type Place<'a> = (String, &'a mut Value);

/// Finds the places in a document where one kind of component may occur.
type Places = fn(&mut Value) -> Vec<Place<'_>>;

/// The kinds of components and where they occur. Responses come first, so that a part that occurs
/// only in a shared response counts once.
const KINDS: [(&str, Places); 4] =
    [("responses", failures), ("parameters", parameters), ("headers", headers), ("examples", examples)];

/// Replaces repeated parts of the document by references to components.
pub(super) fn share(api: &mut Value) {
    for (kind, places) in KINDS {
        let chosen = chosen(places(api));
        let mut shared = Map::new();
        for (name, place) in places(api) {
            let content = place.to_string();
            if chosen.get(&name) == Some(&content) {
                let reference = json!({ "$ref": format!("#/components/{kind}/{name}") });
                shared.insert(name, std::mem::replace(place, reference));
            }
        }
        api["components"][kind] = shared.into();
    }
    share_items(api);
}

/// Replaces what is on the pages of lists, which are written out there, by references to their schemas.
fn share_items(api: &mut Value) {
    let Some(Value::Object(schemas)) = api.pointer_mut("/components/schemas") else { return };
    let known = schemas.clone();
    for (name, schema) in schemas {
        let item = name.strip_prefix("Page_").and_then(|item| Some((item, known.get(item)?)));
        let items = schema.pointer_mut("/properties/data/items");
        if let (Some((item, schema)), Some(items)) = (item, items)
            && items == schema
        {
            *items = json!({ "$ref": format!("#/components/schemas/{item}") });
        }
    }
}

/// The content of each component. One name can have several contents: the most frequent one is
/// shared, and the others stay in place.
fn chosen(places: Vec<Place<'_>>) -> BTreeMap<String, String> {
    let mut uses = BTreeMap::<String, BTreeMap<String, usize>>::new();
    for (name, place) in places {
        *uses.entry(name).or_default().entry(place.to_string()).or_default() += 1;
    }
    let most_frequent = |contents: BTreeMap<String, usize>| {
        contents.into_iter().max_by_key(|(_, count)| *count).filter(|(_, count)| *count > 1)
    };
    let named = uses.into_iter().filter_map(|(name, contents)| Some((name, most_frequent(contents)?.0)));
    named.collect()
}

/// The responses that are failures, named after their codes.
fn failures(api: &mut Value) -> Vec<Place<'_>> {
    let responses = operations(&mut api["paths"]).filter_map(|operation| operation.get_mut("responses"));
    let responses = responses.filter_map(Value::as_object_mut).flatten();
    let named = responses.filter_map(|(status, response)| {
        let examples = response.pointer("/content/application~1json/examples")?.as_object()?;
        let status: StatusCode = status.parse().ok()?;
        let name = failure_name(status, &examples.keys().map(String::as_str).collect::<Vec<_>>());
        Some((name, response))
    });
    named.collect()
}

/// All codes of a failure. If several of them can occur with every key, the status stands for
/// those: `Forbidden_InsufficientScope`.
fn failure_name(status: StatusCode, codes: &[&str]) -> String {
    let keyed = KEYED.iter().filter(|code| code.http_status() == status).map(|code| code.as_str());
    let keyed: Vec<_> = keyed.collect();
    let summed_up = keyed.len() > 1 && keyed.iter().all(|code| codes.contains(code));
    let reason = status.canonical_reason().filter(|_| summed_up);
    let named = codes.iter().copied().filter(|code| !(summed_up && keyed.contains(code)));
    reason.into_iter().chain(named).map(pascal_case).collect::<Vec<_>>().join("_")
}

/// The parameters, named after their schema or, if that has no name, after themselves.
fn parameters(api: &mut Value) -> Vec<Place<'_>> {
    let parameters =
        operations(&mut api["paths"]).filter_map(|operation| operation.get_mut("parameters")?.as_array_mut());
    let named = parameters.flatten().filter_map(|parameter| {
        let schema = parameter.pointer("/schema/$ref").and_then(Value::as_str);
        let name = match schema.and_then(|reference| reference.rsplit('/').next()) {
            Some(schema) => schema.to_owned(),
            None => pascal_case(parameter["name"].as_str()?),
        };
        Some((name, parameter))
    });
    named.collect()
}

/// The headers of responses, under their own names.
fn headers(api: &mut Value) -> Vec<Place<'_>> {
    let headers =
        responses(api).into_iter().filter_map(|response| response.get_mut("headers")?.as_object_mut());
    headers.flatten().map(|(name, header)| (name.clone(), header)).collect()
}

/// The examples in responses, under their own names: the codes.
fn examples(api: &mut Value) -> Vec<Place<'_>> {
    let contents =
        responses(api).into_iter().filter_map(|response| response.get_mut("content")?.as_object_mut());
    let contents = contents.flat_map(Map::values_mut);
    let examples = contents.filter_map(|content| content.get_mut("examples")?.as_object_mut());
    examples.flatten().map(|(name, example)| (name.clone(), example)).collect()
}

/// The responses of all operations, and those that are already components.
fn responses(api: &mut Value) -> Vec<&mut Value> {
    let mut found = Vec::new();
    for (part, value) in api.as_object_mut().into_iter().flatten() {
        match part.as_str() {
            "components" => found.extend(value.get_mut("responses")),
            "paths" => found.extend(operations(value).filter_map(|operation| operation.get_mut("responses"))),
            _ => {}
        }
    }
    found.into_iter().filter_map(Value::as_object_mut).flat_map(Map::values_mut).collect()
}

/// `idempotency_key_reuse` and `Idempotency-Key` as `IdempotencyKeyReuse` and `IdempotencyKey`.
fn pascal_case(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let capitalized = words.map(|word| {
        let (first, others) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + others
    });
    capitalized.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::{openapi, router};

    /// The document before any schema is shared.
    fn unshared() -> Value {
        openapi::complete(router::described())
    }

    /// `value` with every reference replaced by its component.
    fn resolved(value: &Value, document: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| resolved(item, document)).collect(),
            Value::Object(members) => {
                let mut own: Map<_, _> =
                    members.iter().map(|(name, member)| (name.clone(), resolved(member, document))).collect();
                let Some(Value::String(reference)) = own.remove("$ref") else { return own.into() };
                let target = document.pointer(reference.trim_start_matches('#')).expect(&reference);
                let mut target = resolved(target, document);
                // Only a reference to a schema has members next to it.
                target.as_object_mut().unwrap().append(&mut own);
                target
            }
            other => other.clone(),
        }
    }

    // Negative control: seen to fail, naming a path, when `share` compares names and not contents.
    #[test]
    fn the_shared_document_means_the_same() {
        let before = unshared();
        let mut after = before.clone();
        share(&mut after);
        let (mut before, mut after) = (resolved(&before, &before), resolved(&after, &after));
        let components = after["components"].as_object_mut().unwrap();
        for (kind, _) in KINDS {
            assert!(
                components.remove(kind).is_some_and(|shared| shared.as_object().unwrap().len() > 1),
                "{kind}"
            );
        }
        let (paths_before, paths_after) = (before["paths"].take(), after["paths"].take());
        for (path, item) in paths_before.as_object().unwrap() {
            assert!(paths_after[path] == *item, "{path} has changed");
        }
        assert!(paths_before == paths_after && before == after);
    }

    #[test]
    fn names_are_those_of_what_is_shared() {
        let mut document = unshared();
        share(&mut document);
        let components = &document["components"];
        for (kind, name) in [
            ("responses", "ValidationFailed"),
            ("responses", "Unauthorized"),
            ("responses", "Forbidden_InsufficientScope"),
            ("parameters", "IdempotencyKey"),
            ("parameters", "Environment"),
            ("headers", "X-Request-Id"),
            ("examples", "invalid_idempotency_key"),
        ] {
            assert!(components[kind][name].is_object(), "{kind} {name}");
        }
    }

    // Negative control: seen to fail when `share` compares names and not contents.
    #[test]
    fn a_name_for_several_contents_goes_to_the_most_frequent() {
        let limit = |maximum: u32| json!({ "name": "limit", "schema": { "maximum": maximum } });
        let operation = |maximum: u32| json!({ "get": { "parameters": [limit(maximum)] } });
        let mut document = json!({
            "components": {},
            "paths": { "/a": operation(9), "/b": operation(5), "/c": operation(5), "/d": operation(9), "/e": operation(5) },
        });
        share(&mut document);
        assert_eq!(document["components"]["parameters"], json!({ "Limit": limit(5) }));
        assert_eq!(document["paths"]["/a"], operation(9));
        let reference = json!({ "$ref": "#/components/parameters/Limit" });
        assert_eq!(document["paths"]["/e"]["get"]["parameters"], json!([reference]));
    }
}
