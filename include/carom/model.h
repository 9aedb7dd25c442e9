/* The mechanical system at the instant of impact: M, W and what each contact is made of.
 *
 * Notation (docs/theory.md): n generalized velocities v, mass matrix M > 0, s closed frictionless
 * contacts with gap gradients W = [w_1 ... w_s]. Gap velocity u = W'v + boundary velocity;
 * u < 0: closing, u > 0: separating. Delassus matrix D = W' M^-1 W.
 *
 * A model is immutable once made and may be shared between threads; but for crm_model_update.
 */
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crm_model crm_model;

/* A sparse matrix by columns, borrowed from the caller. Column j holds entries
 * column_start[j] .. column_start[j+1]-1. Rows within a column in any order, none twice.
 */
typedef struct crm_sparse_view {
    const size_t *column_start; /* columns + 1 */
    const uint32_t *row;
    const double *value;
} crm_sparse_view;

/* ---- Ranges ------------------------------------------------------------------------------ */

/* Numbers within these ranges are accepted, and every law is right for all of them: a change of the
 * units of mass, length and time that stays within them is a change of units in the outcome. Others
 * are refused, with the place, the value and the range, as are NAN, INFINITY and values of an
 * enumeration that it does not have.
 *
 *   masses, moments of inertia: the diagonal of M    1e-60 to 1e60
 *   w: the largest entry of each contact             1e-30 to 1e30 in size
 *   D_jj                                             1e-150 to 1e150
 *   radii, lengths of rods and of normals, sides,
 *   semi-axes                                        1e-30 to 1e30
 *   positions                                        up to 1e30 in size
 *   stiffness                                        1e-150 to 1e150
 *   exponent                                         1e-4 to 100
 *   restitution                                      0, or 1e-14 to 1
 *   friction                                         0 to 1e6
 *   t: the entries                                   up to 1e30 in size
 *   stored energy, initial force                     0, or 1e-140 to 1e140
 *   points of loading curves and of restitutions     0, or 1e-140 to 1e140
 *   Young's modulus, density                         1e-150 to 1e150, or 0: not given
 *   velocities                                       up to 1e40 in size; the largest 0, or 1e-40
 *                                                    and more
 *   boundary velocities of gaps                      up to 1e70 in size
 *   u^2 / (2 D_jj K_j), u the largest closing speed  1e-150 to 1e150
 *   springs of scenes: stiffness, damping            0, or 1e-150 to 1e150
 *   strings and springs: lengths                     1e-30 to 1e30, of springs also 0
 *   spins, frequencies of walls                      up to 1e40
 *   angles, amplitudes and phases of walls           up to 1e30 in size
 *
 * Velocities, and the last, are checked by crm_solve.
 */

/* ---- Contacts beyond one power and one number ------------------------------------------------ */

/* Force against indentation x >= 0, rising from F(0) = 0. docs/theory/lzb-contacts.md
 *
 *   SUM       F = K_1 x^eta_1 + ... + K_count x^eta_count
 *   BOUNDED   K x^eta up to the indentation `yield`, from there on linear with the slope there
 *   TABLE     through the points (x, force), the first (0, 0), by Fritsch and Carlson's monotone
 *             cubics; beyond the last one linear with the slope there
 *   FUNCTION  the caller's: F, dF/dx and the integral of F from 0, all three at x > 0
 */
typedef enum crm_curve_form {
    CRM_CURVE_SUM,
    CRM_CURVE_BOUNDED,
    CRM_CURVE_TABLE,
    CRM_CURVE_FUNCTION
} crm_curve_form;

typedef void crm_curve_function(void *context, double x, double *force, double *slope,
                                double *energy);

typedef struct crm_curve_def {
    crm_curve_form form;
    size_t count;            /* of terms (SUM), of points (TABLE); else ignored */
    const double *stiffness; /* per term; of BOUNDED one */
    const double *exponent;  /* the same; of FUNCTION the power of x with which F begins, NULL: 3/2;
                                F / x^eta must be smooth in sqrt(x) if 2 eta is whole */
    double yield;            /* of BOUNDED */
    const double *x, *force; /* per point, both rising */
    crm_curve_function *function;
    void *context; /* of the function; must outlive the model, as must what it points to */
} crm_curve_def;

