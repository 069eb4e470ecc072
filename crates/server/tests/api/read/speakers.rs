//! Who speaks in the books of `lectern read`, what the book says of its words, and scans.

use std::path::Path;

use super::{Workspace, said};

const PLAY: &[u8] =
    b"The lamp was lit.\n\n[speaker Ines]\nIt rained all night, and nobody came to the door.\n\n\
    [speaker Tom]\nNobody ever does.\n";

#[test]
fn speakers_have_the_voices_that_they_are_given() {
    let workspace = Workspace::new("play.txt", PLAY);
    let read = |arguments: &[&str]| {
        let made = workspace.read(&[&["play.txt", "-o", "play.mp3"][..], arguments].concat());
        assert!(made.status.success(), "{}", said(&made));
        workspace.bytes("play.mp3")
    };
    let alone = read(&[]);
    let ines = read(&["--speaker", "Ines=alma"]);
    assert!(alone != ines, "Ines has the narrator's voice");
    let cast = r#"{"speakers": [{"name": "Ines", "voice": "alma"}, {"name": "Tom"}]}"#;
    std::fs::write(workspace.path("cast.json"), cast).unwrap();
    assert!(ines == read(&["--cast", "cast.json"]), "the same cast, the same book");
    assert!(read(&["--voice", "alma"]) != read(&["--voice", "alma", "--speaker", "Ines=heart"]));

    for (arguments, why) in [
        (["--speaker", "Nobody=alma"], "its speakers are: Ines, Tom"),
        (["--speaker", "Ines"], "NAME=VOICE"),
        (["--speaker", "Ines=no_such_voice"], "no_such_voice"),
        (["--cast", "missing.json"], "missing.json"),
    ] {
        let refused = workspace.read(&[&["play.txt", "-o", "new.mp3"][..], &arguments].concat());
        assert!(
            !refused.status.success() && said(&refused).contains(why),
            "{arguments:?}: {}",
            said(&refused)
        );
        assert!(!workspace.path("new.mp3").exists());
    }
    std::fs::create_dir(workspace.path("books")).unwrap();
    let folder = workspace.read(&["books", "-o", "made", "--speaker", "Ines=alma"]);
    assert!(!folder.status.success() && said(&folder).contains("for one book"), "{}", said(&folder));
}

#[test]
fn parts_of_another_cast_are_not_reused() {
    let workspace = Workspace::new("play.txt", PLAY);
    let book =
        [PLAY, &b"\nChapter 2\n\n[speaker Ines]\nThe rain went on for three more days and nights.\n"[..]]
            .concat();
    std::fs::write(workspace.path("play.txt"), &book).unwrap();
    let cast = ["play.txt", "-o", "play.mp3", "--threads", "1", "--speaker", "Ines=alma"];
    let mut killed = workspace.begin(&cast[..5], "play.mp3");
    super::signal(&killed, "-KILL");
    killed.wait().unwrap();
    let made = workspace.read(&cast);
    assert!(made.status.success(), "{}", said(&made));
    assert!(
        said(&made).contains("starting anew") || !said(&made).contains("were spoken before"),
        "{}",
        said(&made)
    );
    let resumed = workspace.bytes("play.mp3");
    let whole = workspace.read(&cast);
    assert!(whole.status.success() && resumed == workspace.bytes("play.mp3"));
}

#[test]
fn a_book_is_said_as_it_says_itself() {
    let page = |attributes: &str| {
        format!(
            "<html lang=en><body><p>The <span {attributes}>lamp</span> was lit before the rain came.</p></body></html>"
        )
    };
    let workspace = Workspace::new("a.html", page("").as_bytes());
    std::fs::write(workspace.path("b.html"), page("ssml:ph='ˈlɪbəɹdəli' ssml:alphabet='ipa'")).unwrap();
    for name in ["a", "b"] {
        let arguments = [
            format!("{name}.html"),
            "-o".to_owned(),
            format!("{name}.mp3"),
            "--title".to_owned(),
            "x".to_owned(),
        ];
        let made = workspace.read(&arguments.each_ref().map(String::as_str));
        assert!(made.status.success(), "{}", said(&made));
    }
    assert!(workspace.bytes("a.mp3") != workspace.bytes("b.mp3"));
}

#[test]
fn with_the_real_tesseract_a_scan_is_read() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let workspace = Workspace::new("scan.pdf", &std::fs::read(fixtures.join("scan.pdf")).unwrap());
    std::fs::copy(fixtures.join("scan.tif"), workspace.path("scan.tif")).unwrap();
    let refused = workspace.read(&["scan.pdf", "-o", "scan.mp3"]);
    assert!(!refused.status.success() && said(&refused).contains("a scan"), "{}", said(&refused));
    assert!(said(&refused).contains("With --ocr, this command does."), "{}", said(&refused));
    let refused = workspace.read(&["scan.tif", "-o", "scan.mp3"]);
    assert!(!refused.status.success() && said(&refused).contains("TIFF picture"), "{}", said(&refused));
    for name in ["scan.pdf", "scan.tif"] {
        let made = workspace.read(&[name, "-o", "scan.mp3", "--captions", "scan.srt", "--ocr"]);
        assert!(made.status.success(), "{}", said(&made));
        assert!(said(&made).contains("recognized 2 pages"), "{}", said(&made));
        let captions = String::from_utf8(workspace.bytes("scan.srt")).unwrap().replace('\n', " ");
        assert!(captions.contains("harbour") && captions.contains("have done it"), "{captions}");
    }
}
