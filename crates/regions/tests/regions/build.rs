//! The results of a build, their order, and the requests that it refuses.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::tapatan::game::Placing;
use crate::tapatan::{Tapatan, Tier};
use chess_for_tests::{Chess, Material, Position};
use retrograde::bit_parallel::ByWords;
use retrograde::{Solver, Value};
use retrograde_regions::{
    BuildError, Builder, Event, Family, Rates, SideFacts, SolvedRegion, Tables,
};
use retrograde_table::{About, Compression};

use crate::{Scratch, build, files};

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

#[test]
fn a_region_comes_after_those_it_needs() {
    let folder = Scratch::new();
    let finished = build(&Chess, &folder, "KPvK").unwrap();
    let mut sorted = finished.clone();
    sorted.sort();
    assert_eq!(sorted, ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"]);
    assert_eq!(finished.last().unwrap(), "KPvK");
    let names: Vec<_> = files(&folder).into_keys().collect();
    assert_eq!(
        names,
        [
            "KBvK.table",
            "KBvK.table.json",
            "KNvK.table",
            "KNvK.table.json",
            "KPvK.table",
            "KPvK.table.json",
            "KQvK.table",
            "KQvK.table.json",
            "KRvK.table",
            "KRvK.table.json",
            "manifest.json"
        ]
    );
}

#[test]
fn a_region_may_be_named_and_a_wrong_name_is_refused() {
    let [named, typed] = [Scratch::new(), Scratch::new()];
    Builder::new(&Chess, &*named).build(&["KRvK"]).unwrap();
    Builder::new(&Chess, &*typed).build(&[material("KRvK")]).unwrap();
    assert_eq!(files(&named), files(&typed));
    let builder = || Builder::new(&Chess, &*named);
    let wrong = &["KRvK", "KRvX"];
    let refused = [
        builder().plan(wrong).map(drop),
        builder().build(wrong).map(drop),
        builder().repack(wrong),
    ];
    for refused in refused {
        let Err(BuildError::Name(problem)) = refused else { panic!("{refused:?}") };
        assert!(problem.contains("KRvX"), "{problem}");
    }
}

#[test]
fn tables_answer_and_stand_every_check() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KPvK").unwrap();
    let tables = Tables::open(Chess, &*folder).unwrap();
    for material in ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"].map(material) {
        tables.check(&material).unwrap();
        assert!(tables.verify(&material).unwrap().states > 0);
    }
    // The longest mate of all: 28 moves.
    let table = tables.table(&material("KPvK")).unwrap();
    let parameters = &table.header().about.parameters;
    assert_eq!(parameters["white"]["win"], 124_960);
    assert_eq!(parameters["black"]["loss"], 97_604);
    assert_eq!(parameters["white"]["longest"], 55);
    let longest: Position = parameters["white"]["fen"].as_str().unwrap().parse().unwrap();
    let (region, state) = longest.region().unwrap();
    assert_eq!(tables.probe(&region, state).unwrap(), Some(Value::Win(55)));
}

#[test]
fn the_same_files_come_of_any_number_of_threads() {
    let [one, two, three] = [Scratch::new(), Scratch::new(), Scratch::new()];
    for (folder, threads) in [(&one, 1), (&two, 2), (&three, 3)] {
        Builder::new(&Chess, &**folder).threads(threads).build(&[material("KPvK")]).unwrap();
    }
    assert_eq!(files(&one), files(&two));
    assert_eq!(files(&one), files(&three));
}

#[test]
fn what_is_done_is_not_done_again() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KRvK").unwrap();
    let finished = build(&Chess, &folder, "KPvK").unwrap();
    assert!(!finished.contains(&"KRvK".to_string()), "{finished:?}");
    assert_eq!(build(&Chess, &folder, "KPvK").unwrap(), [""; 0]);
}

