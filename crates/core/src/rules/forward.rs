//! Forwards the methods of a game to a game inside it.

use super::game::{Flow, Game, Predecessors, Sealed};

/// Writes all methods of [`Game`](crate::Game) or [`Predecessors`](crate::Predecessors), which call the same
/// method of an inner game. It leaves out the named methods: the adapter writes them, or keeps their
/// defaults. So an adapter forgets no method, even if a new version of the trait adds one. It never forwards
/// [`audit_all`](crate::Predecessors::audit_all).
///
/// ```
/// use retrograde::{Game, Predecessors, Status, Value, forward};
///
/// /// A game in which one state more is terminal, and drawn.
/// struct Drawn<G>(u64, G);
///
/// impl<G: Game> Game for Drawn<G> {
///     // The default of `classify` asks `status`.
///     forward!(Game for drawn => drawn.1; but status classify);
///
///     fn status(&self, state: u64) -> Status {
///         if state == self.0 { Status::Terminal(Value::Draw) } else { self.1.status(state) }
///     }
/// }
///
/// impl<G: Predecessors> Predecessors for Drawn<G> {
///     forward!(Predecessors for drawn => drawn.1);
/// }
/// ```
///
/// A name that is no method of the trait does not compile. If `classify` is misspelled, and forwarded, the engine never
/// asks the `status` above:
///
/// ```compile_fail
/// # use retrograde::{Game, Status, Value, forward};
/// # struct Drawn<G>(u64, G);
/// impl<G: Game> Game for Drawn<G> {
///     forward!(Game for drawn => drawn.1; but status classification);
/// #
/// #     fn status(&self, state: u64) -> Status {
/// #         if state == self.0 { Status::Terminal(Value::Draw) } else { self.1.status(state) }
/// #     }
/// }
/// ```
#[macro_export]
macro_rules! forward {
    (Game for $this:ident => $game:expr $(; but $($own:ident)*)?) => {
        $($($crate::forward! { @method_of Game $own })*)?
        $crate::forward! { @unless states [$($($own)*)?] $this $game }
        $crate::forward! { @unless status [$($($own)*)?] $this $game }
        $crate::forward! { @unless exits [$($($own)*)?] $this $game }
        $crate::forward! { @unless successors [$($($own)*)?] $this $game }
        $crate::forward! { @unless degree [$($($own)*)?] $this $game }
        $crate::forward! { @unless classify [$($($own)*)?] $this $game }
        $crate::forward! { @unless invalid_states [$($($own)*)?] $this $game }
        $crate::forward! { @unless degree_max [$($($own)*)?] $this $game }
        $crate::forward! { @unless stuck [$($($own)*)?] $this $game }
        $crate::forward! { @unless keeps_turn [$($($own)*)?] $this $game }
    };
    (Predecessors for $this:ident => $game:expr $(; but $($own:ident)*)?) => {
        $($($crate::forward! { @method_of Predecessors $own })*)?
        $crate::forward! { @unless prefetch [$($($own)*)?] $this $game }
        $crate::forward! { @unless predecessors [$($($own)*)?] $this $game }
        $crate::forward! { @unless predecessors_of_each [$($($own)*)?] $this $game }
    };
    (@method_of Game states) => {};
    (@method_of Game status) => {};
    (@method_of Game exits) => {};
    (@method_of Game successors) => {};
    (@method_of Game degree) => {};
    (@method_of Game classify) => {};
    (@method_of Game invalid_states) => {};
    (@method_of Game degree_max) => {};
    (@method_of Game stuck) => {};
    (@method_of Game keeps_turn) => {};
    (@method_of Predecessors prefetch) => {};
    (@method_of Predecessors predecessors) => {};
    (@method_of Predecessors predecessors_of_each) => {};
    (@method_of $trait:ident $other:ident) => {
        ::core::compile_error! {
            ::core::concat!("`", stringify!($other), "` is no method of `", stringify!($trait), "` that is forwarded")
        }
    };
    (@unless states [states $($own:ident)*] $this:ident $game:expr) => {};
    (@unless status [status $($own:ident)*] $this:ident $game:expr) => {};
    (@unless exits [exits $($own:ident)*] $this:ident $game:expr) => {};
    (@unless successors [successors $($own:ident)*] $this:ident $game:expr) => {};
    (@unless degree [degree $($own:ident)*] $this:ident $game:expr) => {};
    (@unless classify [classify $($own:ident)*] $this:ident $game:expr) => {};
    (@unless invalid_states [invalid_states $($own:ident)*] $this:ident $game:expr) => {};
    (@unless degree_max [degree_max $($own:ident)*] $this:ident $game:expr) => {};
    (@unless stuck [stuck $($own:ident)*] $this:ident $game:expr) => {};
    (@unless keeps_turn [keeps_turn $($own:ident)*] $this:ident $game:expr) => {};
    (@unless prefetch [prefetch $($own:ident)*] $this:ident $game:expr) => {};
    (@unless predecessors [predecessors $($own:ident)*] $this:ident $game:expr) => {};
    (@unless predecessors_of_each [predecessors_of_each $($own:ident)*] $this:ident $game:expr) => {};
    (@unless $method:ident [$other:ident $($own:ident)*] $this:ident $game:expr) => {
        $crate::forward! { @unless $method [$($own)*] $this $game }
    };
    (@unless states [] $this:ident $game:expr) => {
        $crate::forward! { @write inline $this $game; states() -> u64 }
    };
    (@unless status [] $this:ident $game:expr) => {
        $crate::forward! { @write inline $this $game; status(state: u64) -> $crate::Status }
    };
    (@unless exits [] $this:ident $game:expr) => {
        $crate::forward! { @write inline $this $game; exits(state: u64, visit: impl FnMut($crate::Value)) -> () }
    };
    (@unless successors [] $this:ident $game:expr) => {
        $crate::forward! { @write inline $this $game; successors(state: u64, visit: impl FnMut(u64) -> $crate::Flow) -> $crate::Flow }
    };
    (@unless degree [] $this:ident $game:expr) => {
        $crate::forward! { @write inline $this $game; degree(state: u64) -> u32 }
    };
    (@unless classify [] $this:ident $game:expr) => {
        $crate::forward! {
            @write inline $this $game;
            classify(states: ::std::ops::Range<u64>, visit: impl FnMut(u64, $crate::Status, u32, &[$crate::Value])) -> ()
        }
    };
    (@unless invalid_states [] $this:ident $game:expr) => {
        $crate::forward! { @write inline $this $game; invalid_states(word: u64) -> u64 }
    };
    (@unless degree_max [] $this:ident $game:expr) => {
        $crate::forward! { @write inline $this $game; degree_max() -> Option<u32> }
    };
    (@unless stuck [] $this:ident $game:expr) => {
        $crate::forward! { @write inline $this $game; stuck() -> $crate::Value }
    };
    (@unless keeps_turn [] $this:ident $game:expr) => {
        $crate::forward! { @write inline $this $game; keeps_turn(from: u64, to: u64) -> bool }
    };
    (@unless prefetch [] $this:ident $game:expr) => {
        $crate::forward! { @write inline(always) $this $game; prefetch() -> $crate::Prefetch }
    };
    (@unless predecessors [] $this:ident $game:expr) => {
        $crate::forward! { @write inline $this $game; predecessors(state: u64, visit: impl FnMut(u64)) -> () }
    };
    (@unless predecessors_of_each [] $this:ident $game:expr) => {
        $crate::forward! { @write inline(always) $this $game; predecessors_of_each(first: u64, set: u64, visit: impl FnMut(u64, u64)) -> () }
    };
    (@write $inline:meta $this:ident $game:expr; $name:ident($($argument:ident: $type:ty),*) -> $said:ty) => {
        #[$inline]
        fn $name(&self, $($argument: $type),*) -> $said {
            let $this = self;
            $game.$name($($argument),*)
        }
    };
}

