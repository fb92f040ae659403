"""Tables of regions, of whatever family, asked by the texts of positions."""

from __future__ import annotations

from pathlib import Path

import pytest

import retrograde
import retrograde.chess


def test_a_folder_of_any_family_answers_by_text(tmp_path: Path) -> None:
    folder = tmp_path / "endgames"
    retrograde.chess.build(folder, ["KQvK"])
    mate = "k7/7Q/1K6/8/8/8/8/8 w - - 0 1"
    with retrograde.TableFolder(folder) as tables:
        assert (tables.game, tables.regions, tables.start) == ("chess", ["KQvK"], None)
        assert tables.has_distances
        assert tables.region(mate) == "KQvK"
        assert tables.probe(mate) == (retrograde.WIN, 1)
        best = tables.moves(mate)[0]
        assert (best.value, best.distance) == (retrograde.WIN, 1)
        assert best.label.endswith("#")
        line = tables.line(mate)
        assert (line.states, line.end) == ([mate, best.to], "checkmate")
        values, distances = tables.probe_many([mate, line.states[1]])
        assert (values.tolist(), distances.tolist()) == ([retrograde.WIN, retrograde.LOSS], [1, 0])
        assert len(tables.probe_many([]).values) == 0
        with pytest.raises(TypeError, match="sequence"):
            tables.probe_many(mate)
        with pytest.raises(retrograde.errors.MissingTableError, match="KRvK.*retrograde build chess") as caught:
            tables.probe_many([mate, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"])
        assert caught.value.command.startswith("retrograde build chess KRvK")
        tables.check("KQvK")
        with pytest.raises(retrograde.StateError):
            tables.probe("nonsense")
    with pytest.raises(ValueError):
        tables.probe(mate)


def test_a_folder_without_tables_is_told(tmp_path: Path) -> None:
    with pytest.raises(retrograde.RetrogradeError):
        retrograde.TableFolder(tmp_path)
