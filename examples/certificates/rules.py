"""The rules of some games, to check certificates with. Each class has `moves(position)`: pairs of a name and the position after it; and
`value(position)`: "win", "loss" or "draw" for the player to move once play has ended, otherwise None. Positions are the texts of the
program."""


def rules_of(game, *arguments):
    """The rules of a game with its arguments, for example the file of a board."""
    return GAMES[game](*arguments)


class Points:
    """Men on named points. A text is the player and the rows of points: `first MM/./mm`."""

    players, men, rows = ("first", "second"), "Mm", (3, 3, 3)
    names = "abcdefghijk"
    stuck = "loss"

    def __init__(self):
        self.names = self.names[: sum(self.rows)]
        self.near = {name: set() for name in self.names}
        for line in self.lines:
            for one, next in zip(line, line[1:]):
                self.near[one].add(next)
                self.near[next].add(one)

    def read(self, position):
        player, rows, *_ = position.split(" ")
        return self.players.index(player), dict(zip(self.names, rows.replace("/", "")))

    def moved(self, player, men, changes):
        men = "".join({**men, **changes}[name] for name in self.names)
        ends = [sum(self.rows[: i + 1]) for i in range(len(self.rows))]
        rows = [men[end - count : end] for end, count in zip(ends, self.rows)]
        return f"{self.players[1 - player]} {'/'.join(rows)}{self.hand(men)}"

    def hand(self, men):
        return ""

    def step(self, player, men, one, to):
        return f"{one}-{to}", self.moved(player, men, {one: ".", to: men[one]})

    def moves(self, position):
        player, men = self.read(position)
        own = [name for name in self.names if men[name] == self.men[player]]
        free = [name for name in self.names if men[name] == "."]
        return list(self.steps(player, men, own, free))

    def steps(self, player, men, own, free):
        for one in own:
            for to in free:
                if to in self.near[one]:
                    yield self.step(player, men, one, to)

    def value(self, position):
        player, men = self.read(position)
        return self.over(player, men) or (None if self.moves(position) else self.stuck)

    def over(self, player, men):
        return None


class PongHauKi(Points):
    rows = (2, 1, 2)
    lines = ["ca", "cb", "cd", "ce", "ad", "be", "de"]


class MuTorere(Points):
    rows, names = (1, 2, 3, 2, 1), "ahbgicfde"
    lines = ["abcdefgha"]

    def steps(self, player, men, own, free):
        for one in own:
            for to in free:
                beside = any(men[near] == self.men[1 - player] for near in self.near[one])
                if to in self.near[one] or one == "i" or (to == "i" and beside):
                    yield self.step(player, men, one, to)


class InARow(Points):
    """Three men each, put down and then moved. Three in a row wins. A text ends with the men in hand: `first .../.M./..m MMmm`."""

    def hand(self, men):
        return " " + ("".join(sign * (3 - men.count(sign)) for sign in self.men) or "-")

    def steps(self, player, men, own, free):
        if len(own) == 3:
            yield from super().steps(player, men, own, free)
        else:
            for to in free:
                yield f"M*{to}", self.moved(player, men, {to: self.men[player]})

    def over(self, player, men):
        won = any(all(men[name] == self.men[1 - player] for name in line) for line in self.lines)
        return "loss" if won else None


class Achi(InARow):
    lines = ["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"]


class Tsoro(InARow):
    rows = (1, 3, 3)
    lines = ["abe", "acf", "adg", "bcd", "efg"]

    def steps(self, player, men, own, free):
        steps = list(super().steps(player, men, own, free))
        for line in self.lines if not steps else []:
            for one, over, to in (line, line[::-1]):
                if one in own and to in free and men[over] == self.men[1 - player]:
                    steps.append(self.step(player, men, one, to))
        return steps


class Hare(Points):
    players, men, rows = ("hounds", "hare"), "Hh", (3, 5, 3)
    along = ["abc", "defgh", "ijk", "da", "di", "ch", "kh", "afk", "ifc"]
    lines = along + ["aei", "bfj", "cgk"]

    def steps(self, player, men, own, free):
        back = {to + one for line in self.along for one, to in zip(line, line[1:])}
        for name, to in super().steps(player, men, own, free):
            if player == 1 or name.replace("-", "") not in back:
                yield name, to

    def over(self, player, men):
        return "loss" if player == 0 and men["d"] == "h" else None


