//! Outgoing mail: as files and over SMTP, with and without TLS.

use std::{fs, net::Ipv4Addr, os::unix::fs::PermissionsExt as _, path::Path};

use lectern_service::{
    base::Base,
    clock::Clock,
    config::{Config, Sources},
    mail::{Mail, MailError},
};
use lectern_testkit::SmtpSink;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
};

async fn base(data: &Path, settings: &[(&str, &str)]) -> Base {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut environment = vec![("LECTERN_DATA_DIR".into(), data.display().to_string().into())];
    environment.extend(settings.iter().map(|(key, value)| ((*key).into(), (*value).into())));
    let config = Config::load(&Sources { environment, ..Sources::default() }).unwrap();
    Base::open(config.into(), Clock::system()).await.unwrap()
}

fn mail(to: &str, subject: &str) -> Mail {
    let text = "Good day,\n\nhttps://speech.example.com/confirm?token=abc=def\n.\nLectern\n";
    Mail { to: to.to_owned(), subject: subject.to_owned(), text: text.to_owned(), html: None }
}

fn outbox(data: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(data.join("outbox"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn by_default_each_mail_is_a_private_file_and_their_names_sort_by_time() {
    let data = tempfile::tempdir().unwrap();
    let base = base(data.path(), &[("LECTERN_HTTP__PUBLIC_URL", "https://speech.example.com")]).await;
    for n in 0..20 {
        base.mailer.send(&mail("ann@example.com", &format!("Number {n:02}"))).await.unwrap();
    }
    let names = outbox(data.path());
    let mails: Vec<String> =
        names.iter().map(|name| fs::read_to_string(data.path().join("outbox").join(name)).unwrap()).collect();
    assert_eq!(mails.len(), 20);
    for (n, text) in mails.iter().enumerate() {
        assert!(text.contains(&format!("\r\nSubject: Number {n:02}\r\n")), "{text}");
        assert!(text.starts_with("From: Lectern <no-reply@speech.example.com>\r\n"), "{text}");
        assert!(text.contains("\r\nTo: ann@example.com\r\n"), "{text}");
        // No encoding may break a link.
        assert!(text.contains("\r\nhttps://speech.example.com/confirm?token=abc=def\r\n"), "{text}");
        assert!(text.contains("\r\nDate: ") && text.contains("@speech.example.com>\r\n"), "{text}");
    }
    assert!(
        names.iter().all(|name| Path::new(name).extension().is_some_and(|end| end == "eml")),
        "{names:?}"
    );
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = data.path().join("outbox");
    assert_eq!((mode(&folder), mode(&folder.join(&names[0]))), (0o700, 0o600));
}

#[tokio::test]
async fn the_senders_domain_is_valid_for_every_kind_of_host() {
    for (settings, wanted) in [
        (
            vec![("LECTERN_HTTP__PUBLIC_URL", "http://192.0.2.7:8080")],
            "From: Lectern <no-reply@[192.0.2.7]>\r\n",
        ),
        (
            vec![("LECTERN_HTTP__PUBLIC_URL", "http://[2001:db8::7]")],
            "From: Lectern <no-reply@[IPv6:2001:db8::7]>\r\n",
        ),
        (vec![("LECTERN_HTTP__LISTEN", "0.0.0.0:0")], "From: Lectern <no-reply@localhost>\r\n"),
        (vec![], "From: Lectern <no-reply@[127.0.0.1]>\r\n"),
        (vec![("LECTERN_MAIL__FROM", "Ann Ex <ann@example.org>")], "From: \"Ann Ex\" <ann@example.org>\r\n"),
    ] {
        let data = tempfile::tempdir().unwrap();
        base(data.path(), &settings).await.mailer.send(&mail("b@example.com", "Hello")).await.unwrap();
        let text = fs::read_to_string(data.path().join("outbox").join(&outbox(data.path())[0])).unwrap();
        assert!(text.starts_with(wanted), "{text}");
    }
}

// Negative control: with `Address::new_dangerous` instead of `parse`, the first of the addresses
// injects a header.
#[tokio::test]
async fn addresses_and_subjects_cannot_inject_headers() {
    let data = tempfile::tempdir().unwrap();
    let base = base(data.path(), &[]).await;
    for to in [
        "a@example.com\r\nBcc: b@example.com",
        "a@example.com\nBcc: b@example.com",
        "a@example.com, b@example.com",
        "<a@example.com>",
        "a@example.com>",
        "a b@example.com",
        "a@exam\u{0}ple.com",
        "",
        "a",
    ] {
        let refused = base.mailer.send(&mail(to, "Hello")).await.unwrap_err();
        assert!(matches!(refused, MailError::Address) && refused.is_permanent(), "{to:?}: {refused:?}");
        assert!(!refused.to_string().contains("example"));
    }
    base.mailer.send(&mail("a@example.com", "Hello\r\nBcc: b@example.com\r\n\r\nmore")).await.unwrap();
    let text = fs::read_to_string(data.path().join("outbox").join(&outbox(data.path())[0])).unwrap();
    assert!(text.contains("\r\nSubject: Hello  Bcc: b@example.com    more\r\n"), "{text}");
}

#[tokio::test]
async fn a_mail_that_cannot_be_written_leaves_nothing_behind() {
    let data = tempfile::tempdir().unwrap();
    let base = base(data.path(), &[]).await;
    fs::write(data.path().join("outbox"), "a file where the directory should be").unwrap();
    let failed = base.mailer.send(&mail("a@example.com", "Hello")).await.unwrap_err();
    assert!(matches!(failed, MailError::File { .. }) && !failed.is_permanent());
}

#[tokio::test]
async fn an_smtp_server_gets_mail_after_signing_in_with_and_without_tls() {
    let sink = SmtpSink::start();
    let ca = sink.ca_file().display().to_string();
    for (query, tls) in [("", false), ("?tls=none", false), ("?tls=required", true)] {
        let data = tempfile::tempdir().unwrap();
        let url = format!("{}{query}", sink.url());
        let settings = [("LECTERN_MAIL__URL", url.as_str()), ("LECTERN_MAIL__EXTRA_CA_FILE", &ca)];
        let base = base(data.path(), &settings).await;
        base.mailer.ping().await.unwrap();
        let to = format!("private@{}.example.com", hex(&url));
        base.mailer.send(&mail(&to, "Grüße")).await.unwrap();
        base.mailer.send(&mail(&to, "Again")).await.unwrap();
        let got = sink.delivered_to(&to);
        assert_eq!(got.len(), 2);
        assert_eq!((got[0].tls, got[0].user.as_deref()), (tls, Some("postman")), "{query}");
        assert_eq!(got[0].from, "no-reply@[127.0.0.1]");
        assert!(got[0].text.contains("?token=abc=def\r\n.\r\nLectern"), "{}", got[0].text);
        assert!(got[1].text.contains("Subject: Again\r\n"));
    }
}

/// A part of an address that is unique to the test.
fn hex(url: &str) -> String {
    let process = std::process::id();
    format!("h{process}x{}", url.len())
}

#[tokio::test]
async fn smtp_refusals_are_reported_by_code_without_addresses() {
    let sink = SmtpSink::start();
    let data = tempfile::tempdir().unwrap();
    let url = sink.url_without_user();
    let base = base(data.path(), &[("LECTERN_MAIL__URL", &url)]).await;
    for (to, code, permanent) in [
        ("refused@example.com", "550", true),
        ("later@example.com", "451", false),
        ("private@example.com", "530", false),
    ] {
        let error = base.mailer.send(&mail(to, "Hello")).await.unwrap_err();
        assert!(error.to_string().contains(code) && !error.to_string().contains("example"), "{error}");
        assert_eq!(error.is_permanent(), permanent, "{error}");
    }
    let wrong = url.replace("smtp://", "smtp://postman:wrong-secret@");
    let data = tempfile::tempdir().unwrap();
    let base = self::base(data.path(), &[("LECTERN_MAIL__URL", &wrong)]).await;
    let error = base.mailer.send(&mail("a@example.com", "Hello")).await.unwrap_err();
    assert!(error.to_string().contains("rejected the sign-in") && !error.is_permanent(), "{error}");
}

// Negative control: with `Tls::Opportunistic` instead of `Required`, the second half sends the
// mail.
#[tokio::test]
async fn where_tls_is_required_nothing_is_sent_without_trusted_tls() {
    let sink = SmtpSink::start();
    let data = tempfile::tempdir().unwrap();
    let url = format!("{}?tls=required", sink.url());
    // This client does not trust the server's authority.
    let base = base(data.path(), &[("LECTERN_MAIL__URL", &url)]).await;
    let error = base.mailer.send(&mail("private@untrusted.example.com", "Hello")).await.unwrap_err();
    assert!(error.to_string().contains("TLS"), "{error}");
    assert!(sink.delivered_to("private@untrusted.example.com").is_empty());

    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("smtp://u:hunter2@127.0.0.1:{}?tls=required", listener.local_addr().unwrap().port());
    let received = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = BufReader::new(stream);
        stream.write_all(b"220 bare\r\n").await.unwrap();
        let mut received = String::new();
        while stream.read_line(&mut received).await.unwrap_or(0) > 0 {
            // A server that accepts everything but offers no STARTTLS.
            let answer: &[u8] = if received.contains("EHLO") {
                b"250-bare\r\n250 AUTH PLAIN LOGIN\r\n"
            } else {
                b"250 fine\r\n"
            };
            if stream.write_all(answer).await.is_err() {
                break;
            }
        }
        received
    });
    let data = tempfile::tempdir().unwrap();
    let base = self::base(data.path(), &[("LECTERN_MAIL__URL", &url)]).await;
    let error = base.mailer.send(&mail("a@example.com", "Hello")).await.unwrap_err();
    assert!(error.to_string().contains("offers no TLS"), "{error}");
    drop(base);
    let received = received.await.unwrap();
    assert!(!received.contains("AUTH") && !received.contains("MAIL"), "{received}");
}

#[tokio::test]
async fn an_unreachable_mail_server_is_a_temporary_error() {
    let data = tempfile::tempdir().unwrap();
    let base = base(data.path(), &[("LECTERN_MAIL__URL", "smtp://127.0.0.1:1")]).await;
    let error = base.mailer.send(&mail("a@example.com", "Hello")).await.unwrap_err();
    assert!(error.to_string().contains("cannot be reached") && !error.is_permanent(), "{error}");
}
