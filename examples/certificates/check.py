"""Checks a certificate: a proof of the value of one position. It needs only the rules of the game.

    python check.py FILE [ARGUMENT..]

The arguments are those of the rules, for example the file of a board. docs/certificates.md defines the file.
"""

import sys
import zlib

from rules import rules_of


def read(path):
    """The head of a certificate and the rows of its parts: {(position, names a move): (distance, move)}."""
    with open(path, "rb") as file:
        body, _, crc = file.read().rpartition(b"crc32\t")
    lines = body.decode().split("\n")
    head = dict(line.split("\t", 1) for line in lines[:4])
    if head.get("retrograde certificate") != "1" or lines.pop() != "" or crc != b"%08x\n" % zlib.crc32(body):
        raise ValueError("this is not a whole certificate of version 1")
    parts, at = {}, 4
    while at < len(lines):
        word, count, name = lines[at].split("\t")
        rows = [line.split("\t") for line in lines[at + 1 : at + 1 + int(count)]]
        at += 1 + int(count)
        parts[name] = {(position, move != ""): (distance, move) for position, distance, move in rows}
        if word != "rows" or len(rows) != int(count) or len(parts[name]) != len(rows):
            raise ValueError(f"the rows of '{name}' are not as many as it says")
    return head, parts


def after(rules, key, move=None):
    """Where the moves of a position lead, or the one of this name."""
    position, one = key
    player = getattr(rules, "player", lambda _: object())
    for name, to in rules.moves(position):
        if move is None or name == move:
            yield to, one == (player(position) == player(to))


def walk(rules, rows, first, needed):
    """Each row that play from the first one reaches, with what its moves lead to. All rows must be reached."""
    left, seen = [first], {first}
    while left:
        key = left.pop()
        if key not in rows:
            raise ValueError(f"a row is missing: {key[0]}")
        if rules.value(key[0]) is not None:
            raise ValueError(f"play has ended: {key[0]}")
        distance, move = rows[key]
        to = list(after(rules, key, move or None))
        if not to:
            raise ValueError(f"there is no move {move}: {key[0]}")
        yield key, distance, to
        for each in to:
            if each not in seen and needed(each, distance):
                seen.add(each)
                left.append(each)
    if len(seen) != len(rows):
        raise ValueError("no play reaches some rows")


def won(rules, key, ours):
    """Whether play has ended with a win of the player whose rows name a move, or of the other."""
    return rules.value(key[0]) == ("win" if key[1] == ours else "loss")


def check_within(rules, rows, start, distance):
    """The winner names a move, all moves of the loser are there, and each distance is one more than the largest after it."""
    for key, plies, to in walk(rules, rows, start, lambda key, _: rules.value(key[0]) is None):
        if any(rules.value(each[0]) is not None and not won(rules, each, True) for each in to):
            raise ValueError(f"the winner may not win: {key[0]}")
        if int(plies) != 1 + max(int(rows[each][0]) if each in rows else 0 for each in to):
            raise ValueError(f"the distance is wrong: {key[0]}")
    if int(rows[start][0]) != distance:
        raise ValueError("the start has another distance")


def check_at_least(rules, rows, start, distance):
    """The loser names a move, all moves of the winner are there. A row with k plies needs rows with k - 1 plies after it."""
    needs = {start: distance}
    found = walk(rules, rows, start, lambda key, plies: int(plies) > 1 and rules.value(key[0]) is None)
    for key, plies, to in sorted(found, key=lambda row: -int(row[1])):
        if int(plies) != needs.get(key) or (int(plies) > 1 and any(won(rules, each, False) for each in to)):
            raise ValueError(f"the loser may not last as long: {key[0]}")
        needs.update((each, max(needs.get(each, 0), int(plies) - 1)) for each in to)


def check_safe(rules, rows, start):
    """The player names moves that stay in the set, and no move of the other leads out of it. So the player never loses."""
    for key, _, to in walk(rules, rows, start, lambda key, _: rules.value(key[0]) is None):
        if any(won(rules, each, False) for each in to):
            raise ValueError(f"the player may lose: {key[0]}")


def check(path, *arguments):
    """Checks a certificate. Returns what it proves."""
    head, parts = read(path)
    rules, start, (value, *plies) = rules_of(head["game"], *arguments), head["start"], head["value"].split("\t")
    if (end := rules.value(start)) is not None:
        if end != value or any(parts.values()):
            raise ValueError("the game is over at the start")
    elif value == "draw" and sorted(parts) == ["safe for the other player", "safe for the player to move"]:
        check_safe(rules, parts["safe for the player to move"], (start, True))
        check_safe(rules, parts["safe for the other player"], (start, False))
    elif value in ("win", "loss") and sorted(parts) == ["at least", "within"]:
        check_within(rules, parts["within"], (start, value == "win"), int(plies[0]))
        check_at_least(rules, parts["at least"], (start, value == "loss"), int(plies[0]))
    else:
        raise ValueError("its parts do not prove a value")
    return f"{head['game']}: {start} is a {' in '.join([value, *plies])}, {sum(map(len, parts.values()))} rows"


if __name__ == "__main__":
    try:
        print(check(*sys.argv[1:]) if sys.argv[1:] else __doc__)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        sys.exit(f"{sys.argv[1]}: {type(error).__name__}: {error}")
