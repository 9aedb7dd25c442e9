/* A separator of a large graph from one of a small graph (B. Hendrickson, R. Leland 1995; G.
 * Karypis, V. Kumar, SIAM J. Sci. Comput. 20 (1998)): neighbours are joined until few nodes are
 * left, these are separated in several ways, and the best separator is carried back, improved at
 * each level by moving its nodes to one side or the other (C. Ashcraft, J. W. H. Liu, SIAM J.
 * Matrix Anal. Appl. 19 (1998); C. M. Fiduccia, R. M. Mattheyses 1982).
 */
#include "lcp/order/separate.h"

#include <string.h>

#include "lcp/order/random.h"

/* Levels end where at most FEW nodes are left, or where joining no longer helps. */
enum { FEW = 80, MOST_LEVELS = 40, TRIES = 6, MOST_PASSES = 8 };
/* Parts of at most MIDDLE nodes are separated several times: once for every EACH of the original
 * nodes that they stand for, MIDDLE_TRIES times at most.
 */
enum { MIDDLE = 3000, MIDDLE_TRIES = 16, EACH = 4000 };
static const double LITTLE_GAIN = 0.92;

/* Largest share of the whole that the heavier part may have. */
static const double HEAVIEST = 0.57;

/* Moves without a better separator after which a pass ends: at least, and of its nodes. */
enum { FRUITLESS_MOVES = 60 };

enum { LEFT = CRM_LCP_LEFT, RIGHT = CRM_LCP_RIGHT, BETWEEN = CRM_LCP_BETWEEN };
enum { NOWHERE = UINT32_MAX };

/* Nodes of the separator by what moving them to one side gains; the greatest is first. */
typedef struct heap {
    uint32_t count;
    uint32_t *node;
    uint32_t *place; /* of a node in it, or NOWHERE */
    int64_t *gain;   /* by node */
} heap;

typedef struct separation {
    const crm_lcp_graph *graph;
    crm_watching *watching;
    uint8_t *side;
    uint64_t weight[3];
    uint64_t most; /* that a part may have */
    heap to[2];
    bool *moved;       /* in this pass */
    uint32_t *history; /* of a pass: a node that moved, then those that it pulled in; a node moves
                          once and is pulled in before and after that, at most */
    uint32_t *mark;    /* where each move begins in the history */
} separation;

/* ---- Heaps ----------------------------------------------------------------------------------- */

static bool is_before(const heap *h, uint32_t a, uint32_t b)
{
    return h->gain[a] != h->gain[b] ? h->gain[a] > h->gain[b] : a < b;
}

static void put(heap *h, uint32_t place, uint32_t node)
{
    h->node[place] = node;
    h->place[node] = place;
}

static void rise(heap *h, uint32_t place)
{
    uint32_t node = h->node[place];
    for (; place > 0 && is_before(h, node, h->node[(place - 1) / 2]); place = (place - 1) / 2) {
        put(h, place, h->node[(place - 1) / 2]);
    }
    put(h, place, node);
}

static void sink(heap *h, uint32_t place)
{
    uint32_t node = h->node[place];
    for (uint32_t child = 2 * place + 1; child < h->count; child = 2 * place + 1) {
        child += child + 1 < h->count && is_before(h, h->node[child + 1], h->node[child]);
        if (!is_before(h, h->node[child], node)) {
            break;
        }
        put(h, place, h->node[child]);
        place = child;
    }
    put(h, place, node);
}

static void insert(heap *h, uint32_t node, int64_t gain)
{
    h->gain[node] = gain;
    put(h, h->count++, node);
    rise(h, h->count - 1);
}

static void remove_node(heap *h, uint32_t node)
{
    uint32_t place = h->place[node];
    if (place == NOWHERE) {
        return;
    }
    h->place[node] = NOWHERE;
    uint32_t last = h->node[--h->count];
    if (last != node) {
        put(h, place, last);
        rise(h, place);
        sink(h, h->place[last]);
    }
}

static void change(heap *h, uint32_t node, int64_t by)
{
    if (h->place[node] == NOWHERE) {
        return;
    }
    h->gain[node] += by;
    if (by > 0) {
        rise(h, h->place[node]);
    } else {
        sink(h, h->place[node]);
    }
}

