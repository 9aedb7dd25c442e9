/* One table or figure of a paper: what was computed, what was printed, what to expect of ours.
 *
 * An item is a file (docs/reproduce.md): a scenario, the cases it was computed for, and
 * claims about the outcomes. A claim is a printed number, or something the text says or a curve
 * shows.
 */
#ifndef CRM_REPRODUCE_ITEM_H
#define CRM_REPRODUCE_ITEM_H

#include <stdbool.h>

#include "scenario/reader.h"

/* ---- How a case differs from the scenario --------------------------------------------------- */

/* "PATH=VALUE", as --set takes it, with $ for the parameter that is varied. */
typedef struct crm_settings_list {
    size_t count;
    const char *const *entries;
} crm_settings_list;

typedef struct crm_case {
    const char *name;
    crm_settings_list settings;
} crm_case;

/* The parameter of a curve. */
typedef struct crm_item_variation {
    const char *parameter;
    size_t count; /* 0: nothing is varied */
    const double *values;
    crm_settings_list settings;
} crm_item_variation;

/* How far along a grid something holds, found by bisection. */
typedef struct crm_threshold {
    bool wanted;
    double from, to, step;
    crm_settings_list settings; /* $ is the value on the grid */
    const char *law;            /* NULL: the first */
    const char *quantity;
    double least, most; /* holds while the quantity is within, ends included */
    bool holds_above;   /* holds from the threshold on, rather than up to it */
} crm_threshold;

/* ---- Claims --------------------------------------------------------------------------------- */

typedef enum crm_claim_kind {
    CRM_CLAIM_VALUE,     /* a printed number */
    CRM_CLAIM_STATUS,    /* how the law ended */
    CRM_CLAIM_MINIMUM,   /* a curve is least near a place */
    CRM_CLAIM_MAXIMUM,   /* largest near a place */
    CRM_CLAIM_INCREASES, /* never falls */
    CRM_CLAIM_DECREASES, /* never rises */
    CRM_CLAIM_WITHIN     /* every value of the curve between two bounds */
} crm_claim_kind;

typedef struct crm_claim {
    crm_claim_kind kind;
    const crm_node *node;
    const char *what;
    size_t case_index;
    const char *law;      /* NULL: the first */
    const char *quantity; /* or an array ("velocity") when `along` is set */
    const char *per;      /* divided by this; NULL: by 1 */
    double times, power;  /* times * (quantity / per)^power */
    double at;            /* the parameter's value that is meant; NAN: all of them */
    bool along;           /* over the entries of an array rather than over the parameter */
    double from, to;      /* the part of the curve that is meant */

    const char *printed; /* the number as printed, so that its digits are known */
    double published;    /* of a value; place of an extreme */
    double tolerance;    /* NAN: half a unit of the last printed digit */
    const char *right;   /* what is right where the paper is not; NULL: the paper is */
    const char *reason;  /* why ours differs; NULL: it must not */
    const char *scheme;  /* label of the law whose step error explains the difference; "none": no
                            law does; NULL: not a step error */
    bool recomputed;     /* no paper prints it: from an independent computation */
    bool sanity;         /* holds for any sound computation: says nothing about the paper */
    bool unfinished;     /* the state reached counts, whether or not the law came to an end */
    bool beside;         /* shown, not judged: measurements, or systems not fully specified */
    double least, most;  /* of CRM_CLAIM_WITHIN */
} crm_claim;

/* ---- The item ------------------------------------------------------------------------------- */

typedef enum crm_item_kind {
    CRM_ITEM_TABLE,   /* numbers of a table */
    CRM_ITEM_NUMBERS, /* numbers that the text gives of a figure */
    CRM_ITEM_SHAPE    /* what the curve shows and the text says of it */
} crm_item_kind;

typedef struct crm_item {
    const char *name, *source, *title;
    const char *note; /* "" or what a reader should know */
    size_t also_count;
    const char *const *also; /* other figures and tables that print the same */
    crm_item_kind kind;
    bool quick;
    size_t case_count;
    const crm_case *cases;
    crm_item_variation variation;
    crm_threshold threshold;
    size_t claim_count;
    const crm_claim *claims;

    crm_tree *tree; /* owned, and all of the above lives in it */
    char *text;     /* owned: the file, read again for every point */
    size_t length;
    char *path;
} crm_item;

crm_status crm_item_read(const char *path, crm_item **item, crm_read_error *error);
void crm_item_free(crm_item *item); /* NULL is fine */
const char *crm_item_kind_text(crm_item_kind kind);

/* ---- Parts of the reader -------------------------------------------------------------------- */

/* A list of settings; NULL node: none. */
crm_status crm_settings_read(crm_reader *reader, const crm_node *node, crm_settings_list *list);
/* `published`, `recomputed` and `checks`, each of which may be NULL. */
crm_status crm_read_claims(crm_reader *reader, const crm_node *published,
                           const crm_node *recomputed, const crm_node *checks, crm_item *item);

/* Apply settings to a tree whose root is the scenario. */
crm_status crm_settings_apply(const crm_settings_list *list, double parameter, crm_tree *tree,
                              crm_read_error *error);

#endif
