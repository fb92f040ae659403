//! The interface for a transport of your own: updates that are late and out of order, and parts at different levels.

use crate::ways::{in_pool, thresholds};
use retrograde::adapters::Explicit;
use retrograde::internal::Thresholds;
use retrograde::parts::{
    Engine, Kind, Part, Parted, Partition, PendingEvents, Tally, UpdateSink, Watch,
};
use retrograde::{Code, Game, Predecessors, SolveError, Solver, Status, Value};
use retrograde_testkit::broken::without_distance;
use retrograde_testkit::{Plain, Rng, cases, judged, naive, random, seed};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

/// Updates that were sent, and how many a part may send before it has to pause.
struct Outbox {
    updates: Vec<(u64, bool)>,
    len_max: usize,
}

impl UpdateSink for Outbox {
    fn send(&mut self, _: u64, predecessor: u64, wins: bool) {
        self.updates.push((predecessor, wins));
    }

    fn is_full(&self) -> bool {
        self.updates.len() >= self.len_max
    }
}

/// An engine whose updates arrive at any time, in any order.
struct Late<'g> {
    game: &'g Plain,
    partition: Partition,
    parts: Vec<Part>,
    rng: Rng,
}

impl<'g> Late<'g> {
    fn new(game: &'g Plain, partition: Partition, rng: Rng) -> Late<'g> {
        Late {
            game,
            partition,
            parts: (0..partition.parts()).map(|part| partition.part(part)).collect(),
            rng,
        }
    }

    fn value(&self, state: u64) -> Option<Value> {
        self.parts[self.partition.part_of(state)].value(state)
    }
}

impl Engine for Late<'_> {
    fn kind(&self) -> Kind {
        self.partition.kind(*b"late   1")
    }

    fn states(&self) -> u64 {
        self.game.states()
    }

    fn bytes(&self, level: u32) -> u64 {
        (0..self.parts.len()).map(|part| self.partition.bytes(part, level)).sum()
    }

    fn seed(
        &mut self,
        pending: &mut PendingEvents,
        _: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        Ok(self.parts.iter_mut().map(|part| part.seed(self.game, pending)).sum())
    }

    fn settle(
        &mut self,
        level: u32,
        pending: &PendingEvents,
        watch: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        let Late { game, partition, parts, rng } = self;
        parts.iter_mut().for_each(|part| part.begin(level));
        let mut sweeping: Vec<usize> = (0..parts.len()).collect();
        let mut post: Vec<(u64, bool)> = Vec::new();
        while !sweeping.is_empty() || !post.is_empty() {
            if !sweeping.is_empty() && (post.is_empty() || rng.chance(40)) {
                let at = rng.below(sweeping.len() as u64) as usize;
                let len_max = 1 + rng.below(20) as usize;
                let mut outbox = Outbox { updates: Vec::new(), len_max };
                if parts[sweeping[at]].sweep(*game, &mut outbox) {
                    sweeping.swap_remove(at);
                }
                post.append(&mut outbox.updates);
            } else {
                let (state, wins) = post.swap_remove(rng.below(post.len() as u64) as usize);
                parts[partition.part_of(state)].update([(state, wins)]);
            }
        }
        let tally: Tally = parts.iter_mut().map(|part| part.end(pending)).sum();
        watch.tell(tally.total())?;
        Ok(tally)
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.parts.iter().try_for_each(|part| part.write(to))
    }

    fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
        self.parts.iter_mut().map(|part| part.read(level, from)).sum::<Result<_, _>>().map(Some)
    }
}

/// A game, partitioned in one of several ways, and its values.
fn drawn(seed: u64, distances: bool) -> (Plain, Partition, Vec<Option<Value>>) {
    let game = random::game(seed, 0..400);
    let mut rng = Rng::new(!seed);
    let partition = Partition::new(&game, rng.pick(&[1, 64, 100, 128, 1_000]), distances);
    let right = naive::solve(&game);
    let told = |value: Option<Value>| if distances { value } else { value.map(without_distance) };
    let right = right.into_iter().map(told).collect();
    // Also marks without queues, in batches of many blocks. Then the outboxes fill up in the middle of a batch.
    let batches = Thresholds { batch_blocks: 16, ..Thresholds::least() };
    let thresholds = rng.pick(&[Thresholds::default(), Thresholds::least(), batches]);
    (game, partition.thresholds(thresholds), right)
}

