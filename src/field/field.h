/* The fields of an outcome: one description, from which JSON, CSV, the table for people and the
 * quantities that studies record are made. A new member of crm_outcome is one line of the table in
 * outcome.c.
 */
#ifndef CRM_FIELD_H
#define CRM_FIELD_H

#include "carom/carom.h"

/* ---- Whose they are ------------------------------------------------------------------------- */

/* When things happen to each contact (study/course.h); NAN: not defined. */
typedef struct crm_course {
    double *peak_time, *arrival, *period;
} crm_course;

/* One law's answer, with all that a field may be taken from. */
typedef struct crm_impact {
    const crm_model *model;
    const double *velocity;     /* before */
    const crm_outcome *outcome; /* NULL: none; then only what was before is defined */
    const crm_outcome *first;   /* of the first law, for comparisons; NULL: none */
    const crm_course *course;   /* NULL: it was not followed */
} crm_impact;

/* ---- Descriptions --------------------------------------------------------------------------- */

/* How many there are: one, or one for each. */
typedef enum crm_field_of {
    CRM_OF_IMPACT,
    CRM_OF_COORDINATE,
    CRM_OF_CONTACT,
    CRM_OF_BODY,
    CRM_OF_TANGENT /* of each contact with friction one (plane) or two (space), contact by contact
                    */
} crm_field_of;

typedef enum crm_field_kind {
    CRM_FIELD_NUMBER,
    CRM_FIELD_COUNT,
    CRM_FIELD_FLAG,
    CRM_FIELD_PATH /* bits of crm_path, which are read as words */
} crm_field_kind;

/* Where JSON has it. */
typedef enum crm_field_json {
    CRM_JSON_NOWHERE,
    CRM_JSON_SYSTEM,  /* once, beside the results: known before any law */
    CRM_JSON_RESULT,  /* in every result */
    CRM_JSON_MEASURES /* in its `measures` */
} crm_field_json;

/* How people read it. */
typedef enum crm_field_look {
    CRM_LOOK_ENERGY,   /* beside the energy before */
    CRM_LOOK_RATIO,    /* 0.900926 */
    CRM_LOOK_PLAIN,    /* 1.9486 */
    CRM_LOOK_SHORT,    /* 13.98; what is rounding beside 1 is 0 */
    CRM_LOOK_TIME,     /* 0.0001527 */
    CRM_LOOK_ERROR,    /* 1.1e-10 */
    CRM_LOOK_WHOLE,    /* 53 */
    CRM_LOOK_OF_BODIES /* 3 of 5 */
} crm_field_look;

/* When the table has its column. */
typedef enum crm_field_shown {
    CRM_SHOWN_DEFINED,        /* some law defines it */
    CRM_SHOWN_NONZERO,        /* some law's is not 0 */
    CRM_SHOWN_SEVERAL_LAWS,   /* there is another law to compare with */
    CRM_SHOWN_SEVERAL_BODIES, /* which are no generalized coordinates */
    CRM_SHOWN_LINE,           /* which are all on one line, and some law's is not 0 */
    CRM_SHOWN_REBOUND         /* it is defined, and there is a wall to rebound from */
} crm_field_shown;

/* A column of the summary that people read, not of CSV: of a list, its sum. */
typedef struct crm_field_summary {
    unsigned place; /* from 1 in its sheet, in order; 0: none */
    bool course;    /* in the sheet on how the impact went, not in that on energies and measures */
    const char *title;
    crm_field_look look;
    crm_field_shown shown;
    bool (*blank)(const crm_impact *impact); /* defined, but not worth showing; NULL: never */
} crm_field_summary;

typedef struct crm_outcome_field {
    const char *name; /* in JSON, CSV and studies */
    const char *text; /* for the documents */
    const char *unit; /* NULL: none */
    crm_field_of of;
    crm_field_kind kind;
    bool before;   /* known without an outcome */
    bool friction; /* only of models with friction: JSON and CSV of others do not have it */
    crm_field_json json;
    bool optional;       /* only where it is defined */
    bool of_course;      /* it takes crm_impact.course; not of JSON, CSV and tables */
    unsigned csv;        /* column from 1 after those that say whose row it is, a new one the next
                            number, without holes; 0: none, as of CRM_OF_BODY, which has no rows */
    const char *heading; /* of a list that the table shows, without its unit; NULL: not shown */
    crm_field_summary summary;
    /* Where it is: computed by `value` (NAN: not defined), or, if that is NULL, the member of
     * crm_outcome at `offset`: a double, uint64_t or bool by its kind; of a list a pointer to
     * double, of counts to uint32_t, which is NULL when the law does not define it.
     */
    double (*value)(const crm_impact *impact, size_t index);
    bool (*defined)(const crm_impact *impact); /* of a computed list; NULL: always */
    size_t offset;
} crm_outcome_field;

/* ---- Asking --------------------------------------------------------------------------------- */

size_t crm_outcome_fields(void);
const crm_outcome_field *crm_outcome_field_at(size_t index);
const crm_outcome_field *crm_field_find(const char *name, size_t length); /* NULL: none */

/* Whether models like this one have it. */
bool crm_field_exists(const crm_outcome_field *field, const crm_model *model);
/* Its rows in CSV: tangents in the plane are in those of contacts. */
crm_field_of crm_field_row(const crm_outcome_field *field, const crm_model *model);
/* "slip, stick": the words of a path, or as many as fit; "": none. */
void crm_field_path_text(double path, char *text, size_t size);
/* The word of the bit 1 << bit; NULL past the last. */
const char *crm_field_path_word(unsigned bit);

/* How many entries it has in this model; 1 of the impact itself. */
size_t crm_field_count(const crm_outcome_field *field, const crm_model *model);
/* What an entry is called: "ball 1", "ball 1 - ball 2". */
void crm_field_entry_name(const crm_outcome_field *field, const crm_model *model, size_t index,
                          char *text, size_t size);
/* The unit of a time ("s") or force ("N"): "K=1" where all contacts have the default stiffness 1,
 * with which neither is in SI units. Any other unit as it is.
 */
const char *crm_field_unit(const crm_model *model, const char *unit);
extern const char crm_field_unit_relative[]; /* "K=1" */

/* Whether there is a value, or a list. */
bool crm_field_defined(const crm_outcome_field *field, const crm_impact *impact);
/* NAN: not defined. */
double crm_field_value(const crm_outcome_field *field, const crm_impact *impact, size_t index);

/* ---- Names ---------------------------------------------------------------------------------- */

enum { CRM_NAME_SIZE = 96 };

/* Whether a name is that of the coordinate or its body; of the contact or one of its parties. */
bool crm_coordinate_is_called(const crm_model *model, size_t coordinate, const char *name);
bool crm_contact_is_called(const crm_model *model, size_t contact, const char *name);
/* Its contact's name, and in space which of the two it is: "ball - floor t1". */
void crm_contact_tangent_name(const crm_model *model, size_t tangent, char *text, size_t size);
bool crm_contact_tangent_is_called(const crm_model *model, size_t tangent, const char *name);
bool crm_body_is_called(const crm_model *model, size_t body, const char *name);

#endif
