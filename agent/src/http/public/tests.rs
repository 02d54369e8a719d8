use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Mutex;

use reqwest::dns::{Addrs, Name, Resolving};
use reqwest::header::HeaderValue;

use super::*;
use crate::http::address::NotPublic;

/// A server that answers one request per connection and keeps what it was asked.
struct Server {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// `answer` makes the whole response of a request's head.
    fn start(ip: Ipv4Addr, answer: impl Fn(&str) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind((ip, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = heads.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut head = String::new();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while reader.read_line(&mut head).unwrap() > 2 {}
                // Who hangs up on an unread body is not heard.
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
                reader.read_exact(&mut vec![0; length]).unwrap();
                kept.lock().unwrap().push(head.clone());
                // The other side may have hung up already.
                let _ = stream.write_all(answer(&head).as_bytes());
            }
        });
        Self { address, heads }
    }

    fn url(&self, host: &str, path: &str) -> Url {
        Url::parse(&format!("http://{host}:{}{path}", self.address.port())).unwrap()
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

fn redirect(status: u16, to: impl std::fmt::Display) -> String {
    format!(
        "HTTP/1.1 {status} x\r\nConnection: close\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
    )
}

/// Says another thing each time, and the last one for ever.
struct Rebinding(Mutex<Vec<Vec<IpAddr>>>);

impl Resolve for Rebinding {
    fn resolve(&self, _: Name) -> Resolving {
        let mut answers = self.0.lock().unwrap();
        let now = if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() };
        let found = now.into_iter().map(|ip| SocketAddr::new(ip, 0));
        Box::pin(std::future::ready(Ok(Box::new(found) as Addrs)))
    }
}

fn names_mean(allowed: &str, answers: &[&[Ipv4Addr]]) -> PublicClient {
    crate::http::install_tls_provider();
    let answers = answers.iter().map(|ips| ips.iter().copied().map(IpAddr::from).collect());
    let resolver = Rebinding(Mutex::new(answers.collect()));
    client_with_resolver(allowed.parse().unwrap(), Arc::new(resolver)).unwrap()
}

fn get(url: Url) -> Call {
    let mut headers = HeaderMap::new();
    headers.insert("x-key", HeaderValue::from_static("segredo"));
    Call {
        method: Method::GET,
        url,
        headers,
        body: None,
        timeout: Duration::from_secs(5),
        max_bytes: 1_024,
    }
}

/// Stands for the public Internet where it is on the list.
const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;
/// Stands for the private network.
const INSIDE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

#[tokio::test]
async fn a_name_that_comes_to_mean_a_private_address_reaches_nothing() {
    let outside = Server::start(HERE, |_| ok("fora"));
    let inside = TcpListener::bind((INSIDE, outside.address.port()))
        .expect("the same port on the inner address");
    inside.set_nonblocking(true).unwrap();
    let client = names_mean("127.0.0.1/32", &[&[HERE], &[INSIDE]]);
    let url = outside.url("agenda.example", "/");
    let first = client.send(get(url.clone())).await.unwrap();
    assert_eq!(&first.body[..], b"fora");
    let second = client.send(get(url)).await.unwrap_err();
    assert_eq!(second, CallError::Blocked(Blocked::Address(NotPublic::Loopback)));
    assert!(inside.accept().is_err(), "something reached the private server");
    assert_eq!(outside.heads().len(), 1);
}

#[tokio::test]
async fn of_several_addresses_only_the_public_ones_are_called() {
    let outside = Server::start(HERE, |_| ok("fora"));
    let client = names_mean("127.0.0.1/32", &[&[INSIDE, Ipv4Addr::new(10, 0, 0, 1), HERE]]);
    let answer = client.send(get(outside.url("agenda.example", "/"))).await.unwrap();
    assert_eq!(&answer.body[..], b"fora");
}