#[test]
fn updates_may_be_late_and_out_of_order() {
    let fresh = seed();
    for seed in (0..cases(3_000)).chain(fresh..fresh + cases(1_000)) {
        let distances = seed % 3 != 0;
        let (game, partition, right) = drawn(seed, distances);
        let engine = || Late::new(&game, partition, Rng::new(seed));
        let solved = Solver::new().run(0, engine).expect("nothing stops this solve");
        for (state, value) in (0..).zip(&right) {
            assert_eq!(solved.engine.value(state), *value, "seed {seed}, state {state}");
        }
        for part in &solved.engine.parts {
            let states = part.states().start as usize..part.states().end as usize;
            let mut codes = vec![Code::default(); states.len()];
            part.fill_codes(states.start as u64, &mut codes);
            assert!(codes.into_iter().eq(right[states].iter().copied().map(Code::of)));
        }
        let direct = in_pool(2, || Solver::new().distances(distances).solve(&game));
        let direct = direct.expect("nothing stops this solve");
        assert_eq!(&solved.histogram, direct.histogram(), "seed {seed}");
        let counts = solved.engine.parts.iter().map(Part::counts).fold(Default::default(), add);
        assert_eq!(counts, direct.counts(), "seed {seed}");
    }
    judged(cases(1_000), "games in parts");
}

/// If thousands of moves lead to each of several neighbouring states, a part pauses between them.
#[test]
fn a_part_pauses_between_states_that_many_moves_lead_to() {
    const LOST: u64 = 64;
    const BEFORE: u64 = 1_000;
    let moves = (LOST..LOST + BEFORE).flat_map(|from| (0..LOST).map(move |to| (from, to)));
    let game = Explicit::from_edges(LOST + BEFORE, moves);
    for few in [false, true] {
        let partition = Partition::new(&game, 64, true).thresholds(thresholds(few));
        let mut part = partition.part(0);
        part.seed(&game, &mut PendingEvents::default());
        part.begin(1);
        let (mut sent, mut done) = (0, false);
        while !done {
            let mut outbox = Outbox { updates: Vec::new(), len_max: 10 };
            done = part.sweep(&game, &mut outbox);
            assert!(outbox.updates.len() as u64 <= BEFORE + 10, "{}", outbox.updates.len());
            sent += outbox.updates.len() as u64;
        }
        assert_eq!(sent, LOST * BEFORE);
    }
}

fn add(mut counts: retrograde::Counts, more: retrograde::Counts) -> retrograde::Counts {
    counts += more;
    counts
}

#[test]
fn a_solve_by_parts_goes_on_from_its_snapshots() {
    let mut stopped = 0;
    for seed in 0..120 {
        let (game, partition, right) = drawn(seed, seed % 2 == 0);
        for stop in 0..4 {
            let (mut seen, mut kept) = (0, Vec::new());
            let solver = Solver::new().at_level_end(|snapshot| {
                seen += 1;
                if seen <= stop {
                    return ControlFlow::Continue(());
                }
                snapshot.write(&mut kept).expect("there is room");
                ControlFlow::Break(())
            });
            if solver.run(0, || Late::new(&game, partition, Rng::new(seed))).is_ok() {
                break;
            }
            let solver = Solver::new().resume(&kept[..]);
            let solved = solver.run(0, || Late::new(&game, partition, Rng::new(!seed)));
            let solved = solved.expect("it goes on");
            for (state, value) in (0..).zip(&right) {
                assert_eq!(solved.engine.value(state), *value, "seed {seed}, state {state}");
            }
            stopped += 1;
        }
    }
    assert!(stopped > 100, "only {stopped} solves were stopped");
}

