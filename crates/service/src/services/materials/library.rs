//! The library of an account: its materials by words, tags and how far they were heard, in an order that people expect.
//!
//! A search reads a card of every material and sorts in this process. Databases fold the case of English letters only, or by the
//! server's language, and "Volume 10" would stand before "Volume 2". Ten thousand cards take some tens of milliseconds.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap},
};

use lectern_store::{
    Store,
    keys::Authenticated,
    library::{self, Card, Columns},
    materials::{self, Material},
    places::{self, Place},
};
use lectern_types::{LibraryShow, LibrarySort, MaterialId, MaterialStatus, TagCount, Timestamp};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::error::{Error, Result};

/// What is asked of a library.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Words that the title, the author, the series or a tag begin or contain.
    pub words: Option<String>,
    pub tag: Option<String>,
    pub show: LibraryShow,
    pub sort: LibrarySort,
    /// The last material of the page before.
    pub after: Option<MaterialId>,
    pub limit: usize,
}

impl Asked {
    /// Whether all materials are asked for, the newest first, which the store has in that order.
    fn is_plain(&self) -> bool {
        self.words.is_none()
            && self.tag.is_none()
            && self.show == LibraryShow::All
            && self.sort == LibrarySort::Newest
    }

    /// What the search and the order need.
    fn columns(&self) -> Columns {
        match (self.show, self.sort) {
            (LibraryShow::All, LibrarySort::Title) if self.words.is_none() => Columns::Titles,
            (
                LibraryShow::All,
                LibrarySort::Newest | LibrarySort::Title | LibrarySort::Author | LibrarySort::Series,
            ) => Columns::Names,
            _ => Columns::All,
        }
    }
}

/// A material in the library.
#[derive(Debug)]
pub struct Book {
    pub material: Material,
    pub tags: Vec<String>,
    pub place: Option<Place>,
}

/// A page of the library.
#[derive(Debug)]
pub struct Found {
    pub books: Vec<Book>,
    /// Whether more books follow.
    pub has_more: bool,
    /// How many were found on all pages.
    pub total: usize,
    /// The tags of the library, in order.
    pub tags: Vec<TagCount>,
}

/// The most tags that a page of the library names: those that most materials have.
const MOST_TAGS: u32 = 200;

/// Looks into the caller's library.
///
/// # Errors
/// The store's.
pub async fn look(store: &Store, caller: &Authenticated, asked: Asked) -> Result<Found> {
    let (account, environment) = (caller.account, caller.key.environment);
    let limit = asked.limit;
    let (found, total) = if asked.is_plain() {
        let one_more = u32::try_from(limit + 1).unwrap_or(u32::MAX);
        let page = materials::list(store, account, environment, asked.after, one_more).await?;
        (page, library::count(store, account, environment).await? as usize)
    } else {
        let ids = search(store, caller, asked).await?;
        let mut by_id: HashMap<_, _> = materials::some(store, &ids.page)
            .await?
            .into_iter()
            .map(|material| (material.id, material))
            .collect();
        (ids.page.iter().filter_map(|id| by_id.remove(id)).collect(), ids.total)
    };
    let has_more = found.len() > limit;
    let ids: Vec<_> = found.iter().take(limit).map(|material| material.id).collect();
    let mut tags = library::tags_of_some(store, &ids).await?;
    let mut listened: HashMap<_, _> =
        places::some(store, &ids).await?.into_iter().map(|place| (place.material, place)).collect();
    let books = found.into_iter().take(limit).map(|material| Book {
        tags: tags.remove(&material.id).unwrap_or_default(),
        place: listened.remove(&material.id),
        material,
    });
    let books = books.collect();
    let counted = library::tag_counts(store, account, environment, MOST_TAGS).await?;
    let mut tags: Vec<_> = counted.into_iter().map(|(tag, materials)| TagCount { tag, materials }).collect();
    tags.sort_by(|one, other| alphanumeric_sort::compare_str(plain(&one.tag), plain(&other.tag)));
    Ok(Found { books, has_more, total, tags })
}

/// The ids of a page, and one more if another page follows.
struct Ids {
    page: Vec<MaterialId>,
    total: usize,
}

/// Searches and sorts all cards of the caller.
async fn search(store: &Store, caller: &Authenticated, asked: Asked) -> Result<Ids> {
    let (account, environment) = (caller.account, caller.key.environment);
    let cards = library::cards(store, account, environment, asked.columns()).await?;
    let tags = if asked.words.is_some() || asked.tag.is_some() {
        library::all_tags(store, account, environment).await?
    } else {
        BTreeMap::new()
    };
    // Ten thousand titles take some milliseconds, which other requests must not wait for.
    let sorted = tokio::task::spawn_blocking(move || {
        let order = order(cards, &tags, &asked);
        // A cursor whose material was deleted, or does not belong to these any more, begins anew.
        let begin =
            asked.after.and_then(|after| order.iter().position(|id| *id == after)).map_or(0, |at| at + 1);
        let end = order.len().min(begin + asked.limit + 1);
        Ids { page: order[begin..end].to_vec(), total: order.len() }
    });
    sorted.await.map_err(|error| Error::Internal(format!("a library was not sorted: {error}")))
}

