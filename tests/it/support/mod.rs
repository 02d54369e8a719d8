//! What tests stand on.

pub mod app;
pub mod bodies;
pub mod clock;
pub mod database;
pub mod fake_agenda;
pub mod fake_api;
pub mod fake_meta;
pub mod fake_model;
pub mod fleet;
pub mod operator;
pub mod postgres_server;
pub mod processes;
pub mod proxy;
pub mod redis_server;
pub mod rows;

/// A test per database: `name::postgres` and `name::sqlite`. The first needs TEST_DATABASE_URL and
/// TEST_REDIS_URL, which the test command sets; without them it says so and passes.
macro_rules! on_both_databases {
    ($(async fn $name:ident($app:ident: TestApp) $body:block)*) => {$(
        mod $name {
            use super::*;

            async fn check($app: crate::support::app::TestApp) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                if let Some(app) = crate::support::app::TestApp::on_postgres().await {
                    check(app).await;
                }
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                check(crate::support::app::TestApp::on_sqlite().await).await;
            }
        }
    )*};
}
pub(crate) use on_both_databases;

/// A setting of the test command; absent outside of it.
pub fn setting(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "tests are configured by the test command")]
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Says why a test does nothing. In CI it must not come to that.
pub fn skip(why: &str) {
    assert!(setting("CI").is_none(), "in CI everything is tested: {why}");
    eprintln!("skipped: {why}");
}

/// Waits until `condition` holds, looking twenty times a second.
pub async fn until<F: Future<Output = bool>>(
    seconds: u64,
    what: &str,
    mut condition: impl FnMut() -> F,
) {
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(seconds);
    while !condition().await {
        assert!(tokio::time::Instant::now() < deadline, "not within {seconds} s: {what}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}
