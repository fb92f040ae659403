"""Endgames: python-chess walks random positions, and every answer must follow from its own moves."""

from __future__ import annotations

import inspect
import pathlib
import pickle
import random
import subprocess
import sys
from typing import Any, Iterator, List

import chess
import chess.gaviota
import chess.variant
import pytest

import retrograde.chess
from retrograde import errors

MATERIALS = ["KQvKR", "KPvKP"]
POSITIONS = 10_000


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[retrograde.chess.Tablebase]:
    with retrograde.chess.build(tmp_path_factory.mktemp("endgames") / "tables", MATERIALS) as built:
        yield built


def random_board(chance: random.Random, materials: List[str]) -> chess.Board:
    """A legal position."""
    while True:
        board = chess.Board(None)
        men = chance.choice(materials).split("v")
        colors = chance.sample([chess.WHITE, chess.BLACK], 2)
        placed = [chess.Piece(chess.PIECE_SYMBOLS.index(man.lower()), color) for side, color in zip(men, colors) for man in side]
        for square, piece in zip(chance.sample(chess.SQUARES, len(placed)), placed):
            board.set_piece_at(square, piece)
        board.turn = chance.choice([chess.WHITE, chess.BLACK])
        if board.is_valid():
            return board


def random_passing(chance: random.Random) -> chess.Board:
    """A legal position in which a pawn may be taken that has just made its double step."""
    while True:
        board = chess.Board(None)
        board.turn = chance.choice([chess.WHITE, chess.BLACK])
        rank, file, step = (4 if board.turn else 3), chance.randrange(8), chance.choice([-1, 1])
        if not 0 <= file + step < 8:
            continue
        board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, board.turn))
        board.set_piece_at(chess.square(file + step, rank), chess.Piece(chess.PAWN, not board.turn))
        board.ep_square = chess.square(file + step, rank + (1 if board.turn else -1))
        for color, square in zip([chess.WHITE, chess.BLACK], chance.sample(chess.SQUARES, 2)):
            if board.piece_at(square) is None:
                board.set_piece_at(square, chess.Piece(chess.KING, color))
        # Before the step it was the other's move, so that side cannot have been in check from it then.
        before = board.copy()
        before.remove_piece_at(chess.square(file + step, rank))
        before.set_piece_at(chess.square(file + step, 6 if board.turn else 1), chess.Piece(chess.PAWN, not board.turn))
        if board.is_valid() and board.has_legal_en_passant() and not before.is_check():
            return board


def worth(tables: retrograde.chess.Tablebase, board: chess.Board) -> int:
    """Plies to mate as python-chess's moves and the positions behind them have it: the slow way."""
    best = None
    for move in board.legal_moves:
        board.push(move)
        wdl, dtm = tables.probe_wdl(board), tables.probe_dtm(board)
        board.pop()
        value = (-wdl, -dtm + (0 if wdl == 0 else -1 if wdl > 0 else 1))
        rank = (value[0], -value[1] if value[0] else 0)
        if best is None or rank > best[0]:
            best = (rank, value)
    return 0 if best is None else best[1][1]


def test_ten_thousand_random_positions(tables: retrograde.chess.Tablebase) -> None:
    chance = random.Random(2026)
    mates = stalemates = 0
    for number in range(POSITIONS):
        board = random_passing(chance) if number % 20 == 0 else random_board(chance, tables.materials)
        wdl, dtm = tables.probe_wdl(board), tables.probe_dtm(board)
        if board.is_checkmate():
            assert (wdl, dtm) == (-1, 0), board.fen()
            mates += 1
        elif board.is_stalemate():
            assert (wdl, dtm) == (0, 0), board.fen()
            stalemates += 1
        else:
            assert dtm == worth(tables, board), board.fen()
            assert wdl == (dtm > 0) - (dtm < 0), board.fen()
        moves = tables.probe_moves(board)
        assert {each.move for each in moves} == set(board.legal_moves), board.fen()
        if moves:
            assert int(moves[0].value) * (moves[0].distance or 0) == dtm, board.fen()
    assert mates > 0 and stalemates > 0