/// The materials that were asked for, in their order.
fn order(cards: Vec<Card>, tags: &BTreeMap<MaterialId, Vec<String>>, asked: &Asked) -> Vec<MaterialId> {
    let words = plain(asked.words.as_deref().unwrap_or_default());
    let words: Vec<_> = words.split_whitespace().collect();
    let none = Vec::new();
    let mut found: Vec<_> = cards
        .into_iter()
        .filter(|card| {
            let tags = tags.get(&card.id).unwrap_or(&none);
            is_shown(card, asked.show)
                && asked.tag.as_ref().is_none_or(|tag| tags.contains(tag))
                && has_words(card, tags, &words)
        })
        .map(|card| Entry::new(&card, asked.sort))
        .collect();
    // The newest first decides between equals: the sort is stable, and the cards come in that order.
    found.sort_by(Entry::compare);
    found.into_iter().map(|entry| entry.id).collect()
}

fn is_shown(card: &Card, show: LibraryShow) -> bool {
    let (is_begun, is_finished) =
        card.listened.map_or((false, false), |at| (at.progress_millionths > 0, at.finished));
    match show {
        LibraryShow::All => true,
        LibraryShow::Begun => is_begun && !is_finished,
        LibraryShow::Unheard => !is_begun && !is_finished,
        LibraryShow::Finished => is_finished,
        LibraryShow::Unconverted => card.status != Some(MaterialStatus::Completed),
    }
}

fn has_words(card: &Card, tags: &[String], words: &[&str]) -> bool {
    if words.is_empty() {
        return true;
    }
    let parts = [Some(&card.title), card.author.as_ref(), card.series.as_ref()];
    let mut text = String::new();
    for part in parts.into_iter().flatten().chain(tags) {
        text.push_str(&plain(part));
        text.push('\n');
    }
    words.iter().all(|word| text.contains(word))
}

/// A text without case and accents, as searches and orders compare it. Marks of scripts other than Latin, Greek and Cyrillic stay:
/// there they are letters.
fn plain(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut found = String::with_capacity(text.len());
    let mut is_accented = false;
    for c in text.nfkd() {
        if is_combining_mark(c) {
            if !is_accented {
                found.push(c);
            }
            continue;
        }
        is_accented = c < END_OF_ACCENTED;
        match c {
            'ß' | 'ẞ' => found.push_str("ss"),
            'æ' | 'Æ' => found.push_str("ae"),
            'œ' | 'Œ' => found.push_str("oe"),
            'ø' | 'Ø' => found.push('o'),
            'ł' | 'Ł' => found.push('l'),
            'đ' | 'Đ' => found.push('d'),
            'ς' => found.push('σ'),
            c => found.extend(c.to_lowercase()),
        }
    }
    found
}

/// The first letter after the Latin, Greek and Cyrillic ones that take accents.
const END_OF_ACCENTED: char = '\u{530}';

/// A card with what it is sorted by.
struct Entry {
    id: MaterialId,
    /// The keys in order of their weight; an empty one stands last.
    keys: [String; 2],
    /// The place in a series.
    number: u32,
    /// When it was listened to; the last stands first.
    at: Option<Timestamp>,
}

impl Entry {
    fn new(card: &Card, sort: LibrarySort) -> Self {
        let key = |text: &Option<String>| text.as_deref().map(plain).unwrap_or_default();
        let mut entry = Self { id: card.id, keys: Default::default(), number: 0, at: None };
        match sort {
            LibrarySort::Newest => {}
            LibrarySort::Listened => entry.at = card.listened.map(|listened| listened.at),
            LibrarySort::Title => entry.keys[0] = plain(&card.title),
            LibrarySort::Author => entry.keys = [key(&card.author), plain(&card.title)],
            LibrarySort::Series => {
                (entry.keys[0], entry.number) = (key(&card.series), card.series_index.unwrap_or_default());
            }
        }
        entry
    }

    fn compare(&self, other: &Self) -> Ordering {
        let text = |one: &str, other: &str| {
            one.is_empty().cmp(&other.is_empty()).then_with(|| alphanumeric_sort::compare_str(one, other))
        };
        let [first, second] = &self.keys;
        other
            .at
            .cmp(&self.at)
            .then_with(|| text(first, &other.keys[0]))
            .then(self.number.cmp(&other.number))
            .then_with(|| text(second, &other.keys[1]))
    }
}

#[cfg(test)]
mod tests {
    use lectern_store::library::Listened;
    use uuid::Uuid;

    use super::*;

    fn card(number: u128, title: &str, author: &str, series: (&str, u32)) -> Card {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Card {
            id: MaterialId::from_uuid(Uuid::from_u128(number)),
            title: title.to_owned(),
            author: some(author),
            series: some(series.0),
            series_index: Some(series.1),
            status: Some(MaterialStatus::Completed),
            listened: None,
        }
    }

