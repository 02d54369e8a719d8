//! How often one caller may ask: a program or an operator the API, a channel one inbox's webhook.
//! Counted per process. A caller who asks too often is told when to come back; nobody else notices.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use governor::clock::Clock;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use lembra_agent::config::WebConfig;

use super::Principal;
use super::problem::refuse;
use super::routes::Kind;

/// Callers that are remembered before those that have long been quiet are let go.
const MOST_REMEMBERED: usize = 10_000;
/// A page of a program's own asks for several things at once.
const API_BURST_SECONDS: u32 = 3;

/// The limits of this process. Clones share what was counted.
#[derive(Clone)]
pub struct Limits {
    api: Option<Limit<String>>,
    webhooks: Option<Limit<i64>>,
}

type Limit<K> = Arc<DefaultKeyedRateLimiter<K>>;

impl Limits {
    /// `API_RATE_PER_SECOND` and `WEBHOOK_RATE_PER_SECOND`; 0 sets no limit.
    pub fn of(config: &WebConfig) -> Self {
        let quota = |rate: u32, seconds: u32| {
            let rate = NonZeroU32::new(rate)?;
            let burst = rate.saturating_mul(NonZeroU32::new(seconds)?);
            Some(Quota::per_second(rate).allow_burst(burst))
        };
        Self {
            api: quota(config.api_rate, API_BURST_SECONDS)
                .map(|quota| Arc::new(RateLimiter::keyed(quota))),
            webhooks: quota(config.webhook_rate, 1)
                .map(|quota| Arc::new(RateLimiter::keyed(quota))),
        }
    }

    /// Counts a call of the API, or answers it. Pages are not counted.
    pub fn of_call(&self, kind: Kind, principal: &Principal) -> Result<(), HttpResponse> {
        match kind {
            Kind::Api => count(self.api.as_ref(), &principal.name),
            Kind::Page => Ok(()),
        }
    }

    /// Counts a webhook of an inbox, or answers it.
    pub fn of_webhook(&self, inbox_id: i64) -> Result<(), HttpResponse> {
        count(self.webhooks.as_ref(), &inbox_id)
    }
}

fn count<K>(limit: Option<&Limit<K>>, key: &K) -> Result<(), HttpResponse>
where
    K: std::hash::Hash + Eq + Clone,
{
    let Some(limit) = limit else {
        return Ok(());
    };
    if limit.len() > MOST_REMEMBERED {
        limit.retain_recent();
    }
    match limit.check_key(key) {
        Ok(()) => Ok(()),
        Err(early) => Err(later(early.wait_time_from(limit.clock().now()))),
    }
}

/// 429, with the whole seconds to wait.
fn later(wait: Duration) -> HttpResponse {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let mut refusal = refuse(StatusCode::TOO_MANY_REQUESTS, "too many requests");
    let seconds = header::HeaderValue::from(seconds.max(1));
    refusal.headers_mut().insert(header::RETRY_AFTER, seconds);
    refusal
}

#[cfg(test)]
mod tests {
    use lembra_agent::config::Env;

    use super::*;

    fn limits(api: &str, webhooks: &str) -> Limits {
        let env = Env::default()
            .with("API_RATE_PER_SECOND", api)
            .with("WEBHOOK_RATE_PER_SECOND", webhooks);
        Limits::of(&WebConfig::from_env(&env).unwrap())
    }

    #[test]
    fn one_inbox_that_is_too_loud_hushes_no_other() {
        let limits = limits("20", "2");
        let answers = |inbox| (0..3).map(|_| limits.of_webhook(inbox).is_ok()).collect::<Vec<_>>();
        assert_eq!(answers(1), [true, true, false]);
        assert_eq!(answers(2), [true, true, false]);
        let refusal = limits.of_webhook(1).unwrap_err();
        assert_eq!(refusal.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(refusal.headers().get(header::RETRY_AFTER).unwrap(), "1");
    }

    #[test]
    fn nought_sets_no_limit() {
        let limits = limits("0", "0");
        assert!((0..10_000).all(|_| limits.of_webhook(1).is_ok()));
    }
}
