//! A statement and its binds, and how both databases run it. The one place where a query meets a
//! driver.

use lectern_types::{Credits, Id, Kind, Timestamp};
use sqlx::{AssertSqlSafe, Postgres, SqlSafeStr as _, SqlStr, Sqlite};

use super::Row;
use crate::{Error, Result, vocabulary::TextEnum};

/// One bound value. The three types that columns have; a null knows its type, which PostgreSQL
/// wants.
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

/// SQL in the subset both databases read, and what is bound to `$1`, `$2`, ….
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) sql: &'static str,
    pub(crate) binds: Vec<Bind>,
    /// Of a statement for many rows.
    pub(crate) rows: Option<Rows>,
}

/// The rows that a statement of [`many`] is for.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Each as long as the others, and with the same types.
    rows: Vec<Vec<Bind>>,
    /// What of the statement comes after them.
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

/// The rows that one statement of [`many`] takes at most: enough that the round trips do not count,
/// and few, because SQLite and its driver look each place up in a list from its beginning.
const ROWS_AT_ONCE: usize = 100;

/// SQLite keeps statements of at most this many rows prepared (one chunk and its objects have so
/// many), and full ones.
const FEW_ROWS: usize = 3;

/// One statement for many rows, or several when they are too many for one: `before`, then the rows,
/// then `after`. `fixed` are `$1`, `$2`, … of each. `before` ends with `VALUES ` or, for rows of
/// one column, with `IN (`.
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

/// As [`many`], with at most `at_once` rows in a statement.
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

/// What is bound on PostgreSQL.
enum Places {
    One(Bind),
    Texts(Vec<Option<String>>),
    Ints(Vec<Option<i64>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl Statement {
    /// As text for SQLite, with its binds, and whether the same text comes again, so that preparing
    /// it pays.
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

    /// As text for PostgreSQL, which always comes again, with its binds.
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

/// SQL made of literals and numbered places; nothing of a caller's is in it.
fn made(sql: String) -> SqlStr {
    AssertSqlSafe(sql).into_sql_str()
}

/// Rows turned into columns.
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
            // A column has one type, which each value has, a null as well.
            match (columns.get_mut(at), bind) {
                (Some(Places::Texts(column)), Bind::Text(value)) => column.push(value),
                (Some(Places::Ints(column)), Bind::Int(value)) => column.push(value),
                (Some(Places::Bytes(column)), Bind::Bytes(value)) => column.push(value),
                // A row's values would move up to others'.
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

/// Ends a test whose query gives two columns one name: reading by that name would return either.
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
