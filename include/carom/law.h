/* Impact laws: maps from (M, W, v-, contact parameters) to the impulses p.
 *
 * Each law is one file that exports one constant descriptor. The registry, the help text, the
 * checks on options and the reference documentation are all made from it.
 */
#ifndef CAROM_LAW_H
#define CAROM_LAW_H

#include <stdbool.h>

#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum crm_parameter_kind {
    CRM_PARAMETER_NUMBER,  /* a real number in [least, most] */
    CRM_PARAMETER_INTEGER, /* a whole number in [least, most] */
    CRM_PARAMETER_CHOICE,  /* one of `choices`, separated by '|' */
    CRM_PARAMETER_LIST,    /* numbers, one per contact, each in [least, most] */
    CRM_PARAMETER_MATRIX   /* numbers, contacts x contacts, row after row */
} crm_parameter_kind;

typedef struct crm_parameter {
    const char *name;
    crm_parameter_kind kind;
    double standard;           /* default of a number or integer; NAN: none, may be left out */
    double least, most;        /* allowed range, both ends included unless `open_least` */
    bool open_least;           /* the lower end itself is not allowed */
    bool each;                 /* a number may also be a list, one per contact */
    const char *choices;       /* "auto|impulse-euler|..."; the first is the default */
    const char *standard_text; /* said in place of the default when it is not a number; or NULL */
    const char *text;          /* one sentence */
} crm_parameter;

struct crm_problem;   /* carom/problem.h */
struct crm_law_lanes; /* internal to the library */
struct crm_law_derivative;
struct crm_outcome;
typedef struct crm_settings crm_settings;

typedef struct crm_law {
    const char *name;
    const char *summary;     /* one line */
    const char *description; /* a paragraph */
    const char *equation;    /* plain text, one line after another; NULL: none */
    const char *assumptions; /* what it takes for granted, and what it can violate */
    const char *reference;   /* where it was published */
    const crm_parameter *parameters;
    size_t parameter_count;
    crm_status (*solve)(const struct crm_problem *problem, struct crm_outcome *outcome,
                        crm_error *error);
    /* Memory that the law keeps in a workspace from call to call, made before the first. Both
     * NULL: it keeps none. Freed with the workspace.
     */
    crm_status (*create_kept)(void **kept, crm_error *error);
    void (*free_kept)(void *kept);
    const struct crm_law_lanes *lanes; /* its way to solve many systems side by side; or NULL */
    /* One contact alone, without stored energy: the number e for which the law says u+ = -e u-
     * (u relative to a moving boundary), whatever the masses, the stiffness and the speed.
     * `restitution` is the contact's. NAN, or the function NULL: there is no such number.
     */
    double (*single)(const crm_settings *settings, double restitution);
    void *context;   /* of a law from outside, for its own use; else NULL */
    bool gaps;       /* it takes contacts that are apart at first, and follows them across */
    bool compliance; /* it follows contacts with a compliance of their own (carom/model.h); else
                        their restitution is evaluated at the speeds before the impact, and models
                        with unloading curves are refused */
    bool friction;   /* it takes contacts with friction, and fills tangential_impulse; else it is
                        refused them */
    const struct crm_law_derivative *derivative; /* how its answers change with the data; or NULL */
    /* What the contacts' restitution is to it, a word and an explanation: "energetic: ..." (of
     * work), "kinematic: ..." (of gap velocities), "impulsive: ..."; "none: ..." where it has no
     * part in the outcome; NULL: not said.
     */
    const char *restitution;
} crm_law;

CRM_API size_t crm_law_count(void);
CRM_API const crm_law *crm_law_at(size_t index);       /* NULL past the end */
CRM_API const crm_law *crm_law_find(const char *name); /* NULL if unknown */
CRM_API const char *crm_law_nearest(const char *name); /* for "did you mean"; never NULL */

/* ---- A law with its options ------------------------------------------------------------- */

/* Defaults of the law. Free with crm_settings_free. The law may be the caller's own (see
 * carom/problem.h); it must outlive the settings, and a description that lacks something is
 * refused.
 */
CRM_API crm_status crm_settings_create(const crm_law *law, crm_settings **settings,
                                       crm_error *error);
CRM_API void crm_settings_free(crm_settings *settings); /* NULL is fine */
CRM_API const crm_law *crm_settings_law(const crm_settings *settings);

/* Compute with vectors of this many bytes: 16, 32 or 64; 0: the widest of the processor, which is
 * the default. The results are the same to the last bit; this function serves to verify that. A
 * width that the processor lacks is refused (CRM_ERROR_ARGUMENT).
 */
CRM_API crm_status crm_settings_use_vectors(crm_settings *settings, unsigned bytes,
                                            crm_error *error);

/* Set one option. Errors name the law, the option, the value and what is allowed. A number for
 * an integer must be whole. Lists are copied.
 */
CRM_API crm_status crm_settings_set_number(crm_settings *settings, const char *name, double value,
                                           crm_error *error);
CRM_API crm_status crm_settings_set_text(crm_settings *settings, const char *name,
                                         const char *value, crm_error *error);
CRM_API crm_status crm_settings_set_list(crm_settings *settings, const char *name, size_t count,
                                         const double *values, crm_error *error);

/* The value of one option: as it was set, or the default. A number that has neither is NAN. Text is
 * written to at most size bytes, always terminated; size 0: nothing. A list is the settings' own;
 * not given, it is NULL with the count 0.
 */
CRM_API crm_status crm_settings_get_number(const crm_settings *settings, const char *name,
                                           double *value, crm_error *error);
CRM_API crm_status crm_settings_get_text(const crm_settings *settings, const char *name, char *text,
                                         size_t size, crm_error *error);
CRM_API crm_status crm_settings_get_list(const crm_settings *settings, const char *name,
                                         size_t *count, const double **values, crm_error *error);

#ifdef __cplusplus
}
#endif
#endif
