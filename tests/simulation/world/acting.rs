//! What comes from outside: people, pages, machines, the weather.

use std::time::Duration;

use praxis::kit::conversation::{AskId, Input};
use praxis::protocol::ContextItem;

use super::World;
use crate::rules::Kept;
use crate::schedule::Action;

impl World<'_> {
    pub(super) fn act(&mut self, action: Action) -> Kept {
        let (life, slot) = (self.page.life, self.page.slot);
        match action {
            Action::Say => self.say(),
            Action::SayTwice => {
                self.say()?;
                self.say()
            }
            Action::Interrupt => {
                let ask = self.ask();
                self.rules.asked(life, ask);
                self.give(slot, Input::Interrupt { ask })
            }
            Action::SetReadable => {
                self.readable = Some(self.network.chance.below(1000));
                Ok(())
            }
            Action::Show(slot) => self.show(slot),
            Action::Remount => {
                self.unmount()?;
                self.mount()
            }
            Action::Unmount => self.unmount(),
            Action::Reload => {
                self.page.reload();
                self.network.close_all(|asker| asker.life == life);
                self.mount()
            }
            Action::RestartService => {
                self.cut(|_| true);
                for (session, orders) in self.service.restart(self.now, &mut self.network.chance) {
                    self.service_wakes.remove(&session);
                    self.carry_out_orders(&session, orders)?;
                }
                Ok(())
            }
            Action::CutStreams => {
                self.cut(|_| true);
                Ok(())
            }
            Action::Sleep(seconds) => {
                self.asleep_until = self.now + Duration::from_secs(seconds);
                Ok(())
            }
            Action::Hurry => self.give(slot, Input::Hurry),
            Action::Online(online) => self.give(slot, Input::Online(online)),
            Action::Weather(weather) => {
                self.network.weather = weather;
                Ok(())
            }
        }
    }

    fn ask(&mut self) -> AskId {
        self.asks += 1;
        AskId(self.asks)
    }

    fn say(&mut self) -> Kept {
        let (life, slot) = (self.page.life, self.page.slot);
        let ask = self.ask();
        let text = format!("message {}", ask.0);
        let item = |value: u64| vec![ContextItem { name: "lesson".to_owned(), value: value.to_string() }];
        let page_context = self.readable.map(item);
        self.rules.say(life, slot, ask, &text, page_context.clone());
        self.give(slot, Input::Send { ask, text, page_context })
    }

    pub(super) fn mount(&mut self) -> Kept {
        self.page.mounted = true;
        self.give(self.page.slot, Input::Attach)
    }

    fn unmount(&mut self) -> Kept {
        let was_mounted = std::mem::replace(&mut self.page.mounted, false);
        if was_mounted { self.give(self.page.slot, Input::Detach) } else { Ok(()) }
    }

    pub(super) fn show(&mut self, slot: usize) -> Kept {
        self.unmount()?;
        self.page.slot = slot;
        self.mount()
    }
}