class Dodgem(Points):
    players, men, stuck, lines = ("right", "up"), "Cc", "win", []
    names = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]

    def steps(self, player, men, own, free):
        for one in own:
            row, column = divmod(self.names.index(one), 3)
            for down, right in [(-1, 0), (0, 1), (1, 0) if player == 0 else (0, -1)]:
                to_row, to_column = row + down, column + right
                if 0 <= to_row < 3 and 0 <= to_column < 3:
                    to = self.names[3 * to_row + to_column]
                    if to in free:
                        yield self.step(player, men, one, to)
                elif (down, right) == [(0, 1), (-1, 0)][player]:
                    yield f"{one}-off", self.moved(player, men, {one: "."})

    def over(self, player, men):
        return "loss" if self.men[1 - player] not in men.values() else None


class Pursuit:
    """One policeman and a thief on the board of a file."""

    def __init__(self, board):
        with open(board) as file:
            size, *rows = file.read().split("\n")
        height, width = map(int, size.split())
        self.cells = {(r, c): rows[r][c] for r in range(height) for c in range(width) if rows[r][c] != "*"}

    def read(self, position):
        side, *cells = position.split(" ")
        return side, *[tuple(map(int, cell.split(","))) for cell in cells]

    def moves(self, position):
        side, police, thief = self.read(position)
        row, column = police if side == "police" else thief
        steps = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if side == "police" or r * c == 0]
        for to in [(row + r, column + c) for r, c in steps]:
            if to in self.cells:
                name = "{},{}".format(*to)
                if side == "police":
                    yield name, "thief {} {},{}".format(name, *thief)
                else:
                    yield name, "police {},{} {}".format(*police, name)

    def value(self, position):
        side, police, thief = self.read(position)
        if police == thief:
            return "win" if side == "police" else "loss"
        if self.cells[thief] == "E":
            return "loss" if side == "police" else "win"
        return None


class Graph:
    """A token on a directed graph."""

    def __init__(self, file):
        self.edges = {}
        for line in open(file):
            one, *to = line.split("#")[0].split() or [None]
            self.edges.setdefault(one, []).extend(to)

    def moves(self, position):
        return [(to, to) for to in self.edges.get(position, [])]

    def value(self, position):
        return None if self.edges.get(position) else "loss"


class Take:
    """Nim: any number from one heap."""

    def moves(self, position):
        heaps = list(map(int, position.split(",")))
        for place, heap in enumerate(heaps):
            for left in range(heap):
                to = ",".join(map(str, heaps[:place] + [left] + heaps[place + 1 :]))
                yield to, to

    def value(self, position):
        return "loss" if set(position) <= set("0,") else None


class Corner:
    """A queen on its way to the corner."""

    def __init__(self, rows, columns):
        self.last = int(rows) - 1, int(columns) - 1

    def moves(self, position):
        row, column = map(int, position.split(","))
        for down, right in [(0, 1), (1, 0), (1, 1)]:
            for far in range(1, max(self.last) + 1):
                to = row + far * down, column + far * right
                if to[0] <= self.last[0] and to[1] <= self.last[1]:
                    yield "{},{}".format(*to), "{},{}".format(*to)

    def value(self, position):
        return "loss" if position == "{},{}".format(*self.last) else None


class Chess:
    """By python-chess."""

    def board(self, position):
        import chess

        return chess.Board(position)

    def moves(self, position):
        board = self.board(position)
        for move in board.legal_moves:
            after = board.copy()
            after.push(move)
            after.halfmove_clock, after.fullmove_number = 0, 1
            yield board.san(move), after.fen(en_passant="legal")

    def value(self, position):
        board = self.board(position)
        return "loss" if board.is_checkmate() else "draw" if board.is_stalemate() or len(board.piece_map()) == 2 else None


GAMES = {
    "achi": Achi, "chess": Chess, "corner": Corner, "dodgem": Dodgem, "graph": Graph, "hare-and-hounds": Hare,
    "mu-torere": MuTorere, "pong-hau-ki": PongHauKi, "pursuit": Pursuit, "take": Take, "tsoro-yematatu": Tsoro,
}
