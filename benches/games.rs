//! Criterion benches of every game and of random graphs, on one thread and two, beside the textbook program
//! on the same game. Every answer is asserted before it is timed. The ratios are printed at the end.
//!
//! `RETROGRADE_BENCH_VERTICES` sets the size of the random graph.

use criterion::{BenchmarkGroup, Criterion, SamplingMode, measurement::WallTime};
use retrograde::adapters::Explicit;
use retrograde::bit_parallel::ByWords;
use retrograde::{Game, Predecessors, Solution, Solver, Status};
use retrograde_benches::pursuit;
use retrograde_benches::random::RandomGraph;
use retrograde_benches::textbook::{Answer, Graph, Verdict};
use retrograde_games::{Board, Chase, Corner, Piece, Pursuit, Take, Takes};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut ratios = Vec::new();

    let board = Board::random(30, 30, 15, 2, 1, 1).expect("a board");
    let text = board.to_string();
    let pursuit = Pursuit::new(board).expect("a pursuit");
    let by_textbook = || pursuit::Board::read(&text).expect("a board").solve();
    ratios.extend(bench(&mut criterion, "pursuit 30x30", &pursuit, by_textbook));
    let in_words = |threads| {
        answer(&Solver::new().threads(threads).solve(ByWords(&pursuit)).expect("no limit"))
    };
    ratios.extend(bench_with(&mut criterion, "pursuit 30x30, in words", in_words, by_textbook));

    let board = Board::random(8, 8, 15, 0, 2, 1).expect("a board");
    let two = Chase::on_board(&board, 2).expect("a pursuit");
    ratios.extend(bench(&mut criterion, "pursuit 8x8, two police", &two, || textbook(&two)));

    let edges: String =
        (0..1000).map(|i| format!("{i} {}\n{i} {}\n", (i + 1) % 1000, i * i % 997)).collect();
    let chase = Chase::parse(&edges, 1).expect("a graph");
    ratios.extend(bench(&mut criterion, "chase, 1000 vertices", &chase, || textbook(&chase)));

    let nim = Take::new(&[60, 70, 80], Takes::Any).expect("heaps");
    ratios.extend(bench(&mut criterion, "take 60,70,80 any", &nim, || textbook(&nim)));

    let queen = Corner::new(Piece::Queen, 400, 400).expect("a board");
    ratios.extend(bench(&mut criterion, "corner queen 400x400", &queen, || textbook(&queen)));

    let vertices = std::env::var("RETROGRADE_BENCH_VERTICES").map_or(1_000_000, |vertices| {
        vertices.parse().expect("RETROGRADE_BENCH_VERTICES is a number")
    });
    ratios.extend(bench_random(&mut criterion, RandomGraph { vertices, seed: 1 }));

    criterion.final_summary();
    println!(
        "\n{:<28} {:>12} {:>22} {:>22}",
        "best of all samples", "textbook", "1 thread", "2 threads"
    );
    for ratio in ratios {
        println!("{ratio}");
    }
}

/// One game: the engine on one thread and on two, and the textbook.
fn bench(
    criterion: &mut Criterion,
    name: &str,
    game: &impl Predecessors,
    by_textbook: impl Fn() -> Answer,
) -> Option<String> {
    let solve = |threads| answer(&Solver::new().threads(threads).solve(game).expect("no limit"));
    bench_with(criterion, name, solve, by_textbook)
}

/// A random graph. The time includes storing the backward moves.
fn bench_random(criterion: &mut Criterion, graph: RandomGraph) -> Option<String> {
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| answer(&retrograde::solve(&Explicit::from_game(graph))))
    };
    let name = format!("random graph, {} vertices", graph.vertices);
    bench_with(criterion, &name, solve, || graph.solve_by_textbook())
}

fn bench_with(
    criterion: &mut Criterion,
    name: &str,
    solve: impl Fn(usize) -> Answer,
    by_textbook: impl Fn() -> Answer,
) -> Option<String> {
    let right = by_textbook();
    for threads in [1, 2] {
        assert_eq!(solve(threads), right, "{name} on {threads} threads");
    }
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(2));
    let textbook = best(&mut group, "textbook", &by_textbook);
    let one = best(&mut group, "1 thread", || solve(1));
    let two = best(&mut group, "2 threads", || solve(2));
    group.finish();
    let (textbook, one, two) = (textbook?, one?, two?);
    let ratio = |own: f64| format!("{:.2} ms ({:.1}x)", own * 1e3, textbook / own);
    Some(format!("{name:<28} {:>9.2} ms {:>22} {:>22}", textbook * 1e3, ratio(one), ratio(two)))
}

/// Benches one solver. Returns its least seconds, or `None` if a filter excluded it.
fn best(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    work: impl Fn() -> Answer,
) -> Option<f64> {
    let mut best = f64::INFINITY;
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|times| {
            let mut total = Duration::ZERO;
            for _ in 0..times {
                let start = Instant::now();
                black_box(work());
                let taken = start.elapsed();
                best = best.min(taken.as_secs_f64());
                total += taken;
            }
            total
        });
    });
    best.is_finite().then_some(best)
}

/// The textbook program on the moves of any game without exits and kept turns.
fn textbook(game: &impl Game) -> Answer {
    let mut graph = Graph::new(game.states() as usize);
    let mut invalid = 0;
    for state in 0..game.states() {
        let from = state as u32;
        match game.status(state) {
            Status::Invalid => invalid += 1,
            Status::Terminal(value) => graph.decide(from, Verdict::from(value)),
            Status::Open => {
                let mut stuck = true;
                game.each_successor(state, |to| {
                    graph.add_move(from, to as u32);
                    stuck = false;
                });
                if stuck {
                    graph.decide(from, Verdict::Loss);
                }
            }
        }
    }
    let mut answer = Answer::count(graph.solve());
    answer.draw -= invalid;
    answer
}

fn answer(solution: &Solution) -> Answer {
    let counts = solution.counts();
    Answer { win: counts.win, loss: counts.loss, draw: counts.draw }
}
