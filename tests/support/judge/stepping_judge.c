#include "stepping_judge.h"

#include <math.h>

#include "lcp_judge.h"

/* Steps for which a contact that was loaded does not bounce. */
enum { FLIGHT = 3 };
/* Decisions nearer than this, relative to what they compare, hang on rounding. */
static const double NEARLY = 1e-9;
/* Overlaps below this part of the size are left as they are. */
static const double LEFT = 1e-11;
enum { ROUNDS = 40 };

typedef struct touch {
    size_t party[2];
    double gap, rate, swing, size;
    double w[SMALL];
} touch;

/* ---- Geometry -------------------------------------------------------------------------------- */

/* Where a body's coordinates begin; what is fixed has none. */
static size_t first_of(const judge_scene *s, size_t ball)
{
    size_t first = 0;
    for (size_t i = 0; i < ball; i++) {
        first += s->fixed[i] ? 0 : s->dimension;
    }
    return first;
}

static void add_push(const judge_scene *s, size_t ball, const double *normal, double sign,
                     double *w)
{
    for (unsigned d = 0; d < s->dimension && !s->fixed[ball]; d++) {
        w[first_of(s, ball) + d] += sign * normal[d];
    }
}

static double wall_place(const judge_scene *s, size_t k, double t)
{
    return s->offset[k] + s->speed[k] * t + s->amplitude[k] * sin(s->omega[k] * t + s->phase[k]);
}

static double wall_speed(const judge_scene *s, size_t k, double t)
{
    return s->speed[k] + s->amplitude[k] * s->omega[k] * cos(s->omega[k] * t + s->phase[k]);
}

static touch touch_wall(const judge_scene *s, size_t ball, size_t k, double t, double h)
{
    touch c = {.party = {ball, s->balls + k}, .size = s->radius[ball]};
    c.gap = -wall_place(s, k, t) - s->radius[ball];
    for (unsigned d = 0; d < s->dimension; d++) {
        c.gap += s->normal[k][d] * s->x[ball][d];
    }
    c.rate = -wall_speed(s, k, t);
    c.swing = wall_speed(s, k, t + 0.5 * h) - wall_speed(s, k, t - 0.5 * h);
    add_push(s, ball, s->normal[k], 1, c.w);
    return c;
}

static touch touch_balls(const judge_scene *s, size_t a, size_t b)
{
    touch c = {.party = {a, b}, .size = s->radius[a] + s->radius[b]};
    double normal[3] = {0}, square = 0;
    for (unsigned d = 0; d < s->dimension; d++) {
        normal[d] = s->x[b][d] - s->x[a][d];
        square += normal[d] * normal[d];
    }
    for (unsigned d = 0; d < 3; d++) {
        normal[d] /= sqrt(square);
    }
    c.gap = sqrt(square) - c.size;
    add_push(s, a, normal, -1, c.w);
    add_push(s, b, normal, 1, c.w);
    return c;
}

/* All that there are at time t; h: of the step that has it in its middle. */
static size_t list_all(const judge_scene *s, double t, double h, touch *list)
{
    size_t count = 0;
    for (size_t a = 0; a < s->balls; a++) {
        for (size_t b = a + 1; b < s->balls; b++) {
            if (!s->fixed[a] || !s->fixed[b]) {
                list[count++] = touch_balls(s, a, b);
            }
        }
        for (size_t k = 0; k < s->walls && !s->fixed[a]; k++) {
            list[count++] = touch_wall(s, a, k, t, h);
        }
    }
    return count;
}

static small_system blank(const judge_scene *s)
{
    small_system system = small_system_blank(first_of(s, s->balls), 0);
    for (size_t i = 0; i < s->balls; i++) {
        for (unsigned d = 0; d < s->dimension && !s->fixed[i]; d++) {
            size_t k = first_of(s, i) + d;
            system.mass[k * system.n + k] = s->mass[i];
        }
    }
    return system;
}

/* w'v >= -boundary for one more contact. */
static void ask(small_system *system, const touch *c, double boundary)
{
    size_t j = system->s++;
    system->restitution[j] = 0;
    system->exponent[j] = 1.5;
    system->stiffness[j] = 1;
    system->boundary_velocity[j] = boundary;
    for (size_t k = 0; k < system->n; k++) {
        system->w[j * system->n + k] = c->w[k];
    }
}

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* ---- Which contacts are closed, and their restitution ---------------------------------------- */

/* What forces and walls can change of u in the step. */
static double pull_on(const stepping_judge *judge, const touch *c, const small_system *system)
{
    const judge_scene *s = &judge->scene;
    double square = 0, length = 0;
    double g = sqrt(dot(s->gravity, s->gravity, s->dimension)) * judge->step;
    for (size_t k = 0; k < system->n; k++) {
        length += c->w[k] * c->w[k] / system->mass[k * system->n + k];
    }
    for (unsigned side = 0; side < 2; side++) {
        size_t party = c->party[side];
        square += party < s->balls && !s->fixed[party] ? s->mass[party] * g * g : 0;
    }
    return sqrt(length * square + c->swing * c->swing);
}

static bool is_close_call(double a, double b)
{
    return fabs(a - b) <= NEARLY * fmax(fabs(a), fabs(b));
}

static bool is_closed(const stepping_judge *judge, const touch *c, double pull, bool *sure)
{
    double below = judge->closure * c->size + 0.125 * judge->step * pull;
    *sure &= fabs(c->gap - below) > 1e-13 * c->size && !is_close_call(c->gap, below);
    return c->gap <= below;
}

