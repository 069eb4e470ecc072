//! Baselines for `bench/http`, each on its own database:
//!
//! - `bare serve sqlite://FILE`: a bare axum route with one SELECT through sqlx, with the store's
//!   SQLite settings. Prints its address; ends when standard input ends.
//! - `bare commits URL SECONDS`: pairs of bare commits (one inserted row in each) at full
//!   durability, by one writer on SQLite, or by as many connections as the store has on PostgreSQL.
//!   Prints the number of pairs a second.

#![expect(clippy::print_stdout, reason = "its output is its answer")]

use std::{
    io::Read as _,
    str::FromStr as _,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{Json, Router, extract::State, http::StatusCode, routing::get};
use serde_json::{Value, json};
use sqlx::{
    Connection as _, PgPool, Row as _, SqlitePool,
    postgres::PgPoolOptions,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

/// The same allocator as the service's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of PostgreSQL connections that the store has.
const CONNECTIONS: u32 = 24;

/// The number of SQLite readers that the store has.
fn readers() -> u32 {
    let cores = std::thread::available_parallelism().map_or(4, |cores| cores.get() as u32);
    (2 * cores).clamp(4, 8)
}

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve", url] => serve(url).await,
        ["commits", url, seconds] => {
            println!("{:.0}", commits(url, Duration::from_secs(seconds.parse()?)).await?);
            Ok(())
        }
        _ => Err("usage: bare serve URL | bare commits URL SECONDS".into()),
    }
}

fn sqlite(url: &str) -> Outcome<SqliteConnectOptions> {
    Ok(SqliteConnectOptions::from_str(url)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true))
}

async fn serve(url: &str) -> Outcome<()> {
    let pool = SqlitePoolOptions::new()
        .max_connections(readers())
        .test_before_acquire(false)
        .connect_with(sqlite(url)?)
        .await?;
    sqlx::raw_sql(
        "CREATE TABLE balances (id TEXT PRIMARY KEY, balance INTEGER NOT NULL, held INTEGER NOT NULL) STRICT",
    )
    .execute(&pool)
    .await?;
    for number in 0..200 {
        sqlx::query("INSERT INTO balances VALUES ($1, 1000000, 0)")
            .bind(format!("acc_{number:032}"))
            .execute(&pool)
            .await?;
    }
    let router = Router::new().route("/balance", get(balance)).with_state(pool);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let (ended, end) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = ended.send(());
    });
    tokio::select! {
        served = async { axum::serve(listener, router).await } => Ok(served?),
        _ = end => Ok(()),
    }
}

async fn balance(State(pool): State<SqlitePool>) -> Result<Json<Value>, StatusCode> {
    let id = format!("acc_{:032}", 7);
    let row = sqlx::query("SELECT balance, held FROM balances WHERE id = $1").bind(id).fetch_one(&pool).await;
    let row = row.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let (balance, held): (i64, i64) = (row.get(0), row.get(1));
    Ok(Json(json!({ "balance": balance, "held": held, "available": balance - held })))
}

async fn commits(url: &str, time: Duration) -> Outcome<f64> {
    let table = "CREATE TABLE bare_commits (id BIGINT PRIMARY KEY, body TEXT NOT NULL)";
    let next = Arc::new(AtomicU64::new(0));
    let started = Instant::now();
    let mut writers = tokio::task::JoinSet::new();
    if url.starts_with("sqlite:") {
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(sqlite(url)?).await?;
        sqlx::raw_sql(table).execute(&pool).await?;
        writers.spawn(commit_on_sqlite(pool, next.clone(), started + time));
    } else {
        let pool =
            PgPoolOptions::new().max_connections(CONNECTIONS).test_before_acquire(false).connect(url).await?;
        sqlx::raw_sql(table).execute(&pool).await?;
        for _ in 0..CONNECTIONS {
            writers.spawn(commit_on_postgres(pool.clone(), next.clone(), started + time));
        }
    }
    for written in writers.join_all().await {
        written?;
    }
    Ok(next.load(Ordering::Relaxed) as f64 / 2.0 / started.elapsed().as_secs_f64())
}

const INSERT: &str =
    "INSERT INTO bare_commits VALUES ($1, 'what one row of a ledger might say, more or less')";

async fn commit_on_sqlite(pool: SqlitePool, next: Arc<AtomicU64>, end: Instant) -> Outcome<()> {
    let mut connection = pool.acquire().await?;
    while Instant::now() < end {
        let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
        let id = next.fetch_add(1, Ordering::Relaxed).cast_signed();
        sqlx::query(INSERT).bind(id).execute(&mut *tx).await?;
        tx.commit().await?;
    }
    Ok(())
}

async fn commit_on_postgres(pool: PgPool, next: Arc<AtomicU64>, end: Instant) -> Outcome<()> {
    let mut connection = pool.acquire().await?;
    while Instant::now() < end {
        let mut tx = connection.begin().await?;
        let id = next.fetch_add(1, Ordering::Relaxed).cast_signed();
        sqlx::query(INSERT).bind(id).execute(&mut *tx).await?;
        tx.commit().await?;
    }
    Ok(())
}