/// Without a loop over levels: a part ends a level once all parts that send it updates have swept that level. Other
/// parts may be far ahead or behind.
#[test]
fn parts_may_keep_clocks_of_their_own() {
    let (mut tried, mut apart) = (0, 0);
    for seed in 0..600 {
        let (game, partition, right) = drawn(seed, true);
        let distances = right.iter().flatten().filter_map(|value| value.distance());
        let last = distances.max().unwrap_or(0);
        if !(3..500).contains(&last) || partition.parts() < 2 {
            continue;
        }
        tried += 1;
        let parted: &dyn Parted = &game;
        let mut senders = vec![BTreeSet::new(); partition.parts()];
        for to in game.states_where(|status| status != Status::Invalid) {
            let sender = partition.part_of(to);
            game.predecessors(to, |from| _ = senders[partition.part_of(from)].insert(sender));
        }
        let mut rng = Rng::new(seed);
        let mut pending = PendingEvents::default();
        let mut tallies: BTreeMap<u32, Tally> = BTreeMap::new();
        let mut parts: Vec<Part> =
            (0..partition.parts()).map(|part| partition.part(part)).collect();
        for part in &mut parts {
            *tallies.entry(0).or_default() += parted.seed(part, &mut pending);
        }
        pending.sort();
        // For each part, the level that it has swept, and the updates by part and level.
        let mut swept = vec![0; parts.len()];
        let mut post: BTreeMap<(usize, u32), Vec<u32>> = BTreeMap::new();
        let mut outboxes = partition.outboxes(1 + rng.below(20) as usize);
        let mut ended = vec![0; parts.len()];
        while ended.iter().any(|&level| level < last) {
            let at = rng.below(parts.len() as u64) as usize;
            let (part, level) = (&mut parts[at], ended[at] + 1);
            if level > last {
                continue;
            }
            if swept[at] < level {
                part.begin(level);
                let mut done = false;
                while !done {
                    done = parted.sweep(part, &mut outboxes);
                    outboxes.drain(|to, updates| {
                        post.entry((to, level)).or_default().extend_from_slice(updates);
                    });
                    assert!(outboxes.is_empty());
                }
                swept[at] = level;
            } else if senders[at].iter().all(|&sender| swept[sender] >= level) {
                part.deliver(post.remove(&(at, level)).unwrap_or_default());
                *tallies.entry(level).or_default() += part.end(&pending);
                ended[at] = level;
                apart = apart.max(level - ended.iter().min().expect("there are parts"));
            }
        }
        assert!(post.is_empty(), "seed {seed}: updates that no part reads");
        for (state, &value) in (0..).zip(&right) {
            let found = parts[partition.part_of(state)].value(state);
            assert_eq!(found, value, "seed {seed}, state {state}");
        }
        for (level, tally) in tallies {
            let of = |wanted| right.iter().filter(|&&value| value == Some(wanted)).count() as u64;
            let expected = Tally { wins: of(Value::Win(level)), losses: of(Value::Loss(level)) };
            assert_eq!(tally, expected, "seed {seed}, level {level}");
        }
    }
    assert!(tried > 100 && apart > 3, "{tried} games, clocks {apart} levels apart");
}

#[test]
#[should_panic(expected = "does not follow")]
fn a_part_leaves_out_no_level_while_it_has_something_to_tell() {
    let game = retrograde_testkit::long::Chain { states: 100 };
    let mut part = Partition::new(&game, 100, true).part(0);
    part.seed(&game, &mut PendingEvents::default());
    part.begin(2);
}

#[test]
fn an_error_from_outside_is_handed_on() {
    struct Failing(Plain);
    impl Engine for Failing {
        fn kind(&self) -> Kind {
            Kind { engine: *b"failing ", layout: 0, distances: true }
        }
        fn states(&self) -> u64 {
            self.0.states()
        }
        fn bytes(&self, _: u32) -> u64 {
            0
        }
        fn seed(&mut self, _: &mut PendingEvents, _: &mut Watch<'_>) -> Result<Tally, SolveError> {
            Err(io::Error::other("the disk is gone").into())
        }
        fn settle(
            &mut self,
            level: u32,
            _: &PendingEvents,
            _: &mut Watch<'_>,
        ) -> Result<Tally, SolveError> {
            panic!("level {level} after an error")
        }
        fn write(&self, _: &mut dyn Write) -> io::Result<()> {
            Ok(())
        }
        fn read(&mut self, _: u32, _: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
            Ok(None)
        }
    }
    let error = Solver::new().run(0, || Failing(Plain::default())).err().expect("it fails");
    assert!(matches!(&error, SolveError::Outside(_)), "{error:?}");
    assert_eq!(error.to_string(), "the disk is gone");
}
