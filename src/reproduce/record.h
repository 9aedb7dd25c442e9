/* An item computed again, and set beside what was printed. */
#ifndef CRM_REPRODUCE_RECORD_H
#define CRM_REPRODUCE_RECORD_H

#include <stdio.h>

#include "report/page/page.h"
#include "report/report.h"
#include "reproduce/item.h"
#include "reproduce/trace.h"

/* ---- Computing ------------------------------------------------------------------------------ */

/* One case at one value of the parameter, by every law. */
typedef struct crm_point {
    crm_scenario *scenario; /* NULL: it could not be read */
    crm_outcome **outcomes; /* one per law; NULL: none */
    double *traces;         /* law after law, one per trace of the record */
    double threshold;
    double parameter;   /* NAN: nothing is varied */
    char trouble[640];  /* why there is no scenario or outcome; "" */
    bool out_of_memory; /* memory ran out: there is no result */
    bool computed;      /* false: not yet, or it was stopped before */
} crm_point;

/* ---- Judging -------------------------------------------------------------------------------- */

typedef enum crm_verdict {
    CRM_VERDICT_MATCHES,
    CRM_VERDICT_SCHEME, /* the print carries the step error of the paper's scheme; ours is converged
                         */
    CRM_VERDICT_ERRATUM,     /* an error of print or derivation, for the reason given */
    CRM_VERDICT_UNEXPLAINED, /* ours is right by an independent computation; no run gives the print
                              */
    CRM_VERDICT_DEVIATES,    /* differs, or could not be had */
    CRM_VERDICT_RECOMPUTED,  /* agrees with a number that no paper prints */
    CRM_VERDICT_SANITY,      /* holds, as it must */
    CRM_VERDICT_BESIDE,      /* shown only */
    CRM_VERDICTS
} crm_verdict;

const char *crm_judge_verdict_text(crm_verdict verdict);

/* What came of one claim. */
typedef struct crm_finding {
    const crm_claim *claim;
    crm_verdict verdict;
    char published[80];      /* as printed, or in words */
    char ours[80];           /* with two digits more, or in words */
    double published_number; /* NAN: in words only */
    double ours_number;      /* NAN: in words only, or not available */
    double again_number;     /* recomputed; NAN: it is none */
    double scheme_number;    /* by the paper's scheme; NAN: not asked for */
    double deviation;        /* NAN: not a number */
    int digits;              /* that agree; -1: not counted */
    char trouble[640];       /* what went wrong; "" */
} crm_finding;

typedef struct crm_record {
    const crm_item *item;
    size_t point_count;
    const crm_watch *watch; /* over every law of every point, whose systems may take its bytes, too;
                               NULL: none */
    crm_point *points;      /* the parameter's values, case after case */
    size_t trace_count;
    const char **trace_names;
    crm_finding *findings; /* one per claim */

    crm_verdict verdict;         /* the worst of the findings */
    int digits;                  /* fewest of a printed number that agrees; -1: there is none */
    double worst;                /* largest deviation from a printed number; NAN: no number */
    size_t counts[CRM_VERDICTS]; /* findings by verdict */
} crm_record;

crm_status crm_record_create(const crm_item *item, crm_record **record, crm_error *error);
void crm_record_free(crm_record *record); /* NULL is fine */

bool crm_record_is_computed(const crm_record *record); /* all points */
/* When all points are computed. */
void crm_judge_record(crm_record *record);

/* Called when a point is done, from any thread. */
typedef struct crm_record_progress {
    void *context;
    void (*done)(void *context, size_t done, size_t count);
    const crm_watch *watch; /* over every law of every point; NULL: none */
} crm_record_progress;

/* Compute and judge all, `jobs` points at a time. The same bits for any number of jobs. When
 * stopped, only what is computed by then is judged. CRM_ERROR_MEMORY: some could not be computed,
 * and nothing is judged.
 */
crm_status crm_records_run(crm_record *const *records, size_t count, unsigned jobs,
                           const crm_record_progress *progress);

/* ---- Parts ---------------------------------------------------------------------------------- */

/* The value of a claim's quantity at a point; NAN, with the reason in `trouble`. */
double crm_record_value(const crm_record *record, const crm_claim *claim, const crm_point *point,
                        char *trouble, size_t size);
/* Entry i (from 1) of the claim's array; false: the array ends before. */
bool crm_record_entry(const crm_record *record, const crm_claim *claim, const crm_point *point,
                      size_t i, double *value);
const crm_point *crm_record_point(const crm_record *record, const crm_claim *claim);
crm_status crm_point_law(const crm_point *point, const char *label, size_t *law);

/* Solve one point of the item: settings of the case, of the variation, and of the threshold when
 * `grid` is not NAN. Traces are followed when `traces` is not NULL.
 */
void crm_point_solve(const crm_record *record, size_t case_index, double parameter, double grid,
                     crm_point *point);
void crm_point_clear(crm_point *point);

void crm_shape_judge(const crm_record *record, crm_finding *finding);

/* Digits of a number as printed: "0.0710" has 4, "52" has 2, "1.15e10" has 3. */
int crm_judge_digits(const char *printed);
/* Half a unit of its last digit. */
double crm_judge_half_unit(const char *printed);

/* ---- Printing -------------------------------------------------------------------------------- */

void crm_print_list(const crm_item *const *items, size_t count, int width, FILE *stream);
void crm_print_table(const crm_record *record, crm_style style, FILE *stream);
void crm_print_summary(crm_record *const *records, size_t count, crm_style style, FILE *stream);
crm_status crm_print_json(crm_record *const *records, size_t count, FILE *stream, crm_error *error);
/* The same as one HTML file (docs/reports.md). */
crm_status crm_html_record(crm_record *const *records, size_t count, const crm_page_source *source,
                           FILE *stream, crm_error *error);
void crm_print_csv(crm_record *const *records, size_t count, FILE *stream);
void crm_print_markdown(crm_record *const *records, size_t count, FILE *stream);

#endif
