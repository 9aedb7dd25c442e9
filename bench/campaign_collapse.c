/* Whether what is called an inelastic collapse (src/law/collisions/collapse.c) has no end.
 *
 *     campaign_collapse [SYSTEMS [SEED]]        (default 2000 1)
 *     campaign_collapse --only INDEX SEED
 *
 * Chains of 3 to 12 balls, alike or over decades, with one restitution or many, at a wall or not;
 * and, one in four, three balls next to where collisions begin to have no end (Towne and Hadlock's
 * z = 1, P1 17), whose number grows without bound there. The judge is the law as it is printed, in
 * gap velocities and extended precision, without a tolerance: from the same start some contact must
 * still close after JUDGED collisions. Three balls are judged by z as well. Prints each that does
 * end. Exit status 1: there is one, or hardly any collapse was found.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { BALLS = 12, JUDGED = 1000000, MOST_COLLISIONS = 1000000 };
/* Closing speeds below this are at the end of the range of extended precision. */
static const long double SMALLEST = 1e-4800L;
enum { LEAST, GREATEST, FASTEST, ORDERS };

static const char *const orders[ORDERS] = {"left-to-right", "right-to-left", "fastest"};

typedef struct chain {
    size_t balls, contacts, order;
    bool wall, critical;
    double z; /* of three balls next to z = 1 */
    double mass[BALLS], restitution[BALLS], velocity[BALLS], tolerance;
} chain;

/* Equal outer balls: 1 + m_2 = (sqrt(e) + 1 / sqrt(e)) / 2 / z. */
static chain draw_critical(rng *r)
{
    chain c = {.balls = 3, .contacts = 2, .critical = true, .tolerance = 1e-250};
    double e = 1 - rng_log(r, 0.005, 0.05), away = rng_log(r, 1e-11, 2e-6);
    c.z = rng_below(r, 2) ? 1 + away : 1 - away;
    c.order = rng_below(r, ORDERS);
    c.mass[0] = c.mass[2] = 1;
    c.mass[1] = (sqrt(e) + 1 / sqrt(e)) / 2 / c.z - 1;
    c.restitution[0] = c.restitution[1] = e;
    c.velocity[0] = 1;
    return c;
}

static chain draw(uint64_t seed, size_t index)
{
    rng r = rng_seeded(seed + 1000003 * index);
    if (rng_below(&r, 4) == 0) {
        chain c = draw_critical(&r);
        if (c.mass[1] > 0) {
            return c;
        }
    }
    chain c = {.balls = 3 + rng_below(&r, BALLS - 2), .order = rng_below(&r, ORDERS)};
    bool alike = rng_below(&r, 2) == 0, equal = rng_below(&r, 2) == 0;
    bool struck = rng_below(&r, 3) == 0;
    double e = rng_uniform(&r, 0, 1), spread = rng_uniform(&r, 0, 6);
    c.wall = rng_below(&r, 2) == 0;
    c.contacts = c.balls - !c.wall;
    c.tolerance = rng_below(&r, 2) ? 1e-12 : 1e-250;
    for (size_t i = 0; i < c.balls; i++) {
        c.mass[i] = alike ? 1 : exp(rng_uniform(&r, -spread, spread));
        c.restitution[i] = equal ? e : rng_uniform(&r, 0, 1);
        c.velocity[i] = struck ? i == 0 : rng_uniform(&r, -1, 1);
    }
    return c;
}

/* ---- The judge ------------------------------------------------------------------------------- */

static size_t pick(const chain *c, const long double *u)
{
    size_t best = c->contacts;
    for (size_t j = 0; j < c->contacts; j++) {
        bool first =
            best == c->contacts || c->order == GREATEST || (c->order == FASTEST && u[j] < u[best]);
        best = u[j] < 0 && first ? j : best;
    }
    return best;
}

/* How many collisions there are until no contact closes; JUDGED: at least that many, or more than
 * can be followed.
 */
