//! Query parameters: each known one at most once, unknown ones refused. `limit` and `cursor`, which
//! every list takes, are here, too.
//!
//! A cursor is the last id of a page with a tag over the list and its owner. A changed or foreign
//! cursor is refused, and a cursor reveals nothing but a position.

use axum::{Json, extract::Query, http::Uri};
use lectern_types::{AccountId, Id, Kind, Page};
use serde_json::{Map, Value};
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use crate::envelope::Failure;
use lectern_service::{
    error::{Error, FieldErrors, Result},
    secrets::Key,
};

/// The page size when the request names none.
const USUAL: u32 = 20;

/// The most items on a page.
const MOST: u32 = 100;

/// Bytes of a cursor's tag.
const TAG: usize = 8;

/// The query parameters, taken one by one. Those left at the end are unknown.
#[derive(Debug)]
pub struct Parameters {
    rest: Vec<(String, String)>,
    errors: FieldErrors,
}

impl Parameters {
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

    /// Takes a parameter that may be sent several times.
    pub fn all(&mut self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        self.rest.retain_mut(|(key, value)| {
            let is_it = key == name;
            if is_it {
                found.push(std::mem::take(value));
            }
            !is_it
        });
        found
    }

    /// The parameters as an object, for a fingerprint.
    pub fn to_object(&self) -> Map<String, Value> {
        let mut object = Map::new();
        for (name, value) in &self.rest {
            let values = object.entry(name.as_str()).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(values) = values {
                values.push(value.as_str().into());
            }
        }
        object
    }

    /// Takes a parameter that may be absent and parses it with `read`.
    pub fn read<T>(&mut self, name: &str, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        let text = self.take(name)?;
        read(&text).map_err(|sentence| self.wrong(name, sentence)).ok()
    }

    /// Takes a parameter that is `true` or `false`; absent is `false`.
    pub fn switch(&mut self, name: &str) -> bool {
        let read = |text: &str| text.parse().map_err(|_| "must be one of: true, false".to_owned());
        self.read(name, read).unwrap_or_default()
    }

    /// Takes `limit` and `cursor` of the list that `scope` names.
    pub fn position<K: Kind>(&mut self, scope: &CursorScope<'_>) -> Position<K> {
        let limit = self.limit(USUAL, MOST);
        let before = self.before("cursor", scope);
        Position { limit, before }
    }

    /// Takes `limit` of a list with these default and maximum page sizes.
    pub fn limit(&mut self, usual: u32, most: u32) -> u32 {
        self.size("limit", usual, most)
    }

    /// Takes the size of a page under another name.
    pub fn size(&mut self, name: &str, usual: u32, most: u32) -> u32 {
        let sentence = || format!("must be a whole number from 1 to {most}");
        self.read(name, |text| whole(text, most).ok_or_else(sentence)).unwrap_or(usual)
    }

    /// Takes the last id of the previous page, under another name than `cursor`.
    pub fn before<K: Kind>(&mut self, name: &str, scope: &CursorScope<'_>) -> Option<Id<K>> {
        self.cursor(name, scope).map(Id::from_uuid)
    }

    /// Takes `cursor` of a list by index: the last index of the previous page.
    pub fn after_index(&mut self, scope: &CursorScope<'_>) -> Option<u32> {
        self.cursor("cursor", scope).map(|position| position.as_u128() as u32)
    }

    /// Takes `cursor` of a list by chunk and place in it: where the last item of the previous page begins.
    pub fn after_place(&mut self, scope: &CursorScope<'_>) -> Option<(u32, u32)> {
        let position = self.cursor("cursor", scope)?.as_u128();
        Some(((position >> 32) as u32, position as u32))
    }

    fn cursor(&mut self, name: &str, scope: &CursorScope<'_>) -> Option<Uuid> {
        let sentence = || "is not one that this list gave".to_owned();
        self.read(name, |text| scope.open(text).ok_or_else(sentence))
    }

    /// Records that a parameter is wrong.
    pub fn wrong(&mut self, name: &str, sentence: impl Into<String>) {
        self.errors.add(name, sentence);
    }

    /// The error with everything that is wrong, unknown parameters included.
    pub fn finish(mut self) -> Result<()> {
        for (name, _) in self.rest {
            self.errors.add(name.chars().take(100).collect::<String>(), "is not a parameter of this request");
        }
        Ok(self.errors.into_result()?)
    }
}

/// Parses `text` as a page size.
fn whole(text: &str, most: u32) -> Option<u32> {
    let digits_only = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|limit| digits_only && (1..=most).contains(limit))
}