impl<G: Game> Sealed for &G {}

impl<G: Game> Game for &G {
    forward!(Game for game => **game);
}

impl<G: Predecessors> Predecessors for &G {
    forward!(Predecessors for game => **game);

    fn audit_all(&self, tell: &mut dyn FnMut(u64, u64) -> Flow) -> Option<u64> {
        (**self).audit_all(tell)
    }
}

#[cfg(test)]
mod tests {
    /// Adapters used to list the methods that they forward, and forgot some.
    #[test]
    fn no_method_is_forgotten() {
        let (rules, this) = (include_str!("game.rs"), include_str!("forward.rs"));
        for name in ["Game", "Predecessors"] {
            let opening = format!("pub trait {name}: ");
            let (_, body) = rules.split_once(&opening).expect("the trait is here");
            let (body, _) = body.split_once("\n}\n").expect("it ends");
            let methods = body.split("    fn ").skip(1);
            // No adapter overrides those that are built on others.
            let built = ["audit_all(", "each_successor(", "has_moves("];
            let methods: Vec<_> = methods
                .filter(|method| !built.iter().any(|name| method.starts_with(name)))
                .collect();
            assert!(methods.len() >= 3, "{name}: {methods:?}");
            let arm = this.split(&format!("    ({name} for $this")).nth(1).expect("it has an arm");
            let (arm, _) = arm.split_once("    };").expect("the arm ends");
            for method in &methods {
                let (method, _) = method.split_once('(').expect("a method has arguments");
                assert!(arm.contains(&format!("@unless {method} [")), "{name}::{method}");
            }
            assert_eq!(arm.matches("@unless").count(), methods.len());
        }
    }
}
