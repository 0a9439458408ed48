//! Several live values under one name, of which the last registered counts (K9).

/// Values under names. A name keeps its place from its first registration until its last one is gone (K15).
#[derive(Debug)]
pub struct LastRegistered<T> {
    entries: Vec<Entry<T>>,
    next_key: u64,
}

#[derive(Debug)]
struct Entry<T> {
    name: Box<str>,
    /// Never empty; the last one counts.
    live: Vec<(RegistrationKey, T)>,
}

/// Tells one registration from all others of the same collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistrationKey(u64);

impl<T> Default for LastRegistered<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), next_key: 0 }
    }
}

impl<T> LastRegistered<T> {
    /// Registers a value; from now on it is the one that counts.
    pub fn register(&mut self, name: &str, value: T) -> RegistrationKey {
        let key = RegistrationKey(self.next_key);
        self.next_key += 1;
        match self.entries.iter_mut().find(|entry| &*entry.name == name) {
            Some(entry) => entry.live.push((key, value)),
            None => self.entries.push(Entry { name: name.into(), live: vec![(key, value)] }),
        }
        key
    }

    /// Replaces a registration's value; gives back the old one, so that it is dropped outside.
    pub fn replace(&mut self, key: RegistrationKey, value: T) -> Option<T> {
        let mut live = self.entries.iter_mut().flat_map(|entry| &mut entry.live);
        live.find(|(other, _)| *other == key).map(|(_, old)| std::mem::replace(old, value))
    }

    /// Ends a registration; gives back its value, so that it is dropped outside. The one before counts again.
    pub fn remove(&mut self, key: RegistrationKey) -> Option<T> {
        let position = |entry: &Entry<T>| entry.live.iter().position(|(other, _)| *other == key);
        let (index, at) =
            self.entries.iter().enumerate().find_map(|(index, entry)| Some((index, position(entry)?)))?;
        let (_, value) = self.entries[index].live.remove(at);
        if self.entries[index].live.is_empty() {
            self.entries.remove(index);
        }
        Some(value)
    }

    /// The value that counts for `name`.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.entries.iter().find(|entry| &*entry.name == name).and_then(Entry::counting)
    }

    /// The registration that counts for `name`.
    pub fn counting(&self, name: &str) -> Option<(RegistrationKey, &T)> {
        let entry = self.entries.iter().find(|entry| &*entry.name == name)?;
        entry.live.last().map(|(key, value)| (*key, value))
    }

    /// Whether a registration is live, counting or not.
    pub fn is_live(&self, key: RegistrationKey) -> bool {
        self.entries.iter().flat_map(|entry| &entry.live).any(|(other, _)| *other == key)
    }

    /// How many registrations of `name` are live.
    pub fn count(&self, name: &str) -> usize {
        self.entries.iter().find(|entry| &*entry.name == name).map_or(0, |entry| entry.live.len())
    }

    /// Each name with the value that counts and the number of live registrations, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T, usize)> {
        self.entries.iter().filter_map(|entry| Some((&*entry.name, entry.counting()?, entry.live.len())))
    }
}

impl<T> Entry<T> {
    fn counting(&self) -> Option<&T> {
        self.live.last().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn k9_the_one_before_counts_again_in_both_orders() {
        let mut values = LastRegistered::default();
        let first = values.register("a", 1);
        let second = values.register("a", 2);
        assert_eq!((values.get("a"), values.count("a")), (Some(&2), 2));
        assert_eq!(values.counting("a"), Some((second, &2)));
        values.remove(second);
        assert_eq!((values.is_live(first), values.is_live(second)), (true, false));
        assert_eq!(values.get("a"), Some(&1));
        let third = values.register("a", 3);
        values.remove(first);
        assert_eq!(values.get("a"), Some(&3));
        values.remove(third);
        assert_eq!((values.get("a"), values.count("a")), (None, 0));
        assert_eq!(values.remove(third), None);
    }

    #[test]
    fn k15_a_name_keeps_its_place_until_it_is_gone() {
        let mut values = LastRegistered::default();
        let a = values.register("a", 1);
        values.register("b", 2);
        values.register("a", 3);
        values.replace(a, 4);
        values.remove(a);
        assert_eq!(values.iter().collect::<Vec<_>>(), [("a", &3, 1), ("b", &2, 1)]);
        let mut values = LastRegistered::default();
        let a = values.register("a", 1);
        values.register("b", 2);
        values.remove(a);
        values.register("a", 3);
        assert_eq!(values.iter().map(|(name, ..)| name).collect::<Vec<_>>(), ["b", "a"]);
    }

    proptest! {
        /// Against the plainest model: a list of all live registrations, newest last.
        #[test]
        fn k9_the_newest_live_registration_counts(steps in prop::collection::vec((0..3_u8, 0..4_u8, any::<prop::sample::Index>()), 0..60)) {
            let mut values = LastRegistered::default();
            let mut model: Vec<(RegistrationKey, String, usize)> = Vec::new();
            for (serial, (action, name, which)) in steps.into_iter().enumerate() {
                let name = name.to_string();
                match action {
                    0 => model.push((values.register(&name, serial), name, serial)),
                    _ if model.is_empty() => {}
                    1 => {
                        let (key, _, old) = model.remove(which.index(model.len()));
                        prop_assert_eq!(values.remove(key), Some(old));
                    }
                    _ => {
                        let at = which.index(model.len());
                        prop_assert_eq!(values.replace(model[at].0, serial), Some(model[at].2));
                        model[at].2 = serial;
                    }
                }
                for name in ["0", "1", "2", "3"] {
                    let mut live = model.iter().filter(|(_, other, _)| other == name);
                    prop_assert_eq!(values.count(name), live.clone().count());
                    prop_assert_eq!(values.get(name), live.next_back().map(|(_, _, value)| value));
                }
            }
        }
    }
}