#[test]
fn a_build_that_was_stopped_goes_on_to_the_same_files() {
    let whole = Scratch::new();
    build(&Tapatan, &whole, "p4").unwrap();
    // The build is stopped at each event in turn, until none is left.
    for stop in 0.. {
        let folder = Scratch::new();
        let mut events = 0;
        let stopped = Builder::new(&Tapatan, &*folder)
            .threads(1)
            .progress(|_| {
                events += 1;
                if events > stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .build(&["p4"]);
        let done = stopped.is_ok();
        assert!(done || matches!(stopped, Err(BuildError::Cancelled)), "{stopped:?}");
        build(&Tapatan, &folder, "p4").unwrap();
        assert_eq!(files(&folder), files(&whole), "stopped at event {stop}");
        if done {
            assert!(stop > 5, "each region tells of itself");
            break;
        }
    }
}

#[test]
fn a_plan_says_what_is_done_and_what_is_left() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KQvK").unwrap();
    let plan = Builder::new(&Chess, &*folder).plan(&[material("KQvKR")]).unwrap();
    let regions: Vec<_> = plan.regions.iter().map(|planned| planned.region.to_string()).collect();
    assert_eq!(regions, ["KQvK", "KRvK", "KQvKR"]);
    assert_eq!(plan.regions[0].table_bytes, Some(files(&folder)["KQvK.table"].len() as u64));
    assert_eq!(plan.regions[2].needs, [0, 1]);
    assert_eq!(plan.states_left(), 462 * 2 * 64 + 462 * 2 * 64 * 64);
    // A byte and a bit a state, and the exits; three bits if the distances are in a log.
    let most = &plan.regions[2];
    assert!(most.memory_distances > most.states && most.memory_distances < 4 * most.states);
    assert_eq!(plan.memory_most(2, u64::MAX).reserved, most.memory);
    assert!(most.memory_used < most.memory_distances);
    let spared = most.memory_distances - most.memory_least;
    assert!(spared > most.states * 9 / 10 && spared < most.states);
    assert!(files(&folder).len() == 3, "a plan writes nothing");
}

#[test]
fn the_memory_that_was_planned_is_about_what_a_solve_takes() {
    for region in ["KPvK", "KQvKR"].map(material) {
        let folder = Scratch::new();
        let builder = Builder::new(&Chess, &*folder).threads(1);
        let least = builder.plan(&[region]).unwrap().regions.pop().unwrap().memory_distances;
        builder.build(&[region]).unwrap();
        let tables = Tables::open(Chess, &*folder).unwrap();
        let solver = Solver::new().threads(1);
        let solved = tables.with_game(&region, |game| solver.solve(ByWords(game))).unwrap();
        // The values of moves into other regions are in memory too: about a byte for each state of these regions.
        let states = |need| tables.table(&need).unwrap().states();
        let taken = solved.unwrap().bytes() + region.needs().into_iter().map(states).sum::<u64>();
        assert!(taken <= least, "{region}: {taken} bytes, {least} planned");
        assert!(least < taken * 2, "{region}: {taken} bytes, {least} planned");
    }
}

#[test]
fn a_measurement_leaves_nothing_behind() {
    let folder = Scratch::new();
    let builder = Builder::new(&Tapatan, &*folder);
    let plan = builder.plan(&["p4"]).unwrap();
    let rates = builder.measure(&plan, Duration::from_secs(60)).unwrap();
    // m, p5 and p4 have as many.
    assert_eq!((rates.largest, rates.states), (19_683, 3 * 19_683));
    assert!(rates.table_bytes > 0);
    assert!(!folder.exists());
}

#[test]
fn a_region_that_does_not_fit_is_refused_before_anything_is_built() {
    let folder = Scratch::new();
    let error =
        Builder::new(&Chess, &*folder).memory_max(1 << 20).build(&[material("KQvKR")]).unwrap_err();
    assert!(matches!(&error, BuildError::Memory { region, .. } if region == "KQvKR"), "{error}");
    assert_eq!(files(&folder).len(), 0);
}

/// The distances of KQvKR fill many blocks of a log, those of KPvK none.
#[test]
fn little_memory_comes_to_the_same_files() {
    for region in ["KPvK", "KQvKR"].map(material) {
        let [free, tight, log] = [Scratch::new(), Scratch::new(), Scratch::new()];
        Builder::new(&Chess, &*free).build(&[region]).unwrap();
        let builder = || Builder::new(&Chess, &*tight).verify(true);
        let plan = builder().plan(&[region]).unwrap();
        let [least, most] =
            [plan.memory_least_most(), plan.regions.last().unwrap().memory_distances];
        assert!(least < most);
        let builder = builder().memory_max(least).disk(log.join("logs"));
        builder.build(&[region]).unwrap();
        assert_eq!(files(&free), files(&tight), "{region}");
        assert!(files(&log).is_empty() && !log.join("logs").exists());
    }
}

#[test]
fn other_options_in_the_same_folder_are_refused() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KQvK").unwrap();
    let refused = |builder: Builder<'_>| match builder.build(&[material("KRvK")]) {
        Err(error @ BuildError::Options { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let error = refused(Builder::new(&Chess, &*folder).distances(false));
    assert!(error.contains("with distances on, and now off is asked for"), "{error}");
    let error = refused(Builder::new(&Chess, &*folder).compression(Compression::None));
    assert!(error.contains("with compression zstd-8, and now none is asked for"), "{error}");
    let error = Builder::new(&Tapatan, &*folder).plan(&[Tier::START]).unwrap_err();
    assert!(error.to_string().contains("with game chess, and now tapatan"), "{error}");
}

#[test]
fn tables_without_distances_tell_the_same_outcomes() {
    let [with, without] = [Scratch::new(), Scratch::new()];
    build(&Chess, &with, "KPvK").unwrap();
    let region = material("KPvK");
    Builder::new(&Chess, &*without).distances(false).verify(true).build(&[region]).unwrap();
    let [with, without] = [&with, &without].map(|folder| Tables::open(Chess, &**folder).unwrap());
    let states = with.table(&region).unwrap().states();
    with.with_game(&region, |game| {
        for state in (0..states).filter(|&state| game.index().position(state).is_some()) {
            let value = |tables: &Tables<Chess>| tables.probe(&region, state).unwrap().unwrap();
            assert_eq!(value(&with).outcome(), value(&without).outcome(), "{state}");
        }
    })
    .unwrap();
}

/// A family whose regions need each other in a cycle.
struct Circle;

impl Family for Circle {
    type Region = u8;
    type Game<'a> = Placing<'a>;

    fn name(&self) -> &str {
        "circle"
    }

    fn region_named(&self, name: &str) -> Result<u8, String> {
        name.parse().map_err(|_| format!("{name} is no number"))
    }

    fn needs(&self, region: &u8) -> Vec<u8> {
        vec![(region + 1) % 3]
    }

    fn game<'a>(&self, _: &u8, solved: Vec<SolvedRegion<'a>>) -> Self::Game<'a> {
        Tapatan.game(&Tier::START, solved)
    }
}

