//! A statement and its binds, and how both databases run it. The one place where a query meets a driver.

use std::borrow::Cow;

use lectern_types::{
    AudioFormat, BookFormat, ChunkStatus, Credits, ErrorCode, EventType, Id, Kind, MaterialStatus, Timestamp,
};
use sqlx::{AssertSqlSafe, Postgres, SqlSafeStr as _, SqlStr, Sqlite};

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

impl Bound for u64 {
    const NULL: Bind = Bind::Int(None);
    fn bind(self) -> Bind {
        // What is counted here (bytes, milliseconds, characters) stays far below.
        Bind::Int(Some(i64::try_from(self).unwrap_or(i64::MAX)))
    }
}

/// Words of closed sets that `lectern_types` defines.
macro_rules! words_of_types {
    ($($type:ty)*) => { $(
        impl Bound for $type {
            const NULL: Bind = Bind::Text(None);
            fn bind(self) -> Bind {
                self.as_str().bind()
            }
        }
    )* };
}
words_of_types!(AudioFormat BookFormat ChunkStatus ErrorCode EventType MaterialStatus);

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
    /// Owned only where [`many`] counted the places of its rows.
    pub(crate) sql: Cow<'static, str>,
    pub(crate) binds: Vec<Bind>,
    /// Whether it comes again in the same words, so that preparing it pays.
    pub(crate) recurs: bool,
}

/// A [`Statement`]: the SQL, then the values of `$1`, `$2`, ….
macro_rules! sql {
    ($sql:expr $(, $value:expr)* $(,)?) => {
        $crate::db::Statement {
            sql: ::std::borrow::Cow::Borrowed($sql),
            binds: vec![$($crate::db::Bound::bind($value)),*],
            recurs: true,
        }
    };
}
pub(crate) use sql;

/// The rows that one statement of [`many`] takes at most: enough that the round trips do not count, and few, because SQLite
/// and its driver look each place up in a list from its beginning.
const ROWS_AT_ONCE: usize = 100;

/// Up to so many rows a statement is kept prepared as well: those of one chunk, and its objects.
const FEW_ROWS: usize = 3;

/// One statement for many rows, or several when they are too many for one: `before`, then `($3, $4), ($5, $6), …` for
/// the rows, then `after`. `fixed` are `$1`, `$2`, … of each.
pub(crate) fn many<const N: usize>(
    before: &'static str,
    fixed: &[Bind],
    rows: impl IntoIterator<Item = [Bind; N]>,
    after: &'static str,
) -> Vec<Statement> {
    some_at_once(ROWS_AT_ONCE, before, fixed, rows, after)
}

/// As [`many`], with so many rows in a statement at most.
pub(crate) fn some_at_once<const N: usize>(
    at_once: usize,
    before: &'static str,
    fixed: &[Bind],
    rows: impl IntoIterator<Item = [Bind; N]>,
    after: &'static str,
) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let mut sql = before.to_owned();
        let mut binds = fixed.to_vec();
        let mut taken = 0;
        for (number, row) in rows.by_ref().take(at_once).enumerate() {
            sql.push_str(if number == 0 { "(" } else { ", (" });
            for (column, bind) in row.into_iter().enumerate() {
                binds.push(bind);
                sql.push_str(if column == 0 { "$" } else { ", $" });
                sql.push_str(&binds.len().to_string());
            }
            sql.push(')');
            taken = number + 1;
        }
        sql.push_str(after);
        let recurs = taken <= FEW_ROWS || taken == ROWS_AT_ONCE;
        statements.push(Statement { sql: Cow::Owned(sql), binds, recurs });
    }
    statements
}

/// The statement as the driver's own query.
macro_rules! query {
    ($database:ty, $statement:expr) => {{
        let statement = $statement;
        let sql = match statement.sql {
            Cow::Borrowed(sql) => SqlStr::from_static(sql),
            // Made of literals and numbered places by `many`; nothing of a caller's is in it.
            Cow::Owned(sql) => AssertSqlSafe(sql).into_sql_str(),
        };
        let mut query = sqlx::query::<$database>(sql).persistent(statement.recurs);
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
