/* What the Python package needs in C besides the library: loops that would be slow in Python, and
 * arrays that grow while the library computes. Nothing here depends on Python or numpy.
 */
#include <carom/carom.h>

/* ---- One impact --------------------------------------------------------------------------- */

/* The samples of an impact, row after row: time, primary contact (from 0; -1: none), its impulse,
 * then v (n), force, stored energy, closing speed and impulse (s each).
 */
typedef struct crmpy_history {
    size_t coordinates, contacts;
    size_t rows, capacity;
    double *numbers;
} crmpy_history;

size_t crmpy_history_width(const crmpy_history *history);
crmpy_history *crmpy_history_create(size_t coordinates, size_t contacts); /* NULL: no memory */
void crmpy_history_free(crmpy_history *history);                          /* NULL is fine */

/* crm_solve_with, whose outcome is then the caller's. history NULL: none is kept; interval 0: every
 * step of it.
 */
crm_status crmpy_solve(crm_workspace *workspace, const crm_model *model, const double *velocity,
                       const crm_settings *settings, crmpy_history *history, double interval,
                       crm_outcome **outcome, crm_error *error);

/* ---- Models ------------------------------------------------------------------------------- */

/* How far apart the systems' data are, in doubles; 0: all have the same. */
typedef struct crmpy_strides {
    size_t mass, w, stiffness, exponent, restitution, stored_energy, boundary_velocity, force;
} crmpy_strides;

/* One model for each of count systems, with a diagonal or full M and a full W. When one is refused
 * those before it are freed, and *failed is its number (from 0).
 */
crm_status crmpy_models_create(size_t count, const crm_system_def *def, crmpy_strides strides,
                               crm_model **models, size_t *failed, crm_error *error);
void crmpy_models_free(size_t count, crm_model **models);

/* M, full: n rows of n. */
void crmpy_mass(const crm_model *model, double *mass);
/* D, full: s rows of s. */
crm_status crmpy_delassus(const crm_model *model, double *d, crm_error *error);
/* W by columns: entries in all, then start (s + 1), rows and values. */
size_t crmpy_gradient_entries(const crm_model *model);
void crmpy_gradients(const crm_model *model, int64_t *start, int32_t *row, double *value);

/* ---- Motions ------------------------------------------------------------------------------ */

typedef struct crmpy_impact {
    double time, lost;
    uint64_t number;
    size_t first, contacts; /* of its contacts below */
    int32_t result;
    bool kinematic, kinetic, energetic, unique;
} crmpy_impact;

typedef struct crmpy_touch {
    int64_t party[2];                          /* bodies, then walls */
    double closing_speed, impulse, peak_force; /* the last NAN: the law has none */
} crmpy_touch;

/* What is kept of a motion: states (time, positions, velocities) and impacts with their contacts.
 */
typedef struct crmpy_course {
    crm_motion *motion;
    size_t positions, velocities;
    size_t rows, row_capacity;
    double *states;
    size_t impacts, impact_capacity;
    crmpy_impact *impact;
    size_t touches, touch_capacity;
    crmpy_touch *touch;

    double every; /* rows of states; 0: after every impact */
    double step;
    crm_watch watch;
    double consulted; /* when the watch was last consulted */
    bool out_of_memory, over, row_due;
} crmpy_course;

/* The motion stays the caller's; `step` is that of time-stepping, else 0. NULL: no memory. */
crmpy_course *crmpy_course_create(crm_motion *motion, double every, double step);
void crmpy_course_free(crmpy_course *course); /* NULL is fine */
/* Move on to that time. Interrupted by the watch (may be NULL) it stops with
 * CRM_STOP_INTERRUPTED, as without memory for more rows, which is CRM_ERROR_MEMORY.
 */
crm_status crmpy_course_run(crmpy_course *course, double time, const crm_watch *watch,
                            crm_motion_stop *stopped, crm_error *error);
