//! The API's older address: callers of `/api/accounts/…` reach `/api/v1/accounts/…` (seed 002 §7.5
//! knows only the latter). Adding each route twice would double what every thread of the server
//! builds at its start.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Uri;
use actix_web::http::uri::PathAndQuery;
use actix_web::middleware::Next;

const OLDER: &str = "/api/accounts/";
const ADDRESS: &str = "/api/v1/accounts/";

/// Middleware that comes before routes are looked up.
pub async fn lead_to_v1(
    mut request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    if let Some(uri) = newer(request.uri()) {
        request.match_info_mut().get_mut().update(&uri);
        request.head_mut().uri = uri;
    }
    next.call(request).await
}

fn newer(uri: &Uri) -> Option<Uri> {
    let whole = uri.path_and_query()?.as_str();
    let rest = whole.strip_prefix(OLDER)?;
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(format!("{ADDRESS}{rest}")).ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_older_address_leads_to_the_newer_one_with_its_query() {
        let lead = |path: &str| newer(&Uri::try_from(path).unwrap()).map(|uri| uri.to_string());
        let asked = lead("/api/accounts/1/contacts/2/memories?status=all");
        assert_eq!(asked.as_deref(), Some("/api/v1/accounts/1/contacts/2/memories?status=all"));
        for other in ["/api/v1/accounts/1/tools", "/api/accounts", "/conversations", "/"] {
            assert_eq!(lead(other), None, "{other}");
        }
    }
}
