//! The direction of imports, read from the manifests and the sources. An arrow that points back fails here.
//!
//! The unit tests at the end are the negative controls of the scanner itself.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What each crate may depend on outside its tests.
const CRATES: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("speech", &["lectern-types"]),
    ("documents", &["lectern-types"]),
    ("store", &["lectern-types"]),
    ("server", &["lectern-types", "lectern-speech", "lectern-documents", "lectern-store"]),
    ("testkit", &["lectern-types", "lectern-speech", "lectern-documents", "lectern-store", "lectern-server"]),
];

/// Areas of the server (folder or file below `src`) and the areas they must not know.
const SERVER: &[(&str, &[&str])] = &[
    ("services", &["http", "workers", "admin", "commands"]),
    ("http", &["workers", "admin", "commands"]),
    ("workers", &["http", "admin", "commands"]),
    ("objects", &["http", "services", "workers", "admin", "commands", "app"]),
    ("queue", &["http", "services", "workers", "admin", "commands", "app"]),
    ("outbound", &["http", "services", "workers", "admin", "commands", "app"]),
    ("config", &["http", "services", "workers", "admin", "commands", "app", "objects"]),
];

/// Crates that only one of ours may use, with the reason.
const KEPT: &[(&str, &[&str], &str)] = &[
    ("sqlx", &["store", "testkit"], "SQL lives in the store; the testkit makes and breaks databases"),
    ("rten", &["speech"], "networks run in speech"),
    ("axum", &["server"], "only the server speaks HTTP"),
];

#[test]
fn crates_depend_one_way() {
    for (name, allowed) in CRATES {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        for dependency in dependencies(&manifest) {
            if dependency.starts_with("lectern-") {
                assert!(
                    allowed.contains(&dependency.as_str()),
                    "crates/{name} must not depend on {dependency}; allowed: {allowed:?}"
                );
            }
            for (kept, homes, reason) in KEPT {
                assert!(
                    dependency != *kept || homes.contains(name),
                    "crates/{name} must not depend on {kept}: {reason}"
                );
            }
        }
    }
}

#[test]
fn areas_of_the_server_depend_one_way() {
    let src = root().join("crates/server/src");
    for (area, forbidden) in SERVER {
        for file in sources(&src, area) {
            let imported = areas_named(&fs::read_to_string(&file).unwrap());
            for bad in *forbidden {
                assert!(!imported.contains(*bad), "{} must not use crate::{bad}", file.display());
            }
        }
    }
}

// Negative control: with `reqwest::` named in services/rate.rs this fails.
/// Customers' addresses are called by the area `outbound` alone: whoever makes connections is named here, with whom to.
#[test]
fn only_outbound_and_clients_of_known_servers_make_connections() {
    const CLIENTS: &[&str] = &[
        // Addresses that customers gave.
        "outbound.rs",
        "outbound/connector.rs",
        "outbound/resolver/exchange.rs",
        // Whether an address is this machine's: nothing is sent.
        "outbound/guard.rs",
        // A developer's own machine and service.
        "commands/webhooks/listen.rs",
        "commands/webhooks/listen/feed.rs",
        "commands/webhooks/listen/forward.rs",
        // What the operator's settings name.
        "commands/doctor.rs",
        // The management listener of this very service.
        "commands/healthcheck.rs",
        "services/payments/stripe.rs",
    ];
    const WORDS: &[&str] =
        &["TcpStream::connect", "UdpSocket", "reqwest::", "TlsConnector", "client::legacy"];
    let src = root().join("crates/server/src");
    let mut clients = BTreeSet::new();
    for file in sources(&src, "") {
        let text = fs::read_to_string(&file).unwrap();
        if let Some(word) = WORDS.iter().find(|word| text.contains(**word)) {
            let named = file.strip_prefix(&src).unwrap().to_str().unwrap().to_owned();
            assert!(
                CLIENTS.contains(&named.as_str()),
                "{named} names {word}: only outbound/ calls customers' addresses"
            );
            clients.insert(named);
        }
    }
    assert_eq!(
        clients.len(),
        CLIENTS.len(),
        "the list names files that connect to nothing; those that do: {clients:?}"
    );
}

#[test]
fn nothing_but_the_testkit_and_tests_depends_on_the_testkit() {
    for (name, _) in CRATES {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        assert!(!dependencies(&manifest).contains("lectern-testkit"), "crates/{name} ships the testkit");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Names in the `[dependencies]` table of a manifest.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let table: toml::Table = manifest.parse().unwrap();
    table
        .get("dependencies")
        .and_then(toml::Value::as_table)
        .map(|dependencies| dependencies.keys().cloned().collect())
        .unwrap_or_default()
}

/// The Rust files of one area: `area.rs` and everything below `area/`.
fn sources(src: &Path, area: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let file = src.join(format!("{area}.rs"));
    if file.is_file() {
        found.push(file);
    }
    let mut folders = vec![src.join(area)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "the area {area} has no file: mend the table in this test");
    found
}

/// The first names after `crate::` in a source, `use crate::{a, b::c}` groups taken apart; comments left out.
fn areas_named(source: &str) -> BTreeSet<String> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        // `$crate::` and `some_crate::` name other things.
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        let group = rest.trim_start().strip_prefix('{');
        for path in group.map_or_else(|| vec![rest], top_level_paths) {
            let name: String =
                path.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            names.insert(name);
        }
    }
    names
}

/// The comma-separated paths of a `{…}` group, given what follows its opening brace.
fn top_level_paths(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut paths) = (1, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => {
                paths.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            paths.push(&group[start..at]);
            break;
        }
    }
    paths
}

#[test]
fn the_scanner_sees_imports_in_every_form() {
    let names = areas_named(
        "use crate::http::router;\nuse crate::{app::App, services::{keys, credits}, config};\n\
         // use crate::commands;\nfn f() { crate::workers::run(); other_crate::admin(); }",
    );
    for wanted in ["http", "app", "services", "config", "workers"] {
        assert!(names.contains(wanted), "{wanted} was missed in {names:?}");
    }
    for absent in ["commands", "admin", "keys"] {
        assert!(!names.contains(absent), "{absent} was seen in {names:?}");
    }
}

#[test]
fn the_scanner_reads_only_the_dependencies_table() {
    let found = dependencies("[dependencies]\nsqlx = { workspace = true }\n[dev-dependencies]\nx = \"1\"\n");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["sqlx"]);
}
