//! Captions of whole books.

use lectern_testkit::{Setup, on_both};
use reqwest::Method;

use super::PATH;

on_both! {
    async fn captions_run_through_all_chunks_on_one_clock(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(100_000).await;
        // More chunks than one query loads. Each chunk has nine characters and lasts 180 ms.
        let texts: Vec<String> = (100..350).map(|number| format!("It's {number}.")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let id = app.completed_material(&account.live, &texts).await;
        let vtt = app.get(&format!("{PATH}/{id}/captions"), &account.live).await;
        assert_eq!((vtt.status.as_u16(), vtt.header("content-type")), (200, "text/vtt; charset=utf-8"));
        assert_eq!(vtt.header("content-disposition"), "inline; filename=\"The Harbour.vtt\"");
        let text = String::from_utf8(vtt.bytes).unwrap();
        assert!(text.starts_with("WEBVTT\n\n00:00:00.000 --> "), "{}", &text[..100]);
        // The last caption begins at the end of the 249th.
        let last = text.trim_end().rsplit("\n\n").next().unwrap();
        assert!(last.starts_with("00:00:44.820 --> 00:00:45.000\n") && last.ends_with("It's 349."), "{last}");
        let srt = app.get(&format!("{PATH}/{id}/captions?format=srt"), &account.live).await;
        assert_eq!(srt.header("content-type"), "application/x-subrip; charset=utf-8");
        let srt = String::from_utf8(srt.bytes).unwrap();
        assert!(srt.starts_with("1\n00:00:00,000 --> "), "{}", &srt[..100]);
        let places: Vec<_> = (100..350).map(|number| srt.find(&format!("It's {number}.")).unwrap()).collect();
        assert!(places.is_sorted());
        app.finish().await;
    }
}

#[tokio::test]
async fn captions_have_two_formats_and_answer_head_requests() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(1_000).await;
    let id = app.completed_material(&account.live, &["Words."]).await;
    let path = format!("{PATH}/{id}/captions");
    for bad in ["ass", "", "VTT"] {
        assert_eq!(app.get(&format!("{path}?format={bad}"), &account.live).await.fields(), ["format"]);
    }
    let head = app.send(app.request(Method::HEAD, &path).bearer_auth(&account.live)).await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    // Missing word times are an error, not captions without an end.
    for file in super::stored(&app).iter().filter(|file| file.rsplit('.').next() == Some("json")) {
        std::fs::remove_file(file).unwrap();
    }
    assert_eq!(app.get(&path, &account.live).await.refusal(), "internal_error");
    app.finish().await;
}