#[test]
#[should_panic(expected = "circle needs itself: 1")]
fn a_family_without_order_is_caught() {
    let folder = Scratch::new();
    let _ = Builder::new(&Circle, &*folder).build(&[1]);
}

/// A family that breaks its contract in one region.
struct Clumsy;

impl Family for Clumsy {
    type Region = Tier;
    type Game<'a> = Placing<'a>;

    fn name(&self) -> &str {
        "clumsy"
    }

    fn region_named(&self, name: &str) -> Result<Tier, String> {
        name.parse()
    }

    fn needs(&self, tier: &Tier) -> Vec<Tier> {
        Family::needs(&Tapatan, tier)
    }

    fn game<'a>(&self, tier: &Tier, solved: Vec<SolvedRegion<'a>>) -> Self::Game<'a> {
        Tapatan.game(tier, solved)
    }

    fn about(&self, tier: &Tier, _: &Self::Game<'_>, _: &[SideFacts]) -> About {
        assert!(tier.to_string() != "p4", "{tier} is too much");
        About::default()
    }
}

/// The other thread waits for a region that will never be finished. It must not wait forever.
#[test]
fn a_family_that_panics_is_not_waited_for() {
    let folder = Scratch::new();
    let build = || Builder::new(&Clumsy, &*folder).threads(4).build(&[Tier::START]);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(build)).is_err());
}

/// A mistake that a build of two regions at a time must not make: finishing a region before the regions that it needs.
#[test]
fn nothing_begins_before_what_it_needs_is_finished() {
    let folder = Scratch::new();
    let mut done: Vec<Material> = Vec::new();
    Builder::new(&Chess, &*folder)
        .threads(4)
        .progress(|event| {
            match event {
                Event::Begun(planned) => {
                    let needs = material(&planned.region).needs();
                    assert!(needs.iter().all(|need| done.contains(need)), "{planned:?}");
                }
                Event::Finished(region, ..) => done.push(material(region)),
                _ => {}
            }
            ControlFlow::Continue(())
        })
        .build(&[material("KPvK"), material("KQvKR")])
        .unwrap();
    assert_eq!(done.len(), 6);
}

/// A plan finds out what does not fit, so its trial leaves such regions out.
#[test]
fn what_does_not_fit_is_measured_without_it() {
    let targets = ["KQvKR"];
    let folder = Scratch::new();
    let builder = || Builder::new(&Chess, &*folder).threads(1);
    let plan = builder().plan(&targets).unwrap();
    let least = plan.memory_least_most();
    let rates = builder().memory_max(least - 1).measure(&plan, Duration::from_secs(60)).unwrap();
    assert!(rates.states > 0 && rates.largest < 1_000_000, "{rates:?}");
    let rates = builder().memory_max(1).measure(&plan, Duration::from_secs(60)).unwrap();
    assert_eq!(rates, Rates::default());
}

/// The example audits its rules and verifies its table.
#[test]
fn tic_tac_chec_is_planned_and_solved_on_a_small_board() {
    crate::tic_tac_chec::plan_and_build_small().expect("it finds a folder");
}
