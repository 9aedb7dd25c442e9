/* Random systems of contacts of all sorts, solved and judged: see curve_judge.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "curve_judge.h"

/* ---- Drawing --------------------------------------------------------------------------------- */

static double draw_exponent(rng *r)
{
    static const double common[] = {1, 1.5, 1.5, 2, 2.5};
    return rng_below(r, 4) ? common[rng_below(r, 5)] : rng_uniform(r, 0.8, 2.8);
}

static drawn_curve draw_curve(rng *r)
{
    drawn_curve c = {.kind = (curve_kind)rng_below(r, 3)};
    double x = 0, f = 0;
    c.count = c.kind == CURVE_POWERS ? 1 + rng_below(r, 3) : 2 + rng_below(r, CURVE_POINTS - 1);
    for (size_t k = 0; k < c.count; k++) {
        bool table = c.kind == CURVE_POINTS_TABLE;
        c.a[k] = table ? x : rng_log(r, 0.1, 10);
        c.b[k] = table ? f : draw_exponent(r);
        x += rng_log(r, 0.02, 0.5);
        f += rng_log(r, 0.02, 1);
    }
    c.yield = rng_log(r, 0.05, 1);
    return c;
}

/* As steep as loading at equal forces, or steeper: the same curve in a shorter indentation. */
static drawn_curve steeper(rng *r, const drawn_curve *loading)
{
    double shorter = rng_below(r, 8) ? rng_uniform(r, 0.3, 1) : 1;
    drawn_curve c = *loading;
    for (size_t k = 0; k < c.count; k++) {
        c.a[k] = c.kind == CURVE_POINTS_TABLE ? c.a[k] * shorter : c.a[k] / pow(shorter, c.b[k]);
    }
    c.yield *= shorter;
    return c;
}

static drawn_contact draw_contact(rng *r, const small_system *s, size_t j)
{
    drawn_contact c = {.plain = rng_below(r, 4) == 0};
    if (c.plain) {
        c.loading = (drawn_curve){.count = 1, .a = {s->stiffness[j]}, .b = {s->exponent[j]}};
        return c;
    }
    c.loading = draw_curve(r);
    c.unloads = rng_below(r, 3) == 0;
    c.unloading = steeper(r, &c.loading);
    c.form = (drawn_restitution)rng_below(r, 4);
    c.parameter = c.form == DRAWN_YIELD          ? rng_log(r, 0.01, 2)
                  : c.form == DRAWN_VISCOELASTIC ? rng_uniform(r, 0, 0.5)
                                                 : rng_log(r, 0.1, 10);
    return c;
}

curve_system curve_system_draw(rng *r, size_t most)
{
    random_choice choice = random_choice_default();
    choice.most_contacts = most;
    choice.stored_energy = rng_below(r, 4) == 0;
    choice.plastic_sometimes = rng_below(r, 4) == 0;
    curve_system c;
    c.system =
        rng_below(r, 3) ? random_chain(r, choice, rng_below(r, 2)) : random_lagrangian(r, choice);
    for (size_t j = 0; j < c.system.s; j++) {
        c.contact[j] = draw_contact(r, &c.system, j);
    }
    return c;
}

/* ---- Solving --------------------------------------------------------------------------------- */

static crm_curve_def curve_def(const drawn_curve *c)
{
    static const crm_curve_form forms[] = {CRM_CURVE_SUM, CRM_CURVE_BOUNDED, CRM_CURVE_TABLE};
    return (crm_curve_def){.form = forms[c->kind],
                           .count = c->count,
                           .stiffness = c->a,
                           .exponent = c->b,
                           .yield = c->yield,
                           .x = c->a,
                           .force = c->b};
}

static double of_work(void *context, double work)
{
    return 1 / (1 + *(double *)context * work);
}

static crm_restitution_def restitution_def(drawn_contact *c)
{
    static const crm_restitution_form forms[] = {CRM_RESTITUTION_TABLE, CRM_RESTITUTION_YIELD,
                                                 CRM_RESTITUTION_VISCOELASTIC,
                                                 CRM_RESTITUTION_FUNCTION};
    return (crm_restitution_def){.form = forms[c->form],
                                 .of_work = c->form == DRAWN_OF_WORK,
                                 .speed = c->parameter,
                                 .loss = c->parameter,
                                 .function = of_work,
                                 .context = &c->parameter};
}

