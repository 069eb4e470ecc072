//! Lists of materials, and the keys that see them.

use lectern_testkit::on_both;
use serde_json::{Value, json};

use super::PATH;

fn ids(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|material| material["id"].as_str().unwrap()).collect()
}

on_both! {
    // Negative control: without `environment` in the query of `materials::list`, the test key sees
    // the live material.
    async fn a_list_is_newest_first_and_limited_to_the_keys_account_and_environment(setup: Setup) {
        let app = setup.without_workers().start().await;
        let (account, other) = (app.account(0).await, app.account(0).await);
        let mut made = Vec::new();
        for text in ["One.", "Two.", "Three."] {
            made.push(app.upload(&account.live, text).await);
        }
        let (foreign, sandbox) =
            (app.upload(&other.live, "Theirs.").await, app.upload(&account.test, "Test.").await);
        made.reverse();
        let all = app.get(PATH, &account.live).await.json();
        assert_eq!(
            (ids(&all), &all["next_cursor"]),
            (made.iter().map(String::as_str).collect(), &json!(null))
        );
        assert_eq!(ids(&app.get(PATH, &account.test).await.json()), [sandbox.as_str()]);
        let first = app.get(&format!("{PATH}?limit=2"), &account.live).await.json();
        assert_eq!(ids(&first), made[..2]);
        let cursor = first["next_cursor"].as_str().unwrap();
        let second = app.get(&format!("{PATH}?limit=2&cursor={cursor}"), &account.live).await.json();
        assert_eq!((ids(&second), &second["next_cursor"]), (vec![made[2].as_str()], &json!(null)));
        for query in [
            format!("cursor={cursor}"),
            "limit=0".to_owned(),
            "limit=101".to_owned(),
            "status=ready".to_owned(),
        ] {
            let key = if query.starts_with("cursor") { &other.live } else { &account.live };
            assert_eq!(
                app.get(&format!("{PATH}?{query}"), key).await.refusal(),
                "validation_failed",
                "{query}"
            );
        }
        for (key, id) in [(&account.live, &foreign), (&account.live, &sandbox), (&account.test, &made[0])] {
            assert_eq!(app.get(&format!("{PATH}/{id}"), key).await.refusal(), "material_not_found");
        }
        app.finish().await;
    }
}