#[tokio::test]
async fn addresses_that_may_not_be_called_are_refused_before_anything_is_sent() {
    let server = Server::start(HERE, |_| ok("dentro"));
    let client = names_mean("", &[&[HERE]]);
    let port = server.address.port();
    let loopback = Blocked::Address(NotPublic::Loopback);
    for (url, why) in [
        (format!("http://127.0.0.1:{port}/"), loopback),
        (format!("http://2130706433:{port}/"), loopback),
        (format!("http://0x7f.1:{port}/"), loopback),
        (format!("http://0177.0.0.1:{port}/"), loopback),
        (format!("http://127.1:{port}/"), loopback),
        (format!("http://[::1]:{port}/"), loopback),
        (format!("http://[::ffff:127.0.0.1]:{port}/"), loopback),
        (format!("http://localhost:{port}/"), loopback),
        (format!("http://qualquer.example:{port}/"), loopback),
        (format!("http://0:{port}/"), Blocked::Address(NotPublic::Unspecified)),
        ("http://169.254.169.254/latest/".to_owned(), Blocked::Address(NotPublic::LinkLocal)),
        ("https://[fd00:ec2::254]/".to_owned(), Blocked::Address(NotPublic::Private)),
        (format!("ftp://127.0.0.1:{port}/"), Blocked::Scheme),
        ("file:///etc/passwd".to_owned(), Blocked::Scheme),
        (format!("http://ana:senha@127.0.0.1:{port}/"), Blocked::Credentials),
        ("https://ana@example.com/".to_owned(), Blocked::Credentials),
    ] {
        let url = Url::parse(&url).unwrap();
        let refused = client.send(get(url.clone())).await.unwrap_err();
        assert_eq!(refused, CallError::Blocked(why), "{url}");
    }
    assert_eq!(server.heads(), Vec::<String>::new());
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_not_followed() {
    let inside = Server::start(INSIDE, |_| ok("dentro"));
    let target = inside.url("127.0.0.2", "/segredo");
    let by_name = inside.url("dentro.example", "/segredo");
    for target in [target, by_name, Url::parse("file:///etc/passwd").unwrap()] {
        let location = target.clone();
        let outside = Server::start(HERE, move |_| redirect(302, &location));
        let client = names_mean(&outside.address.to_string(), &[&[INSIDE]]);
        let refused = client.send(get(outside.url("127.0.0.1", "/"))).await.unwrap_err();
        assert!(matches!(refused, CallError::Blocked(_)), "{target}: {refused}");
    }
    assert_eq!(inside.heads(), Vec::<String>::new());
}

#[tokio::test]
async fn another_origin_gets_neither_headers_nor_a_body() {
    let elsewhere = Server::start(HERE, |_| ok("la"));
    let location = elsewhere.url("127.0.0.1", "/la");
    let moved = |status| {
        let location = location.clone();
        Server::start(HERE, move |_| redirect(status, &location))
    };
    let client = names_mean("127.0.0.1/32", &[&[HERE]]);
    let first = moved(302);
    let answer = client.send(get(first.url("127.0.0.1", "/"))).await.unwrap();
    assert_eq!(&answer.body[..], b"la");
    assert!(first.heads()[0].contains("x-key: segredo"));
    assert!(!elsewhere.heads()[0].contains("segredo"), "{:?}", elsewhere.heads());

    let post = |server: &Server| Call {
        method: Method::POST,
        body: Some(Bytes::from_static(b"{}")),
        ..get(server.url("127.0.0.1", "/"))
    };
    for status in [301, 302, 307, 308] {
        let answer = client.send(post(&moved(status))).await.unwrap();
        assert_eq!(answer.status, status, "a change is neither made elsewhere nor made a reading");
    }
    let seen = client.send(post(&moved(303))).await.unwrap();
    assert_eq!(&seen.body[..], b"la");
    assert!(elsewhere.heads()[1].starts_with("GET /la "), "{:?}", elsewhere.heads());
    assert!(!elsewhere.heads()[1].contains("segredo"));
}

#[tokio::test]
async fn the_same_origin_gets_headers_again_and_three_redirects_are_enough() {
    let step = |head: &str| match head {
        head if head.starts_with("GET /fim ") => ok("fim"),
        head if head.starts_with("GET /1 ") => redirect(307, "/2"),
        head if head.starts_with("GET /2 ") => redirect(301, "/fim"),
        _ => redirect(302, "/1"),
    };
    let server = Server::start(HERE, step);
    let client = names_mean(&server.address.to_string(), &[&[HERE]]);
    let answer = client.send(get(server.url("127.0.0.1", "/0"))).await.unwrap();
    assert_eq!(&answer.body[..], b"fim");
    assert!(server.heads().iter().all(|head| head.contains("x-key: segredo")));
    let round = Server::start(HERE, |_| redirect(302, "/"));
    let client = names_mean(&round.address.to_string(), &[&[HERE]]);
    let refused = client.send(get(round.url("127.0.0.1", "/"))).await.unwrap_err();
    assert_eq!((refused, round.heads().len()), (CallError::TooManyRedirects, 4));
}

#[tokio::test]
async fn a_body_is_read_up_to_its_limit_and_a_call_ends_in_time() {
    let long = Server::start(HERE, |_| ok(&"a".repeat(5_000)));
    let client = names_mean("127.0.0.1/32", &[&[HERE]]);
    let answer = client.send(get(long.url("127.0.0.1", "/"))).await.unwrap();
    assert_eq!((answer.body.len(), answer.complete), (1_024, false));
    let whole = Call { max_bytes: 5_000, ..get(long.url("127.0.0.1", "/")) };
    let answer = client.send(whole).await.unwrap();
    assert_eq!((answer.body.len(), answer.complete), (5_000, true));
    // Nobody accepts what waits in this listener's queue.
    let silent = TcpListener::bind((HERE, 0)).unwrap();
    let url = Url::parse(&format!("http://{}/", silent.local_addr().unwrap())).unwrap();
    let call = Call { timeout: Duration::from_millis(100), ..get(url.clone()) };
    assert_eq!(client.send(call).await.unwrap_err(), CallError::TimedOut);
    drop(silent);
    assert_eq!(client.send(get(url)).await.unwrap_err(), CallError::NotConnected);
}
