//! Compares a described game with the interpreter, position by position, and solves it in both numberings.

use std::collections::BTreeSet;

use retrograde::bit_parallel::ByWords;
use retrograde::{Counts, Game, Outcome, Solution, Solver, Status, audit, solve, verify};
use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};
use retrograde_positions::{Positions, check_position};
use retrograde_testkit::{Rng, deep, naive};
use retrograde_witness::interpreter::Interpreter;

/// What a text says, in the end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Summary {
    pub(crate) counts: Counts,
    /// The value of the start.
    pub(crate) start: String,
    /// The longest win of all positions.
    pub(crate) longest: Option<u32>,
    /// The states that play reaches from the start.
    pub(crate) reached: Counts,
    /// Whether it was solved in rows.
    pub(crate) in_rows: bool,
}

/// Solves a game.
pub(crate) struct Solve;

impl PageVisitor for Solve {
    type Output = Summary;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Summary {
        let solution = game.solve(Solver::new()).expect("it fits in memory");
        let start = game.start().expect("every text has a start");
        let value = solution.value(game.number(&(), &start)).expect("the start is valid");
        let counts = game.count_positions(&solution).expect("it is in memory");
        let longest =
            solution.longest(0..game.states(), Outcome::Win).map(|(_, distance)| distance);
        let reached = reached(&game, game.number(&(), &start), &solution);
        let in_rows = game.in_rows().is_some();
        Summary { counts, start: value.to_string(), longest, reached, in_rows }
    }
}

/// Plays all moves from a state, and counts.
fn reached(game: &impl Game, start: u64, solution: &Solution) -> Counts {
    let mut seen = vec![false; game.states() as usize];
    let mut rest = vec![start];
    let mut counts = Counts::default();
    while let Some(state) = rest.pop() {
        if std::mem::replace(&mut seen[state as usize], true) {
            continue;
        }
        match solution.outcome(state).expect("moves lead to valid states") {
            Outcome::Win => counts.win += 1,
            Outcome::Loss => counts.loss += 1,
            Outcome::Draw => counts.draw += 1,
        }
        if game.status(state) == Status::Open {
            game.each_successor(state, |to| rest.push(to));
        }
    }
    counts
}

/// Audits and verifies a game, and compares some states with the interpreter.
struct Judge<'t> {
    interpreter: &'t Interpreter,
    /// One state in so many.
    stride: u64,
}

impl PageVisitor for Judge<'_> {
    type Output = Result<(), String>;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Result<(), String> {
        audit(&game).map_err(|error| format!("audit: {error}"))?;
        let solution = solve(&game);
        verify(&game, &solution).map_err(|error| format!("verify: {error}"))?;
        if let Some(rows) = game.in_rows() {
            audit(ByWords(&rows)).map_err(|error| format!("audit of rows: {error}"))?;
            let in_rows = game.solve(Solver::new()).map_err(|error| error.to_string())?;
            if let Some(state) =
                (0..game.states()).find(|&state| solution.value(state) != in_rows.value(state))
            {
                return Err(format!("rows give another value to state {state}"));
            }
            if solution.histogram() != in_rows.histogram() {
                return Err("rows have other levels".to_owned());
            }
        }
        if game.states() <= 3000 {
            let naive = naive::solve(&game);
            let differs =
                (0..game.states()).find(|&state| solution.value(state) != naive[state as usize]);
            if let Some(state) = differs {
                return Err(format!("the naive solver gives another value to state {state}"));
            }
        }
        let start = game.start().ok_or("no start")?;
        if self.interpreter.read(&game.write(&start)) != Some(self.interpreter.start()) {
            return Err(format!("the start is {}", game.write(&start)));
        }
        let mut rng = Rng::new(game.states());
        let mut state = 0;
        while state < game.states() {
            if let Some(position) = game.position(&(), state) {
                compare(&game, self.interpreter, &position)?;
            }
            state += 1 + rng.below(2 * self.stride - 1);
        }
        Ok(())
    }
}

/// Plays a game at random, and compares each position with the interpreter.
pub(crate) struct Play<'t>(pub(crate) &'t str);

impl PageVisitor for Play<'_> {
    type Output = Result<(), String>;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Result<(), String> {
        let interpreter = Interpreter::new(self.0)?;
        let mut rng = Rng::new(game.states());
        for _ in 0..40 {
            let mut position = game.start().ok_or("no start")?;
            for _ in 0..40 {
                compare(&game, &interpreter, &position)?;
                let mut next = Vec::new();
                game.moves(&position, &mut |played| next.push(played.next));
                if next.is_empty() {
                    break;
                }
                position = rng.pick(&next);
            }
        }
        Ok(())
    }
}

/// Compares a position with the interpreter: its value by the rules, and its moves.
fn compare<const N: usize>(
    game: &DescribedGame<N>,
    interpreter: &Interpreter,
    position: &<DescribedGame<N> as Positions>::Position,
) -> Result<(), String> {
    check_position(game, position)?;
    // The interpreter always writes the hands.
    let whole = |text: String| if text.split(' ').count() == 2 { text + " -" } else { text };
    let text = whole(game.write(position));
    let placement = interpreter.read(&text).ok_or("the interpreter cannot read a position")?;
    if interpreter.write(&placement) != text {
        return Err(format!("{text} is {} for the interpreter", interpreter.write(&placement)));
    }
    let mut next = BTreeSet::new();
    let end = game.moves(position, &mut |played| {
        next.insert(whole(game.write(&played.next)));
    });
    let (value, judged) = (end.map(|end| end.value), interpreter.value(&placement));
    if value != judged {
        return Err(format!("{text}: {value:?}, the interpreter: {judged:?}"));
    }
    let judged: BTreeSet<String> =
        interpreter.next(&placement).iter().map(|next| interpreter.write(next)).collect();
    if next != judged {
        return Err(format!("{text}: moves to {next:?}, the interpreter: {judged:?}"));
    }
    Ok(())
}

/// Judges both numberings of a text, and compares what they count. In a usual run, of more than 20,000 positions the plain numbers
/// are only solved.
pub(crate) fn judge(text: &str, stride: u64) -> Result<Summary, String> {
    let page = Page::read(text).map_err(|error| error.to_string())?;
    let interpreter = Interpreter::new(text)?;
    let mut summaries = Vec::new();
    for numbers in [Numbers::Plain, Numbers::Folded] {
        let solved = page.clone().visit(numbers, Solve).map_err(|error| error.to_string())?;
        let Counts { win, loss, draw, .. } = solved.counts;
        if deep() || numbers == Numbers::Folded || win + loss + draw <= 20_000 {
            let judge = Judge { interpreter: &interpreter, stride };
            let judged = page.clone().visit(numbers, judge).map_err(|error| error.to_string())?;
            judged.map_err(|error| format!("{numbers:?}: {error}"))?;
        }
        summaries.push(solved);
    }
    let folded = summaries.pop().ok_or("nothing")?;
    let plain = summaries.pop().ok_or("nothing")?;
    // Folded states are fewer. If the players change roles, there are no rows.
    let (reached, in_rows) = (plain.reached, plain.in_rows);
    if plain != (Summary { reached, in_rows, ..folded.clone() }) {
        return Err(format!("plain: {plain:?}, folded: {folded:?}"));
    }
    Ok(plain)
}
