/* poisson: Poisson's law in inequality form, compression and then expansion (P2 3.3, 3.4); with
 * friction Coulomb's law in each (docs/theory/friction.md), of which the proof below does not hold.
 *
 * Compression: c >= 0, u0 = u- + D c >= 0, complementary: a plastic impact. Expansion returns
 * e_j c_j at each contact, and z >= 0 more where the contact would otherwise close:
 * u+ = u0 + D (diag(e) c + z) >= 0, complementary to z. In all p = c + diag(e) c + z.
 *
 * Energy never grows, equal coefficients or not (P2 fears it might). Compression changes it by
 * u-'c + c'Dc/2 = -c'Dc/2, since c'u0 = 0. The impulses of expansion x = diag(e) c + z are those
 * that minimise its change u0'x + x'Dx/2 over all x >= diag(e) c: their complementarity conditions
 * are the ones above. For e_j <= 1 one such x is c itself, which changes it by c'Dc/2; the least
 * is no more. Nothing in this needs c to be unique.
 */
#include <math.h>

#include "law/complementarity/derivative.h"

/* Always u+ >= 0, and T+ <= T- without friction. */
static const crm_law_causes causes = {
    .gain_by_friction = "expansion returns normal impulses without the friction they came with"};

enum { ANSWERS };

static const crm_parameter parameters[] = {[ANSWERS] = CRM_ANSWERS_PARAMETER};

/* Work space: an entry for each normal and tangent. */
typedef struct phases {
    crm_twofold *compression; /* c */
    crm_twofold *turning;     /* u0, later u+ */
    crm_twofold *q;
    crm_twofold *part;    /* diag(e - e_1) c, later z */
    crm_twofold *pressed; /* diag(e) c, of normals */
    double *noise;
} phases;

static bool take_phases(const crm_outcome *outcome, crm_pool *pool, phases *work)
{
    size_t s = outcome->contacts * (1 + outcome->tangents);
    crm_twofold *all = CRM_TAKE(pool, crm_twofold, 5 * s);
    *work =
        (phases){all, all + s, all + 2 * s, all + 3 * s, all + 4 * s, CRM_TAKE(pool, double, s)};
    return all != NULL && work->noise != NULL;
}

static bool equal_restitution(const crm_model *model)
{
    for (size_t j = 1; j < model->contacts; j++) {
        if (model->restitution[j] != model->restitution[0]) {
            return false;
        }
    }
    return true;
}

static crm_twofold common_restitution(const crm_model *model)
{
    return crm_twofold_of(model->contacts > 0 ? model->restitution[0] : 0);
}

/* e of a normal, 0 of a tangent: what friction does in compression is not given back. */
static double returned(const crm_stages *stages, size_t entry)
{
    const crm_model *model = stages->problem->model;
    return entry < model->contacts ? model->restitution[entry] : 0;
}

/* q = u0 + D diag(e) c. Since D c = u0 - u-, this is u0 + e_1 (u0 - u-) + D diag(e - e_1) c, where
 * equal coefficients leave nothing to be rounded in the last term.
 */
static crm_status fill_expansion(crm_stages *stages, phases *work, crm_error *error)
{
    const crm_model *model = stages->problem->model;
    crm_twofold common = common_restitution(model);
    for (size_t k = 0; k < stages->entries; k++) {
        crm_twofold e = crm_twofold_of(returned(stages, k));
        crm_twofold gone = crm_twofold_difference(work->turning[k], stages->gap_velocity[k]);
        work->part[k] =
            crm_twofold_product(crm_twofold_difference(e, common), work->compression[k]);
        work->q[k] = crm_twofold_add_product(work->turning[k], common, gone);
    }
    crm_status status = crm_stages_push(stages, work->part, work->q, error);
    for (size_t j = 0; j < model->contacts; j++) {
        work->noise[j] = 2 * stages->noise[j] + fabs(work->q[j].high);
    }
    return status;
}

/* What is returned presses the contacts while they slip, too. */
static void press(const crm_stages *stages, phases *work)
{
    for (size_t j = 0; j < stages->outcome->contacts; j++) {
        work->pressed[j] =
            crm_twofold_product(crm_twofold_of(returned(stages, j)), work->compression[j]);
    }
}

static crm_status expand(crm_stages *stages, phases *work, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    crm_status status = fill_expansion(stages, work, error);
    if (status == CRM_OK) {
        press(stages, work);
        stages->pressed = work->pressed;
        status = crm_stages_solve(stages, work->q, work->noise, crm_twofold_of(1), work->part,
                                  work->turning, error);
        stages->pressed = NULL;
    }
    if (status != CRM_OK || outcome->result == CRM_FAILED) {
        return status;
    }
    for (size_t k = 0; k < stages->entries; k++) {
        crm_twofold both = crm_two_sum(1, returned(stages, k));
        double sum = crm_twofold_add_product(work->part[k], work->compression[k], both).high;
        if (k < outcome->contacts) {
            outcome->impulse[k] = sum;
        } else {
            outcome->tangential_impulse[k - outcome->contacts] = sum;
        }
    }
    return CRM_OK;
}