/* e of a contact by how it was compressed: by the work W of compression, or by the equivalent speed
 * s = sqrt(2 W D_jj), at which the contact alone would have to close for that work. Laws that have
 * no compressions take the closing speed for s. Values outside of [0, 1] are an error where they
 * are met.
 *
 *   TABLE         through the points (at, value), by monotone cubics; constant beyond the ends
 *   YIELD         min(1, (s / speed)^(-1/4)): fully plastic above the speed of yield (Johnson)
 *   VISCOELASTIC  1 - loss s^(1/5)
 *   FUNCTION      the caller's
 */
typedef enum crm_restitution_form {
    CRM_RESTITUTION_TABLE,
    CRM_RESTITUTION_YIELD,
    CRM_RESTITUTION_VISCOELASTIC,
    CRM_RESTITUTION_FUNCTION
} crm_restitution_form;

typedef double crm_restitution_function(void *context, double at);

typedef struct crm_restitution_def {
    crm_restitution_form form;
    bool of_work;             /* TABLE, FUNCTION: by W; false: by s */
    size_t count;             /* of points */
    const double *at, *value; /* per point, `at` rising from >= 0 on */
    double speed;             /* of YIELD, > 0 */
    double loss;              /* of VISCOELASTIC, >= 0 */
    crm_restitution_function *function;
    void *context; /* of the function; must outlive the model, as must what it points to */
} crm_restitution_def;

/* What of a contact one power and one number do not say; NULL: they say it. With an unloading curve
 * the contact loses energy in compression: it is loaded along its loading curve, unloaded and
 * loaded again along the other one up to the largest force so far, and has no e of its own.
 * Definitions are read when the model is made, and need not outlive that.
 */
typedef struct crm_compliance crm_compliance;

typedef struct crm_compliance_def {
    const crm_curve_def *loading;
    const crm_curve_def *unloading;
    const crm_restitution_def *restitution;
    const crm_compliance *made; /* instead of all of them: what another model has
                                   (crm_model_contact_compliance), which must outlive this one */
} crm_compliance_def;

/* ---- Any Lagrangian system: you bring M and W ------------------------------------------- */

/* Start from crm_system_def_default(). Give exactly one of the masses and exactly one of the w.
 * Per-contact arrays have `contacts` entries; NULL stands for the default everywhere.
 */
typedef struct crm_system_def {
    size_t coordinates;
    size_t contacts;
    const double *mass_diagonal;         /* n entries */
    const double *mass_dense;            /* n*n, symmetric */
    const crm_sparse_view *mass_sparse;  /* symmetric, both triangles stored */
    const double *w_dense;               /* contact after contact: w[j*n + i] = d gap_j / d q_i */
    const crm_sparse_view *w_sparse;     /* n rows, one column per contact */
    const double *stiffness;             /* K_j > 0, default 1; for ranges see above */
    const double *exponent;              /* eta_j > 0, default 3/2 (Hertz) */
    const double *restitution;           /* e_j in [0, 1], default 1 */
    const double *stored_energy;         /* E0_j >= 0, default 0 */
    const double *boundary_velocity;     /* w-hat_j, default 0 */
    const char *const *coordinate_names; /* NULL: "coordinate 1", ... */
    const char *const *contact_names;    /* NULL: named for the two that they are between */
    const double *gap;                   /* >= 0, default 0: how far it is apart at first. Only laws
                                            that follow the way across take such contacts (crm_law.gaps) */
    const crm_compliance_def *compliance; /* default: none. What an entry says replaces stiffness,
                                             exponent, restitution */
    const double *force; /* at first, >= 0, instead of stored_energy; NAN: not given */
    /* Coulomb friction: |Q_j| <= mu_j P_j. With a friction that is not 0 each contact has
     * `tangents` directions, 1 (plane) or 2 (space), in which it slips with u_t = t'v +
     * tangential_velocity; those of a contact must be orthonormal in the plane of contact. Give one
     * of the t.
     */
    const double *friction; /* mu_j, default 0 */
    unsigned tangents;
    const double *t_dense;           /* contact after contact, tangent after tangent, as w_dense */
    const crm_sparse_view *t_sparse; /* n rows, contacts * tangents columns */
    const double *tangential_velocity; /* of what is prescribed; contacts * tangents, default 0 */
} crm_system_def;

