//! Notifications between handles on one PostgreSQL.

use lectern_store::{Notification, Store, StoreOptions, WakeUp};
use lectern_types::MaterialId;

use crate::fixture::{Fixture, new_id};

// Negative control: when all schemas share one channel name, the other schema's material arrives
// first.
#[tokio::test]
async fn a_listener_gets_notifications_of_its_schema_but_not_its_own() {
    let f = Fixture::postgres().await;
    f.sql("CREATE SCHEMA other").await.unwrap();
    let join = if f.url.contains('?') { '&' } else { '?' };
    let elsewhere = format!("{}{join}options=-c%20search_path%3Dother", f.url);
    let elsewhere = Store::open(&StoreOptions::new(elsewhere)).await.unwrap();
    let mut listener = f.store.listen("me").await.unwrap().unwrap();
    let ids: [MaterialId; 3] = [new_id(), new_id(), new_id()];
    elsewhere.announce("them", &[Notification::Material(ids[0])]).await.unwrap();
    f.store.announce("me", &[Notification::Material(ids[1])]).await.unwrap();
    f.store.announce("you", &[Notification::Deliveries, Notification::Material(ids[2])]).await.unwrap();
    assert_eq!(listener.next().await.unwrap(), []);
    assert_eq!(listener.next().await.unwrap(), [WakeUp::Deliveries, WakeUp::Material(ids[2])]);
    elsewhere.close().await;
    f.end().await;
}

#[tokio::test]
async fn more_notifications_than_fit_into_one_payload_arrive_in_several() {
    let f = Fixture::postgres().await;
    let mut listener = f.store.listen("me").await.unwrap().unwrap();
    let sent: Vec<Notification> = (0..1_000).map(|_| Notification::Material(new_id())).collect();
    f.store.announce("you", &sent).await.unwrap();
    let mut received = Vec::new();
    while received.len() < sent.len() {
        received.extend(listener.next().await.unwrap());
    }
    let expected = sent.iter().map(|one| match one {
        Notification::Material(material) => WakeUp::Material(*material),
        other => panic!("{other:?}"),
    });
    assert!(received.into_iter().eq(expected));
    f.end().await;
}
