//! Rows of either database, read column by column into our own types.

use lectern_types::{Credits, Id, Kind, Timestamp};
use sqlx::{Row as _, postgres::PgRow, sqlite::SqliteRow};

use crate::{Error, Result, vocabulary::TextEnum};

/// A row of either database.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    fn int(&self, at: usize) -> Result<Option<i64>> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(at)?,
            Self::Postgres(row) => row.try_get(at)?,
        })
    }

    fn text(&self, at: usize) -> Result<Option<String>> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(at)?,
            Self::Postgres(row) => row.try_get(at)?,
        })
    }

    fn bytes(&self, at: usize) -> Result<Option<Vec<u8>>> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(at)?,
            Self::Postgres(row) => row.try_get(at)?,
        })
    }

    /// A reader over the columns, from the first on.
    pub(crate) fn columns(&self) -> Columns<'_> {
        Columns { row: self, at: 0 }
    }

    /// The first two columns.
    pub(crate) fn pair<A: Column, B: Column>(&self) -> Result<(A, B)> {
        let mut columns = self.columns();
        Ok((columns.take()?, columns.take()?))
    }

    /// The first column.
    pub(crate) fn first<T: Column>(&self) -> Result<T> {
        self.columns().take()
    }
}

/// Reads a row's columns in the order in which the query names them.
pub(crate) struct Columns<'a> {
    row: &'a Row,
    at: usize,
}

impl Columns<'_> {
    /// The next column, which may be null.
    pub(crate) fn maybe<T: Column>(&mut self) -> Result<Option<T>> {
        let value = T::read(self.row, self.at);
        self.at += 1;
        value
    }

    /// The next column.
    pub(crate) fn take<T: Column>(&mut self) -> Result<T> {
        let at = self.at;
        self.maybe()?.ok_or_else(|| Error::Unreadable { what: format!("a null in column {at}") })
    }
}

/// What can be read from a column.
pub(crate) trait Column: Sized {
    fn read(row: &Row, at: usize) -> Result<Option<Self>>;
}

impl Column for i64 {
    fn read(row: &Row, at: usize) -> Result<Option<Self>> {
        row.int(at)
    }
}

impl Column for bool {
    fn read(row: &Row, at: usize) -> Result<Option<Self>> {
        Ok(row.int(at)?.map(|value| value != 0))
    }
}

macro_rules! narrower {
    ($($type:ty)*) => { $(
        impl Column for $type {
            fn read(row: &Row, at: usize) -> Result<Option<Self>> {
                let unreadable = |_| Error::Unreadable { what: format!("a number out of range in column {at}") };
                row.int(at)?.map(|value| value.try_into().map_err(unreadable)).transpose()
            }
        }
    )* };
}
narrower!(u16 u32 u64);

impl Column for String {
    fn read(row: &Row, at: usize) -> Result<Option<Self>> {
        row.text(at)
    }
}

impl Column for Vec<u8> {
    fn read(row: &Row, at: usize) -> Result<Option<Self>> {
        row.bytes(at)
    }
}

impl Column for Timestamp {
    fn read(row: &Row, at: usize) -> Result<Option<Self>> {
        Ok(row.int(at)?.map(Self))
    }
}

impl Column for Credits {
    fn read(row: &Row, at: usize) -> Result<Option<Self>> {
        Ok(row.int(at)?.map(Self))
    }
}

impl<K: Kind> Column for Id<K> {
    fn read(row: &Row, at: usize) -> Result<Option<Self>> {
        row.text(at)?
            .map(|text| {
                text.parse().map_err(|_| Error::Unreadable { what: format!("`{text}` in column {at}") })
            })
            .transpose()
    }
}

impl<T: TextEnum> Column for T {
    fn read(row: &Row, at: usize) -> Result<Option<Self>> {
        let known = |text: String| {
            let found = T::VALUES.iter().copied().find(|value| value.text() == text);
            found.ok_or_else(|| Error::Unreadable { what: format!("`{text}` in column {at}") })
        };
        row.text(at)?.map(known).transpose()
    }
}