crm_outcome *curve_system_solve(const curve_system *given, bool mono, double tolerance,
                                crm_error *error)
{
    curve_system c = *given;
    crm_curve_def loading[SMALL], unloading[SMALL];
    crm_restitution_def restitution[SMALL];
    crm_compliance_def compliance[SMALL];
    for (size_t j = 0; j < c.system.s; j++) {
        loading[j] = curve_def(&c.contact[j].loading);
        unloading[j] = curve_def(&c.contact[j].unloading);
        restitution[j] = restitution_def(&c.contact[j]);
        bool depends = c.contact[j].form != DRAWN_NUMBER && !c.contact[j].unloads;
        compliance[j] =
            (crm_compliance_def){.loading = &loading[j],
                                 .unloading = c.contact[j].unloads ? &unloading[j] : NULL,
                                 .restitution = depends ? &restitution[j] : NULL};
        compliance[j] = c.contact[j].plain ? (crm_compliance_def){0} : compliance[j];
    }
    crm_system_def def = small_system_def(&c.system);
    def.compliance = compliance;
    crm_settings *settings = lzb_settings(
        (lzb_choices){.stiffness_model = mono ? "mono" : "bi", .tolerance = tolerance});
    crm_model *model = NULL;
    crm_outcome *outcome = NULL;
    if (crm_model_from_system(&def, &model, error) == CRM_OK) {
        (void)crm_solve(model, c.system.velocity, settings, NULL, &outcome, error);
    }
    crm_model_free(model);
    crm_settings_free(settings);
    return outcome;
}

/* ---- Judging --------------------------------------------------------------------------------- */

static double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t j = 0; j < count; j++) {
        sum += values[j];
    }
    return sum;
}

static bool account_closes(const crm_outcome *o)
{
    double before = o->energy_before + o->stored_before + o->boundary_work;
    double after = o->energy_after + sum_of(o->loss, o->contacts);
    bool losses = true;
    for (size_t j = 0; j < o->contacts; j++) {
        losses &= o->loss[j] >= -1e-7 * before;
    }
    return losses && fabs(before - after) <= 1e-12 * before;
}

static void judge_one(const curve_system *c, bool mono, double tolerance, size_t index,
                      curve_tally *t)
{
    crm_error error = {0};
    crm_outcome *o = curve_system_solve(c, mono, tolerance, &error);
    const char *label = mono ? "mono" : "bi";
    t->systems++;
    if (o == NULL || o->result != CRM_SOLVED) {
        printf("# %zu %s: not solved: %s %s\n", index, label, error.place,
               o == NULL ? error.message : o->reason);
        t->unsolved++;
        crm_outcome_free(o);
        return;
    }
    curve_judgement truth = curve_judge(c, mono, 0);
    double off = small_system_error(&c->system, o->velocity, truth.velocity);
    double allowed = fmax(tolerance, 10 * o->error_estimate) + 10 * truth.left;
    if (!truth.finished) {
        t->unjudged++;
    } else if (off > tolerance || off > 10 * o->error_estimate + 10 * truth.left) {
        curve_judgement beside = curve_judge(c, mono, 1e-11);
        double moved = small_system_error(&c->system, beside.velocity, truth.velocity);
        if (moved > 1e-7) { /* near a jump: the truth itself is not known */
            printf("# %zu %s: sensitive, off by %.2g, moved by %.2g\n", index, label, off, moved);
            t->sensitive++;
            crm_outcome_free(o);
            return;
        }
    }
    if (truth.finished) {
        bool above = off > 10 * o->error_estimate + 10 * truth.left;
        t->above_tolerance += off > tolerance + 10 * truth.left;
        t->above_estimate += above;
        t->worst = fmax(t->worst, off);
        t->worst_of_estimate = fmax(t->worst_of_estimate, off / o->error_estimate);
        if (off > allowed || above || off > tolerance + 10 * truth.left) {
            printf("# %zu %s, %zu contacts: off by %.2g, estimate %.2g\n", index, label,
                   c->system.s, off, o->error_estimate);
        }
    }
    if (!account_closes(o)) {
        printf("# %zu %s: the account does not close\n", index, label);
        t->wrong_account++;
    }
    crm_outcome_free(o);
}

curve_tally curve_judge_campaign(uint64_t seed, size_t first, size_t count, double tolerance)
{
    curve_tally t = {0};
    for (size_t i = first; i < first + count; i++) {
        rng r = rng_seeded(seed * 1000003 + i);
        curve_system c = curve_system_draw(&r, 12);
        judge_one(&c, i % 2 == 1, tolerance, i, &t);
    }
    return t;
}
