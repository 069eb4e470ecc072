//! A statement and its binds, and how both databases run it. The one place where a query meets a driver.

use lectern_types::{Credits, Id, Kind, Timestamp};
use sqlx::{Postgres, Sqlite};

use super::Row;
use crate::Result;

/// One bound value. The three types that columns have; a null knows its type, which PostgreSQL wants.
#[derive(Debug, Clone)]
pub(crate) enum Bind {
    /// Of a text column.
    Text(Option<String>),
    /// Of a whole-number column.
    Int(Option<i64>),
    /// Of a column of bytes.
    Bytes(Option<Vec<u8>>),
}

/// What can be bound.
pub(crate) trait Bound {
    /// The null of its type.
    const NULL: Bind;
    /// The value to bind.
    fn bind(self) -> Bind;
}

impl Bound for i64 {
    const NULL: Bind = Bind::Int(None);
    fn bind(self) -> Bind {
        Bind::Int(Some(self))
    }
}

impl Bound for &str {
    const NULL: Bind = Bind::Text(None);
    fn bind(self) -> Bind {
        Bind::Text(Some(self.to_owned()))
    }
}

impl Bound for String {
    const NULL: Bind = Bind::Text(None);
    fn bind(self) -> Bind {
        Bind::Text(Some(self))
    }
}

impl Bound for &[u8] {
    const NULL: Bind = Bind::Bytes(None);
    fn bind(self) -> Bind {
        Bind::Bytes(Some(self.to_owned()))
    }
}

impl Bound for bool {
    const NULL: Bind = Bind::Int(None);
    fn bind(self) -> Bind {
        Bind::Int(Some(i64::from(self)))
    }
}

impl Bound for u32 {
    const NULL: Bind = Bind::Int(None);
    fn bind(self) -> Bind {
        Bind::Int(Some(i64::from(self)))
    }
}

impl Bound for Timestamp {
    const NULL: Bind = Bind::Int(None);
    fn bind(self) -> Bind {
        Bind::Int(Some(self.0))
    }
}

impl Bound for Credits {
    const NULL: Bind = Bind::Int(None);
    fn bind(self) -> Bind {
        Bind::Int(Some(self.0))
    }
}

impl<K: Kind> Bound for Id<K> {
    const NULL: Bind = Bind::Text(None);
    fn bind(self) -> Bind {
        Bind::Text(Some(self.to_string()))
    }
}

impl<T: Bound> Bound for Option<T> {
    const NULL: Bind = T::NULL;
    fn bind(self) -> Bind {
        self.map_or(T::NULL, T::bind)
    }
}

/// SQL in the subset both databases read, and what is bound to `$1`, `$2`, ….
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) sql: &'static str,
    pub(crate) binds: Vec<Bind>,
}

/// A [`Statement`]: the SQL, then the values of `$1`, `$2`, ….
macro_rules! sql {
    ($sql:expr $(, $value:expr)* $(,)?) => {
        $crate::db::Statement { sql: $sql, binds: vec![$($crate::db::Bound::bind($value)),*] }
    };
}
pub(crate) use sql;

/// The statement as the driver's own query.
macro_rules! query {
    ($database:ty, $statement:expr) => {{
        let statement = $statement;
        let mut query = sqlx::query::<$database>(statement.sql);
        for bind in statement.binds {
            query = match bind {
                Bind::Text(value) => query.bind(value),
                Bind::Int(value) => query.bind(value),
                Bind::Bytes(value) => query.bind(value),
            };
        }
        query
    }};
}

impl Statement {
    pub(crate) async fn sqlite_rows<'e>(self, on: impl sqlx::SqliteExecutor<'e>) -> Result<Vec<Row>> {
        let rows = query!(Sqlite, self).fetch_all(on).await?;
        Ok(rows.into_iter().map(Row::Sqlite).collect())
    }

    pub(crate) async fn postgres_rows<'e>(self, on: impl sqlx::PgExecutor<'e>) -> Result<Vec<Row>> {
        let rows = query!(Postgres, self).fetch_all(on).await?;
        Ok(rows.into_iter().map(Row::Postgres).collect())
    }

    pub(crate) async fn sqlite_run<'e>(self, on: impl sqlx::SqliteExecutor<'e>) -> Result<u64> {
        Ok(query!(Sqlite, self).execute(on).await?.rows_affected())
    }

    pub(crate) async fn postgres_run<'e>(self, on: impl sqlx::PgExecutor<'e>) -> Result<u64> {
        Ok(query!(Postgres, self).execute(on).await?.rows_affected())
    }
}
