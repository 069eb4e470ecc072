//! A private, throw-away PostgreSQL cluster for this test process: its data in a temporary folder, reached by
//! a socket in that folder only (no port to collide on, nobody else can connect), `fsync` off.
//!
//! A shell script keeps it: it starts the cluster, reports, and waits on its standard input, which ends when
//! this process does, however it does; then it stops the cluster and removes the folder.
//! `LECTERN_TEST_POSTGRES_URL` names a server to use instead; its databases are made and dropped there.

use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

const SCRIPT: &str = r#"
set -eu
cd /
dir=$(mktemp -d "${TMPDIR:-/tmp}/lectern-postgres.XXXXXX")
trap 'rm -rf "$dir"' EXIT
"$1/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --no-locale --no-sync >"$dir/log" 2>&1 \
  || { cat "$dir/log"; exit 1; }
"$1/pg_ctl" -D "$dir/data" -w -t 60 -l "$dir/log" \
  -o "-c listen_addresses='' -k $dir -c fsync=off -c full_page_writes=off -c max_connections=300 -c shared_buffers=64MB" \
  start >/dev/null 2>&1 || { cat "$dir/log"; exit 1; }
echo "ready $dir"
cat >/dev/null
"$1/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1 || true
"#;

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
        // Only the path, the database's name, is replaced.
        let (base, query) = given
            .split_once('?')
            .map_or((given.as_str(), String::new()), |(base, query)| (base, format!("?{query}")));
        let server: Vec<&str> = base.splitn(4, '/').take(3).collect();
        return Cluster { url: format!("{}/{{}}{query}", server.join("/")), _keeper: None };
    }
    let bin = find_binaries().expect(
        "PostgreSQL's server programs (initdb, pg_ctl) are neither under /usr/lib/postgresql/*/bin nor on the \
         PATH: install them (apt-get install postgresql) or set LECTERN_TEST_POSTGRES_URL",
    );
    let mut command = keeper();
    let mut child = command
        .args(["-c", SCRIPT, "sh"])
        .arg(&bin)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell starts");
    let mut said = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("its output is piped"));
    let mut folder = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).expect("its output is text") == 0 {
            break;
        }
        if let Some(path) = line.strip_prefix("ready ") {
            folder = Some(path.trim().to_owned());
            break;
        }
        said.push_str(&line);
    }
    let folder = folder.unwrap_or_else(|| panic!("PostgreSQL from {} did not start:\n{said}", bin.display()));
    Cluster { url: format!("postgres://postgres@localhost/{{}}?host={folder}"), _keeper: Some(child) }
}

/// The shell, as a user whom PostgreSQL accepts: not root.
fn keeper() -> Command {
    let id = |arguments: &[&str]| {
        let output = Command::new("id").args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if id(&["-u"]).as_deref() != Some("0") {
        return Command::new("sh");
    }
    let user = ["postgres", "nobody"].into_iter().find(|user| id(&["-u", user]).is_some());
    let user = user.expect("as root, PostgreSQL needs another user to run as: make one named postgres");
    let mut command = Command::new("runuser");
    command.args(["-u", user, "--", "sh"]);
    command
}

/// The newest installed version's folder of programs.
fn find_binaries() -> Option<PathBuf> {
    let complete = |bin: &Path| bin.join("initdb").is_file() && bin.join("pg_ctl").is_file();
    let version = |bin: &PathBuf| -> u32 {
        bin.parent().and_then(Path::file_name).and_then(|name| name.to_str()?.parse().ok()).unwrap_or(0)
    };
    let packaged = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let packaged =
        packaged.map(|entry| entry.path().join("bin")).filter(|bin| complete(bin)).max_by_key(version);
    packaged.or_else(|| {
        #[expect(clippy::disallowed_methods, reason = "looking for a program is what PATH is for")]
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find(|bin| complete(bin))
    })
}