static void empty(heap *h)
{
    for (uint32_t k = 0; k < h->count; k++) {
        h->place[h->node[k]] = NOWHERE;
    }
    h->count = 0;
}

/* ---- Moving nodes ---------------------------------------------------------------------------- */

/* By how much the separator becomes lighter when a node of it goes to a side: by the node, less
 * those of the other side that are pulled in.
 */
static int64_t gain_of(const separation *s, uint32_t node, unsigned to)
{
    const crm_lcp_graph *graph = s->graph;
    int64_t gain = graph->weight[node];
    for (uint32_t m = graph->start[node]; m < graph->start[node + 1]; m++) {
        uint32_t j = graph->neighbour[m];
        gain -= s->side[j] == 1 - to ? (int64_t)graph->weight[j] : 0;
    }
    return gain;
}

static void offer(separation *s, uint32_t node)
{
    insert(&s->to[LEFT], node, gain_of(s, node, LEFT));
    insert(&s->to[RIGHT], node, gain_of(s, node, RIGHT));
}

static void place_on(separation *s, uint32_t node, unsigned side)
{
    s->weight[s->side[node]] -= s->graph->weight[node];
    s->weight[side] += s->graph->weight[node];
    s->side[node] = (uint8_t)side;
}

/* A node that joins the separator: it is no longer pulled in by those that are there. */
static void pull(separation *s, uint32_t node, unsigned to)
{
    const crm_lcp_graph *graph = s->graph;
    place_on(s, node, BETWEEN);
    for (uint32_t m = graph->start[node]; m < graph->start[node + 1]; m++) {
        change(&s->to[to], graph->neighbour[m], graph->weight[node]);
    }
    if (!s->moved[node]) {
        offer(s, node);
    }
}

/* Returns the new end of the history. */
static uint32_t move(separation *s, uint32_t node, unsigned to, uint32_t end)
{
    const crm_lcp_graph *graph = s->graph;
    remove_node(&s->to[LEFT], node);
    remove_node(&s->to[RIGHT], node);
    place_on(s, node, to);
    s->moved[node] = true;
    s->history[end++] = node;
    for (uint32_t m = graph->start[node]; m < graph->start[node + 1]; m++) {
        uint32_t j = graph->neighbour[m];
        if (s->side[j] == 1 - to) {
            pull(s, j, to);
            s->history[end++] = j;
        } else if (s->side[j] == BETWEEN) {
            change(&s->to[1 - to], j, -(int64_t)graph->weight[node]);
        }
    }
    return end;
}

static void take_back(separation *s, const uint32_t *history, uint32_t begin, uint32_t end)
{
    unsigned to = s->side[history[begin]];
    for (uint32_t k = begin + 1; k < end; k++) {
        place_on(s, history[k], 1 - to);
    }
    place_on(s, history[begin], BETWEEN);
}

/* The side that the best move leads to; BETWEEN: none is allowed. */
static unsigned choose(const separation *s)
{
    unsigned best = BETWEEN;
    for (unsigned to = LEFT; to <= RIGHT; to++) {
        const heap *h = &s->to[to];
        if (h->count == 0 || s->weight[to] + s->graph->weight[h->node[0]] > s->most) {
            continue;
        }
        if (best == BETWEEN) {
            best = to;
            continue;
        }
        int64_t gain = h->gain[h->node[0]];
        int64_t other = s->to[best].gain[s->to[best].node[0]];
        if (gain > other || (gain == other && s->weight[to] < s->weight[best])) {
            best = to;
        }
    }
    return best;
}

/* Cost to minimize, in this order: excess weight of a part, separator size, heavier part. */
typedef struct worth {
    uint64_t excess, between, heavier;
} worth;

static worth worth_of(const separation *s)
{
    uint64_t heavier = s->weight[LEFT] > s->weight[RIGHT] ? s->weight[LEFT] : s->weight[RIGHT];
    return (worth){heavier > s->most ? heavier - s->most : 0, s->weight[BETWEEN], heavier};
}

static bool is_better(worth a, worth b)
{
    if (a.excess != b.excess) {
        return a.excess < b.excess;
    }
    return a.between != b.between ? a.between < b.between : a.heavier < b.heavier;
}

