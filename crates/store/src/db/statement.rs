//! A statement and its binds, and how both databases run it. Only here does a query meet a driver.

use lectern_types::{Credits, Id, Kind, Timestamp};
use sqlx::{AssertSqlSafe, Postgres, SqlSafeStr as _, SqlStr, Sqlite};

use super::Row;
use crate::{Error, Result, vocabulary::TextEnum};

/// One bound value, of one of the three column types. A null carries its type, because PostgreSQL
/// needs it.
#[derive(Debug, Clone)]
pub(crate) enum Bind {
    /// For a text column.
    Text(Option<String>),
    /// For an integer column.
    Int(Option<i64>),
    /// For a column of bytes.
    Bytes(Option<Vec<u8>>),
}

/// A type whose values can be bound.
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
        // The quantities counted here (bytes, milliseconds, characters) stay far below the limit.
        Bind::Int(Some(i64::try_from(self).unwrap_or(i64::MAX)))
    }
}

impl<T: TextEnum> Bound for T {
    const NULL: Bind = Bind::Text(None);
    fn bind(self) -> Bind {
        self.text().bind()
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

/// SQL in the subset that both databases read, and the values bound to `$1`, `$2`, ….
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) sql: &'static str,
    pub(crate) binds: Vec<Bind>,
    /// The rows of a statement for many rows.
    pub(crate) rows: Option<Rows>,
}

/// The rows of a statement of [`many`].
#[derive(Debug)]
pub(crate) struct Rows {
    /// All rows have the same length and the same types.
    rows: Vec<Vec<Bind>>,
    /// The part of the statement after the rows.
    after: &'static str,
}

/// A [`Statement`]: the SQL, then the values of `$1`, `$2`, ….
macro_rules! sql {
    ($sql:expr $(, $value:expr)* $(,)?) => {
        $crate::db::Statement {
            sql: $sql,
            binds: vec![$($crate::db::Bound::bind($value)),*],
            rows: None,
        }
    };
}
pub(crate) use sql;

/// The largest number of rows in one statement of [`many`]: enough that the round trips do not
/// matter, and not more, because SQLite and its driver look up each placeholder in a list from its
/// beginning.
const ROWS_AT_ONCE: usize = 100;

/// SQLite keeps statements prepared that have at most this many rows (one chunk and its objects
/// need this many), and full ones.
const FEW_ROWS: usize = 3;

/// One statement for many rows, or several when there are too many for one: `before`, then the
/// rows, then `after`. `fixed` are `$1`, `$2`, … of each statement. `before` ends with `VALUES `
/// or, for rows of one column, with `IN (`.
///
/// SQLite gets the rows as `($3, $4), ($5, $6), …`. PostgreSQL gets an array for each column, so
/// that the statement's text is the same for any number of rows, and is parsed and planned once.
pub(crate) fn many<const N: usize>(
    before: &'static str,
    fixed: &[Bind],
    rows: impl IntoIterator<Item = [Bind; N]>,
    after: &'static str,
) -> Vec<Statement> {
    some_at_once(ROWS_AT_ONCE, before, fixed, rows, after)
}

/// Like [`many`], with at most `at_once` rows in a statement.
pub(crate) fn some_at_once<const N: usize>(
    at_once: usize,
    before: &'static str,
    fixed: &[Bind],
    rows: impl IntoIterator<Item = [Bind; N]>,
    after: &'static str,
) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut rows = rows.into_iter().map(Vec::from).peekable();
    while rows.peek().is_some() {
        let rows = Rows { rows: rows.by_ref().take(at_once).collect(), after };
        statements.push(Statement { sql: before, binds: fixed.to_vec(), rows: Some(rows) });
    }
    statements
}

