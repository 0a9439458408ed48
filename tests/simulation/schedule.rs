//! What happens from outside: people, pages, machines and the weather on the network.

use proptest::collection::vec;
use proptest::prelude::*;

/// How many conversations a page can show.
pub const SLOTS: usize = 3;

/// All that a run depends on.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Of the delays, losses and handlers.
    pub seed: u64,
    pub steps: Vec<Step>,
}

/// Something happens, so long after what happened before.
#[derive(Clone, Debug)]
pub struct Step {
    pub after_millis: u64,
    pub action: Action,
}

#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// The person says something to the conversation that is shown.
    Say,
    /// Two things at once.
    SayTwice,
    Interrupt,
    /// The page's readables change.
    SetReadable,
    /// Another conversation is shown.
    Show(usize),
    /// The element goes and comes back.
    Remount,
    /// The element goes.
    Unmount,
    /// The page is thrown away and loaded again.
    Reload,
    /// The service is ended and started again.
    RestartService,
    /// All streams break; of some the page is not told.
    CutStreams,
    /// The machine with the page sleeps for so many seconds.
    Sleep(u64),
    /// The page becomes visible.
    Hurry,
    /// The browser says whether it is online.
    Online(bool),
    Weather(Weather),
}

/// How well the network works; chances are in percent.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    pub loss: u64,
    /// Of what is lost, how much is never heard of again.
    pub hang: u64,
    pub refuse: u64,
    pub double: u64,
    pub delay_millis: u64,
}

impl Weather {
    pub const CALM: Self = Self { loss: 0, hang: 0, refuse: 0, double: 0, delay_millis: 40 };
    const SLOW: Self = Self { delay_millis: 6000, ..Self::CALM };
    const LOSSY: Self = Self { loss: 30, hang: 30, ..Self::CALM };
    const REFUSING: Self = Self { refuse: 40, ..Self::CALM };
    const DOUBLING: Self = Self { double: 50, delay_millis: 800, ..Self::CALM };
    const DOWN: Self = Self { loss: 100, hang: 20, ..Self::CALM };
    const WILD: Self = Self { loss: 20, hang: 20, refuse: 20, double: 20, delay_millis: 3000 };
}

fn weather() -> impl Strategy<Value = Weather> {
    prop_oneof![
        Just(Weather::CALM),
        Just(Weather::SLOW),
        Just(Weather::LOSSY),
        Just(Weather::REFUSING),
        Just(Weather::DOUBLING),
        Just(Weather::DOWN),
        Just(Weather::WILD),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        8 => Just(Action::Say),
        1 => Just(Action::SayTwice),
        2 => Just(Action::Interrupt),
        2 => Just(Action::SetReadable),
        3 => (0..SLOTS).prop_map(Action::Show),
        2 => Just(Action::Remount),
        1 => Just(Action::Unmount),
        2 => Just(Action::Reload),
        1 => Just(Action::RestartService),
        2 => Just(Action::CutStreams),
        1 => (1_u64..400).prop_map(Action::Sleep),
        1 => Just(Action::Hurry),
        1 => any::<bool>().prop_map(Action::Online),
        4 => weather().prop_map(Action::Weather),
    ]
}

/// Any schedule. Most steps follow each other within moments; some wait long enough for time-outs.
pub fn schedules() -> impl Strategy<Value = Schedule> {
    let after_millis = prop_oneof![2 => 0_u64..50, 6 => 0_u64..3000, 2 => 0_u64..20_000, 1 => 0_u64..130_000];
    let step = (after_millis, action()).prop_map(|(after_millis, action)| Step { after_millis, action });
    (any::<u64>(), vec(step, 1..25)).prop_map(|(seed, steps)| Schedule { seed, steps })
}
