/* A toy chess engine that looks endgames up. It searches some plies, counts the men where it stops, and asks the tables wherever few
 * men are left. So it finds captures that win although they lose men, and mates far beyond its search.
 *
 *   engine endgames '8/8/8/3k4/8/8/1Q3r2/K7 w - - 0 1' 3
 *   engine - '8/8/8/3k4/8/8/1Q3r2/K7 w - - 0 1' 3       without tables
 *   engine count '8/P7/8/3k4/8/8/8/K7 w - - 0 1' 4      counts the lines of so many plies
 *
 * It knows no castling, as the tables do not, and no draws by repetition. */
#include <retrograde.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEN_MAX = 5, MATE = 1000000, LONG = 900000, MOVES = 256 };

/* A square is 16 * rank + file, so that steps off the board have a bit of 0x88. Men are letters of a FEN; 0 is an empty square. */
struct position {
    char at[128];
    int white;
    int passant; /* the square behind a pawn that has just made a double step, or -1 */
};

struct move {
    int from, to;
    char promoted;
};

static const retrograde_oracle *tables;
static unsigned long nodes, probes;

static int is_own(const struct position *p, char man) { return man && !isupper((unsigned char)man) == !p->white; }

static void read_fen(struct position *p, const char *fen) {
    memset(p, 0, sizeof *p);
    int square = 7 * 16;
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == '/') {
            square = (square & 0x70) - 16;
        } else if (isdigit((unsigned char)*fen)) {
            square += *fen - '0';
        } else if (square >= 0 && !(square & 0x88)) {
            p->at[square++] = *fen;
        }
    }
    char turn = 'w', castling[8] = "-", passant[8] = "-";
    sscanf(fen, " %c %7s %7s", &turn, castling, passant);
    p->white = turn == 'w';
    p->passant = passant[0] == '-' ? -1 : 16 * (passant[1] - '1') + passant[0] - 'a';
}

static void write_fen(const struct position *p, char *fen) {
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            char man = p->at[16 * rank + file];
            empty += !man;
            if (empty && (man || file == 7)) {
                *fen++ = (char)('0' + empty);
                empty = 0;
            }
            if (man) {
                *fen++ = man;
            }
        }
        *fen++ = rank ? '/' : ' ';
    }
    fen += sprintf(fen, "%c - ", p->white ? 'w' : 'b');
    if (p->passant < 0) {
        strcpy(fen, "- 0 1");
    } else {
        sprintf(fen, "%c%c 0 1", 'a' + p->passant % 16, '1' + p->passant / 16);
    }
}

/* The eight steps of kings, which queens repeat, rooks and bishops some of them; then those of knights. */
static const int STEPS[] = {-17, -16, -15, -1, 1, 15, 16, 17, -33, -31, -18, -14, 14, 18, 31, 33};

/* The squares that a man other than a pawn attacks, men on them or not. Returns how many. */
static int reach(const struct position *p, int from, int *squares) {
    int kind = tolower((unsigned char)p->at[from]), count = 0;
    for (int i = kind == 'n' ? 8 : 0; i < (kind == 'n' ? 16 : 8); i++) {
        int straight = STEPS[i] == 16 || STEPS[i] == -16 || STEPS[i] == 1 || STEPS[i] == -1;
        if ((kind == 'r' && !straight) || (kind == 'b' && straight)) {
            continue;
        }
        for (int to = from + STEPS[i]; !(to & 0x88); to += STEPS[i]) {
            squares[count++] = to;
            if (p->at[to] || kind == 'n' || kind == 'k') {
                break;
            }
        }
    }
    return count;
}

/* Whether the player to move attacks a square, or with by_own = 0 the other one. */
static int attacked(const struct position *p, int square, int by_own) {
    for (int from = 0; from < 128; from++) {
        char man = from & 0x88 ? 0 : p->at[from];
        if (!man || is_own(p, man) != by_own) {
            continue;
        }
        if (tolower((unsigned char)man) == 'p') {
            int up = isupper((unsigned char)man) ? 16 : -16;
            if (square == from + up + 1 || square == from + up - 1) {
                return 1;
            }
            continue;
        }
        int squares[64], reached = reach(p, from, squares);
        for (int i = 0; i < reached; i++) {
            if (squares[i] == square) {
                return 1;
            }
        }
    }
    return 0;
}

static int king_of(const struct position *p, int own) {
    for (int square = 0; square < 128; square++) {
        char man = square & 0x88 ? 0 : p->at[square];
        if (tolower((unsigned char)man) == 'k' && is_own(p, man) == own) {
            return square;
        }
    }
    fputs("each side needs a king\n", stderr);
    exit(1);
}

static struct position after(const struct position *p, struct move move) {
    struct position next = *p;
    char man = next.at[move.from];
    int is_pawn = tolower((unsigned char)man) == 'p';
    if (is_pawn && move.to == p->passant) {
        next.at[(move.from & 0x70) | (move.to & 7)] = 0;
    }
    next.at[move.to] = move.promoted ? move.promoted : man;
    next.at[move.from] = 0;
    next.white = !p->white;
    next.passant = is_pawn && abs(move.to - move.from) == 32 ? (move.from + move.to) / 2 : -1;
    return next;
}

/* Adds a move if it leaves the king out of check; a pawn that arrives is promoted in four ways. */
static int add(const struct position *p, int from, int to, struct move *moves, int count) {
    struct move move = {from, to, 0};
    struct position next = after(p, move);
    if (attacked(&next, king_of(&next, 0), 1)) {
        return count;
    }
    int last = p->white ? 7 : 0;
    if (tolower((unsigned char)p->at[from]) != 'p' || to / 16 != last) {
        moves[count++] = move;
        return count;
    }
    for (const char *kind = p->white ? "QRBN" : "qrbn"; *kind; kind++) {
        move.promoted = *kind;
        moves[count++] = move;
    }
    return count;
}

