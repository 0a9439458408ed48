//! What the app allows its agent (E18).

use super::{Category, RiskLevel};

/// What a policy says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// It runs.
    Allow,
    /// The person is asked.
    Ask,
    /// It does not run, and nobody is asked.
    Deny,
}

/// Says by category and risk level what an agent may do.
///
/// Where the app says nothing: `network` is denied, `dangerous` is asked for, a tool that wants confirmation is asked
/// for whatever its risk, and the rest is allowed. `dangerous` is asked for even where the app allows it.
///
/// # Example
/// ```
/// use praxis::tools::{Category, Permission, PermissionPolicy, RiskLevel};
///
/// let policy = PermissionPolicy::default()
///     .category(Category::Network, Permission::Ask)
///     .rule(Category::Form, RiskLevel::Dangerous, Permission::Deny);
/// assert_eq!(policy.permission(Category::Network, RiskLevel::Safe, false), Permission::Ask);
/// assert_eq!(policy.permission(Category::Form, RiskLevel::Dangerous, true), Permission::Deny);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PermissionPolicy {
    /// The app's own rules; the last that fits counts.
    rules: Vec<(Category, Option<RiskLevel>, Permission)>,
}

impl PermissionPolicy {
    /// Adds a rule for one category, whatever the risk.
    #[must_use]
    pub fn category(mut self, category: Category, permission: Permission) -> Self {
        self.rules.push((category, None, permission));
        self
    }

    /// Adds a rule for one category and risk level.
    #[must_use]
    pub fn rule(mut self, category: Category, risk_level: RiskLevel, permission: Permission) -> Self {
        self.rules.push((category, Some(risk_level), permission));
        self
    }

    /// What a tool of this kind may do.
    #[must_use]
    pub fn permission(
        &self,
        category: Category,
        risk_level: RiskLevel,
        requires_confirmation: bool,
    ) -> Permission {
        let fits = |(of, at, _): &&(Category, Option<RiskLevel>, Permission)| {
            *of == category && at.is_none_or(|at| at == risk_level)
        };
        let rule = self.rules.iter().rev().find(fits).map(|(_, _, permission)| *permission);
        match (rule, risk_level) {
            (Some(Permission::Allow), RiskLevel::Dangerous) => Permission::Ask,
            (Some(permission), _) => permission,
            (None, _) if category == Category::Network => Permission::Deny,
            (None, RiskLevel::Dangerous) => Permission::Ask,
            (None, _) if requires_confirmation => Permission::Ask,
            (None, _) => Permission::Allow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Permission::{Allow, Ask, Deny};
    use RiskLevel::{Dangerous, Moderate, Safe};

    const OTHERS: [Category; 5] =
        [Category::Navigation, Category::Form, Category::Data, Category::Ui, Category::Storage];

    #[test]
    fn e18_what_holds_where_the_app_says_nothing() {
        let policy = PermissionPolicy::default();
        for category in OTHERS {
            for (risk, wants, expected) in [
                (Safe, false, Allow),
                (Safe, true, Ask),
                (Moderate, false, Allow),
                (Moderate, true, Ask),
                (Dangerous, false, Ask),
                (Dangerous, true, Ask),
            ] {
                assert_eq!(
                    policy.permission(category, risk, wants),
                    expected,
                    "{category:?} {risk:?} {wants}"
                );
            }
        }
        for (risk, wants) in [(Safe, false), (Moderate, true), (Dangerous, true)] {
            assert_eq!(policy.permission(Category::Network, risk, wants), Deny);
        }
    }

    #[test]
    fn e18_the_app_says_otherwise_by_category_and_risk_but_dangerous_always_asks() {
        let policy = PermissionPolicy::default()
            .category(Category::Network, Allow)
            .category(Category::Form, Allow)
            .rule(Category::Form, Safe, Deny)
            .rule(Category::Data, Dangerous, Deny);
        assert_eq!(policy.permission(Category::Network, Moderate, true), Allow);
        assert_eq!(policy.permission(Category::Network, Dangerous, false), Ask);
        assert_eq!(policy.permission(Category::Form, Moderate, true), Allow);
        assert_eq!(policy.permission(Category::Form, Dangerous, false), Ask);
        assert_eq!(policy.permission(Category::Form, Safe, false), Deny);
        assert_eq!(policy.permission(Category::Data, Dangerous, false), Deny);
        assert_eq!(policy.permission(Category::Data, Safe, false), Allow);
    }
}
