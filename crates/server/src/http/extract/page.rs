//! Query parameters: each known one at most once, unknown ones refused; and the two that every list takes.
//!
//! A cursor is the last id of a page with a tag over the list and its owner, so that a changed or foreign one is
//! refused and nothing else than a position can be read from it.

use axum::{extract::Query, http::Uri};
use lectern_types::{AccountId, Id, Kind, Page};
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use crate::{
    error::{FieldErrors, Result},
    secrets::Key,
};

/// Items on a page that does not say how many.
const USUAL: u32 = 20;

/// The most items on a page.
const MOST: u32 = 100;

/// Bytes of a cursor's tag.
const TAG: usize = 8;

/// The query parameters, taken one by one; what is left at the end is unknown.
#[derive(Debug)]
pub struct Parameters {
    rest: Vec<(String, String)>,
    errors: FieldErrors,
}

impl Parameters {
    /// The parameters of a request's URI.
    pub fn of(uri: &Uri) -> Self {
        let mut errors = FieldErrors::default();
        let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
        if pairs.is_err() {
            errors.add("query", "cannot be read");
        }
        let rest = pairs.map(|Query(pairs)| pairs).unwrap_or_default();
        Self { rest, errors }
    }

    /// Takes a parameter that may be absent.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let mut found = None;
        let mut times = 0;
        self.rest.retain_mut(|(key, value)| {
            let is_it = key == name;
            if is_it {
                times += 1;
                found = Some(std::mem::take(value));
            }
            !is_it
        });
        if times > 1 {
            self.wrong(name, "must be sent once");
        }
        found
    }

    /// Takes a parameter of a closed set of words.
    pub fn word<T>(&mut self, name: &str, words: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let text = self.take(name)?;
        let value = read(&text);
        if value.is_none() {
            self.wrong(name, format!("must be one of: {words}"));
        }
        value
    }

    /// Takes `limit` and `cursor` of the list that `scope` stands for.
    pub fn position<K: Kind>(&mut self, scope: &CursorScope<'_>) -> Position<K> {
        let limit = match self.take("limit").map(|text| whole(&text)) {
            None => USUAL,
            Some(Some(limit)) => limit,
            Some(None) => {
                self.wrong("limit", format!("must be a whole number from 1 to {MOST}"));
                USUAL
            }
        };
        let before = self.take("cursor").and_then(|text| {
            let id = scope.open(&text);
            if id.is_none() {
                self.wrong("cursor", "is not one that this list gave");
            }
            id
        });
        Position { limit, before }
    }

    /// Notes that a parameter is wrong.
    pub fn wrong(&mut self, name: &str, sentence: impl Into<String>) {
        self.errors.add(name, sentence);
    }

    /// Everything that is wrong, unknown parameters included.
    pub fn finish(mut self) -> Result<()> {
        for (name, _) in self.rest {
            self.errors.add(name.chars().take(100).collect::<String>(), "is not a parameter of this request");
        }
        self.errors.into_result()
    }
}

/// `text` as a number of items on a page.
fn whole(text: &str) -> Option<u32> {
    let digits_only = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|limit| digits_only && (1..=MOST).contains(limit))
}

/// Where in a list a page begins, and how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<K: Kind> {
    /// The most items.
    pub limit: u32,
    /// The last id of the page before.
    pub before: Option<Id<K>>,
}

/// Which list a cursor belongs to.
#[derive(Debug)]
pub struct CursorScope<'a> {
    key: &'a Key,
    list: &'static str,
    owner: AccountId,
}

impl<'a> CursorScope<'a> {
    /// The cursors of `owner`'s list named `list`.
    pub fn new(key: &'a Key, list: &'static str, owner: AccountId) -> Self {
        Self { key, list, owner }
    }

    /// The page made of the items that a query for one more than `limit` found.
    pub fn page<T, K: Kind>(&self, mut items: Vec<T>, limit: u32, id: impl Fn(&T) -> Id<K>) -> Page<T> {
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next_cursor = items.last().filter(|_| more).map(|last| self.seal(id(last)));
        Page { data: items, next_cursor }
    }

    fn seal<K: Kind>(&self, id: Id<K>) -> String {
        let id = id.uuid();
        hex::encode([id.as_bytes().as_slice(), &self.tag(id)].concat())
    }

    fn open<K: Kind>(&self, text: &str) -> Option<Id<K>> {
        let mut bytes = [0; 16 + TAG];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        let id = Uuid::from_slice(&bytes[..16]).ok()?;
        let same = self.tag(id).ct_eq(&bytes[16..]);
        let lower_case = !text.bytes().any(|b| b.is_ascii_uppercase());
        (bool::from(same) && lower_case).then(|| Id::from_uuid(id))
    }

    fn tag(&self, id: Uuid) -> [u8; TAG] {
        let (list, owner) = (self.list.as_bytes(), self.owner.uuid());
        let whole = self.key.mac(&[list, b"\n", owner.as_bytes(), id.as_bytes()]);
        let mut tag = [0; TAG];
        tag.copy_from_slice(&whole[..TAG]);
        tag
    }
}

#[cfg(test)]
mod tests {
    use lectern_types::kinds;

    use super::*;
    use crate::{
        clock::{Clock, Ids},
        secrets::Secrets,
    };

    // Negative control: with the tag's comparison taken away, each changed cursor is taken.
    #[test]
    fn a_changed_or_foreign_cursor_is_refused() {
        let key = Secrets::derive(b"k").cursors;
        let ids = Ids::new(Clock::system());
        let (owner, other, id) = (ids.make(), ids.make(), ids.make::<kinds::Transaction>());
        let scope = CursorScope::new(&key, "transactions", owner);
        let cursor = scope.seal(id);
        assert_eq!(scope.open(&cursor), Some(id));
        for at in 0..cursor.len() {
            let mut changed = cursor.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(scope.open::<kinds::Transaction>(&changed), None, "{changed} was taken");
        }
        assert_eq!(CursorScope::new(&key, "transactions", other).open::<kinds::Transaction>(&cursor), None);
        assert_eq!(CursorScope::new(&key, "keys", owner).open::<kinds::Transaction>(&cursor), None);
        assert_eq!(scope.open::<kinds::Transaction>(&cursor.to_uppercase()), None);
    }

    #[test]
    fn limits_and_names_are_checked() {
        let wrong = |query: &str| {
            let uri: Uri = format!("/x?{query}").parse().unwrap();
            let key = Secrets::derive(b"k").cursors;
            let owner = Ids::new(Clock::system()).make();
            let mut parameters = Parameters::of(&uri);
            parameters.position::<kinds::Key>(&CursorScope::new(&key, "keys", owner));
            parameters.finish().is_err()
        };
        for bad in [
            "limit=0",
            "limit=101",
            "limit=-1",
            "limit=%2B1",
            "limit=",
            "limit=1&limit=1",
            "lim=1",
            "cursor=",
        ] {
            assert!(wrong(bad), "{bad} was taken");
        }
        for good in ["", "limit=1", "limit=100"] {
            assert!(!wrong(good), "{good} was refused");
        }
    }
}