CRM_API crm_system_def crm_system_def_default(void);
CRM_API crm_status crm_model_from_system(const crm_system_def *def, crm_model **model,
                                         crm_error *error);

/* In a time loop: give a model another M, another W or other data of its contacts, in place. What
 * the definition leaves NULL stays as it is: an M that stays is not factorized again, and names are
 * kept. D follows. A model with friction is given w and t together. `coordinates` must be as
 * before, or 0. `contacts` counts when w is given: where each body has one coordinate (a system, a
 * chain) it may differ from before, and then the data that are NULL become the defaults, and
 * contacts lose their names; other models keep their contacts, and who touches whom.
 *
 * Nobody else may use the model during the call. On an error it is as it was.
 */
CRM_API crm_status crm_model_update(crm_model *model, const crm_system_def *def, crm_error *error);

/* ---- Materials ------------------------------------------------------------------------- */

/* 0 means "not given". A contact stiffness needs young and poisson, a mass needs density. */
typedef struct crm_material {
    double young;
    double poisson;
    double density;
} crm_material;

/* Materials that have a name: typical values, where they come from, and how far others lie. */
typedef struct crm_named_material {
    const char *name; /* "steel" */
    crm_material properties;
    const char *range;  /* of young, among what goes by the name */
    const char *source; /* of the properties */
} crm_named_material;

CRM_API size_t crm_material_count(void);
CRM_API const crm_named_material *crm_material_at(size_t index);       /* NULL past the end */
CRM_API const crm_named_material *crm_material_find(const char *name); /* NULL: none */

/* Coefficients of sliding friction of two named materials, dry and in air: typical values, from
 * which surfaces, films and speeds make others. They are used only where they are asked for.
 */
typedef struct crm_named_friction {
    const char *first, *second; /* names of crm_material_find */
    double friction;
    const char *range; /* of what is found */
    const char *source;
} crm_named_friction;

CRM_API size_t crm_material_friction_count(void);
CRM_API const crm_named_friction *crm_material_friction_at(size_t index); /* NULL past the end */
/* In either order; NULL: none. */
CRM_API const crm_named_friction *crm_material_friction_find(const char *first, const char *second);

/* Hertz: K = 4/3 sqrt(R*) E*, force = K indentation^{3/2}. radius2 = INFINITY for a plane. */
CRM_API double crm_hertz_stiffness(crm_material a, double radius_a, crm_material b,
                                   double radius_b);

/* Hertz stiffness of a bead of mass m on a plane from its measured contact time at speed v:
 * tau = 2.94 (5m/4K)^{2/5} v^{-1/5}.
 */
CRM_API double crm_hertz_stiffness_from_duration(double mass, double duration, double speed);

/* Ball of inner pressure p against a rigid plane: K = 2 pi p R, force linear in indentation. */
CRM_API double crm_pressurised_stiffness(double pressure, double radius);

/* Two linear compliances in series. */
CRM_API double crm_series_stiffness(double stiffness_a, double stiffness_b);

/* ---- What a contact is made of ---------------------------------------------------------- */

/* NAN in a field: not given, fall back to the next default. */
typedef struct crm_contact_def {
    double stiffness;              /* > 0; default from the materials, else 1 */
    double exponent;               /* > 0; default 3/2 */
    double restitution;            /* [0, 1]; default 1 */
    double stored_energy;          /* >= 0; default 0 */
    double force;                  /* >= 0: at first, instead of stored_energy */
    crm_compliance_def compliance; /* what it gives replaces the numbers */
    double friction;               /* Coulomb's, >= 0; default 0. Not of chains */
} crm_contact_def;

CRM_API crm_contact_def crm_contact_def_default(void); /* nothing given */

/* ---- A chain: balls in a line, touching, ball 1 leftmost, +x to the right ------------------ */

typedef enum crm_wall_side { CRM_WALL_NONE, CRM_WALL_LEFT, CRM_WALL_RIGHT } crm_wall_side;

/* Values that may be the same everywhere or listed: `each` wins when not NULL. */
typedef struct crm_values {
    double all;         /* used when each is NULL; NAN: not given */
    const double *each; /* one per ball, or per contact */
} crm_values;

