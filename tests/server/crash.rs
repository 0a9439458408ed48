//! `kill -9` at random moments under load: nothing that was acknowledged is lost, no event is doubled, and every turn
//! ends.
//!
//! The oracle stands outside the server: it knows what was acknowledged, what streams showed, and what the history was
//! before.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::program::{Program, agent, command};
use crate::rig::{Answer, Folder, Stream, Visitor};
use crate::suite::{message, result, short};

const KILLS: usize = 20;
const SESSIONS: usize = 6;

/// Random numbers from a seed (xorshift).
#[derive(Clone)]
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// A session, and what is known of it.
struct Account {
    path: String,
    chance: Chance,
    /// Answers with 200, in the order of the requests; each has the stored events.
    acknowledged: Vec<Vec<Value>>,
    /// Stored events that a stream has shown.
    seen: Vec<Value>,
    /// The history as it was read last.
    history: Vec<Value>,
    posts: u64,
}

/// A request of a server that may be killed while it is under way.
async fn ask(visitor: &Visitor, method: &str, path: &str, body: Option<Value>) -> Option<Answer> {
    let url = format!("{}{path}", visitor.address);
    let request = visitor.client.request(method.parse().unwrap(), url).bearer_auth(&visitor.token);
    let request = match body {
        Some(body) => request.body(body.to_string()),
        None => request,
    };
    let response = request.send().await.ok()?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Some(Answer { status, headers, text: response.text().await.ok()? })
}

fn ids(events: &[Value], kind: &str) -> Vec<String> {
    let of_kind = events.iter().filter(|event| event["type"] == kind);
    of_kind.map(|event| event["id"].as_str().unwrap().to_owned()).collect()
}

/// The calls without a result.
fn open_calls(history: &[Value]) -> Vec<String> {
    let answered: BTreeSet<_> =
        history.iter().filter_map(|event| event["custom_tool_use_id"].as_str()).collect();
    let calls = ids(history, "agent.custom_tool_use");
    calls.into_iter().filter(|call| !answered.contains(call.as_str())).collect()
}

impl Account {
    /// Talks until the server is gone.
    async fn talk(&mut self, visitor: &Visitor, acknowledged: &AtomicU64) {
        let url = format!("{}{}/events/stream", visitor.address, self.path);
        let Ok(opened) = visitor.client.get(url).bearer_auth(&visitor.token).send().await else { return };
        assert_eq!(opened.status().as_u16(), 200);
        let mut stream = Stream::of(opened);
        let watching = tokio::spawn(async move {
            let mut seen = Vec::new();
            while let Some(frame) = stream.frame().await {
                seen.extend(frame.id.map(|_| frame.data));
            }
            seen
        });
        while self.step(visitor).await.is_some() {
            acknowledged.store(self.acknowledged.len() as u64, Ordering::Relaxed);
        }
        self.seen.extend(watching.await.unwrap());
    }

    /// One post; `None` when the server is gone.
    async fn step(&mut self, visitor: &Visitor) -> Option<()> {
        self.posts += 1;
        let events = format!("{}/events", self.path);
        let says = |text: String| {
            let mut event = message(&text);
            event["client_message_id"] = json!(text);
            event
        };
        let post = match self.chance.below(10) {
            0..=2 => vec![says(format!("say {}", self.posts))],
            3..=5 => vec![says(format!("call both {}", self.posts))],
            6 => vec![says(format!("say a{}", self.posts)), says(format!("call one b{}", self.posts))],
            7 if self.chance.below(3) == 0 => vec![json!({"type":"user.interrupt"})],
            _ => {
                let answer = ask(visitor, "GET", &events, None).await?;
                let history = answer.json()["data"].as_array().unwrap().clone();
                let results: Vec<_> = open_calls(&history).iter().map(|call| result(call, call)).collect();
                if results.is_empty() {
                    return Some(());
                }
                results
            }
        };
        let answer = ask(visitor, "POST", &events, Some(json!({ "events": post }))).await?;
        match answer.status {
            200 => self.acknowledged.push(answer.json()["data"].as_array().unwrap().clone()),
            // Interrupted or timed out meanwhile.
            409 => {}
            other => panic!("{other}: {answer:?}"),
        }
        Some(())
    }

