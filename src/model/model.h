/* The inside of crm_model. Internal to the library. */
#ifndef CRM_MODEL_INTERNAL_H
#define CRM_MODEL_INTERNAL_H

#include "base/base.h"
#include "base/twofold.h"
#include "carom/model.h"
#include "model/compliance/compliance.h"

/* M, ready to be multiplied with and solved for. Three forms behind one interface:
 * a diagonal; independent dense blocks (a full M is one block, a multibody M many); and a sparse
 * factor for a large connected M.
 */
typedef enum crm_mass_form { CRM_MASS_DIAGONAL, CRM_MASS_BLOCKS, CRM_MASS_FACTOR } crm_mass_form;

typedef struct crm_mass {
    crm_mass_form form;
    size_t size;
    double *diagonal; /* DIAGONAL */

    /* BLOCKS: block b couples coordinates member[block_start[b]] ... ; its matrix and its lower
     * Cholesky factor (both size*size, symmetric storage) start at matrix_start[b]. */
    size_t block_count;
    size_t *block_start;
    size_t *matrix_start;
    uint32_t *member;
    uint32_t *block_of; /* coordinate -> block */
    uint32_t *place_of; /* coordinate -> place within its block */
    double *matrix;
    double *cholesky;

    struct crm_mass_factor *factor; /* FACTOR */
} crm_mass;

crm_status crm_mass_create(const crm_system_def *def, crm_mass *mass, crm_error *error);
void crm_mass_release(crm_mass *mass);
/* x := M^-1 x. */
crm_status crm_mass_solve(const crm_mass *mass, double *x, crm_error *error);
/* The same in `work`, n entries, which a diagonal M does without; allocates nothing. */
crm_status crm_mass_solve_in(const crm_mass *mass, double *x, double *work, crm_error *error);
/* m_ii of a coordinate that is coupled with no other; 0 where it is. */
double crm_mass_alone(const crm_mass *mass, size_t i);
/* 1/M in twice the working precision, by coordinate; false where M is not diagonal. */
bool crm_mass_invert_diagonal(const crm_mass *mass, crm_twofold *per_mass);
/* Solve within one block: x has the block's size. */
void crm_mass_solve_block(const crm_mass *mass, size_t block, double *x);
/* v'Mv over coordinates first .. last-1 only. */
double crm_mass_square(const crm_mass *mass, const double *v, size_t first, size_t last);
double crm_mass_entry(const crm_mass *mass, size_t row, size_t column);
/* sum over i, j of |m_ij| |v_j| (P4 2.1) */
double crm_mass_momentum_bound(const crm_mass *mass, const double *v);

struct crm_model {
    size_t coordinates;
    size_t contacts;
    size_t bodies;
    size_t walls;
    crm_mass mass;

    /* W by columns. */
    size_t *w_start;
    uint32_t *w_row;
    double *w_value;

    double *stiffness;
    double *exponent;
    double *restitution;
    double *stored_energy;
    double *boundary_velocity;
    double *gap;                     /* NULL: all touch */
    crm_compliance_store compliance; /* what stiffness, exponent, restitution do not say: NAN */

    double *friction;  /* mu; NULL: no contact has any, and what follows is 0 and NULL */
    unsigned tangents; /* of each contact: 1 in the plane, 2 in space */
    /* The directions in which contacts act, each as a contact of its own: the normal of contact j
     * is j (1 + tangents), and its tangents follow. W, boundary velocities and D are its own (D is
     * always stored); the mass is that of this model. Nothing else is there.
     */
    crm_model *directions;

    /* D by rows (symmetric); NULL when it is too full to be stored. */
    size_t *d_start;
    uint32_t *d_column;
    double *d_value;
    double *d_diagonal; /* always there */

    size_t *body_start; /* NULL: body_size coordinates per body */
    size_t body_size;
    bool *is_angle; /* per coordinate; NULL: none is known to be */
    /* Names cost more than a body's masses: the first `numbered` go by noun and number. */
    const char *body_noun;
    size_t numbered;
    char **body_names; /* of the others */
    char **wall_names;
    char **contact_names; /* NULL: none has a name of its own */
    uint32_t *party;      /* two per contact: body, or bodies + wall */
};

/* From M, and W and contacts as they were given, to a model: everything is checked, zeros are
 * dropped from W, the coordinates stand for bodies, D is assembled.
 */
crm_status crm_model_finish(crm_model *model, crm_error *error);
/* Names of walls, if there are others than the one of crm_model_finish. */
crm_status crm_model_name_walls(crm_model *model, const char *const *names, size_t count,
                                crm_error *error);

/* The stages of making a model, for those who make or change parts of it: copying W and other data
 * of the definition; dropping zeros of W and checking the rest; checking the contacts' data; the
 * parties of contacts where coordinates stand for bodies.
 */
