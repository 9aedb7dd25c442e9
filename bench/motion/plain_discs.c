#include "plain_discs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1, LEFT_RIGHT = -2, DOWN_UP = -3 };

typedef struct disc {
    double x, y, vx, vy, t; /* where it was at t */
    int cell, next, previous;
    unsigned stamp;
} disc;

/* The soonest meeting, and the soonest way out of the cell. */
typedef struct event {
    double meeting, crossing;
    int partner; /* or a wall */
    unsigned partner_stamp;
    int step; /* to the next cell */
} event;

typedef struct node {
    double key;
    int disc;
} node;

struct plain_discs {
    int count, across; /* cells along a side, a rim of empty ones included */
    double side, radius, cell;
    double now;
    uint64_t pair_impacts;
    disc *disc;
    event *event;
    node *heap;
    int *place, *head;
};

/* ---- Heap ------------------------------------------------------------------------------------ */

static void put(plain_discs *p, int place, node n)
{
    p->heap[place] = n;
    p->place[n.disc] = place;
}

static void file(plain_discs *p, int i)
{
    const event *e = &p->event[i];
    node n = {e->meeting < e->crossing ? e->meeting : e->crossing, i};
    int at = p->place[i];
    while (at > 0 && n.key < p->heap[(at - 1) / 4].key) {
        put(p, at, p->heap[(at - 1) / 4]);
        at = (at - 1) / 4;
    }
    for (int first = 4 * at + 1; first < p->count; first = 4 * at + 1) {
        int best = first, end = first + 4 < p->count ? first + 4 : p->count;
        for (int k = first + 1; k < end; k++) {
            best = p->heap[k].key < p->heap[best].key ? k : best;
        }
        if (!(p->heap[best].key < n.key)) {
            break;
        }
        put(p, at, p->heap[best]);
        at = best;
    }
    put(p, at, n);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static void enter(plain_discs *p, int i, int cell)
{
    disc *d = &p->disc[i];
    d->cell = cell;
    d->previous = NONE;
    d->next = p->head[cell];
    if (d->next != NONE) {
        p->disc[d->next].previous = i;
    }
    p->head[cell] = i;
}

static void leave(plain_discs *p, int i)
{
    const disc *d = &p->disc[i];
    if (d->previous != NONE) {
        p->disc[d->previous].next = d->next;
    } else {
        p->head[d->cell] = d->next;
    }
    if (d->next != NONE) {
        p->disc[d->next].previous = d->previous;
    }
}

/* ---- Prediction ------------------------------------------------------------------------------ */

static void advance(disc *d, double t)
{
    d->x += d->vx * (t - d->t);
    d->y += d->vy * (t - d->t);
    d->t = t;
}

static void predict_cell(plain_discs *p, int i, int cell)
{
    const disc *a = &p->disc[i];
    event *e = &p->event[i];
    double square = 4 * p->radius * p->radius;
    for (int k = p->head[cell]; k != NONE; k = p->disc[k].next) {
        const disc *b = &p->disc[k];
        double s = a->t - b->t;
        double x = b->x + s * b->vx - a->x, y = b->y + s * b->vy - a->y;
        double u = b->vx - a->vx, v = b->vy - a->vy;
        double dot = x * u + y * v;
        if (dot >= 0) {
            continue;
        }
        double ww = u * u + v * v, c = x * x + y * y - square;
        double root = dot * dot - ww * c;
        if (root < 0) {
            continue;
        }
        double t = a->t + (c > 0 ? c / (sqrt(root) - dot) : 0);
        if (t < e->meeting) {
            e->meeting = t;
            e->partner = k;
            e->partner_stamp = b->stamp;
        }
    }
}

static void predict_pairs(plain_discs *p, int i)
{
    for (int row = -1; row <= 1; row++) {
        for (int column = -1; column <= 1; column++) {
            predict_cell(p, i, p->disc[i].cell + row * p->across + column);
        }
    }
}

static double way(double v, double to_low, double to_high)
{
    return v > 0 ? to_high / v : v < 0 ? to_low / v : INFINITY;
}

static void predict_crossing(plain_discs *p, int i)
{
    const disc *a = &p->disc[i];
    double low_x = (a->cell % p->across - 1) * p->cell, low_y = (a->cell / p->across - 1) * p->cell;
    double tx = way(a->vx, low_x - a->x, low_x + p->cell - a->x);
    double ty = way(a->vy, low_y - a->y, low_y + p->cell - a->y);
    p->event[i].crossing = a->t + fmin(tx, ty);
    p->event[i].step = tx < ty ? (a->vx > 0 ? 1 : -1) : (a->vy > 0 ? p->across : -p->across);
}

static void predict_walls(plain_discs *p, int i)
{
    const disc *a = &p->disc[i];
    event *e = &p->event[i];
    double low = p->radius, high = p->side - p->radius;
    double tx = a->t + fmax(way(a->vx, low - a->x, high - a->x), 0);
    double ty = a->t + fmax(way(a->vy, low - a->y, high - a->y), 0);
    e->meeting = fmin(tx, ty);
    e->partner = tx < ty ? LEFT_RIGHT : DOWN_UP;
}

static void predict(plain_discs *p, int i)
{
    predict_walls(p, i);
    predict_pairs(p, i);
    predict_crossing(p, i);
    file(p, i);
}

/* ---- Events ---------------------------------------------------------------------------------- */

static void bounce_wall(plain_discs *p, int i, double t)
{
    disc *a = &p->disc[i];
    advance(a, t);
    if (p->event[i].partner == LEFT_RIGHT) {
        a->vx = -a->vx;
    } else {
        a->vy = -a->vy;
    }
    a->stamp++;
    predict(p, i);
}

static void bounce_pair(plain_discs *p, int i, int k, double t)
{
    disc *a = &p->disc[i], *b = &p->disc[k];
    advance(a, t);
    advance(b, t);
    double x = b->x - a->x, y = b->y - a->y;
    double share = ((b->vx - a->vx) * x + (b->vy - a->vy) * y) / (x * x + y * y);
    a->vx += share * x;
    a->vy += share * y;
    b->vx -= share * x;
    b->vy -= share * y;
    a->stamp++;
    b->stamp++;
    p->pair_impacts++;
    predict(p, i);
    predict(p, k);
}

static void cross(plain_discs *p, int i, double t)
{
    int step = p->event[i].step, cell = p->disc[i].cell + step;
    int across = step == 1 || step == -1 ? p->across : 1;
    leave(p, i);
    enter(p, i, cell);
    advance(&p->disc[i], t);
    for (int k = -1; k <= 1; k++) {
        predict_cell(p, i, cell + step + k * across);
    }
    predict_crossing(p, i);
    file(p, i);
}

static void next_event(plain_discs *p)
{
    node top = p->heap[0];
    const event *e = &p->event[top.disc];
    p->now = top.key;
    if (e->crossing < e->meeting) {
        cross(p, top.disc, top.key);
    } else if (e->partner < 0) {
        bounce_wall(p, top.disc, top.key);
    } else if (p->disc[e->partner].stamp == e->partner_stamp) {
        bounce_pair(p, top.disc, e->partner, top.key);
    } else {
        advance(&p->disc[top.disc], top.key);
        predict_walls(p, top.disc);
        predict_pairs(p, top.disc);
        file(p, top.disc);
    }
}

void plain_discs_run(plain_discs *p, uint64_t pair_impacts)
{
    while (p->pair_impacts < pair_impacts) {
        next_event(p);
    }
}

/* ---- Making and reading it ------------------------------------------------------------------- */

void plain_discs_free(plain_discs *p)
{
    if (p != NULL) {
        free(p->disc);
        free(p->event);
        free(p->heap);
        free(p->place);
        free(p->head);
        free(p);
    }
}

plain_discs *plain_discs_create(size_t count, double side, double radius, const double *state)
{
    plain_discs *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    int inner = (int)fmin(side / (2.0001 * radius), sqrt(2.0 * (double)count));
    *p = (plain_discs){.count = (int)count,
                       .across = inner + 2,
                       .side = side,
                       .radius = radius,
                       .cell = side / inner,
                       .disc = calloc(count, sizeof *p->disc),
                       .event = calloc(count, sizeof *p->event),
                       .heap = calloc(count, sizeof *p->heap),
                       .place = calloc(count, sizeof *p->place),
                       .head = malloc((size_t)(inner + 2) * (size_t)(inner + 2) * sizeof(int))};
    if (p->disc == NULL || p->event == NULL || p->heap == NULL || p->place == NULL ||
        p->head == NULL) {
        plain_discs_free(p);
        return NULL;
    }
    memset(p->head, 0xff, (size_t)(inner + 2) * (size_t)(inner + 2) * sizeof(int)); /* NONE */
    for (int i = 0; i < p->count; i++) {
        const double *s = state + 4 * (size_t)i;
        p->disc[i] = (disc){.x = s[0], .y = s[1], .vx = s[2], .vy = s[3]};
        p->heap[i] = (node){0, i};
        p->place[i] = i;
        enter(p, i, ((int)(s[1] / p->cell) + 1) * p->across + (int)(s[0] / p->cell) + 1);
    }
    for (int i = 0; i < p->count; i++) {
        predict(p, i);
    }
    return p;
}

double plain_discs_energy(const plain_discs *p)
{
    double sum = 0;
    for (int i = 0; i < p->count; i++) {
        sum += 0.5 * (p->disc[i].vx * p->disc[i].vx + p->disc[i].vy * p->disc[i].vy);
    }
    return sum;
}

double plain_discs_time(const plain_discs *p)
{
    return p->now;
}
