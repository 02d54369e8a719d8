//! A Redis of a test's own, to be killed and flushed.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::processes::free_port;
use super::{setting, until};

pub struct RedisServer {
    binary: PathBuf,
    port: u16,
    folder: TempDir,
    child: Option<Child>,
}

impl RedisServer {
    /// `None` when no redis-server was given.
    pub async fn start() -> Option<Self> {
        let binary = PathBuf::from(setting("TEST_REDIS_SERVER")?);
        let port = free_port();
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = Self { binary, port, folder, child: None };
        server.up().await;
        Some(server)
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn url(&self) -> String {
        format!("redis://{}", self.address())
    }

    pub async fn up(&mut self) {
        let child = Command::new(&self.binary)
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1"])
            .args(["--appendonly", "yes", "--save", ""])
            .current_dir(self.folder.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server starts");
        self.child = Some(child);
        let client = redis::Client::open(self.url()).expect("a client");
        until(10, "Redis answers", || async {
            match client.get_multiplexed_async_connection().await {
                Ok(mut connection) => {
                    redis::cmd("PING").query_async::<String>(&mut connection).await.is_ok()
                }
                Err(_) => false,
            }
        })
        .await;
    }

    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("is killed");
            child.wait().expect("is gone");
        }
    }

    pub async fn flush(&self) {
        let client = redis::Client::open(self.url()).expect("a client");
        let mut connection = client.get_multiplexed_async_connection().await.expect("connects");
        redis::cmd("FLUSHALL").query_async::<()>(&mut connection).await.expect("flushes");
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}
