//! The table of routes. Adding one says what it needs; that is how it gets its guard, its place in
//! the OpenAPI document, and its place in the tests that walk the table.

use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::{Next, from_fn};
use actix_web::web::ServiceConfig;
use actix_web::{FromRequest, Handler, Responder, Route};
use lembra_agent::domain::access::Permission;

use super::document::Described;
use super::guard;

/// Where the API of an account is.
const API: &str = "/api/v1/accounts/{account}";

/// What a route asks of who comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody comes in, and why.
    Open(&'static str),
    /// Whoever sits at the machine itself, and operators.
    Simulator,
    /// Any operator; in the API any token too.
    Signed,
    Needs(Permission),
}

impl From<Permission> for Access {
    fn from(permission: Permission) -> Self {
        Access::Needs(permission)
    }
}

/// For whom a route's refusals are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Page,
    Api,
}

/// A route as the table lists it.
#[derive(Debug, Clone)]
pub struct Listed {
    pub method: Method,
    /// In actix's notation: `/contacts/{contact}`.
    pub path: String,
    pub access: Access,
    pub kind: Kind,
    pub described: Described,
}

/// Collects routes, and hands them to the server where there is one.
pub struct Routes<'a> {
    server: Option<&'a mut ServiceConfig>,
    listed: Vec<Listed>,
}

impl<'a> Routes<'a> {
    /// For a server.
    pub fn for_server(server: &'a mut ServiceConfig) -> Self {
        Self { server: Some(server), listed: Vec::new() }
    }

    /// For those who only want to know what there is.
    pub fn for_reading() -> Self {
        Self { server: None, listed: Vec::new() }
    }

    /// All that were added, in order.
    pub fn into_listed(self) -> Vec<Listed> {
        self.listed
    }

    /// A route that everybody may call, with the reason.
    pub fn open<F, Args>(&mut self, method: Method, path: &str, why: &'static str, handler: F)
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.add(method, path, Access::Open(why), Kind::Page, handler);
    }

    /// A page, a part of one, or what one of its controls does.
    pub fn page<F, Args>(
        &mut self,
        method: Method,
        path: &str,
        access: impl Into<Access>,
        handler: F,
    ) where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.add(method, path, access.into(), Kind::Page, handler);
    }

    /// A route of the API, `path` being what follows `/accounts/{account}`.
    pub fn api<F, Args>(
        &mut self,
        method: Method,
        path: &str,
        access: impl Into<Access>,
        handler: F,
    ) -> &mut Described
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.add(method, &format!("{API}{path}"), access.into(), Kind::Api, handler);
        let last = self.listed.len() - 1;
        &mut self.listed[last].described
    }

    /// A route of the API that is of no account.
    pub fn api_itself<F, Args>(&mut self, method: Method, path: &str, access: Access, handler: F)
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.add(method, path, access, Kind::Api, handler);
    }

    /// A service below `path` that checks for itself who comes, with the reason.
    pub fn mount(
        &mut self,
        path: &str,
        why: &'static str,
        configure: impl FnOnce(&mut ServiceConfig),
    ) {
        if let Some(server) = &mut self.server {
            configure(server);
        }
        let (path, described) = (format!("{path}/{{rest:.*}}"), Described::default());
        let access = Access::Open(why);
        self.listed.push(Listed { method: Method::GET, path, access, kind: Kind::Page, described });
    }

    fn add<F, Args>(&mut self, method: Method, path: &str, access: Access, kind: Kind, handler: F)
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        if let Some(server) = &mut self.server {
            let stand = move |request: ServiceRequest, next: Next<_>| async move {
                let answer: Result<ServiceResponse<_>, actix_web::Error> =
                    guard::stand(access, kind, request, next).await;
                answer
            };
            let route = Route::new().method(method.clone()).to(handler);
            let guarded = match access {
                Access::Open(_) => route,
                _ => route.wrap(from_fn(stand)),
            };
            server.route(path, guarded);
        }
        let described = Described::default();
        self.listed.push(Listed { method, path: path.to_owned(), access, kind, described });
    }
}
