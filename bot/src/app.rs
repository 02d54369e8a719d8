//! The web server, built from a runtime.

use std::net::{SocketAddr, TcpListener};

use actix_session::SessionMiddleware;
use actix_session::config::PersistentSession;
use actix_session::storage::CookieSessionStore;
use actix_web::cookie::{Key, SameSite, time::Duration};
use actix_web::dev::{Server, ServerHandle};
use actix_web::http::Method;
use actix_web::middleware::from_fn;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use lembra_agent::config::Mode;
use lembra_agent::services::intake::{Intake, Settings};
use lembra_worker::ops::{self, Ops};
use lembra_worker::runtime::Runtime;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::access::limits::Limits;
use crate::access::{Routes, alias};
use crate::demo_agenda::DemoAgenda;
use crate::live::Watchers;
use crate::pages::sign_in::Attempts;
use crate::standalone::Demo;
use crate::{api, demo_agenda, pages, request_log, simulator, webhooks};

/// The longest that browsers keep a cookie. When a session is over, its row says; the cookie only
/// must not end before it.
const COOKIE: Duration = Duration::days(400);

/// What handlers answer from. Clones share it.
#[derive(Clone)]
pub struct Web {
    pub runtime: Runtime,
    pub intake: Intake,
    pub limits: Limits,
}

/// All routes that there can be, in the order in which they are looked up.
pub fn routes(routes: &mut Routes<'_>) {
    webhook_routes(routes);
    inner_routes(routes);
    demo_routes(routes, None);
}

/// What channels and monitors call: no cookie is read for them.
fn webhook_routes(routes: &mut Routes<'_>) {
    webhooks::routes(routes);
    let monitors = "monitors: no names, no texts";
    routes.open(Method::GET, "/healthz", monitors, ops::healthz);
    routes.open(Method::GET, "/readyz", monitors, ops::readyz);
    routes.open(Method::GET, "/metrics", monitors, ops::metrics_page);
}

fn inner_routes(routes: &mut Routes<'_>) {
    api::routes(routes);
    pages::routes(routes);
}

/// Where there is a demonstration.
fn demo_routes(routes: &mut Routes<'_>, agenda: Option<DemoAgenda>) {
    simulator::routes(routes);
    routes.mount(demo_agenda::PATH, "it asks for a token of its own", |server| {
        if let Some(agenda) = agenda {
            demo_agenda::configure(server, agenda);
        }
    });
}

/// What no route answers.
async fn nothing_here(request: HttpRequest) -> HttpResponse {
    if request.path().starts_with("/api") { api::not_found() } else { pages::respond::gone() }
}

/// A server that is bound and not yet awaited.
pub struct Application {
    pub address: SocketAddr,
    pub server: Server,
}

impl Application {
    /// Builds the server on `listener`. The simulator, the pages around it and the demo agenda exist
    /// only where they are given.
    pub fn build(
        runtime: &Runtime,
        metrics: Option<PrometheusHandle>,
        demo: Option<Demo>,
        listener: TcpListener,
    ) -> std::io::Result<Self> {
        let address = listener.local_addr()?;
        let settings = Settings::of(&runtime.config.answering, &runtime.config.media);
        let intake = Intake::start(&runtime.intake_db, &runtime.clock, &runtime.relay, &settings);
        let limits = Limits::of(&runtime.config.web);
        let web = Web { runtime: runtime.clone(), intake, limits };
        let ops = Ops { runtime: runtime.clone(), metrics };
        let key = Key::from(runtime.config.vault.session_key());
        let https =
            runtime.config.web.public_url.as_ref().is_some_and(|url| url.scheme() == "https");
        let attempts = Attempts::default();
        let demo = demo.filter(|_| runtime.config.mode == Mode::Standalone);
        let watchers = Watchers::default();
        let server = HttpServer::new(move || {
            let session = SessionMiddleware::builder(CookieSessionStore::default(), key.clone())
                .cookie_name("lembra".to_owned())
                .cookie_secure(https)
                .cookie_same_site(SameSite::Lax)
                .session_lifecycle(PersistentSession::default().session_ttl(COOKIE))
                .build();
            let demo = demo.clone();
            let app = App::new()
                .app_data(web::Data::new(web.clone()))
                .app_data(web::Data::new(ops.clone()))
                .wrap(from_fn(request_log::log))
                .configure(|server| webhook_routes(&mut Routes::for_server(server)));
            let browser = web::scope("")
                .wrap(session)
                .wrap(from_fn(pages::security_headers))
                .wrap(from_fn(alias::lead_to_v1))
                .app_data(web::Data::new(attempts.clone()))
                .app_data(web::Data::new(watchers.clone()))
                .configure(api::readers)
                .configure(|server| {
                    let mut routes = Routes::for_server(server);
                    inner_routes(&mut routes);
                    if let Some(demo) = demo {
                        demo_routes(&mut routes, Some(demo.agenda));
                        server.app_data(web::Data::new(demo.simulator));
                    }
                });
            app.service(browser.default_service(web::to(nothing_here)))
        })
        .disable_signals()
        .client_request_timeout(std::time::Duration::from_secs(15))
        .shutdown_timeout(10)
        .listen(listener)?
        .run();
        Ok(Self { address, server })
    }

    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }
}