/* Contact j is between balls j and j+1; a wall adds the last contact, on either side.
 * Per-contact `each` lists have count - 1 entries: the wall's own values are in `wall`,
 * and fall back to the values for all contacts (never to a list).
 */
typedef struct crm_chain_def {
    size_t count;
    crm_values mass;              /* one per ball; default from radius and density, else 1 */
    crm_values radius;            /* one per ball; needed with a material */
    const crm_material *material; /* NULL: none */
    crm_values stiffness;         /* per contact between balls */
    crm_values exponent;
    crm_values restitution;
    crm_values stored_energy;
    crm_values force;              /* at first, instead of stored_energy */
    crm_compliance_def compliance; /* of the contacts between balls */
    crm_wall_side wall_side;
    crm_contact_def wall;
    const crm_material *wall_material;    /* NULL: that of the ball that touches it */
    double wall_velocity;                 /* along +x; default 0 */
    const crm_material *const *materials; /* one per ball, instead of `material`; NULL: that */
    crm_values gap;  /* per contact between balls, >= 0; default 0. Balls farther apart than 1e-9 of
                        the sum of their radii do not touch: there is no contact */
    double wall_gap; /* the same at the wall */
    bool gaps_close; /* they are contacts all the same, which close on the way: as
                        crm_system_def.gap */
} crm_chain_def;

CRM_API crm_chain_def crm_chain_def_default(void);
/* Bytes that the model takes, about (docs/reliability/limits.md): to be asked before it is made. */
CRM_API double crm_chain_memory(const crm_chain_def *def);
CRM_API crm_status crm_model_from_chain(const crm_chain_def *def, crm_model **model,
                                        crm_error *error);

/* ---- Bodies in the line, the plane or space ------------------------------------------------ */

/* CRM_SHAPE_SPHERE, in the plane a disc. It turns only where there is friction, with the moment of
 * inertia mass radius^2 / 2 of a disc, 2/5 mass radius^2 of a sphere unless given.
 * CRM_SHAPE_ROD, in the plane only: a thin straight rod of `length` about its centre, along
 * (cos angle, sin angle). A radius thickens it to a capsule, for touching only: the mass stays on
 * the axis, and the moment of inertia is mass length^2 / 12 unless given.
 * CRM_SHAPE_BOX, in the plane only: a rectangle w by h, w along (cos angle, sin angle), with the
 * moment of inertia mass (w^2 + h^2) / 12 unless given.
 * CRM_SHAPE_ELLIPSE, in the plane only: a plate with the semi-axes a, b, a along (cos angle, sin
 * angle), with mass (a^2 + b^2) / 4 unless given.
 * CRM_SHAPE_ELLIPSOID, in space only: solid, with the moments mass (b^2 + c^2) / 5, ... about its
 * axes.
 */
typedef enum crm_shape {
    CRM_SHAPE_SPHERE,
    CRM_SHAPE_ROD,
    CRM_SHAPE_BOX,
    CRM_SHAPE_ELLIPSE,
    CRM_SHAPE_ELLIPSOID
} crm_shape;

typedef struct crm_body_def {
    const char *name; /* NULL: "body i" */
    crm_shape shape;
    double radius;                /* of a sphere > 0; of a rod >= 0, NAN: 0; else ignored */
    double mass;                  /* NAN: from density (spheres and ellipsoids) */
    const crm_material *material; /* NULL: none */
    double position[3];           /* of the centre; the first `dimension` entries count */
    double length;                /* of a rod, > 0, from end to end */
    double size[2];               /* of a box, > 0, from side to side */
    double semi_axes[3];          /* of an ellipse the first two, of an ellipsoid all, > 0 */
    double angle;                 /* of a rod, box, ellipse: from the first axis to the second */
    double orientation[4];        /* of an ellipsoid: a quaternion w, x, y, z of length 1, up to
                                     1e-3; default 1, 0, 0, 0: its axes are those of space */
    double inertia;               /* about the centre; NAN: see crm_shape. Not of an ellipsoid; of a
                                     sphere only where there is friction */
    bool fixed; /* an obstacle: it has no coordinates, and counts among the walls in the model */
} crm_body_def;