static int all_moves(const struct position *p, struct move *moves) {
    int count = 0;
    for (int from = 0; from < 128; from++) {
        char man = from & 0x88 ? 0 : p->at[from];
        if (!is_own(p, man)) {
            continue;
        }
        if (tolower((unsigned char)man) == 'p') {
            int up = p->white ? 16 : -16;
            for (int side = -1; side <= 1; side += 2) {
                int to = from + up + side;
                if (!(to & 0x88) && (to == p->passant || (p->at[to] && !is_own(p, p->at[to])))) {
                    count = add(p, from, to, moves, count);
                }
            }
            if (!((from + up) & 0x88) && !p->at[from + up]) {
                count = add(p, from, from + up, moves, count);
                if (from / 16 == (p->white ? 1 : 6) && !p->at[from + 2 * up]) {
                    count = add(p, from, from + 2 * up, moves, count);
                }
            }
            continue;
        }
        int squares[64], reached = reach(p, from, squares);
        for (int i = 0; i < reached; i++) {
            if (!is_own(p, p->at[squares[i]])) {
                count = add(p, from, squares[i], moves, count);
            }
        }
    }
    return count;
}

/* The value in the tables, if there are few men and a table. */
static int probe(const struct position *p, int ply, int *score) {
    int men = 0;
    for (int square = 0; square < 128; square++) {
        men += !(square & 0x88) && p->at[square];
    }
    if (!tables || men > MEN_MAX) {
        return 0;
    }
    char fen[128];
    retrograde_value value;
    write_fen(p, fen);
    if (retrograde_oracle_value(tables, fen, &value, NULL) != RETROGRADE_CODE_OK) {
        return 0; /* No table of these men: the search goes on. */
    }
    probes++;
    int plies = value.plies == RETROGRADE_UNKNOWN_PLIES ? 0 : (int)value.plies;
    int mate = MATE - ply - plies;
    *score = value.outcome == RETROGRADE_OUTCOME_DRAW ? 0 : value.outcome == RETROGRADE_OUTCOME_WIN ? mate : -mate;
    return 1;
}

static int material(const struct position *p) {
    static const char KINDS[] = "pnbrq";
    static const int WORTH[] = {100, 300, 300, 500, 900};
    int score = 0;
    for (int square = 0; square < 128; square++) {
        char man = square & 0x88 ? 0 : p->at[square];
        const char *kind = man ? strchr(KINDS, tolower((unsigned char)man)) : NULL;
        if (kind) {
            score += is_own(p, man) ? WORTH[kind - KINDS] : -WORTH[kind - KINDS];
        }
    }
    return score;
}

/* What a position is worth to the player to move: men, or how soon somebody mates. */
static int search(const struct position *p, int depth, int ply, int alpha, int beta, struct move *best) {
    struct move moves[MOVES];
    int score;
    nodes++;
    /* At the root, a move is wanted, too. */
    if (ply > 0 && probe(p, ply, &score)) {
        return score;
    }
    int count = all_moves(p, moves);
    if (count == 0) {
        return attacked(p, king_of(p, 1), 0) ? ply - MATE : 0;
    }
    if (depth == 0) {
        return material(p);
    }
    for (int i = 0; i < count; i++) {
        struct position next = after(p, moves[i]);
        score = -search(&next, depth - 1, ply + 1, -beta, -alpha, NULL);
        if (score > alpha) {
            alpha = score;
            if (best) {
                *best = moves[i];
            }
        }
        if (alpha >= beta) {
            break;
        }
    }
    return alpha;
}

static unsigned long lines(const struct position *p, int depth) {
    struct move moves[MOVES];
    unsigned long sum = 0;
    int count = depth > 0 ? all_moves(p, moves) : 0;
    for (int i = 0; i < count; i++) {
        struct position next = after(p, moves[i]);
        sum += lines(&next, depth - 1);
    }
    return depth > 0 ? sum : 1;
}

int main(int count, char **arguments) {
    if (count != 4 || atoi(arguments[3]) < 1) {
        fputs("engine TABLES|- FEN PLIES, or engine count FEN PLIES\n", stderr);
        return 2;
    }
    struct position position;
    struct move best = {-1, -1, 0};
    retrograde_oracle *oracle = NULL;
    retrograde_error error;
    int depth = atoi(arguments[3]);
    read_fen(&position, arguments[2]);
    if (strcmp(arguments[1], "count") == 0) {
        printf("%lu\n", lines(&position, depth));
        return 0;
    }
    if (strcmp(arguments[1], "-") != 0 && retrograde_oracle_open(arguments[1], &oracle, &error) != RETROGRADE_CODE_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tables = oracle;
    int score = search(&position, depth, 0, -MATE - 1, MATE + 1, &best);
    if (best.from >= 0) {
        printf("%c%c%c%c", 'a' + best.from % 16, '1' + best.from / 16, 'a' + best.to % 16, '1' + best.to / 16);
        if (best.promoted) {
            putchar(tolower((unsigned char)best.promoted));
        }
        putchar('\t');
    }
    if (score > LONG || score < -LONG) {
        int plies = MATE - abs(score);
        printf("%s %d plies", score > 0 ? "mates in" : "is mated in", plies);
    } else {
        printf("worth %d", score);
    }
    printf("\t%lu positions, %lu in tables\n", nodes, probes);
    retrograde_oracle_free(oracle);
    return 0;
}
