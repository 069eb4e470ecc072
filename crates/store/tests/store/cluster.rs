//! The PostgreSQL that these tests use: the one `LECTERN_TEST_POSTGRES_URL` names (`./test` sets it), else a private,
//! throw-away one that `scripts/throwaway_postgres` keeps for this process and ends with it.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

struct Cluster {
    /// A connection URL with `{}` in the place of the database's name.
    url: String,
    /// Ends the cluster when this process ends and its standard input with it.
    _keeper: Option<Child>,
}

/// A connection URL of the database with this name.
pub(crate) fn url(database: &str) -> String {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(start).url.replace("{}", database)
}

fn start() -> Cluster {
    #[expect(clippy::disallowed_methods, reason = "a test's setting; the service's come from its config")]
    let given = std::env::var("LECTERN_TEST_POSTGRES_URL").ok();
    if let Some(given) = given.filter(|url| !url.is_empty()) {
        return Cluster { url: any_database(&given), _keeper: None };
    }
    let mut keeper = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/throwaway_postgres"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the script is in the repository");
    let mut said = String::new();
    BufReader::new(keeper.stdout.take().expect("its output is piped"))
        .read_line(&mut said)
        .expect("its output is text");
    assert!(said.starts_with("postgres://"), "PostgreSQL did not start; its script says why above");
    Cluster { url: any_database(said.trim()), _keeper: Some(keeper) }
}

/// The URL with `{}` for its path, which is the database's name.
fn any_database(url: &str) -> String {
    let (base, query) =
        url.split_once('?').map_or((url, String::new()), |(base, query)| (base, format!("?{query}")));
    let server: Vec<&str> = base.splitn(4, '/').take(3).collect();
    format!("{}/{{}}{query}", server.join("/"))
}
