/* Answers against others that share no code with them, on tiny systems.
 *
 * An even first byte: LZB on a chain of two to four balls against the judge of the tests. An odd
 * one: a complementarity problem with D = G'G of small whole numbers, against all sets of active
 * contacts in exact arithmetic.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct bytes {
    const uint8_t *at, *end;
} bytes;

static unsigned next_byte(bytes *b)
{
    return b->at < b->end ? *b->at++ : 0;
}

/* ---- Complementarity ------------------------------------------------------------------------- */

enum { MOST = 4, SPAN = 9 };

typedef struct whole_problem {
    size_t size;
    int64_t d[MOST][MOST], q[MOST];
} whole_problem;

/* Any whole numbers from -4 to 4: dependent and repeated columns, zeros, equal rows. */
static whole_problem feed_problem(bytes *b)
{
    whole_problem p = {.size = 1 + next_byte(b) % MOST};
    size_t rows = 1 + next_byte(b) % MOST;
    int64_t g[MOST][MOST] = {{0}};
    for (size_t j = 0; j < p.size; j++) {
        for (size_t i = 0; i < rows; i++) {
            g[i][j] = (int64_t)(next_byte(b) % SPAN) - SPAN / 2;
        }
        p.q[j] = (int64_t)(next_byte(b) % SPAN) - SPAN / 2;
    }
    for (size_t j = 0; j < p.size; j++) {
        for (size_t k = 0; k < p.size; k++) {
            for (size_t i = 0; i < rows; i++) {
                p.d[j][k] += g[i][j] * g[i][k];
            }
        }
    }
    return p;
}

/* By rows, exact: entries are at most 64, so nothing comes near 2^63. */
static int64_t determinant(size_t size, int64_t a[MOST][MOST])
{
    if (size == 0) {
        return 1;
    }
    int64_t sum = 0;
    for (size_t k = 0; k < size; k++) {
        int64_t minor[MOST][MOST];
        for (size_t i = 1; i < size; i++) {
            for (size_t j = 0, to = 0; j < size; j++) {
                if (j != k) {
                    minor[i - 1][to++] = a[i][j];
                }
            }
        }
        sum += (k % 2 == 0 ? 1 : -1) * a[0][k] * determinant(size - 1, minor);
    }
    return sum;
}

/* Cramer's rule for D_AA p_A = -q_A: p_k = part[k] / whole, whole > 0. False: it is singular. */
static bool solve_set(const whole_problem *p, size_t count, const size_t *set, int64_t *part,
                      int64_t *whole)
{
    int64_t a[MOST][MOST], changed[MOST][MOST];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            a[i][j] = p->d[set[i]][set[j]];
        }
    }
    *whole = determinant(count, a);
    for (size_t k = 0; k < count && *whole != 0; k++) {
        memcpy(changed, a, sizeof a);
        for (size_t i = 0; i < count; i++) {
            changed[i][k] = -p->q[set[i]];
        }
        part[k] = determinant(count, changed);
    }
    return *whole > 0; /* semidefinite: never below */
}

/* Whether this set of contacts solves the problem; then w. */
static bool try_set(const whole_problem *p, unsigned chosen, double *w)
{
    size_t set[MOST], count = 0;
    int64_t part[MOST], whole;
    for (size_t j = 0; j < p->size; j++) {
        if ((chosen >> j & 1) != 0) {
            set[count++] = j;
        }
    }
    if (!solve_set(p, count, set, part, &whole)) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        if (part[k] < 0) {
            return false;
        }
    }
    for (size_t j = 0; j < p->size; j++) {
        int64_t sum = p->q[j] * whole;
        for (size_t k = 0; k < count; k++) {
            sum += p->d[j][set[k]] * part[k];
        }
        if (sum < 0) {
            return false;
        }
        w[j] = (double)sum / (double)whole;
    }
    return true;
}

/* If there is a solution there is one on independent contacts, and w is that of all. */
static bool enumerate(const whole_problem *p, double *w)
{
    bool found = false;
    for (unsigned chosen = 0; chosen < 1u << p->size && !found; chosen++) {
        found = try_set(p, chosen, w);
    }
    return found;
}

static void complain(const whole_problem *p, const crm_lcp_info *info, const double *w,
                     const double *want)
{
    fprintf(stderr, "result %s\n", crm_lcp_result_text(info->result));
    for (size_t j = 0; j < p->size; j++) {
        for (size_t k = 0; k < p->size; k++) {
            fprintf(stderr, "%4lld", (long long)p->d[j][k]);
        }
        fprintf(stderr, "   q %4lld   w %.17g want %.17g\n", (long long)p->q[j], w[j], want[j]);
    }
    abort();
}

