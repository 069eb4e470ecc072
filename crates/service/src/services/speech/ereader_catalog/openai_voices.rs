//! What the `voice` of OpenAI's API stands for.

use lectern_store::{
    Store,
    ereaders::{self, Ereader, Filter},
};
use lectern_types::EreaderId;

use super::default_among;
use crate::{config::Alias, error::Result};

/// The names of OpenAI's own voices.
const NAMES: &[&str] = &[
    "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer",
    "verse",
];

/// The active e-readers, and what names of other services stand for.
#[derive(Debug)]
pub struct Catalogue {
    active: Vec<Ereader>,
    aliases: Vec<Alias>,
}

impl Catalogue {
    /// Reads the active e-readers. `aliases` are those of the settings; one whose e-reader is not
    /// there stands for the default one. What a name stands for, and so what it costs, does not
    /// depend on the engines of the process that is asked.
    ///
    /// # Errors
    /// The store's.
    pub async fn read(store: &Store, aliases: &[Alias]) -> Result<Self> {
        let active = ereaders::list(store, Filter::default()).await?;
        let is_there = |alias: &&Alias| active.iter().any(|ereader| ereader.slug == alias.slug);
        let aliases = aliases.iter().filter(is_there).cloned().collect();
        Ok(Self { active, aliases })
    }

    /// The e-readers, newest first.
    pub fn newest_first(&self) -> Vec<&Ereader> {
        let mut all: Vec<&Ereader> = self.active.iter().collect();
        all.sort_by_key(|ereader| std::cmp::Reverse(ereader.id));
        all
    }

    /// The other names that `voice` takes, sorted, with what they stand for. A name that is also an
    /// e-reader's slug stands for that one and is left out.
    pub fn other_names(&self) -> Vec<(&str, &Ereader)> {
        let names = NAMES.iter().copied().chain(self.aliases.iter().map(|alias| alias.name.as_str()));
        let mut names: Vec<&str> = names.filter(|name| self.by_slug(name).is_none()).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().filter_map(|name| Some((name, self.by_name(name)?))).collect()
    }

    /// The e-reader that `voice` names: by id, by slug, by a name of the settings or of OpenAI's, or
    /// by its engine's own name of the voice, as clients of other servers with this voice send it.
    pub fn find(&self, voice: &str) -> Option<EreaderId> {
        if let Ok(id) = voice.parse() {
            return Some(id);
        }
        let found = self.by_slug(voice).or_else(|| self.by_name(voice));
        let by_voice = || self.active.iter().find(|ereader| ereader.voice == voice);
        found.or_else(by_voice).map(|ereader| ereader.id)
    }

    fn by_slug(&self, slug: &str) -> Option<&Ereader> {
        self.active.iter().find(|ereader| ereader.slug == slug)
    }

    fn by_name(&self, name: &str) -> Option<&Ereader> {
        match self.aliases.iter().find(|alias| alias.name == name) {
            Some(alias) => self.by_slug(&alias.slug),
            None => default_among(&self.active).filter(|_| NAMES.contains(&name)),
        }
    }
}
