//! News between handles on one PostgreSQL.

use lectern_store::{Heard, News, Store, StoreOptions};
use lectern_types::MaterialId;

use crate::fixture::{Fixture, new_id};

// Negative control: with a channel of one name for all schemas, the other schema's material is heard first.
#[tokio::test]
async fn a_schema_hears_its_own_news_only_and_nobody_his_own() {
    let f = Fixture::postgres().await;
    f.sql("CREATE SCHEMA other").await.unwrap();
    let join = if f.url.contains('?') { '&' } else { '?' };
    let elsewhere = format!("{}{join}options=-c%20search_path%3Dother", f.url);
    let elsewhere = Store::open(&StoreOptions::new(elsewhere)).await.unwrap();
    let mut ear = f.store.listen("me").await.unwrap().unwrap();
    let ids: [MaterialId; 3] = [new_id(), new_id(), new_id()];
    elsewhere.announce("them", &[News::Material(ids[0])]).await.unwrap();
    f.store.announce("me", &[News::Material(ids[1])]).await.unwrap();
    f.store.announce("you", &[News::Deliveries, News::Material(ids[2])]).await.unwrap();
    assert_eq!(ear.next().await.unwrap(), []);
    assert_eq!(ear.next().await.unwrap(), [Heard::Deliveries, Heard::Material(ids[2])]);
    elsewhere.close().await;
    f.end().await;
}

#[tokio::test]
async fn more_news_than_fit_into_one_line_arrive_in_several() {
    let f = Fixture::postgres().await;
    let mut ear = f.store.listen("me").await.unwrap().unwrap();
    let news: Vec<News> = (0..1_000).map(|_| News::Material(new_id())).collect();
    f.store.announce("you", &news).await.unwrap();
    let mut heard = Vec::new();
    while heard.len() < news.len() {
        heard.extend(ear.next().await.unwrap());
    }
    let said = news.iter().map(|one| match one {
        News::Material(material) => Heard::Material(*material),
        other => panic!("{other:?}"),
    });
    assert!(heard.into_iter().eq(said));
    f.end().await;
}