static void compare_lcp(bytes *b)
{
    static const double exact = 1e-11;
    whole_problem problem = feed_problem(b);
    size_t n = problem.size, start[MOST + 1];
    uint32_t row[MOST * MOST];
    double value[MOST * MOST], q[MOST], p[MOST], w[MOST], want[MOST] = {0};
    for (size_t j = 0; j < n; j++) {
        start[j] = j * n;
        q[j] = (double)problem.q[j];
        for (size_t i = 0; i < n; i++) {
            row[j * n + i] = (uint32_t)i;
            value[j * n + i] = (double)problem.d[j][i];
        }
    }
    start[n] = n * n;
    const crm_sparse_view view = {.column_start = start, .row = row, .value = value};
    crm_lcp *lcp = NULL;
    crm_lcp_info info;
    if (crm_lcp_create(n, &view, &lcp, NULL) != CRM_OK ||
        crm_lcp_solve(lcp, q, NULL, p, w, &info, NULL) != CRM_OK) {
        abort();
    }
    bool feasible = enumerate(&problem, want);
    if (info.result != (feasible ? CRM_LCP_SOLVED : CRM_LCP_INFEASIBLE)) {
        complain(&problem, &info, w, want);
    }
    for (size_t j = 0; j < n && feasible; j++) {
        if (!(p[j] >= 0) || !(fabs(w[j] - want[j]) <= exact)) {
            complain(&problem, &info, w, want);
        }
    }
    crm_lcp_free(lcp);
}

/* ---- LZB ------------------------------------------------------------------------------------- */

static double pick(bytes *b, const double *list, size_t count)
{
    return list[next_byte(b) % count];
}

#define PICK(b, ...)                                                                               \
    pick((b), (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))

static small_system feed_chain(bytes *b)
{
    size_t balls = 2 + next_byte(b) % 3;
    small_system chain = small_system_chain(balls, next_byte(b) % 3 == 1);
    for (size_t i = 0; i < balls; i++) {
        chain.mass[i * balls + i] = PICK(b, 1, 0.125, 0.5, 2, 3, 8);
        chain.velocity[i] = ((double)(next_byte(b) % 33) - 16) / 8;
    }
    for (size_t j = 0; j < chain.s; j++) {
        chain.stiffness[j] = PICK(b, 1, 0.1, 10, 0.5, 100);
        chain.exponent[j] = PICK(b, 1.5, 1, 2, 3, 1.2);
        chain.restitution[j] = PICK(b, 1, 0.9, 0.5, 0.2, 0.97, 0.75);
    }
    return chain;
}

static double speed_of(const small_system *system)
{
    double u[SMALL], most = 0;
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t i = 0; i < system->n; i++) {
        most = fmax(most, fabs(system->velocity[i]));
    }
    for (size_t j = 0; j < system->s; j++) {
        most = fmax(most, -u[j]);
    }
    return most;
}

/* The judge again from a v- that differs a little: how much of that v+ shows. */
static double magnified(const small_system *system, bool mono, const judgement *from)
{
    static const double change = 1e-8;
    small_system moved = *system;
    for (size_t i = 0; i < system->n; i++) {
        moved.velocity[i] += (i % 2 == 0 ? change : -change) * speed_of(system);
    }
    judgement other = judge(&moved, mono, 0);
    return largest_difference(other.velocity, from->velocity, system->n) /
           (change * speed_of(system));
}

/* Off by ten estimates and the tolerance, where the law itself is steady: not near a jump of the
 * mono-stiffness model, and without errors that the impact magnifies.
 */
static bool is_wrong(const small_system *system, bool mono, const crm_outcome *outcome,
                     const judgement *j)
{
    static const double tolerance = 1e-8, steady = 300, near_jump = 1e-4;
    double error = largest_difference(outcome->velocity, j->velocity, system->n) / speed_of(system);
    return error > tolerance + 10 * outcome->error_estimate && j->margin > near_jump &&
           magnified(system, mono, j) < steady;
}

static void compare_lzb(bytes *b)
{
    bool mono = next_byte(b) % 4 == 3;
    small_system system = feed_chain(b);
    if (speed_of(&system) == 0) {
        return;
    }
    judgement j = judge(&system, mono, 1e-14);
    if (!j.finished || (j.tail && j.tail_speed > 1e-9 * speed_of(&system))) {
        return;
    }
    crm_outcome *outcome = lzb_solve_small(&system, mono ? lzb_mono : lzb_bi);
    if (outcome->result != CRM_SOLVED || is_wrong(&system, mono, outcome, &j)) {
        small_system_print(&system);
        fprintf(stderr, "%s, %s: estimate %g, margin %g\n", mono ? "mono" : "bi",
                crm_result_text(outcome->result), outcome->error_estimate, j.margin);
        for (size_t i = 0; i < system.n; i++) {
            fprintf(stderr, "v %.17g, judge %.17g\n", outcome->velocity[i], j.velocity[i]);
        }
        abort();
    }
    crm_outcome_free(outcome);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, data + size};
    if (next_byte(&b) % 2 == 0) {
        compare_lzb(&b);
    } else {
        compare_lcp(&b);
    }
    return 0;
}
