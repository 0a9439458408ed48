//! The panel's actions as a property that its components hand on.

use std::ops::Deref;
use std::rc::Rc;

use super::PanelActions;

/// The same object is the same property.
#[derive(Clone)]
pub struct Actions(pub Rc<dyn PanelActions>);

impl Deref for Actions {
    type Target = dyn PanelActions;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for Actions {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}
