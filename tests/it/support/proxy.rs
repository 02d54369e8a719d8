//! A wire to a server that can be cut.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// Hands connections on to a server of this machine until it is cut.
pub struct Proxy {
    pub port: u16,
    cut: Arc<AtomicBool>,
    scissors: Arc<Notify>,
}

impl Proxy {
    pub async fn to(target: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (cut, scissors) = (Arc::new(AtomicBool::new(false)), Arc::new(Notify::new()));
        let (is_cut, scissors_of_all) = (cut.clone(), scissors.clone());
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                if is_cut.load(Ordering::Acquire) {
                    continue;
                }
                let (target, scissors) = (target.clone(), scissors_of_all.clone());
                tokio::spawn(async move {
                    let Ok(mut far) = TcpStream::connect(target).await else {
                        return;
                    };
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
                        () = scissors.notified() => {}
                    }
                });
            }
        });
        Self { port, cut, scissors }
    }

    /// Ends all connections and takes no more.
    pub fn cut(&self) {
        self.cut.store(true, Ordering::Release);
        self.scissors.notify_waiters();
    }

    pub fn mend(&self) {
        self.cut.store(false, Ordering::Release);
    }
}
