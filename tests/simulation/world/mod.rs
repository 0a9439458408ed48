//! A run: what happens, one thing after the other, in the order of a virtual clock.

mod acting;
mod between;
mod page_side;
mod rest;

use std::collections::BTreeMap;
use std::time::Duration;

use praxis::kit::backend::StreamItem;
use praxis::kit::conversation::{Input, ToolOutcome};
use praxis::protocol::{EventId, SessionId, Timestamp};
use praxis::service::model::ModelOutput;
use praxis::service::session::RunNumber;

use crate::faults::Fault;
use crate::network::{Asker, Network, Request};
use crate::page::Page;
use crate::rules::{Kept, Rules};
use crate::schedule::{SLOTS, Schedule, Weather};
use crate::service::Service;

/// Something that is under way.
enum Delivery {
    Step(usize),
    ToService(Asker, Request),
    ToPage(u32, usize, Box<Input>),
    Handler(u32, usize, EventId, ToolOutcome),
    Alarm(u32, usize, u64),
    ServiceWake(SessionId, u32, Timestamp),
    Model(SessionId, u32, RunNumber, ModelOutput),
    Heartbeat(Asker),
}

pub struct World<'a> {
    schedule: &'a Schedule,
    fault: Option<Fault>,
    now: Timestamp,
    queue: BTreeMap<(Timestamp, u64), Delivery>,
    deliveries: u64,
    network: Network,
    service: Service,
    service_wakes: BTreeMap<SessionId, Timestamp>,
    page: Page,
    asleep_until: Timestamp,
    rules: Rules,
    asks: u64,
    readable: Option<u64>,
    steps_left: usize,
    /// Whether to print what conversations take and give.
    trace: bool,
}

impl<'a> World<'a> {
    /// Runs a schedule to its end and on until all is quiet. The error names the rule that was broken.
    pub fn run(schedule: &'a Schedule, fault: Option<Fault>) -> Kept {
        let mut world = Self {
            schedule,
            fault,
            now: Timestamp::from_millis(1_800_000_000_000),
            queue: BTreeMap::new(),
            deliveries: 0,
            network: Network::new(schedule.seed),
            service: Service::new(fault == Some(Fault::LateResultTaken)),
            service_wakes: BTreeMap::new(),
            page: Page::new(fault),
            asleep_until: Timestamp::default(),
            rules: Rules::default(),
            asks: 0,
            readable: None,
            steps_left: schedule.steps.len(),
            trace: std::env::var_os("SIMULATION_TRACE").is_some(),
        };
        world.mount()?;
        world.schedule_step(0);
        while world.steps_left > 0 {
            world.next()?;
        }
        world.network.weather = Weather::CALM;
        world.come_to_rest()?;
        // What was left is looked at again: calls that nobody ran then are run, or have timed out.
        for slot in 0..SLOTS {
            world.show(slot)?;
            world.come_to_rest()?;
            world.quiet(slot)?;
        }
        world.quiet_everywhere()
    }

    fn after(&mut self, rest: Duration, delivery: Delivery) {
        self.at(self.now + rest, delivery);
    }

    fn at(&mut self, time: Timestamp, delivery: Delivery) {
        self.deliveries += 1;
        self.queue.insert((time.max(self.now), self.deliveries), delivery);
    }

    fn schedule_step(&mut self, index: usize) {
        if let Some(step) = self.schedule.steps.get(index) {
            self.after(Duration::from_millis(step.after_millis), Delivery::Step(index));
        }
    }

    /// Delivers what comes next.
    fn next(&mut self) -> Kept {
        let Some(((time, _), delivery)) = self.queue.pop_first() else { return Ok(()) };
        self.now = time;
        let to_page = matches!(
            delivery,
            Delivery::Step(_) | Delivery::ToPage(..) | Delivery::Handler(..) | Delivery::Alarm(..)
        );
        if to_page && self.now < self.asleep_until {
            self.at(self.asleep_until, delivery);
            return Ok(());
        }
        match delivery {
            Delivery::Step(index) => {
                self.steps_left -= 1;
                self.act(self.schedule.steps[index].action)?;
                self.schedule_step(index + 1);
                Ok(())
            }
            Delivery::ToService(asker, request) => self.arrives(asker, request),
            Delivery::ToPage(life, slot, input) if life == self.page.life => self.give(slot, *input),
            Delivery::Handler(life, slot, call, outcome) if life == self.page.life => {
                self.rules.handler_ended(life, &call, &outcome);
                self.give(slot, Input::HandlerEnded { call, outcome })
            }
            Delivery::Alarm(life, slot, alarm) if life == self.page.life => {
                if self.page.conversation(slot).alarm == alarm {
                    self.give(slot, Input::Wake)
                } else {
                    Ok(())
                }
            }
            Delivery::ToPage(..) | Delivery::Handler(..) | Delivery::Alarm(..) => Ok(()),
            Delivery::ServiceWake(session, generation, at) => {
                if self.service.generation(&session) == generation
                    && self.service_wakes.get(&session) == Some(&at)
                {
                    let orders = self.service.wake(self.now, &session, &mut self.network.chance);
                    return self.carry_out_orders(&session, orders);
                }
                Ok(())
            }
            Delivery::Model(session, generation, run, output) => {
                if self.service.generation(&session) == generation {
                    let piece = (run, output);
                    let orders = self.service.model(self.now, &session, piece, &mut self.network.chance);
                    return self.carry_out_orders(&session, orders);
                }
                Ok(())
            }
            Delivery::Heartbeat(stream) => {
                if self.network.is_open(stream) {
                    self.send_item(stream, StreamItem::Heartbeat);
                    self.after(Duration::from_secs(15), Delivery::Heartbeat(stream));
                }
                Ok(())
            }
        }
    }
}
