//! A wire to a server that can be cut, or carry nothing for a while.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wire {
    Open,
    /// What is sent arrives when it is open again.
    Held,
    /// Connections end, and none is made.
    Cut,
}

/// Hands connections on to a server of this machine.
pub struct Proxy {
    pub port: u16,
    wire: watch::Sender<Wire>,
}

impl Proxy {
    pub async fn to(target: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (sender, wire) = watch::channel(Wire::Open);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                if *wire.borrow() != Wire::Cut {
                    tokio::spawn(carry(near, target.clone(), wire.clone()));
                }
            }
        });
        Self { port, wire: sender }
    }

    /// Ends all connections and takes no more.
    pub fn cut(&self) {
        self.wire.send_replace(Wire::Cut);
    }

    /// Nothing arrives for so long.
    pub async fn stall(&self, time: Duration) {
        self.wire.send_replace(Wire::Held);
        tokio::time::sleep(time).await;
        self.mend();
    }

    pub fn mend(&self) {
        self.wire.send_replace(Wire::Open);
    }
}

async fn carry(near: TcpStream, target: String, mut wire: watch::Receiver<Wire>) {
    let Ok(far) = TcpStream::connect(target).await else {
        return;
    };
    let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
    let mut cut = wire.clone();
    tokio::select! {
        () = copy(near_in, far_out, wire.clone()) => {}
        () = copy(far_in, near_out, wire.clone()) => {}
        _ = cut.wait_for(|wire| *wire == Wire::Cut) => {}
        () = closed(&mut wire) => {}
    }
}

/// Ends with the proxy.
async fn closed(wire: &mut watch::Receiver<Wire>) {
    while wire.changed().await.is_ok() {}
}

async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut into: impl AsyncWrite + Unpin,
    mut wire: watch::Receiver<Wire>,
) {
    let mut bytes = vec![0; 16 << 10];
    while let Ok(count) = from.read(&mut bytes).await {
        if count == 0 || wire.wait_for(|wire| *wire != Wire::Held).await.is_err() {
            return;
        }
        if into.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
