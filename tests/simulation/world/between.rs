//! What goes between page and service, and what becomes of it on the way.

use std::time::Duration;

use praxis::kit::backend::StreamItem;
use praxis::kit::conversation::Input;
use praxis::protocol::{EventBody, SessionId};

use super::{Delivery, World};
use crate::network::{Asker, Fate, Network, Request};
use crate::rules::{Kept, Rules};
use crate::service::Order;

/// Some events a page, so that a history has many.
const PAGE_SIZE: usize = 4;

impl World<'_> {
    /// Breaks streams; a page is told, unless the way to it is dead.
    pub(super) fn cut(&mut self, which: impl Fn(&Asker) -> bool) {
        for (asker, last_arrival) in self.network.close_all(which) {
            if !self.network.chance.percent(self.network.weather.hang.max(20)) {
                let time = last_arrival.max(self.now + self.network.delay());
                let ended = Input::StreamEnded(asker.attempt, Some(Network::lost()));
                self.at(time, Delivery::ToPage(asker.life, asker.slot, Box::new(ended)));
            }
        }
    }

    pub(super) fn send_item(&mut self, stream: Asker, item: StreamItem) {
        match self.network.send(self.now, stream, item) {
            Some((time, items)) => {
                for item in items {
                    let input = Box::new(Input::StreamItem(stream.attempt, item));
                    self.at(time, Delivery::ToPage(stream.life, stream.slot, input));
                }
            }
            None => self.cut(|asker| *asker == stream),
        }
    }

    pub(super) fn request(&mut self, asker: Asker, request: Request) {
        match self.network.fate() {
            Fate::Arrives(delay) => {
                if request.is_idempotent() && self.network.doubles() {
                    let again = self.network.delay();
                    self.after(again, Delivery::ToService(asker, request.clone()));
                }
                self.after(delay, Delivery::ToService(asker, request));
            }
            Fate::Lost(told) => self.tell_lost(asker, &request, told),
        }
    }

    fn tell_lost(&mut self, asker: Asker, request: &Request, told: Option<Duration>) {
        if let Some(delay) = told {
            let input = Box::new(request.failed(asker.attempt, Network::lost()));
            self.after(delay, Delivery::ToPage(asker.life, asker.slot, input));
        }
    }

    pub(super) fn arrives(&mut self, asker: Asker, request: Request) -> Kept {
        if let Some(refusal) = self.network.refusal() {
            self.answer(asker, &request, request.failed(asker.attempt, refusal));
            return Ok(());
        }
        let attempt = asker.attempt;
        match &request {
            Request::CreateSession => {
                let session = self.service.create(self.now);
                self.answer(asker, &request, Input::Created(attempt, Ok(session)));
            }
            // One that was closed on its way is not opened.
            Request::OpenStream(_) if !self.page.waits_for(asker) => {}
            Request::OpenStream(session) => {
                if let Fate::Arrives(delay) = self.network.fate() {
                    let arrival = self.now + delay;
                    let opened = Input::StreamOpened(attempt, Ok(true));
                    self.at(arrival, Delivery::ToPage(asker.life, asker.slot, Box::new(opened)));
                    self.network.opened(asker, session.clone(), arrival);
                    self.after(Duration::ZERO, Delivery::Heartbeat(asker));
                } else {
                    self.tell_lost(asker, &request, Some(Duration::ZERO));
                }
            }
            Request::ReadHistory(session, page) => {
                let page = self.service.page(session, page.as_deref(), PAGE_SIZE);
                self.answer(asker, &request, Input::HistoryRead(attempt, page));
            }
            Request::Post(session, events) => {
                let log = self.service.log(session);
                for event in events {
                    if let EventBody::CustomToolResult { custom_tool_use_id, .. } = event {
                        Rules::result_arrives(custom_tool_use_id, log)?;
                    }
                }
                let chance = &mut self.network.chance;
                let (reply, orders) = self.service.post(self.now, session, events.clone(), chance);
                // The answer and the stream race.
                self.answer(asker, &request, Input::Posted(attempt, reply));
                self.carry_out_orders(session, orders)?;
            }
        }
        Ok(())
    }

    fn answer(&mut self, asker: Asker, request: &Request, answer: Input) {
        match self.network.fate() {
            Fate::Arrives(delay) => {
                if self.network.doubles() {
                    let again = self.network.delay();
                    self.after(again, Delivery::ToPage(asker.life, asker.slot, Box::new(answer.clone())));
                }
                self.after(delay, Delivery::ToPage(asker.life, asker.slot, Box::new(answer)));
            }
            Fate::Lost(told) => self.tell_lost(asker, request, told),
        }
    }

    pub(super) fn carry_out_orders(&mut self, session: &SessionId, orders: Vec<Order>) -> Kept {
        let generation = self.service.generation(session);
        let stored = |order: &Order| matches!(order, Order::Publish(StreamItem::Event(_)));
        if orders.iter().any(stored) {
            self.rules.log(self.service.log(session))?;
        }
        for order in orders {
            match order {
                Order::Publish(item) => {
                    for stream in self.network.streams_of(session) {
                        self.send_item(stream, item.clone());
                    }
                }
                Order::Wake(None) => drop(self.service_wakes.remove(session)),
                Order::Wake(Some(at)) => {
                    self.service_wakes.insert(session.clone(), at);
                    self.at(at, Delivery::ServiceWake(session.clone(), generation, at));
                }
                Order::Model(run, pieces) => {
                    let mut rest = Duration::ZERO;
                    for (pause, piece) in pieces {
                        rest += pause;
                        self.after(rest, Delivery::Model(session.clone(), generation, run, piece));
                    }
                }
            }
        }
        Ok(())
    }
}