static size_t judge_collisions(const chain *c)
{
    long double u[BALLS + 1] = {0}, inverse[BALLS + 1] = {0};
    for (size_t i = 0; i < c->balls; i++) {
        inverse[i] = 1 / (long double)c->mass[i]; /* a wall has 0 */
    }
    for (size_t j = 0; j < c->contacts; j++) {
        u[j] = (j + 1 < c->balls ? (long double)c->velocity[j + 1] : 0) - c->velocity[j];
    }
    for (size_t count = 0; count < JUDGED; count++) {
        size_t j = pick(c, u);
        if (j == c->contacts) {
            return count;
        }
        if (u[j] > -SMALLEST) {
            break;
        }
        long double e = c->restitution[j],
                    impulse = -(1 + e) * u[j] / (inverse[j] + inverse[j + 1]);
        u[j] *= -e;
        if (j > 0) {
            u[j - 1] -= impulse * inverse[j];
        }
        if (j + 1 < c->contacts) {
            u[j + 1] -= impulse * inverse[j + 1];
        }
    }
    return JUDGED;
}

/* ---- The law --------------------------------------------------------------------------------- */

static crm_outcome *solve(const chain *c, crm_error *error)
{
    crm_chain_def def = crm_chain_def_default();
    crm_model *model = NULL;
    crm_settings *settings = NULL;
    crm_outcome *outcome = NULL;
    def.count = c->balls;
    def.mass.each = c->mass;
    def.restitution.each = c->restitution;
    def.wall_side = c->wall ? CRM_WALL_RIGHT : CRM_WALL_NONE;
    def.wall.restitution = c->restitution[c->balls - 1];
    crm_status status = crm_model_from_chain(&def, &model, error);
    status =
        status == CRM_OK ? crm_settings_create(crm_law_find("binary"), &settings, error) : status;
    status = status == CRM_OK ? crm_settings_set_text(settings, "order", orders[c->order], error)
                              : status;
    status = status == CRM_OK
                 ? crm_settings_set_number(settings, "max_collisions", MOST_COLLISIONS, error)
                 : status;
    status = status == CRM_OK ? crm_settings_set_number(settings, "tolerance", c->tolerance, error)
                              : status;
    if (status == CRM_OK) {
        (void)crm_solve(model, c->velocity, settings, NULL, &outcome, error);
    }
    crm_settings_free(settings);
    crm_model_free(model);
    return outcome;
}

typedef struct tally {
    size_t collapsed, critical, wrong, solved, died, undecided;
} tally;

static void show(const chain *c, const crm_outcome *outcome, size_t ended, size_t index,
                 uint64_t seed)
{
    printf("%s\n    ends after %zu collisions (%s, z = %.15g): campaign_collapse --only %zu %llu\n",
           outcome->reason, ended, orders[c->order], c->z, index, (unsigned long long)seed);
}

static bool try_one(uint64_t seed, size_t index, tally *t)
{
    chain c = draw(seed, index);
    crm_error error = {0};
    crm_outcome *outcome = solve(&c, &error);
    if (outcome == NULL) {
        printf("%s: campaign_collapse --only %zu %llu\n", error.message, index,
               (unsigned long long)seed);
        return false;
    }
    bool collapsed = strstr(outcome->reason, "inelastic collapse") != NULL;
    t->solved += outcome->result == CRM_SOLVED;
    t->undecided += !collapsed && outcome->steps >= MOST_COLLISIONS;
    t->died += !collapsed && outcome->result != CRM_SOLVED && outcome->steps < MOST_COLLISIONS;
    if (collapsed) {
        size_t ended = judge_collisions(&c);
        bool wrong = ended < JUDGED || (c.critical && c.z < 1);
        t->collapsed++;
        t->critical += c.critical;
        t->wrong += wrong;
        if (wrong) {
            show(&c, outcome, ended, index, seed);
        }
    }
    crm_outcome_free(outcome);
    return true;
}

int main(int count, char **argument)
{
    bool only = count > 1 && strcmp(argument[1], "--only") == 0;
    size_t systems = count > 1 && !only ? strtoul(argument[1], NULL, 10) : 2000;
    uint64_t seed = count > 2 + only ? strtoull(argument[2 + only], NULL, 10) : 1;
    size_t first = only && count > 2 ? strtoul(argument[2], NULL, 10) : 0;
    size_t end = only ? first + 1 : systems;
    tally t = {0};
    bool good = true;
    for (size_t k = first; k < end; k++) {
        good = try_one(seed, k, &t) && good;
    }
    printf("%zu chains: %zu collapse, %zu of them next to z = 1, and %zu of these do end; %zu "
           "solved, %zu die away, %zu not decided in %d collisions\n",
           end - first, t.collapsed, t.critical, t.wrong, t.solved, t.died, t.undecided,
           MOST_COLLISIONS);
    return good && t.wrong == 0 && (only || 50 * t.collapsed >= systems) ? 0 : 1;
}