    fn time(second: u32) -> Timestamp {
        Timestamp::parse_rfc_3339(&format!("2026-01-01T00:00:{second:02}Z")).unwrap()
    }

    fn asked(words: &str, sort: LibrarySort) -> Asked {
        Asked {
            words: Some(words.to_owned()),
            tag: None,
            show: LibraryShow::All,
            sort,
            after: None,
            limit: 10,
        }
    }

    /// The numbers of the cards that are found, in order.
    fn found(cards: &[Card], asked: &Asked) -> Vec<u128> {
        let tags = BTreeMap::from([(cards[0].id, vec!["Été".to_owned()])]);
        order(cards.to_vec(), &tags, asked).iter().map(|id| id.uuid().as_u128()).collect()
    }

    fn shelf() -> Vec<Card> {
        vec![
            card(5, "Volume 10", "Žižek", ("", 0)),
            card(4, "Volume 2", "", ("", 0)),
            card(3, "L’Île mystérieuse", "Jules Verne", ("Voyages", 1_200)),
            card(2, "ÎLES", "jules verne", ("voyages", 250)),
            card(1, "吾輩は猫である", "夏目漱石", ("", 0)),
        ]
    }

    #[test]
    fn words_are_found_without_their_case_and_accents() {
        let shelf = shelf();
        let by = |words| found(&shelf, &asked(words, LibrarySort::Newest));
        assert_eq!(by(""), [5, 4, 3, 2, 1]);
        assert_eq!(by("ile VERNE"), [3, 2]);
        assert_eq!(by("zizek"), [5]);
        assert_eq!(by("ete"), [5], "a tag");
        assert_eq!(by("猫"), [1]);
        assert_eq!(by("ile zizek"), [0; 0]);
    }

    #[test]
    fn letters_are_compared_as_people_read_them() {
        for (one, other) in
            [("STRASSE", "Straße"), ("ΟΔΥΣΣΕΥΣ", "Οδυσσεύς"), ("Lodz", "Łódź"), ("Æsop", "aesop")]
        {
            assert_eq!(plain(one), plain(other), "{one}");
        }
        for (one, other) in [("パパ", "ハハ"), ("कि", "क")] {
            assert_ne!(plain(one), plain(other), "{one}");
        }
    }

    #[test]
    fn the_orders_are_those_of_people() {
        let mut shelf = shelf();
        let at = |second| Some(Listened { progress_millionths: 1, finished: false, at: time(second) });
        (shelf[1].listened, shelf[3].listened) = (at(5), at(9));
        let by = |sort| found(&shelf, &asked("", sort));
        assert_eq!(by(LibrarySort::Title), [2, 3, 4, 5, 1]);
        assert_eq!(by(LibrarySort::Author), [2, 3, 5, 1, 4], "without an author last");
        assert_eq!(by(LibrarySort::Series), [2, 3, 5, 4, 1]);
        assert_eq!(by(LibrarySort::Listened), [2, 4, 5, 3, 1]);
    }

    /// A card without what is not read would be in the wrong place.
    #[test]
    fn what_a_search_and_an_order_need_is_read() {
        for sort in LibrarySort::ALL {
            for show in LibraryShow::ALL {
                for words in ["", "volume"] {
                    let mut asked = Asked { show: *show, ..asked(words, *sort) };
                    asked.words = asked.words.filter(|words| !words.is_empty());
                    let columns = asked.columns();
                    let heard = *sort == LibrarySort::Listened || *show != LibraryShow::All;
                    let named =
                        asked.words.is_some() || matches!(sort, LibrarySort::Author | LibrarySort::Series);
                    assert!(!heard || columns == Columns::All, "{sort:?} {show:?}");
                    assert!(!named || columns != Columns::Titles, "{sort:?} {words}");
                }
            }
        }
    }

    #[test]
    fn a_choice_is_by_what_was_heard() {
        let mut shelf = shelf();
        let listened =
            |progress_millionths, finished| Some(Listened { progress_millionths, finished, at: time(1) });
        shelf[0].listened = listened(500_000, false);
        shelf[1].listened = listened(1_000_000, true);
        shelf[2].listened = listened(0, false);
        shelf[4].status = Some(MaterialStatus::Ready);
        let by = |show| found(&shelf, &Asked { show, ..asked("", LibrarySort::Newest) });
        assert_eq!(by(LibraryShow::Begun), [5]);
        assert_eq!(by(LibraryShow::Finished), [4]);
        assert_eq!(by(LibraryShow::Unheard), [3, 2, 1]);
        assert_eq!(by(LibraryShow::Unconverted), [1]);
        let tagged = Asked { tag: Some("Été".into()), ..asked("", LibrarySort::Newest) };
        assert_eq!(found(&shelf, &tagged), [5]);
    }
}
