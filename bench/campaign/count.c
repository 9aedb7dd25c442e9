#include "count.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const double count_tolerances[COUNT_TOLERANCES] = {1e-4, 1e-6, 1e-8, 1e-10};

/* Sums of some hundred terms. */
static const double ROUNDING = 1e-13;

static void book(count_row *row, const count_case *one)
{
    const verdict *v = &one->verdict;
    row->tried++;
    row->seconds += one->seconds;
    row->slowest = fmax(row->slowest, one->seconds);
    row->refused += one->refused;
    if (one->refused) {
        return;
    }
    row->not_terminated += one->result == CRM_NOT_TERMINATED;
    row->infeasible += one->result == CRM_INFEASIBLE;
    row->failed += one->result == CRM_FAILED;
    row->hard += one->result != CRM_SOLVED && !v->judged;
    if (one->result != CRM_SOLVED) {
        return;
    }
    const double beyond = one->estimate + ROUNDING;
    row->solved++;
    row->negative_loss += v->negative_loss > beyond;
    row->negative_impulse += v->negative_impulse > beyond;
    row->closing += v->closing > VERDICT_TRUST * beyond;
    row->account += v->account > beyond;
    row->worst_negative_loss = fmax(row->worst_negative_loss, v->negative_loss);
    row->worst_account = fmax(row->worst_account, v->account);
    row->worst_momentum = fmax(row->worst_momentum, v->momentum);
    row->left += !v->judged;
    if (!v->judged) {
        return;
    }
    row->above_tolerance += v->above_tolerance;
    row->above_estimate += v->above_estimate;
    row->worst_error = fmax(row->worst_error, v->error);
    row->worst_of_tolerance = fmax(row->worst_of_tolerance, v->error / one->tolerance);
    row->worst_of_estimate = fmax(row->worst_of_estimate, v->error / one->estimate);
}

static offence offence_of(const count_case *one)
{
    const verdict *v = &one->verdict;
    const double beyond = one->estimate + ROUNDING;
    if (one->refused || one->result != CRM_SOLVED) {
        return v->judged || one->refused ? OFFENCE_UNSOLVED : OFFENCE_NONE;
    }
    if (v->above_tolerance || v->above_estimate) {
        return OFFENCE_ERROR;
    }
    if (v->negative_loss > beyond || v->negative_impulse > beyond ||
        v->closing > VERDICT_TRUST * beyond) {
        return OFFENCE_SIGN;
    }
    return v->account > beyond ? OFFENCE_ACCOUNT : OFFENCE_NONE;
}

offence count_add(tally *c, const count_case *one)
{
    size_t of_tolerance = 0;
    while (of_tolerance < COUNT_TOLERANCES && count_tolerances[of_tolerance] != one->tolerance) {
        of_tolerance++;
    }
    book(&c->row[one->row], one);
    book(&c->by_tolerance[of_tolerance], one);
    offence o = offence_of(one);
    if (o != OFFENCE_NONE) {
        if (c->offender_count == c->room) {
            c->room = 2 * c->room + 64;
            c->offenders = realloc(c->offenders, c->room * sizeof *c->offenders);
            if (c->offenders == NULL) {
                abort();
            }
        }
        c->offenders[c->offender_count++] = (offender){.index = one->index,
                                                       .kind = c->names[one->row],
                                                       .mono = one->mono,
                                                       .contacts = one->contacts,
                                                       .tolerance = one->tolerance,
                                                       .estimate = one->estimate,
                                                       .offence = o,
                                                       .result = one->result,
                                                       .verdict = one->verdict};
    }
    return o;
}

void count_free(tally *c)
{
    free(c->offenders);
}

/* ---- Printing -------------------------------------------------------------------------------- */

static void add(count_row *to, const count_row *row)
{
    to->tried += row->tried;
    to->solved += row->solved;
    to->refused += row->refused;
    to->not_terminated += row->not_terminated;
    to->infeasible += row->infeasible;
    to->failed += row->failed;
    to->hard += row->hard;
    to->left += row->left;
    to->above_tolerance += row->above_tolerance;
    to->above_estimate += row->above_estimate;
    to->negative_loss += row->negative_loss;
    to->negative_impulse += row->negative_impulse;
    to->closing += row->closing;
    to->account += row->account;
    to->worst_error = fmax(to->worst_error, row->worst_error);
    to->worst_of_tolerance = fmax(to->worst_of_tolerance, row->worst_of_tolerance);
    to->worst_of_estimate = fmax(to->worst_of_estimate, row->worst_of_estimate);
    to->worst_negative_loss = fmax(to->worst_negative_loss, row->worst_negative_loss);
    to->worst_account = fmax(to->worst_account, row->worst_account);
    to->worst_momentum = fmax(to->worst_momentum, row->worst_momentum);
    to->seconds += row->seconds;
    to->slowest = fmax(to->slowest, row->slowest);
}

