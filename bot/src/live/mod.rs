//! Pages that change by themselves: a stream of server-sent events per open page, fed by one look
//! at the database per topic and process, so that any replica can serve any page. An event says
//! only that something changed; the page then asks for what it shows, so nothing is doubled when a
//! stream is lost and opened again.

mod watchers;

use std::time::Duration;

use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use futures::Stream;
use lembra_agent::store::board::live::Topic;
use serde::Deserialize;
use tokio::time::Instant;

use crate::access::Principal;
use crate::app::Web;

use watchers::Watch;
pub use watchers::Watchers;

/// Something is sent at least so often, or proxies close the stream.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// A stream ends after that long, and the browser opens another one by itself: whoever was signed
/// out meanwhile is not let in again.
const LONGEST: Duration = Duration::from_secs(300);

#[derive(Deserialize)]
pub struct Asked {
    topic: Option<String>,
}

/// `changed` when the page's topic did, `handoffs` when the account's waiting conversations did;
/// each once at the beginning, unless the browser has seen that state already.
pub async fn events(
    principal: Principal,
    web: web::Data<Web>,
    watchers: web::Data<Watchers>,
    request: HttpRequest,
    asked: web::Query<Asked>,
) -> HttpResponse {
    let topic = asked.topic.as_deref().unwrap_or_default();
    let page = match topic {
        "" | "none" => None,
        name => match Topic::parse(name) {
            Some(topic) => Some(topic),
            None => return HttpResponse::NotFound().finish(),
        },
    };
    let account = principal.account_id;
    let page = page.map(|topic| watchers.watch(&web.runtime, account, topic));
    let handoffs = watchers.watch(&web.runtime, account, Topic::Handoffs);
    let seen = request.headers().get("last-event-id").and_then(|id| id.to_str().ok());
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("cache-control", "no-store"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(stream(State::new(page, handoffs, seen)))
}

struct State {
    page: Option<Watch>,
    handoffs: Watch,
    /// What the browser was told last.
    told: [String; 2],
    until: Instant,
}

impl State {
    fn new(page: Option<Watch>, handoffs: Watch, seen: Option<&str>) -> Self {
        let (a, b) = seen.and_then(|id| id.split_once('|')).unwrap_or_default();
        Self { page, handoffs, told: [a.to_owned(), b.to_owned()], until: Instant::now() + LONGEST }
    }

    /// The next event that the browser has not been told of.
    fn news(&mut self) -> Option<Bytes> {
        let now = [self.page.as_ref().map(Watch::word).unwrap_or_default(), self.handoffs.word()];
        for (place, name) in ["changed", "handoffs"].into_iter().enumerate() {
            if !now[place].is_empty() && now[place] != self.told[place] {
                self.told[place].clone_from(&now[place]);
                let [a, b] = &self.told;
                return Some(Bytes::from(format!("id: {a}|{b}\nevent: {name}\ndata: .\n\n")));
            }
        }
        None
    }

    async fn changed(&mut self) {
        match &mut self.page {
            Some(page) => tokio::select! {
                () = page.changed() => {}
                () = self.handoffs.changed() => {}
            },
            None => self.handoffs.changed().await,
        }
    }
}

fn stream(state: State) -> impl Stream<Item = Result<Bytes, actix_web::Error>> {
    futures::stream::unfold(state, |mut state| async move {
        while Instant::now() < state.until {
            if let Some(event) = state.news() {
                return Some((Ok(event), state));
            }
            if tokio::time::timeout(KEEP_ALIVE, state.changed()).await.is_err() {
                return Some((Ok(Bytes::from_static(b": still here\n\n")), state));
            }
        }
        None
    })
}