static void remark_phases(const crm_stages *stages, const phases *work)
{
    crm_outcome *outcome = stages->outcome;
    double compression = 0, total = 0;
    for (size_t j = 0; j < outcome->contacts; j++) {
        compression += work->compression[j].high;
        total += outcome->impulse[j];
    }
    if (stages->cones == NULL && !outcome->unique && !equal_restitution(stages->problem->model)) {
        crm_note_add(outcome, "The coefficients differ, so that the velocities depend on this "
                              "choice.");
    }
    if (total > 0) {
        crm_note_add(outcome, "Compression takes %.6g of the %.6g N s in all contacts together.",
                     compression, total);
    }
}

/* Of the velocities that compression makes, expansion returns the common part e_1 at once. */
static crm_status run(crm_stages *stages, phases *work, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    crm_twofold share =
        crm_twofold_sum(crm_twofold_of(1), common_restitution(stages->problem->model));
    crm_status status = crm_stages_solve(stages, stages->gap_velocity, stages->noise, share,
                                         work->compression, work->turning, error);
    if (status == CRM_OK && outcome->result == CRM_SOLVED) {
        status = expand(stages, work, error);
    }
    if (status == CRM_OK) {
        crm_stages_note(stages, work->turning, &causes);
        remark_phases(stages, work);
        status = crm_stages_judge_answers(stages, stages->gap_velocity,
                                          stages->problem->model->restitution, error);
    }
    if (status == CRM_OK) {
        status = crm_stages_finish(stages, error);
    }
    return status;
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    phases work;
    crm_stages stages = {.problem = problem,
                         .outcome = outcome,
                         .every_answer = crm_settings_choice(problem->settings, ANSWERS) == 1};
    crm_status status = take_phases(outcome, problem->pool, &work)
                            ? crm_stages_begin(&stages, error)
                            : crm_fail_memory(error);
    for (bool again = true; again && status == CRM_OK;) {
        status = run(&stages, &work, error);
        again = false;
        if (status == CRM_OK) {
            status = crm_stages_need_repeat(&stages, &again, error);
        }
    }
    crm_stages_end(&stages);
    return status;
}

static double single(const crm_settings *settings, double restitution)
{
    (void)settings;
    return restitution;
}

static crm_status create_trace(const crm_problem *problem, crm_trace_request request, void **trace,
                               double *impulse, crm_error *error)
{
    (void)request;
    const crm_complementarity_rule rule = {
        .restitution = problem->model->restitution, .of_contacts = true, .expands = true};
    return crm_complementarity_create_trace(problem, &rule, trace, impulse, error);
}

static const struct crm_law_derivative derivative = {.create_trace = create_trace,
                                                     .free_trace = crm_complementarity_free_trace,
                                                     .forward = crm_complementarity_forward,
                                                     .reverse = crm_complementarity_reverse};

extern const crm_law crm_law_poisson;
const crm_law crm_law_poisson = {
    .name = "poisson",
    .summary = "Poisson in inequality form: expansion returns a part of each compression impulse",
    .description =
        "In compression all contacts stop closing, as in a plastic impact. In expansion each "
        "returns e_j times its impulse of compression, and more where that would leave it "
        "closing. Equal coefficients and no contact separating before: the same as newton.",
    .equation = "compression:  u° = u⁻ + D p°,           0 ≤ p° ⊥ u° ≥ 0\n"
                "expansion:    u⁺ = u° + D (ε p° + z),   0 ≤ z ⊥ u⁺ ≥ 0,   ε = diag e_j\n"
                "together:     p = p° + ε p° + z\n"
                "friction:     |Q°| ≤ μ p° against u_t°,  |Q − Q°| ≤ μ (ε p° + z) against u_t⁺",
    .assumptions =
        "Compression ends, and expansion begins, at all contacts at once; the contacts' own "
        "restitution, of normal impulses; stored energies are disregarded. Always p >= 0 and "
        "u+ >= 0; without friction T+ <= T-. If the contacts depend on each other the impulses of "
        "compression are not unique, nor, with unequal coefficients, the velocities: the impulses "
        "with the least sum of D_jj p_j^2 are taken. With friction, Coulomb's law in each phase "
        "with the slip at its end, several answers are possible, and T+ > T- with unequal "
        "coefficients.",
    .restitution = "impulsive: of the normal impulse of compression of each contact",
    .reference = "Ch. Glocker, F. Pfeiffer, Nonlinear Dyn. 7 (1995) 471-497; Ch. Glocker, Phil. "
                 "Trans. R. Soc. Lond. A 359 (2001) 2385-2404, equations 3.3 and 3.4.",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .solve = solve,
    .create_kept = crm_cones_create_kept,
    .free_kept = crm_cones_free_kept,
    .friction = true,
    .single = single,
    .derivative = &derivative};