def test_known_positions(tables: retrograde.chess.Tablebase) -> None:
    # The longest mates of these materials are common knowledge.
    for fen, wdl, dtm in [
        ("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", 1, 31),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, 0),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -1, 0),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1", 0, 0),
    ]:
        board = chess.Board(fen)
        assert (tables.probe_wdl(board), tables.probe_dtm(board)) == (wdl, dtm)
        # The other colour, seen in a mirror.
        assert tables.probe_dtm(board.mirror()) == dtm


def test_best_play_ends_in_mate(tables: retrograde.chess.Tablebase) -> None:
    board = chess.Board("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    plies = tables.probe_dtm(board)
    for left in range(plies, 0, -1):
        assert abs(tables.probe_dtm(board)) == left
        board.push(tables.probe_moves(board)[0].move)
    assert board.is_checkmate()


def test_where_there_is_no_table(tables: retrograde.chess.Tablebase) -> None:
    castling = chess.Board("8/8/8/8/8/2k5/8/R3K3 w Q - 0 1")
    missing = chess.Board("8/8/8/8/8/2k5/8/KBN5 w - - 0 1")
    for board in (chess.Board(), castling, missing, chess.variant.AtomicBoard("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")):
        for probe in (tables.probe_wdl, tables.probe_dtm, tables.probe_moves):
            with pytest.raises(retrograde.chess.MissingTableError):
                probe(board)
        with pytest.raises(KeyError):
            tables.probe_wdl(board)
        assert tables.get_wdl(board) is None
        assert tables.get_dtm(board, 7) == 7
        assert tables.get_moves(board, []) == []
    known = chess.Board("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    assert (tables.get_wdl(known), tables.get_dtm(known, 7)) == (1, 31)
    command = f"retrograde build chess KBNvK --out {tables.paths[0]}"
    with pytest.raises(retrograde.chess.MissingTableError, match="KBNvK.*in Python: retrograde.chess.build") as caught:
        tables.probe_wdl(missing)
    assert (caught.value.material, caught.value.command) == ("KBNvK", command) and command in str(caught.value)
    with pytest.raises(retrograde.chess.MissingTableError, match="castling"):
        tables.probe_wdl(castling)


def test_more_men_than_tables_have(tables: retrograde.chess.Tablebase) -> None:
    """For a FEN with seven men, ``probe_many`` raised ``InputError``, and other questions ``MissingTableError``."""
    seven = "8/8/8/8/pp6/2k5/1RR5/K6B w - - 0 1"
    for ask in (tables.probe_wdl, tables.probe_moves, lambda board: tables.probe_many([board])):
        for board in (seven, chess.Board(seven)):
            with pytest.raises(retrograde.chess.MissingTableError, match="7 pieces are too many"):
                ask(board)


def test_several_folders(tmp_path: pathlib.Path) -> None:
    rook, queen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"
    retrograde.chess.build(tmp_path / "rook", ["KRvK"])
    retrograde.chess.build(tmp_path / "queen", ["KQvK", "KBvK"])
    retrograde.chess.build(tmp_path / "without", ["KRvK", "KNvK"], distances=False)
    with retrograde.chess.Tablebase() as tables:
        with pytest.raises(KeyError, match="add_directory"):
            tables.probe_dtm(rook)
        assert (tables.materials, tables.paths) == ([], [])
        assert tables.add_directory(tmp_path / "without") == 2
        assert not tables.has_distances
        with pytest.raises(errors.NoDistancesError) as found:
            tables.probe_dtm(rook)
        assert found.value.path == tmp_path / "without"
        assert tables.probe_wdl(rook) == 1
        assert tables.probe_many([rook]).distances.tolist() == [-1]
        assert tables.add_directory(str(tmp_path / "rook")) == 1
        assert tables.get_dtm(queen) is None
        with pytest.raises(KeyError, match="KQvK.*rook; to make it.*without does not have it either"):
            tables.probe_dtm(queen)
        assert tables.add_directory(tmp_path / "queen") == 2
        assert set(tables.materials) == {"KRvK", "KQvK", "KBvK", "KNvK"}
        values, distances = tables.probe_many([queen, rook, "8/8/8/8/8/2k5/8/K1N5 w - - 0 1"])
        assert (values.tolist(), distances.tolist()) == ([1, 1, 0], [11, 31, -1])
        assert (len(tables.line(queen)), len(tables.line(rook))) == (11, 31)
        tables.check()
        with pytest.raises(errors.TableMissingError):
            tables.add_directory(tmp_path / "none")
        with pytest.raises(retrograde.chess.MissingTableError):
            tables.check("KPvK")
        file = tmp_path / "without" / "KRvK.table"
        file.write_bytes(file.read_bytes()[:-9])
        with pytest.raises(errors.TableDamagedError):
            tables.check("KRvK")
    with pytest.raises(ValueError, match="closed"):
        tables.add_directory(tmp_path / "rook")


def test_the_example_plays_to_the_mate() -> None:
    script = pathlib.Path(__file__).parents[1] / "examples" / "chess_drop_in.py"
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    said = ran.stdout.splitlines()
    assert said[0].startswith("31 plies: ") and said[0].endswith("#")
    assert said[1].startswith("MissingTableError: ") and "KBNvK" in said[1]


def test_the_names_are_those_of_gaviota() -> None:
    for name in ("add_directory", "probe_dtm", "get_dtm", "probe_wdl", "get_wdl", "close", "__enter__", "__exit__"):
        theirs = inspect.signature(getattr(chess.gaviota.PythonTablebase, name)).parameters
        ours = inspect.signature(getattr(retrograde.chess.Tablebase, name)).parameters
        if not name.startswith("_"):
            assert list(ours) == list(theirs), name
    assert list(inspect.signature(retrograde.chess.open_tablebase).parameters) == ["directory"]
    assert issubclass(retrograde.chess.MissingTableError, KeyError)
    # With and without an argument by name, as programs for python-chess call them.
    assert retrograde.chess.Tablebase().get_dtm(chess.Board(), default=5) == 5


def test_positions_that_are_none(tables: retrograde.chess.Tablebase) -> None:
    for fen in ("8/8/8/8/8/2k5/1R6/8 w - - 0 1", "8/8/8/8/8/2k5/2R5/K7 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1"):
        with pytest.raises(errors.InputError):
            tables.probe_wdl(chess.Board(fen))


def test_folders_that_are_broken(tables: retrograde.chess.Tablebase, tmp_path: pathlib.Path) -> None:
    with pytest.raises(errors.TableMissingError, match="none"):
        retrograde.chess.Tablebase(tmp_path / "none")
    folder = tmp_path / "folder"
    retrograde.chess.build(folder, "KRvK", verify=True).check()
    board = chess.Board("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    file = folder / "KRvK.table"
    whole = file.read_bytes()
    assert retrograde.chess.open_tablebase(folder).probe_dtm(board) == 31
    file.write_bytes(whole[:-9])
    with pytest.raises(errors.TableDamagedError, match="KRvK.table") as caught:
        retrograde.chess.Tablebase(folder).get_wdl(board)
    assert caught.value.path == file
    file.unlink()
    assert retrograde.chess.Tablebase(folder).get_wdl(board) is None
    (folder / "manifest.json").write_text("{")
    with pytest.raises(errors.TableError, match="manifest.json"):
        retrograde.chess.Tablebase(folder)
    for nonsense in ("KXvK", "KvK", "", "KQQQQQQvK"):
        with pytest.raises(errors.InputError):
            retrograde.chess.build(tmp_path / "more", [nonsense])


def test_without_distances(tmp_path: pathlib.Path) -> None:
    seen: List[Any] = []
    with retrograde.chess.build(tmp_path / "wdl", ["KQvK"], distances=False, progress=seen.append) as tables:
        board = chess.Board("8/8/8/8/8/2k5/8/KQ6 w - - 0 1")
        assert (tables.probe_wdl(board), tables.has_distances) == (1, False)
        with pytest.raises(errors.NoDistancesError):
            tables.probe_dtm(board)
        with pytest.raises(TypeError, match="pickled"):
            pickle.dumps(tables)
    assert seen and isinstance(seen[-1], retrograde.Progress)
    with pytest.raises(ValueError, match="closed"):
        tables.probe_wdl(board)
