//! Enforces the allowed directions of imports, which it reads from the manifests and the sources.
//!
//! The unit tests at the end are the negative controls of the scanner itself.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs,
    path::{Path, PathBuf},
};

/// The crates that each crate may depend on outside its tests.
const CRATES: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("speech", &["lectern-types"]),
    ("documents", &["lectern-types"]),
    ("publishing", &["lectern-types"]),
    ("store", &["lectern-types"]),
    (
        "service",
        &["lectern-types", "lectern-speech", "lectern-documents", "lectern-publishing", "lectern-store"],
    ),
    ("http", &["lectern-types", "lectern-store", "lectern-service"]),
    (
        "server",
        &[
            "lectern-types",
            "lectern-speech",
            "lectern-documents",
            "lectern-publishing",
            "lectern-store",
            "lectern-service",
            "lectern-http",
        ],
    ),
    (
        "testkit",
        &[
            "lectern-types",
            "lectern-speech",
            "lectern-documents",
            "lectern-publishing",
            "lectern-store",
            "lectern-service",
            "lectern-http",
            "lectern-server",
        ],
    ),
];

/// Areas of the service (directory or file below `crates/service/src`) and the areas that they must
/// not import.
const SERVICE: &[(&str, &[&str])] = &[
    ("workers", &["app"]),
    ("services", &["workers", "app"]),
    ("base", &["services", "workers", "app"]),
    ("objects", &["services", "workers", "app", "base"]),
    ("dispatch", &["services", "workers", "app", "base"]),
    ("outbound", &["services", "workers", "app", "base"]),
    ("config", &["services", "workers", "app", "base", "objects"]),
];

/// Crates in which a module must not import itself through other modules of the same folder.
const WITHOUT_CYCLES: &[&str] =
    &["types", "speech", "documents", "publishing", "store", "service", "http", "server"];

