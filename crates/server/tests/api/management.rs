//! Health, readiness and metrics.

use lectern_testkit::TestApp;
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn readiness_names_what_is_missing_and_health_ignores_it() {
    let app = TestApp::start().await;
    let get =
        async |path: &str| app.send(app.request(Method::GET, &format!("{}{path}", app.management))).await;
    assert_eq!((get("/healthz").await.status.as_u16(), get("/readyz").await.status.as_u16()), (200, 200));
    let objects = app.base.config.data_dir.join("objects");
    std::fs::rename(&objects, objects.with_extension("away")).unwrap();
    let reply = get("/readyz").await;
    assert_eq!(reply.refusal(), "service_unavailable");
    assert_eq!(reply.json()["error"]["details"], json!({ "missing": ["objects"] }));
    assert_eq!(get("/healthz").await.status, 200);
    std::fs::rename(objects.with_extension("away"), &objects).unwrap();
    assert_eq!(get("/readyz").await.status, 200);
    assert_eq!(get("/nope").await.refusal(), "not_found");
    app.finish().await;
}

#[tokio::test]
async fn metrics_count_requests_by_route_and_time_each_phase() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    assert_eq!(app.synthesize(&account.live, "A secret marker.").await.status, 200);
    let reply = app.send(app.request(Method::GET, &format!("{}/metrics", app.management))).await;
    let text = String::from_utf8(reply.bytes.clone()).unwrap();
    assert!(text.contains("route=\"/v1/saas/tts:synthesize\",method=\"POST\",status=\"200\""), "{text}");
    for phase in ["queue", "normalise", "phonemise", "infer", "vocode", "encode", "store"] {
        assert!(text.contains(&format!("phase=\"{phase}\"")), "{phase} is not timed");
    }
    for name in ["lectern_speech_queued", "process_resident_memory_bytes"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{name} is missing");
    }
    for secret in ["secret marker", account.live.as_str(), account.email.as_str()] {
        assert!(!text.contains(secret), "a metric contains {secret}");
    }
    app.finish().await;
}

/// The command that containers and service managers use. Negative control: seen to fail when
/// `healthcheck` ignored the status: without storage, the exit code was still 0.
#[tokio::test]
async fn the_health_check_tells_up_ready_and_gone_apart_by_its_exit_code() {
    let app = TestApp::start().await;
    let check = async |address: &str, arguments: &[&str]| {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_lectern"));
        command.arg("healthcheck").args(arguments).env_clear().env("LECTERN_MANAGEMENT__LISTEN", address);
        let output = command.output().await.unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(said).unwrap())
    };
    let address = app.management.trim_start_matches("http://").to_owned();
    assert_eq!(check(&address, &[]).await.0, Some(0));
    assert_eq!(check(&address, &["--ready"]).await.0, Some(0));

    let objects = app.base.config.data_dir.join("objects");
    std::fs::rename(&objects, objects.with_extension("away")).unwrap();
    let (code, said) = check(&address, &["--ready"]).await;
    assert!(code == Some(1) && said.contains("503") && said.contains("objects"), "{code:?}: {said}");
    assert_eq!(check(&address, &[]).await.0, Some(0), "the process is up nevertheless");
    std::fs::rename(objects.with_extension("away"), &objects).unwrap();

    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let (code, said) = check(&free, &[]).await;
    assert!(code == Some(1) && said.contains("management.listen"), "{code:?}: {said}");
    app.finish().await;
}