static void print_head(const char *what)
{
    printf("\n%-20s %6s %6s | %4s %4s %4s %4s %4s | %4s | %8s %8s %8s %5s %5s | %5s %5s %5s %7s "
           "%5s %7s | %6s %7s\n",
           what, "tried", "solved", "refu", "n.te", "inf", "fail", "hard", "left", "worst",
           "/toler.", "/estim.", ">tol", ">10e", "clos.", "p<0", "los<0", "worst", "acc.", "worst",
           "sec.", "slowest");
}

static void print_row(const char *name, const count_row *r)
{
    printf("%-20s %6zu %6zu | %4zu %4zu %4zu %4zu %4zu | %4zu | %8.1e %8.1e %8.1e %5zu %5zu | %5zu "
           "%5zu %5zu %7.1e %5zu %7.1e | %6.1f %7.2f\n",
           name, r->tried, r->solved, r->refused, r->not_terminated, r->infeasible, r->failed,
           r->hard, r->left, r->worst_error, r->worst_of_tolerance, r->worst_of_estimate,
           r->above_tolerance, r->above_estimate, r->closing, r->negative_impulse, r->negative_loss,
           r->worst_negative_loss, r->account, r->worst_account, r->seconds, r->slowest);
}

void count_print_offender(const offender *o)
{
    const verdict *v = &o->verdict;
    printf("%7zu %-20s %-4s %2zu contacts, tolerance %.0e: ", o->index, o->kind,
           o->mono ? "mono" : "bi", o->contacts, o->tolerance);
    if (o->offence == OFFENCE_UNSOLVED) {
        printf("%s", crm_result_text(o->result));
        if (v->judge_steps > 0) {
            printf(", the judge ended after %lu steps", v->judge_steps);
        }
        printf("\n");
        return;
    }
    printf("error %.1e (judge %.0e), estimate %.1e, amplification %.0e", v->error, v->doubt,
           o->estimate, v->amplification);
    printf("%s%s", v->above_tolerance ? ", above tolerance" : "",
           v->above_estimate ? ", above estimate" : "");
    if (o->offence == OFFENCE_SIGN) {
        printf(", closing %.1e, impulse -%.1e, loss -%.1e", v->closing, v->negative_impulse,
               v->negative_loss);
    }
    if (o->offence == OFFENCE_ACCOUNT) {
        printf(", account %.1e", v->account);
    }
    printf("\n");
}

/* Errors, by how much the impact magnifies changes. */
static void print_amplifications(const tally *c)
{
    static const double steps[] = {1e2, 1e4, 1e6, INFINITY};
    enum { STEPS = sizeof steps / sizeof *steps };
    size_t tolerance[STEPS] = {0}, estimate[STEPS] = {0};
    for (size_t i = 0; i < c->offender_count; i++) {
        const offender *o = &c->offenders[i];
        if (o->offence == OFFENCE_ERROR) {
            size_t k = 0;
            while (k + 1 < STEPS && !(o->verdict.amplification < steps[k])) {
                k++;
            }
            tolerance[k] += o->verdict.above_tolerance;
            estimate[k] += o->verdict.above_estimate;
        }
    }
    printf("\namplification     ");
    for (size_t k = 0; k < STEPS; k++) {
        printf("  below %5.0e", steps[k]);
    }
    printf("\nabove tolerance   ");
    for (size_t k = 0; k < STEPS; k++) {
        printf("  %11zu", tolerance[k]);
    }
    printf("\nabove 10 estimates");
    for (size_t k = 0; k < STEPS; k++) {
        printf("  %11zu", estimate[k]);
    }
    printf("\n");
}

void count_print(tally *c)
{
    count_row all = {0};
    print_head("kind");
    for (size_t k = 0; k < c->rows; k++) {
        if (c->row[k].tried > 0) {
            print_row(c->names[k], &c->row[k]);
        }
        add(&all, &c->row[k]);
    }
    print_row("all", &all);
    print_head("tolerance");
    for (size_t k = 0; k <= COUNT_TOLERANCES; k++) {
        char name[32] = "other";
        if (k < COUNT_TOLERANCES) {
            snprintf(name, sizeof name, "%.0e", count_tolerances[k]);
        }
        if (c->by_tolerance[k].tried > 0) {
            print_row(name, &c->by_tolerance[k]);
        }
    }
    printf("largest error of the momentum: %.1e\n", all.worst_momentum);
    print_amplifications(c);
    printf("\noffenders: %zu\n", c->offender_count);
    for (size_t i = 0; i < c->offender_count; i++) {
        count_print_offender(&c->offenders[i]);
    }
}
