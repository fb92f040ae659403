//! A value for each level. An array holds the values of near levels, and a map the values of far levels.
//!
//! In most games, nearly all distances are short. But a few may be billions of plies long.

use std::collections::BTreeMap;

/// Levels below this are looked up by number.
const NEAR: u32 = 1 << 10;

/// A value for each level. A level has the default until the caller sets a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByLevel<T> {
    near: Vec<T>,
    far: BTreeMap<u32, T>,
}

impl<T: Default> ByLevel<T> {
    /// The value of a level, to change it.
    #[inline]
    pub fn at(&mut self, level: u32) -> &mut T {
        if level >= NEAR {
            return self.far.entry(level).or_default();
        }
        let at = level as usize;
        if at >= self.near.len() {
            self.near.resize_with(at + 1, T::default);
        }
        &mut self.near[at]
    }

    /// The value of a level, if one was set for this level or a later one.
    pub fn get(&self, level: u32) -> Option<&T> {
        self.near.get(level as usize).or_else(|| self.far.get(&level))
    }

    /// Takes the value of a level, and leaves the default.
    pub fn take(&mut self, level: u32) -> T {
        match self.near.get_mut(level as usize) {
            Some(near) => std::mem::take(near),
            None => self.far.remove(&level).unwrap_or_default(),
        }
    }

    /// The levels from one on, ascending. Some may have the default. A trait object, so that loops over levels do not compile
    /// the two kinds of storage again.
    pub fn from(&self, level: u32) -> Box<dyn Iterator<Item = (u32, &T)> + '_> {
        let near = (0..).zip(&self.near).skip(level as usize);
        Box::new(near.chain(self.far.range(level..).map(|(&level, each)| (level, each))))
    }

    /// All levels with their values, ascending.
    pub fn into_levels(self) -> impl Iterator<Item = (u32, T)> {
        (0..).zip(self.near).chain(self.far)
    }

    /// All levels with their values, ascending, to change them.
    pub fn levels_mut(&mut self) -> impl Iterator<Item = (u32, &mut T)> {
        let far = self.far.iter_mut().map(|(&level, each)| (level, each));
        (0..).zip(&mut self.near).chain(far)
    }

    /// The values of all levels, in any order, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.near.iter_mut().chain(self.far.values_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far_levels_come_in_order() {
        let mut levels = ByLevel::default();
        let all = [0, 3, NEAR - 1, NEAR, NEAR + 7, u32::MAX];
        all.iter().rev().for_each(|&level| *levels.at(level) += u64::from(level) + 1);
        let found = |from| {
            let filled = levels.from(from).filter(|(_, value)| **value != 0);
            filled.map(|(level, value)| (level, *value)).collect::<Vec<_>>()
        };
        for (skipped, from) in [(0, 0), (1, 1), (3, NEAR), (4, NEAR + 1), (5, u32::MAX)] {
            let right: Vec<_> = all[skipped..].iter().map(|&at| (at, u64::from(at) + 1)).collect();
            assert_eq!(found(from), right);
        }
        assert_eq!(
            (levels.get(3), levels.get(4), levels.get(NEAR + 1)),
            (Some(&4), Some(&0), None)
        );
        assert_eq!([3, NEAR].map(|level| levels.take(level)), [4, u64::from(NEAR) + 1]);
        assert_eq!((levels.get(3), levels.get(NEAR)), (Some(&0), None));
        levels.values_mut().for_each(|value| *value = 0);
        assert!(levels.into_levels().all(|(_, value)| value == 0));
    }
}
