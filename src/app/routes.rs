//! The app's addresses.

use std::collections::HashMap;

use yew_router::Routable;

/// A page of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// The course: `/`.
    Course,
    /// A lesson: `/lessons/3`.
    Lesson {
        /// Its number.
        number: u32,
    },
    /// The learner's records: `/records`.
    Records,
    /// Who the learner is: `/profile`.
    Profile,
    /// How the learner wants the app: `/settings`.
    Settings,
    /// No page: `/404`, and every address that is none of these.
    NotFound,
}

// By hand: what `derive` writes builds an automaton for patterns of any kind, 5 KB after brotli for these six.
impl Routable for Route {
    fn from_path(path: &str, _: &HashMap<&str, &str>) -> Option<Self> {
        Self::recognize(path)
    }

    fn to_path(&self) -> String {
        match self {
            Self::Course => "/".to_owned(),
            Self::Lesson { number } => ["/lessons/", &number.to_string()].concat(),
            Self::Records => "/records".to_owned(),
            Self::Profile => "/profile".to_owned(),
            Self::Settings => "/settings".to_owned(),
            Self::NotFound => "/404".to_owned(),
        }
    }

    fn routes() -> Vec<&'static str> {
        vec!["/", "/lessons/:number", "/records", "/profile", "/settings", "/404"]
    }

    fn not_found_route() -> Option<Self> {
        Some(Self::NotFound)
    }

    fn recognize(pathname: &str) -> Option<Self> {
        // With or without a slash at its end.
        let route = match pathname.strip_suffix('/').unwrap_or(pathname) {
            "" => Self::Course,
            "/records" => Self::Records,
            "/profile" => Self::Profile,
            "/settings" => Self::Settings,
            path => path
                .strip_prefix("/lessons/")
                .filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
                .and_then(|number| number.parse().ok())
                .map_or(Self::NotFound, |number| Self::Lesson { number }),
        };
        Some(route)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_found_at_its_own_path() {
        let lesson = Route::Lesson { number: 12 };
        for route in [Route::Course, lesson, Route::Records, Route::Profile, Route::Settings, Route::NotFound]
        {
            assert_eq!(Route::recognize(&route.to_path()), Some(route));
        }
        assert_eq!(Route::recognize("/lessons/12/"), Some(lesson));
    }

    #[test]
    fn what_is_no_page_is_not_found() {
        let none = [
            "/lessons",
            "/lessons/",
            "/lessons/x",
            "/lessons/-1",
            "/lessons/+1",
            "/lessons/99999999999",
            "/lessons/1/2",
            "//",
            "/Records",
        ];
        for path in none {
            assert_eq!(Route::recognize(path), Some(Route::NotFound), "{path}");
        }
    }
}
