//! `list_voices`: the voices and their prices. The other tools find a voice by its name, too.

use lectern_service::config::is_slug;
use lectern_types::{Ereader, EreaderId, Page, language::is_tag};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Api, Failed, Outcome, arguments, schema};

/// The most pages that are read, of a hundred voices each.
const PAGES: usize = 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    language: Option<String>,
}

pub(super) fn describe() -> Value {
    json!({
        "name": "list_voices",
        "title": "List voices",
        "description": "The voices that can speak: name, languages, gender, quality and price per character in credits.",
        "inputSchema": schema(&json!({
            "language": { "type": "string", "description": "Only voices that read this language, such as en or pt-BR" },
        }), &[]),
        "annotations": { "readOnlyHint": true, "openWorldHint": false },
    })
}

pub(super) async fn call(api: &Api, given: Value) -> Result<Outcome, Failed> {
    let Arguments { language } = arguments(given)?;
    let voices = all(api, language.as_deref()).await?;
    let mut lines = vec![format!("{} voices:", voices.len())];
    lines.extend(voices.iter().map(line));
    Ok(Outcome::new(lines.join("\n"), json!({ "voices": voices })))
}

fn line(voice: &Ereader) -> String {
    let gender = voice.gender.as_deref().map_or_else(String::new, |gender| format!(", {gender}"));
    let grade = voice.grade.map_or_else(String::new, |grade| format!(", grade {}", grade.as_str()));
    format!(
        "- {} ({}): {}{gender}{grade}, {} credits a character, tier {}",
        voice.slug,
        voice.name,
        voice.languages.join(", "),
        voice.price_per_character.0,
        voice.tier
    )
}

async fn all(api: &Api, language: Option<&str>) -> Result<Vec<Ereader>, Failed> {
    let mut query = "limit=100".to_owned();
    if let Some(language) = language {
        if !is_tag(language) {
            return Err(Failed("`language` must be a language tag such as en or en-US.".to_owned()));
        }
        query.push_str("&language=");
        query.push_str(language);
    }
    let (mut voices, mut cursor) = (Vec::new(), String::new());
    for _ in 0..PAGES {
        let page: Page<Ereader> = api.json(api.get(&format!("/v1/saas/ereaders?{query}{cursor}"))).await?;
        voices.extend(page.data);
        match page.next_cursor {
            // Cursors consist of characters that need no encoding.
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    Ok(voices)
}

/// The id of the voice of this name or id; without one, of the cheapest voice of the free tier.
pub(super) async fn find(api: &Api, name: Option<&str>) -> Result<EreaderId, Failed> {
    let unknown =
        |name: &str| Failed(format!("There is no voice {name:?}; `list_voices` shows those that there are."));
    let Some(name) = name else {
        let mut voices = all(api, None).await?;
        // Equal ones stay in the list's order.
        voices.sort_by_key(|voice| (voice.tier, voice.price_per_character));
        let first = voices.first().ok_or_else(|| Failed("The service has no voices.".to_owned()))?;
        return Ok(first.id);
    };
    if let Ok(id) = name.parse() {
        return Ok(id);
    }
    let slug = name.to_lowercase().replace([' ', '_'], "-");
    if !is_slug(&slug) {
        return Err(unknown(name));
    }
    let found: Ereader = match api.json(api.get(&format!("/v1/saas/ereaders/{slug}"))).await {
        Err(Failed(why)) if why.contains("(ereader_not_found,") => return Err(unknown(name)),
        found => found?,
    };
    Ok(found.id)
}
