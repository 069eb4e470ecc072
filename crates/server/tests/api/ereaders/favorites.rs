//! E-readers that a user marked as favorites.

use lectern_store::{
    Tier,
    ereaders::{self, favorites},
};
use lectern_testkit::on_both;
use lectern_types::AccountId;
use reqwest::Method;
use serde_json::json;

use crate::accounts::{self, Browser};

fn path(id: &str) -> String {
    format!("/v1/bff/ereaders/{id}/favorite")
}

on_both! {
    async fn favorites_are_each_user_s_own_and_only_the_pages_show_them(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(0).await;
        for email in ["ada@example.com", "ben@example.com"] {
            accounts::confirmed(&app, email).await;
        }
        let (ada, ben) =
            (accounts::browser(&app, "ada@example.com").await, accounts::browser(&app, "ben@example.com").await);
        let heart = app.ereader("heart").await;
        let marked = async |browser: &Browser| {
            let listed = browser.get(&app, "/v1/bff/ereaders?environment=test").await.json();
            let all = listed["data"].as_array().unwrap().clone();
            let marks: Vec<_> = all.iter().map(|e| (e["slug"].clone(), e["favorite"].clone())).collect();
            marks.into_iter().filter(|mark| mark.1 == json!(true)).map(|mark| mark.0).collect::<Vec<_>>()
        };
        for _ in 0..2 {
            let reply = app.send(ada.request(&app, Method::PUT, &path(&heart))).await;
            assert_eq!((reply.status.as_u16(), &reply.json()["favorite"]), (200, &json!(true)));
            assert_eq!(marked(&ada).await, ["heart"]);
        }
        assert_eq!(marked(&ben).await, [""; 0]);
        assert_eq!(ada.get(&app, "/v1/bff/ereaders/heart").await.json()["favorite"], json!(true));
        let listed = app.get("/v1/saas/ereaders", &account.live).await.json();
        assert!(listed["data"].as_array().unwrap().iter().all(|ereader| ereader.get("favorite").is_none()));
        for _ in 0..2 {
            let reply = app.send(ada.request(&app, Method::DELETE, &path(&heart))).await;
            assert_eq!((reply.status.as_u16(), &reply.json()["favorite"]), (200, &json!(false)));
        }
        assert_eq!(marked(&ada).await, [""; 0]);
        let mut alma = ereaders::find_by_slug(&app.base.store, "alma").await.unwrap().unwrap();
        alma.active = false;
        ereaders::put(&app.base.store, &alma, app.base.clock.now()).await.unwrap();
        for unknown in ["heart", "erd_0", "erd_019aa4f6c0de7000800000000000a001", "%00", &alma.id.to_string()] {
            for method in [Method::PUT, Method::DELETE] {
                let reply = app.send(ada.request(&app, method, &path(unknown))).await;
                assert_eq!(reply.refusal(), "ereader_not_found", "{unknown}");
            }
        }
        let reply = app.send(ada.request(&app, Method::PUT, &format!("{}?x=1", path(&heart)))).await;
        assert_eq!(reply.fields(), ["x"]);
        app.finish().await;
    }

    // Negative control: without the count in the statement the last one is marked.
    async fn a_user_has_at_most_two_hundred_favorites(setup: Setup) {
        let app = setup.start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = accounts::browser(&app, "ada@example.com").await;
        let me = ada.get(&app, "/v1/bff/me").await.json();
        let account: AccountId = me["account"]["id"].as_str().unwrap().parse().unwrap();
        let heart = ereaders::find_by_slug(&app.base.store, "heart").await.unwrap().unwrap();
        let now = app.base.clock.now();
        let mut last = heart.id;
        for number in 0..200 {
            let slug = format!("reader-{number}");
            let one = ereaders::Ereader { id: app.base.ids.make(), slug, tier: Tier::Free, ..heart.clone() };
            last = ereaders::put(&app.base.store, &one, app.base.clock.now()).await.unwrap().id;
            assert!(favorites::add(&app.base.store, account, last, 200, now).await.unwrap());
        }
        let mark = async |id: &str| app.send(ada.request(&app, Method::PUT, &path(id))).await;
        let heart = heart.id.to_string();
        assert_eq!(mark(&heart).await.fields(), ["id"]);
        assert_eq!(mark(&last.to_string()).await.status, 200, "it is marked already");
        app.send(ada.request(&app, Method::DELETE, &path(&last.to_string()))).await;
        assert_eq!(mark(&heart).await.status, 200);
        app.finish().await;
    }
}