typedef struct crm_wall_def {
    const char *name; /* NULL: "wall i" */
    double point[3];
    double normal[3];             /* points into the free side; any length but 0 */
    double velocity[3];           /* prescribed motion, default 0; along the wall it counts for
                                     friction only */
    const crm_material *material; /* NULL: none (rigid under the body's own material is not
                                     assumed: a stiffness then comes from elsewhere) */
} crm_wall_def;

/* Overrides for one pair, which is named once. Indices: bodies first, then walls (bodies + k). */
typedef struct crm_pair_def {
    size_t first;
    size_t second;
    crm_contact_def contact;
} crm_pair_def;

/* Friction of contacts between bodies and walls of two materials, which are known by their address.
 */
typedef struct crm_material_friction {
    const crm_material *first, *second;
    double friction;
} crm_material_friction;

typedef struct crm_bodies_def {
    unsigned dimension; /* 1, 2 or 3 */
    size_t body_count;
    const crm_body_def *bodies;
    size_t wall_count;
    const crm_wall_def *walls;
    size_t pair_count;
    const crm_pair_def *pairs;
    crm_contact_def contact; /* defaults for every contact */
    double tolerance;        /* |gap| <= tolerance * (size_a + size_b) touches, size: that of the
                                sphere around a body, of a wall 0; default 1e-9 */
    bool pairs_apart;        /* pairs that do not touch are no mistake: they may, in a motion */
    /* Where neither the pair nor `contact` gives a friction. */
    size_t material_friction_count;
    const crm_material_friction *material_friction;
    bool friction_of_materials; /* a contact whose materials are not among them is refused; else it
                                   has none */
    bool spheres_turn;          /* without friction, too: then an outcome has the same velocities
                                   with a friction of 0 as with others */
} crm_bodies_def;

CRM_API crm_bodies_def crm_bodies_def_default(void);
CRM_API crm_body_def crm_body_def_default(void);
CRM_API crm_wall_def crm_wall_def_default(void);
/* A body's coordinates in turn: its position, then the angle of a rod, box or ellipse; the
 * velocities of an ellipsoid have its spin there, about its own axes. A sphere turns only where
 * some friction above 0 is given (or spheres_turn): then it has one spin in the plane, and in space
 * three, about the axes of space. Contacts are found from the geometry, in the order (1,2), (1,3),
 * ..., then walls.
 *
 * With friction, n the normal of a contact from its first party to the second: the tangent in the
 * plane is n turned by +90 degrees; in space the first one is the axis of space that n is farthest
 * from (of equals y before x before z), made orthogonal to n, and the second is n x the first. u_t
 * = t.(velocity of the second party - that of the first), both where they touch, and the tangential
 * impulse acts on the second party along t, on the first against it. On a line nothing can slip:
 * friction is refused.
 *
 * What is round or curved touches once, at the points that are nearest. A rod or box touches a wall
 * with each corner that is near enough (two when it lies on the wall), and another rod or box where
 * a corner of one meets the other: side by side at both ends of their common stretch, from end to
 * end of the first. Corners without thickness have no normal: corner on corner is refused, but for
 * a face that ends there on another, and for thin rods in line. Two rods without thickness have no
 * outside, so that the normal of an end on a side points away from the centre of the rod whose end
 * it is, and one lying on the other is refused. Fixed bodies do not touch one another, nor walls.
 */
CRM_API crm_status crm_model_from_bodies(const crm_bodies_def *def, crm_model **model,
                                         crm_error *error);

/* ---- A packing: equal balls on a lattice, touching, and what strikes it ---------------------- */

/* In the plane, columns along x, rows upwards along y; in space columns along x, rows along y,
 * layers upwards along z. Levels (rows, layers) are stacked ball on ball (square, cubic) or each in
 * the hollows of the one below (hexagonal; fcc: square layers, which makes the face-centred cubic
 * packing). A level in hollows, every second one, has one ball less along each side, so that the
 * packing is symmetric and fills a box.
 */
typedef enum crm_lattice {
    CRM_LATTICE_SQUARE,
    CRM_LATTICE_HEXAGONAL,
    CRM_LATTICE_CUBIC,
    CRM_LATTICE_FCC,
    CRM_LATTICE_RACK /* in the plane: a triangle with `rows` rows, one ball in the top one */
} crm_lattice;