/* Moves, also such that gain nothing, as far as there is hope; then back to the best. Returns
 * whether that is better than before.
 */
static bool improve_once(separation *s)
{
    uint32_t count = s->graph->count, end = 0, moves = 0, best_moves = 0;
    memset(s->moved, 0, count * sizeof *s->moved);
    for (uint32_t i = 0; i < count; i++) {
        if (s->side[i] == BETWEEN) {
            offer(s, i);
        }
    }
    uint32_t fruitless_most = FRUITLESS_MOVES + s->to[LEFT].count / 4;
    worth best = worth_of(s);
    while (moves < count && moves - best_moves <= fruitless_most) {
        unsigned to = choose(s);
        if (to == BETWEEN || crm_watch_interrupts(s->watching, 10)) {
            break;
        }
        s->mark[moves++] = end;
        end = move(s, s->to[to].node[0], to, end);
        worth now = worth_of(s);
        if (is_better(now, best)) {
            best = now;
            best_moves = moves;
        }
    }
    for (; moves > best_moves; end = s->mark[moves]) {
        moves--;
        take_back(s, s->history, s->mark[moves], end);
    }
    empty(&s->to[LEFT]);
    empty(&s->to[RIGHT]);
    return best_moves > 0;
}

static void improve(separation *s)
{
    unsigned passes = 0;
    while (passes++ < MOST_PASSES && improve_once(s)) {
    }
}

/* ---- Separations ----------------------------------------------------------------------------- */

static bool begin(crm_pool *pool, const crm_lcp_graph *graph, crm_watching *watching, uint8_t *side,
                  separation *s)
{
    size_t count = graph->count;
    *s = (separation){.graph = graph, .watching = watching, .side = side};
    uint32_t heaviest = 0;
    for (size_t i = 0; i < count; i++) {
        heaviest = graph->weight[i] > heaviest ? graph->weight[i] : heaviest;
    }
    uint64_t part = (uint64_t)(HEAVIEST * (double)graph->total);
    s->most = part > graph->total / 2 + heaviest ? part : graph->total / 2 + heaviest;
    s->moved = CRM_TAKE(pool, bool, count);
    s->history = CRM_TAKE(pool, uint32_t, 3 * count);
    s->mark = CRM_TAKE(pool, uint32_t, count);
    bool there = s->moved != NULL && s->history != NULL && s->mark != NULL;
    for (unsigned to = LEFT; to <= RIGHT; to++) {
        heap *h = &s->to[to];
        h->node = CRM_TAKE(pool, uint32_t, count);
        h->place = CRM_TAKE(pool, uint32_t, count);
        h->gain = CRM_TAKE(pool, int64_t, count);
        there = there && h->node != NULL && h->place != NULL && h->gain != NULL;
        for (size_t i = 0; there && i < count; i++) {
            h->place[i] = NOWHERE;
        }
    }
    return there;
}

static void weigh(separation *s)
{
    memset(s->weight, 0, sizeof s->weight);
    for (uint32_t i = 0; i < s->graph->count; i++) {
        s->weight[s->side[i]] += s->graph->weight[i];
    }
}

/* All that is reached first from some node is left, up to half the weight; what touches it is the
 * separator.
 */
static void grow(separation *s, uint32_t from, uint32_t *queue)
{
    const crm_lcp_graph *graph = s->graph;
    uint32_t head = 0, tail = 0, next = 0;
    uint64_t left = 0;
    memset(s->side, RIGHT, graph->count);
    memset(s->moved, 0, graph->count * sizeof *s->moved);
    queue[tail++] = from;
    s->moved[from] = true;
    while (left < graph->total / 2) {
        if (head == tail) { /* another component */
            while (s->moved[next]) {
                next++;
            }
            queue[tail++] = next;
            s->moved[next] = true;
        }
        uint32_t i = queue[head++];
        s->side[i] = LEFT;
        left += graph->weight[i];
        for (uint32_t m = graph->start[i]; m < graph->start[i + 1]; m++) {
            uint32_t j = graph->neighbour[m];
            if (!s->moved[j]) {
                s->moved[j] = true;
                queue[tail++] = j;
            }
        }
    }
    for (; head < tail; head++) { /* reached, but not taken */
        s->side[queue[head]] = BETWEEN;
    }
    weigh(s);
}

