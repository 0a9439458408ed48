//! The conformance suite of WIRE.md, run against the service's state machine behind a driver in memory.
//!
//! Another service runs the same suite: implement [`suite::Service`] and give [`every_check`] a macro that makes a
//! test of each check.
#![cfg(not(target_arch = "wasm32"))]

mod in_memory;
#[macro_use]
mod suite;

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use in_memory::InMemory;

macro_rules! tests {
    ($($group:ident::$check:ident,)*) => {
        $(
            #[test]
            fn $check() {
                run(suite::$group::$check(&InMemory::new(suite::agent())));
            }
        )*
    };
}

every_check!(tests);

/// Nothing in memory ever waits: what waits for ever fails.
fn run(check: impl Future<Output = ()>) {
    match pin!(check).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(()) => {}
        Poll::Pending => panic!("the check waits for something that does not come"),
    }
}