/* A box has a floor and sides, and is open above. */
typedef enum crm_packing_walls {
    CRM_PACKING_OPEN,
    CRM_PACKING_FLOOR,
    CRM_PACKING_BOX
} crm_packing_walls;

/* A ball that lies on the top level. */
typedef struct crm_projectile_def {
    double over[2];               /* where, counted in balls of the top level along x (and y): 3 is
                                     on ball 3, 3.5 between 3 and 4; NAN: the middle */
    double radius;                /* NAN: that of the balls */
    double mass;                  /* NAN: from radius and density, else that of the balls */
    const crm_material *material; /* NULL: that of the balls */
    crm_contact_def contact;      /* falls back to the values for all contacts, never to a list */
} crm_projectile_def;

/* Balls are numbered along x, then y, then z; the projectile is the last body. Contacts between
 * balls come first, in the order (1,2), (1,3), ..., then those of the projectile, then floor, left,
 * right, front and back wall.
 */
typedef struct crm_packing_def {
    crm_lattice lattice;
    size_t columns, rows, layers; /* layers: in space only; columns: not of a rack */
    crm_values mass;              /* one per ball; default from radius and density, else 1 */
    double radius;                /* NAN: not given, needed with a material */
    const crm_material *material; /* NULL: none */
    crm_values stiffness;         /* per contact between balls */
    crm_values exponent;
    crm_values restitution;
    crm_values stored_energy;
    crm_values force;              /* at first, instead of stored_energy */
    crm_compliance_def compliance; /* of the contacts between balls */
    crm_values friction;           /* per contact between balls; with any above 0 balls turn, as
                                      spheres do among bodies */
    crm_packing_walls walls;
    crm_contact_def wall;                 /* falls back like the projectile's contact */
    const crm_material *wall_material;    /* NULL: that of the balls */
    const crm_projectile_def *projectile; /* NULL: none */
} crm_packing_def;

CRM_API crm_packing_def crm_packing_def_default(void);       /* hexagonal, open, nothing given */
CRM_API crm_projectile_def crm_projectile_def_default(void); /* in the middle, like the balls */
CRM_API unsigned crm_lattice_dimension(crm_lattice lattice); /* 2 or 3 */
/* How long a list per ball, or per contact between balls, is; 0 when the sizes are refused. */
CRM_API size_t crm_packing_balls(const crm_packing_def *def);
CRM_API size_t crm_packing_contacts(const crm_packing_def *def);
/* Bytes that the model takes, about; 0 when the sizes are refused. */
CRM_API double crm_packing_memory(const crm_packing_def *def);
CRM_API crm_status crm_model_from_packing(const crm_packing_def *def, crm_model **model,
                                          crm_error *error);

/* ---- Reading a model ------------------------------------------------------------------- */

CRM_API void crm_model_free(crm_model *model); /* NULL is fine */

CRM_API size_t crm_model_coordinates(const crm_model *model); /* n */
CRM_API size_t crm_model_contacts(const crm_model *model);    /* s */
CRM_API size_t crm_model_bodies(const crm_model *model);

/* Body i owns coordinates crm_model_body_start(i) .. crm_model_body_start(i+1)-1. */
CRM_API size_t crm_model_body_start(const crm_model *model, size_t body);
/* Whether a coordinate is known to be an angle: its velocity is a spin, in rad/s. */
CRM_API bool crm_model_is_angle(const crm_model *model, size_t coordinate);

/* Per-contact data, s entries each; owned by the model. NAN: one of them does not say it, but the
 * contact's compliance; crm_model_has_compliance: that of any.
 */
CRM_API bool crm_model_has_compliance(const crm_model *model);
CRM_API const crm_compliance *crm_model_contact_compliance(const crm_model *model,
                                                           size_t contact); /* NULL: none */
