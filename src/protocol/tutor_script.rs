//! What the tutor understands, as data that an app brings (`api.script`).

use serde::{Deserialize, Serialize};

/// A tutor's script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TutorScript {}
