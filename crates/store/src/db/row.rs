//! Rows of either database, whose columns are read by name into our own types. Names stay right when
//! a column is added to a query; positions do not.

use lectern_types::{Credits, Id, Kind, Timestamp};
use sqlx::{Row as _, postgres::PgRow, sqlite::SqliteRow};

use crate::{Error, Result, vocabulary::TextEnum};

/// A row of either database.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    fn int(&self, column: &str) -> Result<Option<i64>> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    fn text(&self, column: &str) -> Result<Option<String>> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    fn bytes(&self, column: &str) -> Result<Option<Vec<u8>>> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    /// The value of a column; read an `Option` if it may be null. No two columns of a query may
    /// have the same name.
    pub(crate) fn get<T: Column>(&self, column: &str) -> Result<T> {
        T::read(self, column)?
            .ok_or_else(|| Error::Unreadable { what: format!("a null in column `{column}`") })
    }

    /// The values of two columns.
    pub(crate) fn pair<A: Column, B: Column>(&self, first: &str, second: &str) -> Result<(A, B)> {
        Ok((self.get(first)?, self.get(second)?))
    }

    /// The value of the only column.
    pub(crate) fn scalar<T: Column>(&self) -> Result<T> {
        let only = match self {
            Self::Sqlite(row) => only_name(row.columns()),
            Self::Postgres(row) => only_name(row.columns()),
        };
        match only {
            Some(name) => self.get(name),
            // With several columns, only a name can tell which one is meant.
            None => Err(Error::Unreadable { what: "several columns instead of one".to_owned() }),
        }
    }

    fn names(&self) -> Vec<&str> {
        match self {
            Self::Sqlite(row) => row.columns().iter().map(sqlx::Column::name).collect(),
            Self::Postgres(row) => row.columns().iter().map(sqlx::Column::name).collect(),
        }
    }

    /// Whether no two columns have the same name.
    pub(crate) fn has_distinct_names(&self) -> bool {
        let names = self.names();
        names.iter().enumerate().all(|(at, name)| !names[..at].contains(name))
    }
}

fn only_name<C: sqlx::Column>(columns: &[C]) -> Option<&str> {
    match columns {
        [column] => Some(column.name()),
        _ => None,
    }
}

/// A type that can be read from a column.
pub(crate) trait Column: Sized {
    /// The value; `None` for a null.
    fn read(row: &Row, column: &str) -> Result<Option<Self>>;
}

impl<T: Column> Column for Option<T> {
    fn read(row: &Row, column: &str) -> Result<Option<Self>> {
        T::read(row, column).map(Some)
    }
}

impl Column for i64 {
    fn read(row: &Row, column: &str) -> Result<Option<Self>> {
        row.int(column)
    }
}

impl Column for bool {
    fn read(row: &Row, column: &str) -> Result<Option<Self>> {
        Ok(row.int(column)?.map(|value| value != 0))
    }
}

macro_rules! narrower {
    ($($type:ty)*) => { $(
        impl Column for $type {
            fn read(row: &Row, column: &str) -> Result<Option<Self>> {
                let unreadable = |_| Error::Unreadable { what: format!("a number out of range in column `{column}`") };
                row.int(column)?.map(|value| value.try_into().map_err(unreadable)).transpose()
            }
        }
    )* };
}
narrower!(u16 u32 u64);

impl Column for String {
    fn read(row: &Row, column: &str) -> Result<Option<Self>> {
        row.text(column)
    }
}

impl Column for Vec<u8> {
    fn read(row: &Row, column: &str) -> Result<Option<Self>> {
        row.bytes(column)
    }
}

impl Column for Timestamp {
    fn read(row: &Row, column: &str) -> Result<Option<Self>> {
        Ok(row.int(column)?.map(Self))
    }
}

impl Column for Credits {
    fn read(row: &Row, column: &str) -> Result<Option<Self>> {
        Ok(row.int(column)?.map(Self))
    }
}

impl<K: Kind> Column for Id<K> {
    fn read(row: &Row, column: &str) -> Result<Option<Self>> {
        row.text(column)?
            .map(|text| {
                text.parse().map_err(|_| Error::Unreadable { what: format!("`{text}` in column `{column}`") })
            })
            .transpose()
    }
}

impl<T: TextEnum> Column for T {
    fn read(row: &Row, column: &str) -> Result<Option<Self>> {
        let known = |text: String| {
            let found = T::VALUES.iter().copied().find(|value| value.text() == text);
            found.ok_or_else(|| Error::Unreadable { what: format!("`{text}` in column `{column}`") })
        };
        row.text(column)?.map(known).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::Row;
    use crate::{Result, Store, StoreOptions, db::sql};

    async fn row(sql: &'static str) -> Row {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let url = format!("sqlite://{}/lectern.db", folder.path().display());
        let store = Store::open(&StoreOptions::new(url)).await.expect("it opens");
        store.one(sql!(sql)).await.expect("it reads").expect("a row")
    }

    #[tokio::test]
    async fn a_column_is_read_by_its_name_wherever_it_stands() {
        for order in ["SELECT 7 AS bytes, 'x' AS etag", "SELECT 'x' AS etag, NULL AS more, 7 AS bytes"] {
            let read: Result<(String, u32)> = row(order).await.pair("etag", "bytes");
            assert_eq!(read.expect("it is there"), ("x".to_owned(), 7));
        }
        let row = row("SELECT 7 AS bytes, NULL AS etag").await;
        assert_eq!(row.get::<Option<String>>("etag").expect("it may be null"), None);
        for (read, why) in [
            (row.get::<String>("etag").map(drop), "a null in column `etag`"),
            (row.get::<i64>("length").map(drop), "length"),
        ] {
            let error = format!("{:?}", read.expect_err("it cannot be read"));
            assert!(error.contains(why), "{error}");
        }
    }

    #[tokio::test]
    async fn a_row_of_two_columns_is_no_scalar() {
        assert_eq!(row("SELECT 7").await.scalar::<i64>().expect("a number"), 7);
        row("SELECT 8 AS added, 7 AS bytes").await.scalar::<i64>().expect_err("either may be meant");
    }

    #[tokio::test]
    #[should_panic(expected = "two columns of a query have one name")]
    async fn two_columns_of_one_name_end_a_test() {
        row("SELECT a.id, b.id FROM (SELECT 1 AS id) a, (SELECT 2 AS id) b").await;
    }
}