CRM_API const double *crm_model_stiffness(const crm_model *model);
CRM_API const double *crm_model_exponent(const crm_model *model);
CRM_API const double *crm_model_restitution(const crm_model *model);
CRM_API const double *crm_model_stored_energy(const crm_model *model);
/* An entry of M; both from 0. */
CRM_API double crm_model_mass(const crm_model *model, size_t row, size_t column);
CRM_API const double *crm_model_boundary_velocity(const crm_model *model);
/* NULL: all contacts touch. */
CRM_API const double *crm_model_gap(const crm_model *model);

/* A contact has two parties, 0 and 1: a body, or from crm_model_bodies on something that does not
 * move (a wall, a fixed body).
 */
CRM_API size_t crm_model_party(const crm_model *model, size_t contact, int party);

/* Write at most size bytes, always terminated; size 0: nothing. */
CRM_API void crm_model_body_name(const crm_model *model, size_t body, char *text, size_t size);
CRM_API void crm_model_party_name(const crm_model *model, size_t contact, int party, char *text,
                                  size_t size);
/* The contact's own name; "": it has none but those of its parties. */
CRM_API void crm_model_contact_name(const crm_model *model, size_t contact, char *text,
                                    size_t size);

/* Column j of W: its entries that are not 0, in any order; owned by the model. */
CRM_API void crm_model_gradient(const crm_model *model, size_t contact, size_t *count,
                                const uint32_t **row, const double **value);

/* u = W'v + boundary velocity (s entries). Does not allocate. */
CRM_API void crm_model_gap_velocity(const crm_model *model, const double *velocity, double *u);

/* mu of each contact; NULL: none has friction. */
CRM_API const double *crm_model_friction(const crm_model *model);
/* Tangents of each contact: 1 in the plane, 2 in space; 0 where none has friction. */
CRM_API unsigned crm_model_tangents(const crm_model *model);
/* One of them, as crm_model_gradient. */
CRM_API void crm_model_tangent(const crm_model *model, size_t contact, unsigned tangent,
                               size_t *count, const uint32_t **row, const double **value);
/* u_t = T'v + what is prescribed: contacts * tangents entries. */
CRM_API void crm_model_slip_velocity(const crm_model *model, const double *velocity, double *u);

/* velocity += M^-1 W p. Allocates only for a full mass matrix. */
CRM_API crm_status crm_model_apply_impulse(const crm_model *model, const double *impulse,
                                           double *velocity, crm_error *error);

/* T = v'Mv/2; and the part of body i, v_i'M_ii v_i/2 (couplings between bodies left out). */
CRM_API double crm_model_kinetic_energy(const crm_model *model, const double *velocity);
CRM_API double crm_model_body_energy(const crm_model *model, size_t body, const double *velocity);

/* D as a matrix: the row of contact j (*count entries, columns ascending), owned by the model.
 * When D is too full to be stored (a sparse M with a full inverse), *count is 0 and the
 * operator below must be used; crm_model_has_delassus says which.
 */
CRM_API bool crm_model_has_delassus(const crm_model *model);
CRM_API void crm_model_delassus_row(const crm_model *model, size_t contact, size_t *count,
                                    const uint32_t **column, const double **value);
CRM_API double crm_model_delassus(const crm_model *model, size_t row, size_t column);

/* out = D p as an operator. */
CRM_API crm_status crm_model_delassus_apply(const crm_model *model, const double *p, double *out,
                                            crm_error *error);

/* Kinetic angle of contacts i and j: cos theta = D_ij / sqrt(D_ii D_jj). An impulse can pass
 * from one to the other iff D_ij < 0, theta > pi/2.
 */
CRM_API double crm_model_kinetic_angle(const crm_model *model, size_t i, size_t j);

/* Rank of D (= rank of W): s when the contacts are independent. */
CRM_API crm_status crm_model_rank(const crm_model *model, size_t *rank, crm_error *error);
/* Rank of T'M^-1 T (= rank of T): where it is less than the number of tangents, single tangential
 * impulses of contacts that stick may not be determined. 0 without friction.
 */
CRM_API crm_status crm_model_tangent_rank(const crm_model *model, size_t *rank, crm_error *error);
/* The least friction with which a contact alone can jam, D_nn / |D_nt|: slipping one way it is
 * driven further together by its own force. INFINITY: it cannot; NAN without friction.
 */
CRM_API double crm_model_critical_friction(const crm_model *model, size_t contact);

#ifdef __cplusplus
}
#endif
#endif
