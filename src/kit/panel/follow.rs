//! Whether the view follows the end of the conversation.
//!
//! It follows while the reader is at the end and lets the text alone. One step back is enough to stay where they
//! are; going to the end takes it up again. A state machine without I/O: it must not know elements.

/// Where a scrolling element stands, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// How far it is scrolled.
    pub top: i32,
    /// How high its content is.
    pub height: i32,
    /// How much of that is seen.
    pub visible: i32,
}

impl Position {
    fn to_end(self) -> i32 {
        self.height - self.top - self.visible
    }
}

/// Follows the end, or not.
#[derive(Debug, Default)]
pub struct Follow {
    away: bool,
    held: bool,
    last: Position,
}

/// So near to the end, on the way down, it is taken up again.
const NEAR: i32 = 32;

impl Follow {
    /// Whether the view should go to the end when the content changes.
    #[must_use]
    pub const fn follows(&self) -> bool {
        !self.away && !self.held
    }

    /// Whether the reader went away from the end.
    #[must_use]
    pub const fn is_away(&self) -> bool {
        self.away
    }

    /// Takes a reading, at a scroll or before the view would go to the end.
    pub fn read(&mut self, position: Position) {
        let last = std::mem::replace(&mut self.last, position);
        // Content that shrinks moves the view too; only a reader moves it back over the same content.
        let moved_back = position.top < last.top - 1 && position.height >= last.height;
        if moved_back && position.to_end() > 1 {
            self.away = true;
        } else if position.top > last.top && position.to_end() <= NEAR {
            self.away = false;
        }
    }

    /// A finger is on the content, or left it.
    pub const fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// The reader looks at something here: stay.
    pub const fn stay(&mut self) {
        self.away = true;
    }

    /// The reader asked for the end, or wrote something.
    pub const fn go_to_end(&mut self) {
        self.away = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{Follow, Position};

    const fn at(top: i32, height: i32) -> Position {
        Position { top, height, visible: 400 }
    }

    #[test]
    fn one_step_back_is_enough_to_stay() {
        let mut follow = Follow::default();
        follow.read(at(600, 1000));
        assert!(follow.follows());
        follow.read(at(592, 1000));
        assert!(!follow.follows(), "eight pixels are near the end, but the reader went back");
        follow.read(at(592, 1100));
        assert!(follow.is_away());
        follow.read(at(690, 1100));
        assert!(follow.follows());
    }

    #[test]
    fn content_that_shrinks_or_grows_does_not_stop_it() {
        let mut follow = Follow::default();
        follow.read(at(600, 1000));
        follow.read(at(560, 960));
        assert!(follow.follows());
        follow.read(at(560, 1400));
        assert!(follow.follows());
    }

    #[test]
    fn nothing_moves_under_the_finger() {
        let mut follow = Follow::default();
        follow.hold(true);
        assert!(!follow.follows());
        follow.hold(false);
        assert!(follow.follows());
    }
}