static double epsilon_of(const stepping_judge *judge, const touch *c, double u, double pull,
                         bool *sure)
{
    double e = judge->restitution;
    unsigned loaded = judge->loaded[c->party[0]][c->party[1]];
    bool flew = loaded == 0 || loaded > FLIGHT;
    double least = pull * fmin(5, fmax(0.5, pow(e, 3) / (1 - e * e)));
    *sure &= !(flew && e > 0) || !is_close_call(-e * u, least);
    return u > 0 ? 1 : flew && -e * u > least ? e : 0;
}

/* ---- Positions ------------------------------------------------------------------------------- */

static double deepest_of(const touch *list, size_t count, double *worst)
{
    double deepest = 0;
    *worst = 0;
    for (size_t j = 0; j < count; j++) {
        deepest = fmax(deepest, -list[j].gap);
        *worst = fmax(*worst, -list[j].gap / list[j].size);
    }
    return deepest;
}

static void move(judge_scene *s, const double *way)
{
    for (size_t i = 0; i < s->balls; i++) {
        for (unsigned d = 0; d < s->dimension && !s->fixed[i]; d++) {
            s->x[i][d] += way[first_of(s, i) + d];
        }
    }
}

/* One round: the nearest place where no gap is below 0, all of them straightened. */
static bool part_once(judge_scene *s, const touch *list, size_t count, double deepest)
{
    small_system system = blank(s);
    for (size_t j = 0; j < count; j++) {
        if (list[j].gap <= 100 * deepest) {
            if (system.s == SMALL) {
                return false;
            }
            ask(&system, &list[j], list[j].gap / deepest);
        }
    }
    lcp_verdict verdict = lcp_judge_newton(&system, NULL);
    for (size_t k = 0; k < system.n; k++) {
        verdict.velocity[k] *= deepest;
    }
    move(s, verdict.velocity);
    return verdict.sure && verdict.feasible;
}

static bool part(judge_scene *s, double *overlap)
{
    touch list[JUDGE_BALLS * JUDGE_WALLS];
    for (unsigned round = 0; round < ROUNDS; round++) {
        double worst;
        size_t count = list_all(s, s->time, 0, list);
        double deepest = deepest_of(list, count, &worst);
        if (round == 0) {
            *overlap = deepest;
        }
        if (worst <= LEFT) {
            return true;
        }
        if (!part_once(s, list, count, deepest)) {
            return false;
        }
    }
    return false;
}

/* ---- The step -------------------------------------------------------------------------------- */

static void fill_velocities(const judge_scene *s, double h, small_system *system, double *v)
{
    for (size_t i = 0; i < s->balls; i++) {
        for (unsigned d = 0; d < s->dimension && !s->fixed[i]; d++) {
            v[first_of(s, i) + d] = s->v[i][d];
            system->velocity[first_of(s, i) + d] = s->v[i][d] + h * s->gravity[d];
        }
    }
}

static void remember(stepping_judge *judge, const touch *closed, const lcp_verdict *verdict,
                     size_t count)
{
    for (size_t a = 0; a < JUDGE_BALLS; a++) {
        for (size_t b = 0; b < JUDGE_BALLS + JUDGE_WALLS; b++) {
            judge->loaded[a][b] += judge->loaded[a][b] > 0;
        }
    }
    for (size_t j = 0; j < count; j++) {
        if (verdict->impulse[j] > 0) {
            judge->loaded[closed[j].party[0]][closed[j].party[1]] = 1;
        }
    }
}

/* The contacts that are closed, asked for in `system`; false if there are too many. */
static bool close_in(const stepping_judge *judge, const judge_scene *middle, const double *v,
                     small_system *system, touch *closed, bool *sure)
{
    touch list[JUDGE_BALLS * JUDGE_WALLS];
    size_t count = list_all(middle, judge->scene.time + 0.5 * judge->step, judge->step, list);
    for (size_t j = 0; j < count; j++) {
        double pull = pull_on(judge, &list[j], system);
        if (!is_closed(judge, &list[j], pull, sure)) {
            continue;
        }
        if (system->s == SMALL) {
            return false;
        }
        double u = dot(list[j].w, v, system->n) + list[j].rate;
        closed[system->s] = list[j];
        ask(system, &list[j], list[j].rate + epsilon_of(judge, &list[j], u, pull, sure) * u);
    }
    return true;
}

static void arrive(judge_scene *end, double h, const double *v)
{
    double way[SMALL];
    for (size_t i = 0; i < end->balls; i++) {
        for (unsigned d = 0; d < end->dimension && !end->fixed[i]; d++) {
            size_t k = first_of(end, i) + d;
            end->v[i][d] = v[k];
            way[k] = 0.5 * h * v[k];
        }
    }
    move(end, way);
}

stepping_verdict stepping_judge_step(stepping_judge *judge)
{
    judge_scene *s = &judge->scene;
    stepping_verdict result = {.sure = true, .end = *s};
    touch closed[SMALL];
    double v[SMALL], half[SMALL], h = judge->step;
    small_system system = blank(s);
    fill_velocities(s, h, &system, v);
    for (size_t k = 0; k < system.n; k++) {
        half[k] = 0.5 * h * v[k];
    }
    move(&result.end, half);
    if (!close_in(judge, &result.end, v, &system, closed, &result.sure)) {
        return (stepping_verdict){.sure = false};
    }
    lcp_verdict verdict = lcp_judge_newton(&system, NULL);
    result.contacts = system.s;
    result.sure &= verdict.sure && verdict.feasible;
    result.known = result.sure && verdict.independent && verdict.clear;
    remember(judge, closed, &verdict, system.s);
    arrive(&result.end, h, system.s > 0 ? verdict.velocity : system.velocity);
    result.end.time = s->time + h;
    result.sure &= part(&result.end, &result.overlap);
    return result;
}
