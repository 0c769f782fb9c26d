//! A client is told when another guest has changed something.

use rmcp::model::{
    ClientConfig, ReadResourceRequestParams, ResourceUpdatedNotificationParam, ServerNotification,
    SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::mcp::fixture::{Bus, Era, soon};

const INBOX: &str = "huddle://inbox";

/// A client that passes on what it is told.
struct NotificationListener(UnboundedSender<String>);

impl NotificationListener {
    fn new() -> (Self, UnboundedReceiver<String>) {
        let (told, heard) = unbounded_channel();
        (Self(told), heard)
    }
}

impl ClientHandler for NotificationListener {
    fn get_info(&self) -> ClientConfig {
        Era::Handshake.config()
    }

    async fn on_resource_updated(&self, params: ResourceUpdatedNotificationParam, _: NotificationContext<RoleClient>) {
        self.0.send(params.uri).unwrap();
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.send("list".to_owned()).unwrap();
    }
}

#[tokio::test]
#[expect(deprecated, reason = "this is how clients of the older revisions subscribe")]
async fn a_message_from_another_guest_is_told_after_a_handshake() {
    let (bus, (listener, mut heard)) = (Bus::new(), NotificationListener::new());
    let client = bus.client(Era::Handshake, listener).await;
    soon(client.service.subscribe(SubscribeRequestParams::new(INBOX))).await.unwrap();
    bus.obey("bob", &["send", "alice", "News"]);
    assert_eq!(soon(heard.recv()).await.as_deref(), Some(INBOX));

    // What nobody waits for any longer is not told.
    soon(client.service.unsubscribe(UnsubscribeRequestParams::new(INBOX))).await.unwrap();
    soon(client.service.list_all_resources()).await.unwrap();
    bus.obey("bob", &["context", "create", "plan"]);
    assert_eq!(soon(heard.recv()).await.as_deref(), Some("list"));
    client.end().await;
}

#[tokio::test]
async fn a_message_from_another_guest_is_told_without_one() {
    let bus = Bus::new();
    let client = bus.client(Era::Current, Era::Current.config()).await;
    let wanted = SubscriptionFilter::builder().resource_subscriptions([INBOX]).resources_list_changed().build();
    let mut news = soon(client.service.listen(wanted.clone())).await.unwrap();
    assert_eq!(news.acknowledged(), &wanted);
    for subject in ["First", "Second"] {
        bus.obey("bob", &["send", "alice", subject, "--thread", "conv_news"]);
        let mut updated = false;
        // The first message begins a conversation, which is told, too.
        while !updated {
            match soon(news.next()).await.unwrap() {
                Some(ServerNotification::ResourceUpdatedNotification(notice)) => updated = notice.params.uri == INBOX,
                Some(ServerNotification::ResourceListChangedNotification(_)) => {}
                other => panic!("{other:?}"),
            }
        }
        let inbox = soon(client.service.read_resource(ReadResourceRequestParams::new(INBOX))).await.unwrap();
        assert!(format!("{inbox:?}").contains(subject), "{inbox:?}");
    }
    soon(news.cancel()).await.unwrap();
    client.end().await;
}

#[tokio::test]
#[expect(deprecated, reason = "this is how clients of the older revisions subscribe")]
async fn addressable_resources_are_notified_only() {
    let (bus, (listener, mut heard)) = (Bus::new(), NotificationListener::new());
    bus.obey("bob", &["context", "create", "plan", "# Plan"]);
    let first = bus.obey("bob", &["send", "alice", "First", "--thread", "conv_1"]);
    let (id, client) = (first["id"].as_str().unwrap(), bus.client(Era::Handshake, listener).await);
    let message = format!("message/{id}");
    let changes: [(&str, &str, &[&str]); 4] = [
        ("context/plan", "bob", &["context", "update", "plan", "More"]),
        ("session/job", "alice", &["session", "join", "alice", "--id", "job"]),
        ("thread/conv_1", "bob", &["send", "alice", "Second", "--thread", "conv_1"]),
        (&message, "alice", &["read", id]),
    ];
    for (place, ..) in changes {
        let uri = format!("huddle://{place}");
        soon(client.service.subscribe(SubscribeRequestParams::new(uri))).await.unwrap();
    }
    for (place, agent, change) in changes {
        bus.obey(agent, change);
        assert_eq!(soon(heard.recv()).await, Some(format!("huddle://{place}")), "{change:?}");
    }
    client.end().await;
    assert_eq!(heard.recv().await, None, "something was told that did not change");
}