/// Answers with a page of a list. `rows` reads the given number of items, starting with the newest
/// one older than an id; `show` turns each into its response form.
///
/// # Errors
/// `validation_failed` for a parameter, or the error of `rows`.
pub async fn list<T, U, K: Kind, E: Into<Error>>(
    scope: &CursorScope<'_>,
    mut parameters: Parameters,
    rows: impl AsyncFnOnce(Option<Id<K>>, u32) -> Result<Vec<T>, E>,
    id: impl Fn(&T) -> Id<K>,
    show: impl FnMut(T) -> U,
) -> Result<Json<Page<U>>, Failure> {
    let Position { limit, before } = parameters.position(scope);
    parameters.finish()?;
    // One more item tells whether another page follows.
    let rows = rows(before, limit + 1).await.map_err(Into::into)?;
    let Page { data, next_cursor } = scope.page(rows, limit, id);
    Ok(Json(Page { data: data.into_iter().map(show).collect(), next_cursor }))
}

/// Where in a list a page begins, and how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<K: Kind> {
    pub limit: u32,
    /// The last id of the previous page.
    pub before: Option<Id<K>>,
}

/// Which list a cursor belongs to.
#[derive(Debug)]
pub struct CursorScope<'a> {
    key: &'a Key,
    list: &'static str,
    owner: Uuid,
}

impl<'a> CursorScope<'a> {
    /// The cursors of `owner`'s list named `list`.
    pub fn new(key: &'a Key, list: &'static str, owner: AccountId) -> Self {
        Self::within(key, list, owner.uuid())
    }

    /// The cursors of the list named `list` that belongs to `owner`, which may be anything with an
    /// id.
    pub fn within(key: &'a Key, list: &'static str, owner: Uuid) -> Self {
        Self { key, list, owner }
    }

    /// The page made from the items of a query for `limit + 1` items.
    pub fn page<T, K: Kind>(&self, items: Vec<T>, limit: u32, id: impl Fn(&T) -> Id<K>) -> Page<T> {
        self.cut(items, limit, |item| id(item).uuid())
    }

    /// The same as [`page`](Self::page) for a list by index.
    pub fn page_by_index<T>(&self, items: Vec<T>, limit: u32, index: impl Fn(&T) -> u32) -> Page<T> {
        self.cut(items, limit, |item| Uuid::from_u128(index(item).into()))
    }

    /// The cursor of a page of a list by chunk and place in it that ends with what begins there.
    pub fn cursor_at(&self, chunk: u32, start: u32) -> String {
        self.seal(Uuid::from_u128((u128::from(chunk) << 32) | u128::from(start)))
    }

    /// The cursor of a page that ends with this item.
    pub fn cursor<K: Kind>(&self, last: Id<K>) -> String {
        self.seal(last.uuid())
    }

    fn cut<T>(&self, mut items: Vec<T>, limit: u32, position: impl Fn(&T) -> Uuid) -> Page<T> {
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next_cursor = items.last().filter(|_| more).map(|last| self.seal(position(last)));
        Page { data: items, next_cursor }
    }

    fn seal(&self, position: Uuid) -> String {
        hex::encode([position.as_bytes().as_slice(), &self.tag(position)].concat())
    }

    fn open(&self, text: &str) -> Option<Uuid> {
        let mut bytes = [0; 16 + TAG];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        let position = Uuid::from_slice(&bytes[..16]).ok()?;
        let same = self.tag(position).ct_eq(&bytes[16..]);
        let lower_case = !text.bytes().any(|b| b.is_ascii_uppercase());
        (bool::from(same) && lower_case).then_some(position)
    }

    fn tag(&self, position: Uuid) -> [u8; TAG] {
        let list = self.list.as_bytes();
        let whole = self.key.mac(&[list, b"\n", self.owner.as_bytes(), position.as_bytes()]);
        let mut tag = [0; TAG];
        tag.copy_from_slice(&whole[..TAG]);
        tag
    }
}

#[cfg(test)]
mod tests {
    use lectern_types::kinds;

    use super::*;
    use lectern_service::{
        clock::{Clock, Ids},
        secrets::Secrets,
    };

    // Negative control: without the comparison of the tag, each changed cursor is accepted.
    #[test]
    fn a_changed_or_foreign_cursor_is_refused() {
        let key = Secrets::derive(b"k").cursors;
        let ids = Ids::new(Clock::system());
        let (owner, other, id) = (ids.make(), ids.make(), ids.make::<kinds::Transaction>());
        let scope = CursorScope::new(&key, "transactions", owner);
        let id = id.uuid();
        let cursor = scope.seal(id);
        assert_eq!(scope.open(&cursor), Some(id));
        for at in 0..cursor.len() {
            let mut changed = cursor.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(scope.open(&changed), None, "{changed} was accepted");
        }
        assert_eq!(CursorScope::new(&key, "transactions", other).open(&cursor), None);
        assert_eq!(CursorScope::new(&key, "keys", owner).open(&cursor), None);
        assert_eq!(scope.open(&cursor.to_uppercase()), None);
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
            assert!(wrong(bad), "{bad} was accepted");
        }
        for good in ["", "limit=1", "limit=100"] {
            assert!(!wrong(good), "{good} was refused");
        }
    }
}
