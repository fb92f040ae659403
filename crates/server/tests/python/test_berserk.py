"""Lichess's own client for Python, unmodified, finds its way about our server by the address alone."""

import berserk
import pytest


@pytest.fixture(scope="module")
def tablebase(server):
    return berserk.Client(tablebase_url=server).tablebase


def test_a_position_is_looked_up(tablebase):
    said = tablebase.look_up("8/8/8/8/2r5/8/2k5/K6Q w - - 0 1")
    assert (said["category"], said["dtm"]) == ("win", 69)
    assert not said["checkmate"] and not said["stalemate"] and not said["insufficient_material"]
    best, *others = said["moves"]
    assert (best["category"], best["dtm"], best["zeroing"]) == ("loss", -68, False)
    assert all(move["dtm"] is None or abs(move["dtm"]) >= 68 or move["category"] != "loss" for move in others)


def test_best_play_comes_to_mate_when_it_was_foretold(tablebase):
    fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"
    said = tablebase.look_up(fen)
    for left in range(said["dtm"], 0, -1):
        assert abs(said["dtm"]) == left
        fen = played(fen, said["moves"][0]["uci"])
        said = tablebase.look_up(fen)
    assert said["checkmate"] and said["moves"] == []


def test_standard_is_the_variant(tablebase):
    fen = "8/8/8/8/8/2k5/8/K7 w - - 0 1"
    assert tablebase.standard(fen)["insufficient_material"]
    with pytest.raises(berserk.exceptions.ResponseError) as refused:
        tablebase.atomic(fen)
    assert refused.value.status_code == 404


def played(fen, uci):
    """The position after a quiet move or a capture, neither of a pawn."""
    board, turn, *_ = fen.split()
    rows = ["".join("." * int(letter) if letter.isdigit() else letter for letter in row) for row in board.split("/")]
    cells = {f"{file}{8 - row}": rows[row][column] for row in range(8) for column, file in enumerate("abcdefgh")}
    cells[uci[2:4]], cells[uci[:2]] = cells[uci[:2]], "."
    rows = ["".join(cells[f"{file}{8 - row}"] for file in "abcdefgh") for row in range(8)]
    for empty in range(8, 0, -1):
        rows = [row.replace("." * empty, str(empty)) for row in rows]
    return f"{'/'.join(rows)} {'b' if turn == 'w' else 'w'} - - 0 1"
