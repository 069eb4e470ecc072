//! The settings file: the answers, each under the comment that explains it among the defaults.

use lectern_service::config::DEFAULTS;
use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::answers::Answers;
use crate::error::CommandError;

const HEAD: &str = "\
# Settings of Lectern, written by `lectern init`. Every setting that is not here has its default: see
# docs/reference/settings.md. The environment (LECTERN_SECTION__KEY) beats this file.
";

/// The file's text.
///
/// # Errors
/// None with the defaults of this program, which are TOML.
pub(super) fn text(answers: &Answers) -> Result<String, CommandError> {
    let mut document: DocumentMut = DEFAULTS.parse().map_err(CommandError::from_error)?;
    let root = document.as_table_mut();
    keep(root, "", answers);
    for (name, item) in root.iter_mut() {
        if let Item::Table(section) = item {
            keep(section, &format!("{}.", name.get()), answers);
        }
    }
    root.retain(|_, item| item.as_table().is_none_or(|section| !section.is_empty()));
    Ok(format!("{HEAD}\n{}", document.to_string().trim_start()))
}

/// Leaves the answered settings in a section.
fn keep(section: &mut Table, prefix: &str, answers: &Answers) {
    section.retain(|key, item| item.is_table() || answers.answered(&format!("{prefix}{key}")).is_some());
    for (mut key, item) in section.iter_mut() {
        let Some(answer) = answers.answered(&format!("{prefix}{}", key.get())) else { continue };
        *item = like(item, answer);
        // The first setting has the head of the defaults before its own comment.
        let comment = key.leaf_decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default();
        let own = comment.rsplit("\n\n").next().unwrap_or_default().trim_start().to_owned();
        key.leaf_decor_mut().set_prefix(own);
    }
}

/// An answer as a value of the default's type.
fn like(default: &Item, answer: &str) -> Item {
    if default.is_bool() {
        value(answer == "true")
    } else if default.is_array() {
        value(answer.split(',').map(str::trim).filter(|one| !one.is_empty()).collect::<Array>())
    } else {
        value(answer)
    }
}

#[cfg(test)]
mod tests {
    use lectern_service::config::{Config, Sources};

    use super::*;

    #[test]
    fn the_file_explains_its_settings_and_is_what_was_answered() {
        let mut answers = Answers::new(Vec::new());
        for (key, value) in [
            ("data_dir", "/srv/lectern \"one\""),
            ("http.public_url", "https://speech.example.com"),
            ("http.trusted_proxies", "127.0.0.1/32, ::1/128"),
            ("auth.open_registration", "true"),
        ] {
            answers.set(key, value).unwrap();
        }
        let text = text(&answers).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, &text).unwrap();
        let config = Config::load(&Sources { file: Some(file.path().into()), ..Sources::default() }).unwrap();
        assert_eq!(config.data_dir.to_str().unwrap(), "/srv/lectern \"one\"");
        assert_eq!(config.http.trusted_proxies.len(), 2);
        assert!(config.auth.open_registration);
        assert_eq!(text.matches(" = ").count(), 4, "{text}");
        for line in text.lines() {
            let is_explained = !line.contains(" = ") || text.contains(&format!(".\n{line}"));
            assert!(is_explained, "no comment ends above {line:?}:\n{text}");
        }
        assert!(!text.contains("built into the binary"), "{text}");
    }
}