    /// Reads the history, to its last page, and checks it against all that is known.
    async fn check(&mut self, visitor: &Visitor) {
        let mut history: Vec<Value> = Vec::new();
        let mut query = "?limit=50".to_owned();
        loop {
            let page = visitor.request("GET", &format!("{}/events{query}", self.path), None).await.json();
            history.extend(page["data"].as_array().unwrap().iter().cloned());
            let Some(next) = page["next_page"].as_str() else { break };
            query = format!("?limit=50&page={}", next.replace(':', "%3A"));
        }
        assert_eq!(history[..self.history.len()], self.history, "the log only grows");
        let mut places = BTreeMap::new();
        for (place, event) in history.iter().enumerate() {
            let id = event["id"].as_str().unwrap();
            assert!(places.insert(id, place).is_none(), "{id} is there twice");
        }
        let stored = |event: &Value| {
            let place = places.get(event["id"].as_str().unwrap());
            let place = *place.unwrap_or_else(|| panic!("{event} was acknowledged and is lost"));
            assert_eq!(&history[place], event);
            place
        };
        let mut last = 0;
        for batch in &self.acknowledged {
            let places: Vec<_> = batch.iter().map(&stored).collect();
            assert!(places.is_sorted() && places.first() >= Some(&last), "out of order");
            last = places.first().copied().unwrap_or(last);
        }
        for event in &self.seen {
            stored(event);
        }
        let said: Vec<_> = history.iter().filter_map(|event| event["client_message_id"].as_str()).collect();
        assert_eq!(said.len(), said.iter().collect::<BTreeSet<_>>().len(), "a message is there twice");
        let results: Vec<_> =
            history.iter().filter_map(|event| event["custom_tool_use_id"].as_str()).collect();
        assert_eq!(results.len(), results.iter().collect::<BTreeSet<_>>().len(), "a call has two results");
        self.history = history;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_and_nothing_doubled_over_kills_at_random_moments() {
    let given = std::env::var("PRAXIS_CRASH_SEED").ok().and_then(|seed| seed.parse().ok());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let seed = given.unwrap_or(now.as_nanos() as u64) | 1;
    println!("PRAXIS_CRASH_SEED={seed}");
    let mut chance = Chance(seed);

    let folder = Folder::new();
    let start = || {
        let mut command = command(&folder, &agent());
        command.args(["--client-tool-timeout", "1"]);
        Program::start(command)
    };
    let mut program = start();
    let mut visitor = Visitor::new(&program.address).await;
    let mut accounts = Vec::new();
    for number in 0..SESSIONS {
        let chance = Chance(seed.wrapping_add((number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1);
        let (acknowledged, seen, history) = (Vec::new(), Vec::new(), Vec::new());
        accounts.push(Account {
            path: visitor.session().await,
            chance,
            acknowledged,
            seen,
            history,
            posts: 0,
        });
    }

    let mut made = 0;
    for _ in 0..KILLS {
        let mut talking = Vec::new();
        let acknowledged: Arc<[AtomicU64]> =
            accounts.iter().map(|account| AtomicU64::new(account.acknowledged.len() as u64)).collect();
        for (number, mut account) in accounts.drain(..).enumerate() {
            let (visitor, acknowledged) = (visitor.clone(), acknowledged.clone());
            talking.push(tokio::spawn(async move {
                account.talk(&visitor, &acknowledged[number]).await;
                account
            }));
        }
        // In the middle of its work, however fast this machine is.
        let posts = || acknowledged.iter().map(|posts| posts.load(Ordering::Relaxed)).sum::<u64>();
        let (enough, begun) = (posts() + chance.below(40), Instant::now());
        while posts() < enough && begun.elapsed() < Duration::from_secs(3) {
            tokio::time::sleep(Duration::from_micros(500)).await;
        }
        tokio::time::sleep(Duration::from_micros(chance.below(20_000))).await;
        program.child.kill().unwrap();
        program.child.wait().unwrap();
        for account in talking {
            accounts.push(account.await.unwrap());
        }
        // Another port, the same data and, by it, the same secret.
        program = start();
        visitor.address.clone_from(&program.address);
        for account in &mut accounts {
            account.check(&visitor).await;
        }
        made = accounts.iter().map(|account| account.history.len()).sum();
    }

    // Nobody asks any more, and every turn ends all the same.
    for account in &mut accounts {
        for _ in 0..600 {
            account.check(&visitor).await;
            let messages = ids(&account.history, "user.message").len();
            let ended = account.history.iter().map(short);
            let ended = ended.filter(|kind| {
                kind.starts_with("session.status_idle(") && kind != "session.status_idle(requires_action)"
            });
            if ended.count() == messages {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(open_calls(&account.history).is_empty(), "a call has no result");
        let last = account.history.last().map(short).unwrap_or_default();
        assert!(last.starts_with("session.status_idle(") || last == "user.interrupt", "{last}");
    }
    let acknowledged: usize = accounts.iter().map(|account| account.acknowledged.len()).sum();
    println!("{KILLS} kills, {acknowledged} acknowledged posts, {made} events");
    assert!(acknowledged > KILLS, "there was no load");
}