/// External crates that only some of our crates may use, with the reason.
const KEPT: &[(&str, &[&str], &str)] = &[
    ("sqlx", &["store", "testkit"], "SQL lives in the store; the testkit makes and breaks databases"),
    ("rten", &["speech"], "networks run in speech"),
    ("axum", &["http"], "only crates/http speaks HTTP to callers"),
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
fn areas_of_the_service_depend_one_way() {
    let src = root().join("crates/service/src");
    for (area, forbidden) in SERVICE {
        for file in sources(&src, area) {
            let imported = areas_named(&fs::read_to_string(&file).unwrap());
            for bad in *forbidden {
                assert!(!imported.contains(*bad), "{} must not use crate::{bad}", file.display());
            }
        }
    }
}

// Negative control. This fails with the message in quotation marks after each of these changes:
// `use crate::engines::WordTiming;` in speech/src/audio/captions.rs ("speech/src: audio → engines →
// audio"), `use crate::deliveries as _;` in store/src/webhooks.rs ("store/src: deliveries →
// webhooks → deliveries"), `use crate::app::App as _;` in service/src/services/keys/create.rs
// ("service/src: app → services → app"), `use crate::edge::Edge as _;` in http/src/extract/auth.rs
// ("http/src: edge → pages → extract → edge"), `use crate::router::document as _;` in
// http/src/openapi.rs ("http/src: openapi → router → openapi"), and `use
// super::synthesis::SynthesisParams as _;` in service/src/services/speech/claims.rs
// ("service/src/services/speech: claims → synthesis → claims").
#[test]
fn modules_import_each_other_in_no_circle() {
    for name in WITHOUT_CYCLES {
        let src = root().join("crates").join(name).join("src");
        let sources = ModuleSource::all(&src);
        let folders: BTreeSet<&[String]> = sources
            .iter()
            .flat_map(|source| (0..source.path.len()).map(|depth| &source.path[..depth]))
            .collect();
        for folder in folders {
            let shown = [&[(*name).to_owned(), "src".to_owned()], folder].concat().join("/");
            let imports = imports_between_modules(&sources, folder);
            if let Some(circle) = circle(&imports) {
                panic!("{shown}: {}", circle.join(" → "));
            }
        }
    }
}

// Negative control: with `reqwest::` named in services/limits/requests.rs, this fails.
/// Only the area `outbound` connects to customers' addresses. This lists every file that makes
/// connections, by destination.
#[test]
fn only_outbound_and_clients_of_known_servers_make_connections() {
    const CLIENTS: &[&str] = &[
        // These connect to customers' addresses.
        "service/outbound.rs",
        "service/outbound/connector.rs",
        "service/outbound/resolver/exchange.rs",
        // This tests whether an address belongs to this machine, and sends nothing.
        "service/outbound/guard.rs",
        // These connect to a developer's own machine and service.
        "server/commands/webhooks/listen.rs",
        "server/commands/webhooks/listen/feed.rs",
        "server/commands/webhooks/listen/forward.rs",
        // These connect to addresses from the operator's settings.
        "server/commands/doctor.rs",
        // This connects to the service that the person who starts it names.
        "server/commands/mcp/api.rs",
        "server/commands/mcp/tools/convert_book.rs",
        "server/commands/mcp/tools/download_book.rs",
        "server/commands/mcp/tools/saving.rs",
        "server/commands/mcp/tools/speak.rs",
        // This connects to the management listener of the same machine's service.
        "server/commands/healthcheck.rs",
        "service/services/billing/payments/stripe.rs",
    ];
    const WORDS: &[&str] =
        &["TcpStream::connect", "UdpSocket", "reqwest::", "TlsConnector", "client::legacy"];
    let mut clients = BTreeSet::new();
    for name in ["service", "http", "server"] {
        let src = root().join("crates").join(name).join("src");
        for file in sources(&src, "") {
            let text = fs::read_to_string(&file).unwrap();
            if let Some(word) = WORDS.iter().find(|word| text.contains(**word)) {
                let named = format!("{name}/{}", file.strip_prefix(&src).unwrap().display());
                assert!(
                    CLIENTS.contains(&named.as_str()),
                    "{named} names {word}: only outbound/ calls customers' addresses"
                );
                clients.insert(named);
            }
        }
    }
    assert_eq!(
        clients.len(),
        CLIENTS.len(),
        "the list names files that make no connections; those that do: {clients:?}"
    );
}

#[test]
fn nothing_but_the_testkit_and_tests_depends_on_the_testkit() {
    for (name, _) in CRATES {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        assert!(
            !dependencies(&manifest).contains("lectern-testkit"),
            "crates/{name} depends on the testkit outside its tests"
        );
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
    assert!(!found.is_empty(), "the area {area} has no file: correct the table in this test");
    found
}

/// A source file of a crate, without its tests.
struct ModuleSource {
    /// The module's path from the root of the crate.
    path: Vec<String>,
    /// The paths that the file names, from the root of the crate.
    named: BTreeSet<Vec<String>>,
}

impl ModuleSource {
    /// All files of a crate except `lib.rs` and `main.rs`, which only declare the modules.
    fn all(src: &Path) -> Vec<Self> {
        let exported = exports(&fs::read_to_string(src.join("lib.rs")).unwrap());
        let mut all = Vec::new();
        for file in sources(src, "") {
            let inner = file.strip_prefix(src).unwrap().with_extension("");
            let path: Vec<String> = inner.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if ["lib", "main"].contains(&path[0].as_str()) || path.iter().any(|part| part == "tests") {
                continue;
            }
            let text = fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let named = paths_from_the_root(code, &path).into_iter().map(|mut named| {
                if let Some(module) = exported.get(&named[0]) {
                    named.insert(0, module.clone());
                }
                named
            });
            all.push(Self { named: named.collect(), path });
        }
        all
    }
}

/// The paths that a module names with `crate::` or `super::`, from the root of the crate.
fn paths_from_the_root(code: &str, module: &[String]) -> BTreeSet<Vec<String>> {
    let mut named = paths_after(code, "crate::");
    for up in 1..=module.len() {
        let above = &module[..module.len() - up];
        let found = paths_after(code, &"super::".repeat(up)).into_iter().filter(|path| path[0] != "super");
        named.extend(found.map(|path| [above, &path].concat()));
    }
    named
}

/// The modules in a folder, each with the modules of the same folder that it imports.
fn imports_between_modules(
    sources: &[ModuleSource],
    folder: &[String],
) -> BTreeMap<String, BTreeSet<String>> {
    let within = |path: &[String]| Some(path.strip_prefix(folder)?.first()?.clone());
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources {
        if let Some(module) = within(&source.path) {
            imports.entry(module).or_default().extend(source.named.iter().filter_map(|named| within(named)));
        }
    }
    let modules: BTreeSet<String> = imports.keys().cloned().collect();
    for (module, named) in &mut imports {
        named.retain(|name| name != module && modules.contains(name));
    }
    imports
}

/// The names that the root of a crate re-exports, with the module of each.
fn exports(root: &str) -> BTreeMap<String, String> {
    let uses = root.split("use ").skip(1).filter_map(|rest| rest.split(';').next()?.split_once("::"));
    let named = uses.flat_map(|(module, names)| {
        let names = names.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty());
        names.map(|name| (name.to_owned(), module.to_owned()))
    });
    named.collect()
}

/// The shortest cycle of imports from a module through others back to itself, if there is one.
fn circle(imports: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<&str>> {
    let way_back = |start: &str| {
        let mut ways = VecDeque::from([vec![imports.get_key_value(start)?.0.as_str()]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = ways.pop_front() {
            for next in imports.get(*way.last()?)? {
                let longer: Vec<&str> = way.iter().copied().chain([next.as_str()]).collect();
                if next == start {
                    return Some(longer);
                }
                if seen.insert(next) {
                    ways.push_back(longer);
                }
            }
        }
        None
    };
    imports.keys().filter_map(|module| way_back(module)).min_by_key(Vec::len)
}

/// The first names after `crate::` in a source.
fn areas_named(source: &str) -> BTreeSet<String> {
    paths_after(source, "crate::").into_iter().map(|mut path| path.swap_remove(0)).collect()
}

/// The paths after this beginning, with groups like `{a, b::{c, d}}` expanded and comments left
/// out.
fn paths_after(source: &str, beginning: &str) -> BTreeSet<Vec<String>> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut paths = BTreeSet::new();
    for (at, _) in code.match_indices(beginning) {
        // `some_crate::` names something else, and `super::super::` is another place than
        // `super::`.
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        take_apart(&code[at + beginning.len()..], &[], &mut paths);
    }
    paths
}

/// Adds the paths of the tree at the beginning of `code`. `before` are the names that precede it.
fn take_apart(code: &str, before: &[String], paths: &mut BTreeSet<Vec<String>>) {
    let code = code.trim_start();
    if let Some(group) = code.strip_prefix('{') {
        for tree in top_level_paths(group) {
            take_apart(tree, before, paths);
        }
        return;
    }
    let name: String = code.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let path = [before, std::slice::from_ref(&name)].concat();
    match code[name.len()..].strip_prefix("::") {
        Some(rest) => take_apart(rest, &path, paths),
        None => {
            paths.insert(path);
        }
    }
}

/// The comma-separated paths of a `{…}` group; `group` begins after its opening brace.
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
        assert!(names.contains(wanted), "{wanted} was not found in {names:?}");
    }
    for absent in ["commands", "admin", "keys"] {
        assert!(!names.contains(absent), "{absent} was found in {names:?}");
    }
    let module = ["services", "keys", "create"].map(str::to_owned);
    let paths =
        paths_from_the_root("use super::{hash, hint};\nsuper::super::limits::gcra::Limit::new();", &module);
    let paths: Vec<String> = paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["services::keys::hash", "services::keys::hint", "services::limits::gcra::Limit::new"]);
}

#[test]
fn the_scanner_reads_only_the_dependencies_table() {
    let found = dependencies("[dependencies]\nsqlx = { workspace = true }\n[dev-dependencies]\nx = \"1\"\n");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["sqlx"]);
}

#[test]
fn a_circle_of_imports_is_found_and_named() {
    let graph = |arrows: &[(&str, &[&str])]| -> BTreeMap<String, BTreeSet<String>> {
        let names = |to: &[&str]| to.iter().map(|name| (*name).to_owned()).collect();
        arrows.iter().map(|(from, to)| ((*from).to_owned(), names(to))).collect()
    };
    assert_eq!(circle(&graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])])), None);
    let found = graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["d"]), ("d", &["b"])]);
    assert_eq!(circle(&found), Some(vec!["b", "c", "d", "b"]));
    let exported = exports("pub mod a;\npub use b::{One, Two};\nuse c::three;\n");
    assert_eq!((exported["Two"].as_str(), exported["three"].as_str()), ("b", "c"));
}