/// The values bound on PostgreSQL.
enum Places {
    One(Bind),
    Texts(Vec<Option<String>>),
    Ints(Vec<Option<i64>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl Statement {
    /// Its text for SQLite, its binds, and whether the same text recurs, so that it pays to prepare
    /// it.
    fn for_sqlite(self) -> (SqlStr, Vec<Bind>, bool) {
        let Self { sql, mut binds, rows } = self;
        let Some(Rows { rows, after }) = rows else {
            return (SqlStr::from_static(sql), binds, true);
        };
        let recurs = rows.len() <= FEW_ROWS || rows.len() == ROWS_AT_ONCE;
        let mut sql = sql.to_owned();
        for (number, row) in rows.into_iter().enumerate() {
            sql.push_str(if number == 0 { "(" } else { ", (" });
            for (column, bind) in row.into_iter().enumerate() {
                binds.push(bind);
                sql.push_str(if column == 0 { "$" } else { ", $" });
                sql.push_str(&binds.len().to_string());
            }
            sql.push(')');
        }
        sql.push_str(after);
        (made(sql), binds, recurs)
    }

    /// Its text for PostgreSQL, which always recurs, and its binds.
    fn for_postgres(self) -> Result<(SqlStr, Vec<Places>)> {
        let Self { sql, binds, rows } = self;
        let mut binds: Vec<Places> = binds.into_iter().map(Places::One).collect();
        let Some(Rows { rows, after }) = rows else {
            return Ok((SqlStr::from_static(sql), binds));
        };
        let mut sql = sql.strip_suffix("VALUES ").unwrap_or(sql).to_owned();
        sql.push_str("SELECT * FROM unnest(");
        for (number, column) in columns(rows)?.into_iter().enumerate() {
            let kind = match &column {
                Places::Ints(_) => "bigint",
                Places::Bytes(_) => "bytea",
                Places::Texts(_) | Places::One(_) => "text",
            };
            binds.push(column);
            for part in [if number == 0 { "$" } else { ", $" }, &binds.len().to_string(), "::", kind, "[]"] {
                sql.push_str(part);
            }
        }
        sql.push(')');
        sql.push_str(after);
        Ok((made(sql), binds))
    }
}

/// SQL made of literals and numbered placeholders; it contains no text from callers.
fn made(sql: String) -> SqlStr {
    AssertSqlSafe(sql).into_sql_str()
}

/// Turns rows into columns.
fn columns(rows: Vec<Vec<Bind>>) -> Result<Vec<Places>> {
    let mut columns: Vec<Places> = Vec::new();
    for (number, row) in rows.into_iter().enumerate() {
        for (at, bind) in row.into_iter().enumerate() {
            if number == 0 {
                columns.push(match bind {
                    Bind::Text(_) => Places::Texts(Vec::new()),
                    Bind::Int(_) => Places::Ints(Vec::new()),
                    Bind::Bytes(_) => Places::Bytes(Vec::new()),
                });
            }
            // A column has one type, which all its values have, including nulls.
            match (columns.get_mut(at), bind) {
                (Some(Places::Texts(column)), Bind::Text(value)) => column.push(value),
                (Some(Places::Ints(column)), Bind::Int(value)) => column.push(value),
                (Some(Places::Bytes(column)), Bind::Bytes(value)) => column.push(value),
                // Skipping the value would shift later rows' values up.
                _ => {
                    let what =
                        format!("a value of column {at} to be written, of another type than the first");
                    return Err(Error::Unreadable { what });
                }
            }
        }
    }
    Ok(columns)
}

/// The statement as SQLite's own query.
macro_rules! sqlite {
    ($statement:expr) => {{
        let (sql, binds, recurs) = $statement.for_sqlite();
        let mut query = sqlx::query::<Sqlite>(sql).persistent(recurs);
        for bind in binds {
            query = match bind {
                Bind::Text(value) => query.bind(value),
                Bind::Int(value) => query.bind(value),
                Bind::Bytes(value) => query.bind(value),
            };
        }
        query
    }};
}

/// The statement as PostgreSQL's own query.
macro_rules! postgres {
    ($statement:expr) => {{
        let (sql, binds) = $statement.for_postgres()?;
        let mut query = sqlx::query::<Postgres>(sql);
        for bind in binds {
            query = match bind {
                Places::One(Bind::Text(value)) => query.bind(value),
                Places::One(Bind::Int(value)) => query.bind(value),
                Places::One(Bind::Bytes(value)) => query.bind(value),
                Places::Texts(values) => query.bind(values),
                Places::Ints(values) => query.bind(values),
                Places::Bytes(values) => query.bind(values),
            };
        }
        query
    }};
}

/// Fails a test whose query gives two columns the same name: reading by that name would return
/// either.
fn named_apart(rows: Vec<Row>) -> Vec<Row> {
    debug_assert!(rows.first().is_none_or(Row::has_distinct_names), "two columns of a query have one name");
    rows
}

impl Statement {
    pub(crate) async fn sqlite_rows<'e>(self, on: impl sqlx::SqliteExecutor<'e>) -> Result<Vec<Row>> {
        let rows = sqlite!(self).fetch_all(on).await?;
        Ok(named_apart(rows.into_iter().map(Row::Sqlite).collect()))
    }

    pub(crate) async fn postgres_rows<'e>(self, on: impl sqlx::PgExecutor<'e>) -> Result<Vec<Row>> {
        let rows = postgres!(self).fetch_all(on).await?;
        Ok(named_apart(rows.into_iter().map(Row::Postgres).collect()))
    }

    pub(crate) async fn sqlite_run<'e>(self, on: impl sqlx::SqliteExecutor<'e>) -> Result<u64> {
        Ok(sqlite!(self).execute(on).await?.rows_affected())
    }

    pub(crate) async fn postgres_run<'e>(self, on: impl sqlx::PgExecutor<'e>) -> Result<u64> {
        Ok(postgres!(self).execute(on).await?.rows_affected())
    }
}
