//! Says at once that there are tickets, where a worker would otherwise find out at its next look.
//! Rings may be lost: the looks go on.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use redis::aio::ConnectionManager;
use tokio::sync::Notify;

use super::queue::Queue;

/// Wait before Redis is listened to again.
const AGAIN: Duration = Duration::from_secs(1);

/// One bell per queue. Clones are the same bells.
#[derive(Clone, Default)]
pub struct Bells {
    /// In the order of [`Queue::ALL`].
    bells: Arc<[Arc<Notify>; Queue::ALL.len()]>,
    /// Where other processes ring.
    wire: Option<Arc<Wire>>,
}

struct Wire {
    client: redis::Client,
    channel: String,
}

impl Bells {
    /// Bells that processes with the same Redis and namespace ring for each other.
    pub fn over(client: redis::Client, namespace: &str) -> Self {
        let wire = Wire { client, channel: format!("{namespace}:bells") };
        Self { wire: Some(Arc::new(wire)), ..Self::default() }
    }

    /// The bell of a queue in this process.
    pub fn of(&self, queue: Queue) -> Arc<Notify> {
        let index = Queue::ALL.into_iter().position(|each| each == queue).unwrap_or_default();
        self.bells[index].clone()
    }

    /// Rings in this process.
    pub fn ring(&self, queue: Queue) {
        self.of(queue).notify_one();
    }

    /// Rings in every process that listens, this one included.
    pub async fn ring_everywhere(&self, queue: Queue, connection: &mut ConnectionManager) {
        let Some(wire) = &self.wire else {
            return self.ring(queue);
        };
        let mut publish = redis::cmd("PUBLISH");
        publish.arg(&wire.channel).arg(queue.as_str());
        if let Err(error) = publish.query_async::<()>(connection).await {
            tracing::debug!(%error, queue = queue.as_str(), "nobody was rung for");
        }
    }

    /// Rings here for what other processes announce, as long as it is polled.
    pub async fn listen(&self) {
        let Some(wire) = &self.wire else {
            return std::future::pending().await;
        };
        loop {
            if let Err(error) = self.listen_once(wire).await {
                tracing::debug!(%error, "announcements of tickets not heard");
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    async fn listen_once(&self, wire: &Wire) -> redis::RedisResult<()> {
        let mut listening = wire.client.get_async_pubsub().await?;
        listening.subscribe(&wire.channel).await?;
        // What was announced before is found by looking.
        Queue::ALL.into_iter().for_each(|queue| self.ring(queue));
        let mut announced = listening.on_message();
        while let Some(message) = announced.next().await {
            let named = message.get_payload::<String>()?;
            let queue = Queue::ALL.into_iter().find(|queue| queue.as_str() == named);
            if let Some(queue) = queue {
                self.ring(queue);
            }
        }
        Ok(())
    }
}