/* The best of several. */
static bool separate_few(crm_pool *pool, const crm_lcp_graph *graph, uint64_t seed,
                         crm_watching *watching, uint8_t *side)
{
    separation s;
    uint8_t *tried = CRM_TAKE(pool, uint8_t, graph->count);
    if (tried == NULL || !begin(pool, graph, watching, tried, &s)) {
        return false;
    }
    worth best = {UINT64_MAX, 0, 0};
    for (unsigned count = 0; count < TRIES; count++) {
        grow(&s, crm_lcp_random(&seed, graph->count), s.history);
        improve(&s);
        worth now = worth_of(&s);
        if (is_better(now, best)) {
            best = now;
            memcpy(side, tried, graph->count);
        }
    }
    return watching == NULL || !watching->over;
}

/* From the coarse graph's sides to the fine one's, and better. */
static bool carry_back(crm_pool *pool, const crm_lcp_graph *fine, const uint32_t *into,
                       const uint8_t *coarse_side, crm_watching *watching, uint8_t *side)
{
    separation s;
    if (!begin(pool, fine, watching, side, &s)) {
        return false;
    }
    for (uint32_t i = 0; i < fine->count; i++) {
        side[i] = coarse_side[into[i]];
    }
    weigh(&s);
    improve(&s);
    return watching == NULL || !watching->over;
}

typedef bool bottom(crm_pool *pool, const crm_lcp_graph *graph, uint64_t seed,
                    crm_watching *watching, uint8_t *side);

/* Joins neighbours until `few` are left, separates these by `end`, and carries that back. */
static bool separate_by_levels(crm_pool *pool, const crm_lcp_graph *graph, uint32_t few,
                               bottom *end, uint64_t seed, crm_watching *watching, uint8_t *side)
{
    crm_lcp_graph level[MOST_LEVELS] = {*graph};
    uint32_t *into[MOST_LEVELS];
    uint8_t *sides[MOST_LEVELS] = {side};
    size_t last = 0;
    uint64_t most = 2 * graph->total / FEW;
    while (level[last].count > few && last + 1 < MOST_LEVELS) {
        const crm_lcp_graph *fine = &level[last];
        into[last] = CRM_TAKE(pool, uint32_t, fine->count);
        if (into[last] == NULL || !crm_lcp_graph_coarsen(pool, fine, most, seed + last, watching,
                                                         into[last], &level[last + 1])) {
            return false;
        }
        if (level[last + 1].count > LITTLE_GAIN * fine->count) {
            break;
        }
        last++;
        sides[last] = CRM_TAKE(pool, uint8_t, level[last].count);
        if (sides[last] == NULL) {
            return false;
        }
    }
    if (!end(pool, &level[last], seed, watching, sides[last])) {
        return false;
    }
    for (; last > 0; last--) {
        if (!carry_back(pool, &level[last - 1], into[last - 1], sides[last], watching,
                        sides[last - 1])) {
            return false;
        }
    }
    return true;
}

/* The best of several, each by other levels. */
static bool separate_middle(crm_pool *pool, const crm_lcp_graph *graph, uint64_t seed,
                            crm_watching *watching, uint8_t *side)
{
    separation s;
    uint8_t *tried = CRM_TAKE(pool, uint8_t, graph->count);
    if (tried == NULL || !begin(pool, graph, watching, tried, &s)) {
        return false;
    }
    worth best = {UINT64_MAX, 0, 0};
    uint64_t tries = 1 + graph->total / EACH;
    tries = tries < MIDDLE_TRIES ? tries : MIDDLE_TRIES;
    for (uint64_t count = 0; count < tries; count++) {
        if (!separate_by_levels(pool, graph, FEW, separate_few, seed + 1000 * count, watching,
                                tried)) {
            return false;
        }
        weigh(&s);
        worth now = worth_of(&s);
        if (is_better(now, best)) {
            best = now;
            memcpy(side, tried, graph->count);
        }
    }
    return true;
}

bool crm_lcp_separate(crm_pool *pool, const crm_lcp_graph *graph, uint64_t seed,
                      crm_watching *watching, uint8_t *side)
{
    return separate_by_levels(pool, graph, MIDDLE, separate_middle, seed, watching, side);
}
