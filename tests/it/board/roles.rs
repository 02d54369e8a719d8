//! Who may what: every route of the table, asked by each role and by tokens of each scope.

use lembra_agent::domain::access::{Permission, Permissions, Role};
use lembra_agent::services::tokens;
use lembra_bot::access::routes::{Access, Kind, Listed};
use reqwest::Method;
use secrecy::{ExposeSecret, SecretString};

use super::open_routes::{filled, table};
use crate::support::app::TestApp;
use crate::support::on_both_databases;
use crate::support::operator::Operator;

/// The id of nothing: what may be asked is then not found, or found wanting.
const NOTHING: &str = "999999999";

fn address(route: &Listed, account: i64) -> String {
    filled(&route.path, |name| match name {
        "account" => account.to_string(),
        _ => NOTHING.to_owned(),
    })
}

fn method(route: &Listed) -> Method {
    route.method.as_str().parse().expect("a method")
}

fn changes(route: &Listed) -> bool {
    !matches!(route.method.as_str(), "GET" | "HEAD")
}

/// The routes that need a permission, with it.
fn guarded(kind: Kind) -> Vec<(Listed, Permission)> {
    let routes = table().into_iter().filter(|route| route.kind == kind);
    let routes = routes.filter_map(|route| match route.access {
        Access::Needs(permission) => Some((route, permission)),
        _ => None,
    });
    let routes: Vec<_> = routes.collect();
    assert!(routes.len() > 10, "{kind:?}: the table is elsewhere");
    routes
}

/// A route that may be asked answers something else than a refusal, whatever is asked of it.
fn expect(status: u16, may: bool, what: &str) {
    match may {
        true => assert!(status != 401 && status != 403 && status < 500, "{what}: {status}"),
        false => assert_eq!(status, 403, "{what}"),
    }
}

async fn token(app: &TestApp, scopes: Permissions) -> SecretString {
    let (account, clock) = (app.account().await, &app.runtime.clock);
    let added = tokens::add(app.db(), clock, account, "teste", scopes).await;
    added.expect("a token").1
}

on_both_databases! {
    async fn a_page_is_for_the_roles_that_have_its_permission(app: TestApp) {
        for role in Role::ALL {
            let operator = Operator::sign_in(&app, role).await;
            for (route, permission) in guarded(Kind::Page) {
                let path = address(&route, operator.account_id);
                let answer = operator.send(method(&route), &path, &[]).await;
                let what = format!("{} {} as {}", route.method, route.path, role.as_str());
                expect(answer.status, role.permissions().holds(permission), &what);
            }
        }
    }

    async fn running_the_instance_is_given_to_a_person_and_not_to_a_role(app: TestApp) {
        let routes: Vec<_> = guarded(Kind::Page)
            .into_iter()
            .filter(|(_, permission)| *permission == Permission::InstanceRun)
            .collect();
        assert!(!routes.is_empty());
        let operator = Operator::who_runs_the_instance(&app).await;
        for (route, _) in routes {
            let answer = operator.send(method(&route), &address(&route, operator.account_id), &[]).await;
            expect(answer.status, true, &format!("{} {}", route.method, route.path));
        }
    }

    async fn a_call_needs_a_token_with_its_scope(app: TestApp) {
        let account = app.account().await;
        for permission in Permission::ALL {
            let others = Permission::ALL.into_iter().filter(|other| *other != permission);
            let others: Vec<Permission> = others.collect();
            let with = token(&app, Permissions::of(&[permission])).await;
            let without = token(&app, Permissions::of(&others)).await;
            for (route, needed) in guarded(Kind::Api) {
                if needed != permission {
                    continue;
                }
                for (token, may) in [(&without, false), (&with, true)] {
                    let url = format!("{}{}", app.url, address(&route, account));
                    let request = app.http.request(method(&route), url);
                    let request = request.bearer_auth(token.expose_secret());
                    let request = request.header("content-type", "application/json").body("{}");
                    let status = request.send().await.expect("an answer").status().as_u16();
                    expect(status, may, &format!("{} {}", route.method, route.path));
                }
            }
        }
    }

    async fn what_changes_something_comes_from_our_own_pages(app: TestApp) {
        let operator = Operator::who_runs_the_instance(&app).await;
        let routes = table().into_iter().filter(|route| {
            changes(route) && matches!(route.access, Access::Signed | Access::Needs(_))
        });
        for route in routes {
            let path = address(&route, operator.account_id);
            for header in [None, Some(""), Some("0123456789abcdef0123456789abcdef")] {
                let request = operator.request(method(&route), &path);
                let request = match header {
                    Some(header) => request.header("x-csrf-token", header),
                    None => request,
                };
                let status = request.send().await.expect("an answer").status().as_u16();
                assert_eq!(status, 403, "{} {} with {header:?}", route.method, route.path);
            }
        }
        // Nothing of it happened: the operator is still signed in.
        assert_eq!(operator.get("/docs").await.status, 200);
    }
}
