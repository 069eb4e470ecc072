//! The upstream engine against a real server on a local socket, which answers as the test tells it
//! to.

use std::{
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use lectern_speech::engines::{
    Engine, EngineError, Unit, Utterance,
    upstream::{UpstreamEngine, UpstreamSettings},
};

use super::utterance;

const KEY: &str = "sk-very-secret-1234";
const TEXT: &str = "A secret sentence.";

/// A request as received.
struct Received {
    head: String,
    body: serde_json::Value,
}

/// A server that reads the request of every connection and passes the connection to `answer`.
fn server(answer: impl Fn(&mut TcpStream) + Send + 'static) -> (String, mpsc::Receiver<Received>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1/", listener.local_addr().unwrap());
    let (received, requests) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let Some(request) = read_request(&mut stream) else { continue };
            let _ = received.send(request);
            answer(&mut stream);
        }
    });
    (base, requests)
}

fn read_request(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).ok()?;
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && let Ok(body) = serde_json::from_str(body)
        {
            return Some(Received { head: head.to_owned(), body });
        }
        if count == 0 {
            return None;
        }
    }
}

fn reply(stream: &mut TcpStream, status: &str, body: &[u8]) {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(body);
}

/// A WAV file as streaming servers write it, with unknown length.
fn wav(samples: &[i16]) -> Vec<u8> {
    let mut file = b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
    file.extend(24_000_u32.to_le_bytes());
    file.extend(48_000_u32.to_le_bytes());
    file.extend(b"\x02\0\x10\0data\xff\xff\xff\xff");
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}

pub(crate) fn settings(base: &str) -> UpstreamSettings {
    UpstreamSettings {
        model: "tts-test".to_owned(),
        connect_timeout: Duration::from_secs(3),
        read_timeout: Duration::from_millis(300),
        total_timeout: Duration::from_secs(5),
        most_bytes: 100_000,
        ..UpstreamSettings::new(base, Some(KEY.to_owned()))
    }
}

fn secret() -> Utterance {
    utterance(TEXT, "nova")
}

/// The engine's error message, checked to hold no secret.
fn failure(base: &str) -> String {
    let mut engine = UpstreamEngine::new(settings(base)).unwrap();
    let Err(EngineError::Failed(message)) = engine.say(&secret()) else { panic!("it must fail") };
    for hidden in [KEY, TEXT, "secret"] {
        assert!(!message.contains(hidden), "{message}");
    }
    assert!(!format!("{engine:?}").contains(KEY));
    message
}

#[test]
fn the_request_speaks_the_protocol_and_the_answer_becomes_samples() {
    let (base, requests) = server(|stream| reply(stream, "200 OK", &wav(&[16_384, -16_384, 0])));
    let mut engine = UpstreamEngine::new(settings(&base)).unwrap();
    let mut utterance = secret();
    Arc::make_mut(&mut utterance.spec).speed = 1.5;
    utterance.span.range = 2..8;
    let speech = engine.say(&utterance).unwrap();
    assert_eq!((speech.samples, speech.sample_rate_hz), (vec![0.5, -0.5, 0.0], 24_000));
    assert!(speech.words.is_empty() && speech.pause_samples > 0);
    let request = requests.recv().unwrap();
    assert!(request.head.starts_with("POST /v1/audio/speech HTTP/1.1\r\n"), "{}", request.head);
    assert!(request.head.to_lowercase().contains(&format!("authorization: bearer {KEY}")));
    assert_eq!(
        request.body,
        serde_json::json!({
            "model": "tts-test", "input": "secret", "voice": "nova", "response_format": "wav", "speed": 1.5
        })
    );
    assert_eq!(engine.unit(), Unit::Passage(4000));
}

#[test]
fn without_a_key_no_authorization_is_sent() {
    let (base, requests) = server(|stream| reply(stream, "200 OK", &wav(&[1])));
    let settings = UpstreamSettings { api_key: None, ..settings(&base) };
    UpstreamEngine::new(settings).unwrap().say(&secret()).unwrap();
    assert!(!requests.recv().unwrap().head.to_lowercase().contains("authorization"));
}

#[test]
fn an_error_status_fails_once_and_without_its_body() {
    let echo = format!("{{\"error\": \"bad key {KEY} for {TEXT}\"}}");
    let (base, requests) = server(move |stream| reply(stream, "500 Internal Server Error", echo.as_bytes()));
    assert_eq!(failure(&base), "the upstream answered 500");
    requests.recv().unwrap();
    assert!(requests.try_recv().is_err(), "nothing is retried");
}

#[test]
fn a_redirect_is_not_followed() {
    let (base, requests) = server(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /v1/elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
    assert_eq!(failure(&base), "the upstream answered 307");
    requests.recv().unwrap();
    assert!(requests.try_recv().is_err());
}

#[test]
fn an_answer_that_is_no_audio_fails() {
    let (base, _requests) = server(|stream| reply(stream, "200 OK", b"<html>welcome to the hotel</html>"));
    assert!(failure(&base).contains("no speech"));
    let (base, _requests) = server(|stream| reply(stream, "200 OK", &wav(&[])));
    assert!(failure(&base).contains("no speech"));
}

#[test]
fn an_answer_that_is_too_large_is_cut_off_whether_it_says_so_or_not() {
    let (base, _requests) = server(|stream| reply(stream, "200 OK", &wav(&vec![0; 60_000])));
    assert!(failure(&base).contains("larger than 100000 bytes"));
    let (base, _requests) = server(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        // An endless body, until the other side hangs up.
        while stream.write_all(&[0; 4096]).is_ok() {}
    });
    assert!(failure(&base).contains("larger than 100000 bytes"));
}

#[test]
fn a_server_that_hangs_is_given_up() {
    let (base, _requests) = server(|stream| {
        // Waits until the other side hangs up.
        let _ = stream.read(&mut [0]);
    });
    let started = Instant::now();
    assert_eq!(failure(&base), "the upstream did not answer in time");
    assert!(started.elapsed() < Duration::from_secs(4));
}

#[test]
fn an_answer_that_breaks_off_fails() {
    let (base, _requests) = server(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\nRIFF");
    });
    assert_eq!(failure(&base), "the upstream broke off its answer");
}

#[test]
fn a_base_that_nobody_listens_on_fails() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let started = Instant::now();
    assert_eq!(failure(&base), "the upstream cannot be reached");
    assert!(started.elapsed() < Duration::from_secs(4));
}

#[test]
fn an_abandoned_request_lets_go_of_its_thread() {
    let (base, requests) = server(|stream| {
        let _ = stream.read(&mut [0]);
    });
    let patient = UpstreamSettings {
        read_timeout: Duration::from_mins(1),
        total_timeout: Duration::from_mins(1),
        ..settings(&base)
    };
    let mut engine = UpstreamEngine::new(patient).unwrap();
    let utterance = secret();
    let abandoned = utterance.abandoned.clone();
    let started = Instant::now();
    let saying = thread::spawn(move || engine.say(&utterance));
    requests.recv().unwrap();
    abandoned.set();
    assert!(saying.join().unwrap().is_err());
    assert!(started.elapsed() < Duration::from_secs(10), "long before the timeouts");
}

#[test]
fn a_base_that_is_no_http_url_is_refused_at_once() {
    for base in ["", "speech.example", "ftp://speech.example/v1", "http://"] {
        assert!(UpstreamEngine::new(settings(base)).is_err(), "{base:?}");
    }
}
