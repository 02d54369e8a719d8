//! The web server, built from a runtime.

use std::net::{SocketAddr, TcpListener};

use actix_session::SessionMiddleware;
use actix_session::config::PersistentSession;
use actix_session::storage::CookieSessionStore;
use actix_web::cookie::{Key, SameSite, time::Duration};
use actix_web::dev::{Server, ServerHandle};
use actix_web::middleware::from_fn;
use actix_web::{App, HttpServer, web};
use lembra_agent::config::Mode;
use lembra_agent::services::intake::{Intake, Settings};
use lembra_worker::ops::{self, Ops};
use lembra_worker::runtime::Runtime;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::pages::sign_in::Attempts;
use crate::standalone::Demo;
use crate::{api, demo_agenda, pages, request_log, simulator, webhooks};

/// Signed in for that long.
const SESSION: Duration = Duration::days(7);

/// What handlers answer from. Clones share it.
#[derive(Clone)]
pub struct Web {
    pub runtime: Runtime,
    pub intake: Intake,
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
        let web = Web { runtime: runtime.clone(), intake };
        let ops = Ops { runtime: runtime.clone(), metrics };
        let key = Key::from(runtime.config.vault.session_key());
        let https =
            runtime.config.web.public_url.as_ref().is_some_and(|url| url.scheme() == "https");
        let attempts = Attempts::default();
        let standalone = runtime.config.mode == Mode::Standalone;
        let server = HttpServer::new(move || {
            let session = SessionMiddleware::builder(CookieSessionStore::default(), key.clone())
                .cookie_name("lembra".to_owned())
                .cookie_secure(https)
                .cookie_same_site(SameSite::Lax)
                .session_lifecycle(PersistentSession::default().session_ttl(SESSION))
                .build();
            let demo_on = demo.clone().filter(|_| standalone);
            App::new()
                .app_data(web::Data::new(web.clone()))
                .wrap(from_fn(request_log::log))
                .configure(ops::configure(ops.clone()))
                .configure(webhooks::configure)
                .configure(api::configure)
                .configure(|config| {
                    if let Some(demo) = demo_on {
                        demo_agenda::configure(config, demo.agenda);
                        let browser = web::scope("")
                            .wrap(session)
                            .wrap(from_fn(pages::security_headers))
                            .app_data(web::Data::new(attempts.clone()))
                            .app_data(web::Data::new(demo.simulator))
                            .configure(pages::configure)
                            .configure(simulator::configure);
                        config.service(browser);
                    }
                })
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
