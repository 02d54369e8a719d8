//! A PostgreSQL of a test's own, to be killed. It waits for its disk as in production.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sqlx::{Connection, PgConnection};
use tempfile::TempDir;
use tokio::time::Instant;

use super::processes::free_port;
use super::setting;

/// How long it may take to start, recovery included.
const START: Duration = Duration::from_secs(60);

pub struct PostgresServer {
    programs: PathBuf,
    /// The user and the group that it runs as, where tests run as root: PostgreSQL refuses root.
    user: Option<(String, String)>,
    pub port: u16,
    folder: TempDir,
    child: Option<Child>,
}

impl PostgresServer {
    /// `None` when the test command did not say where its programs are.
    pub async fn start() -> Option<Self> {
        let programs = PathBuf::from(setting("TEST_POSTGRES_BIN")?);
        let split = |both: String| {
            both.split_once(':').map(|(user, group)| (user.to_owned(), group.to_owned()))
        };
        let user = setting("TEST_POSTGRES_USER").and_then(split);
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = Self { programs, user, port: free_port(), folder, child: None };
        if let Some((user, _)) = &server.user {
            let owned = Command::new("chown").arg(user).arg(server.folder.path()).status();
            assert!(owned.expect("chown runs").success(), "the folder is not {user}'s");
        }
        let data = server.data();
        let arguments = ["-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"];
        let made = server.command("initdb").arg("-D").arg(data).args(arguments).output();
        let made = made.expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        server.up().await;
        Some(server)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = match &self.user {
            Some((user, group)) => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid", user, "--regid", group, "--clear-groups", "--"]);
                command.arg(program);
                command
            }
            None => Command::new(program),
        };
        command.current_dir(self.folder.path()).stdout(Stdio::null());
        command
    }

    /// The address of one of its databases, at its own port or at that of a wire to it.
    pub fn url(&self, port: u16, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{port}/{database}")
    }

    async fn answers(&self) -> bool {
        let url = self.url(self.port, "postgres");
        match PgConnection::connect(&url).await {
            Ok(connection) => connection.close().await.is_ok(),
            Err(_) => false,
        }
    }

    pub async fn up(&mut self) {
        let deadline = Instant::now() + START;
        let port = self.port.to_string();
        while self.child.is_none() {
            assert!(Instant::now() < deadline, "PostgreSQL does not start");
            // What a killed one leaves behind may keep the next from starting for a moment.
            let mut command = self.command("postgres");
            command.arg("-D").arg(self.data()).args(["-p", &port, "-h", "127.0.0.1", "-k", ""]);
            let settings = ["max_connections=120", "shared_buffers=64MB", "timezone=UTC"];
            command.args(settings.map(|setting| format!("--{setting}")));
            let mut child = command.stderr(Stdio::null()).spawn().expect("postgres starts");
            while Instant::now() < deadline && child.try_wait().expect("can be asked").is_none() {
                if self.answers().await {
                    self.child = Some(child);
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let _ = child.kill();
            let _ = child.wait();
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// `kill -9` of the postmaster; its children notice and end.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("is killed");
            child.wait().expect("is gone");
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.kill();
    }
}