crm_status crm_system_copy_w(const crm_system_def *def, crm_model *model, crm_error *error);
crm_status crm_system_copy_gap(const double *gap, crm_model *model, crm_error *error);
crm_status crm_system_copy_contact_names(const crm_system_def *def, crm_model *model,
                                         crm_error *error);
crm_status crm_model_complete_w(crm_model *model, crm_error *error);
crm_status crm_model_check_contacts(const crm_model *model, crm_error *error);
crm_status crm_model_find_parties(crm_model *model, crm_error *error);

/* Friction and the directions of contacts, from a definition and a model whose M, W and boundary
 * velocities are in place. Friction that is 0 everywhere is none.
 */
crm_status crm_model_make_friction(const crm_system_def *def, crm_model *model, crm_error *error);
/* NULL is fine. The mass is left to its owner. */
void crm_model_free_directions(crm_model *directions);

/* Compliances and initial forces of contacts whose other data are in place; either may be NULL. */
crm_status crm_model_comply(crm_model *model, const crm_compliance_def *defs, const double *force,
                            crm_error *error);
/* What compliances say is NAN among the numbers. */
void crm_model_mark_compliance(crm_model *model);
/* NULL: none. */
static inline const crm_compliance *crm_model_compliance(const crm_model *model, size_t contact)
{
    return model->compliance.of != NULL ? model->compliance.of[contact] : NULL;
}
/* e for a collision of this contact alone at a closing speed; what is not positive counts as 0. */
crm_status crm_model_find_restitution(const crm_model *model, size_t contact, double speed,
                                      double *e, crm_error *error);

void crm_model_free_texts(char **texts, size_t count); /* NULL is fine, also for entries */

/* Delassus matrix of a model whose M, W are in place. */
crm_status crm_delassus_assemble(crm_model *model, crm_error *error);

/* One rule per datum, shared by every way to build a model: ranges.c. */
typedef enum crm_datum {
    CRM_DATUM_MASS,
    CRM_DATUM_INERTIA,
    CRM_DATUM_RADIUS,
    CRM_DATUM_THICKNESS, /* of a rod: the radius, which may be 0 */
    CRM_DATUM_LENGTH,
    CRM_DATUM_GAP,
    CRM_DATUM_POSITION,
    CRM_DATUM_NORMAL,
    CRM_DATUM_STIFFNESS,
    CRM_DATUM_EXPONENT,
    CRM_DATUM_RESTITUTION,
    CRM_DATUM_FRICTION,
    CRM_DATUM_STORED_ENERGY,
    CRM_DATUM_VELOCITY,
    CRM_DATUM_GAP_VELOCITY,
    CRM_DATUM_GRADIENT,
    CRM_DATUM_TANGENT,
    CRM_DATUM_YOUNG,
    CRM_DATUM_DENSITY,
    /* For motions only. */
    CRM_DATUM_SPRING, /* its stiffness, which may be 0 */
    CRM_DATUM_DAMPING,
    CRM_DATUM_SPRING_LENGTH,
    CRM_DATUM_ANGLE,
    CRM_DATUM_SPIN,
    CRM_DATUM_AMPLITUDE,
    CRM_DATUM_FREQUENCY,
    CRM_DATUM_PHASE
} crm_datum;

/* place: a printf format for the place, e.g. "contacts[%zu].restitution"; index one-based. */
crm_status crm_ranges_check(crm_datum datum, double value, const char *place, size_t index,
                            crm_error *error);

/* The least that the largest entry of w may be. */
static const double CRM_GRADIENT_LEAST = 1e-30;
/* D_jj of every contact. */
crm_status crm_ranges_check_delassus(const crm_model *model, crm_error *error);
/* The velocities before an impact, and the energies that they bring to the contacts. */
crm_status crm_ranges_check_impact(const crm_model *model, const double *velocity,
                                   const double *gap_velocity, crm_error *error);

/* NULL is fine. */
crm_status crm_ranges_check_material(const crm_material *material, const char *place, size_t index,
                                     crm_error *error);

/* Checks a matrix of the caller's: starts must not decrease, rows must exist. Values are not
 * checked.
 */
crm_status crm_sparse_check(const crm_sparse_view *view, size_t rows, size_t columns,
                            const char *place, crm_error *error);

/* Checks the value of an enumeration: below `count`. */
crm_status crm_ranges_check_choice(unsigned value, unsigned count, const char *place,
                                   crm_error *error);

/* Approximate bytes of a model with this many contacts, each of which shares a body with `beside`
 * others, as measured (docs/reliability/limits.md).
 */
double crm_model_bytes(double contacts, double beside);

#endif
