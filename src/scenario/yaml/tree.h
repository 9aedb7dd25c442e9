/* A scenario file as a tree whose every node knows where it was written.
 *
 * Built on libyaml's event parser: it gives line and column for every event, and at event level
 * aliases are ours to limit. An alias shares the node it names (nothing is expanded), and cannot
 * lie within it; values and levels of nesting count as if it were written out. Numbers follow the
 * YAML 1.2 core schema; quoted scalars are text.
 */
#ifndef CRM_TREE_H
#define CRM_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "carom/scenario.h"
#include "scenario/yaml/arena.h"

typedef enum crm_node_kind { CRM_NODE_SCALAR, CRM_NODE_SEQUENCE, CRM_NODE_MAPPING } crm_node_kind;

typedef struct crm_node {
    uint8_t kind;          /* crm_node_kind */
    bool plain;            /* scalar: not quoted, so that it may be a number */
    bool shared;           /* an alias refers to it */
    uint8_t height;        /* levels of collections in it, with itself, when it was read */
    uint32_t source;       /* which text it came from: 0 the file, k the k-th --set */
    uint32_t line, column; /* from 1 */
    size_t count;          /* bytes of a scalar, entries of a collection */
    union {
        const char *text;        /* scalar, terminated, without inner NUL */
        struct crm_node **items; /* entries of a sequence, values of a mapping */
    };
    struct crm_node **keys;  /* of a mapping: scalars, none twice */
    struct crm_node *parent; /* where it was first written; NULL: the root */
} crm_node;

/* How much a file may ask for. */
typedef struct crm_yaml_limits {
    size_t depth;  /* of nesting, at most CRM_DEPTH_MOST */
    size_t nodes;  /* values; of a long text each 64 bytes are one more */
    size_t bodies; /* also of coordinates and contacts */
    double memory; /* bytes that a system may take; 0: any number */
} crm_yaml_limits;

enum { CRM_DEPTH_MOST = 64 };

crm_yaml_limits crm_yaml_limits_default(void);

/* Laws of the caller's that a file may name beside the library's, and functions; borrowed. */
typedef struct crm_own_laws {
    const crm_law *const *laws;
    size_t count;
    const crm_named_function *functions;
    size_t function_count;
} crm_own_laws;

typedef struct crm_tree {
    crm_arena arena;
    crm_node *root;
    crm_yaml_limits limits;
    size_t values;        /* of the file and of what was set since, aliases written out */
    crm_own_laws own;     /* none at first */
    const char **sources; /* in the arena: file name, then "--set PATH=VALUE" ... */
    size_t source_count;
} crm_tree;

/* The whole message, ready to print: "file:line:column: message". */
typedef struct crm_read_error {
    crm_status status;
    size_t line, column; /* 0: not about a place in the file */
    char text[8192];     /* a path may have 4096 bytes */
    char more[4096];     /* what else is wrong, a line each, without the last end of line; "" */
} crm_read_error;

/* ---- Making and freeing ------------------------------------------------------------------- */

/* Parse length bytes. `source` is the name that errors begin with; it is copied. */
crm_status crm_yaml_parse(const char *text, size_t length, const char *source,
                          const crm_yaml_limits *limits, crm_tree **tree, crm_read_error *error);
void crm_tree_free(crm_tree *tree); /* NULL is fine */

/* Read one more text into the tree's memory, without linking it in (the value of a --set). */
crm_status crm_yaml_parse_value(crm_tree *tree, const char *text, const char *source,
                                crm_node **node, crm_read_error *error);

/* Override one field: "chain.restitution=0.9", "laws[1].tolerance=1e-9",
 * "bodies[cue].velocity=[1, 0]". Blocks on the way that are not there are made, entries of
 * lists are not.
 */
crm_status crm_yaml_set(crm_tree *tree, const char *assignment, crm_read_error *error);

/* Where a value stands, to be filled again and again: container->items[index]. */
typedef struct crm_place {
    crm_node *container;
    size_t index;
} crm_place;

/* Put `value` where `path` leads. Errors are reported at the node `asked_by`. */
crm_status crm_yaml_place(crm_tree *tree, const char *path, const crm_node *asked_by,
                          crm_node *value, crm_place *place, crm_read_error *error);

/* ---- Reading ------------------------------------------------------------------------------ */

/* The value under a key; NULL if the node is no mapping or has no such key. */
crm_node *crm_yaml_find(const crm_node *mapping, const char *key);

/* A law by its name, the library's or the caller's; NULL if there is none. */
const crm_law *crm_tree_law(const crm_tree *tree, const char *name);
/* A function of the caller's; NULL if there is none. */
const crm_named_function *crm_tree_function(const crm_tree *tree, const char *name);

bool crm_yaml_is_null(const crm_node *node);
/* False if the scalar does not look like a number; then *value is untouched. */
bool crm_yaml_number(const crm_node *node, double *value);
/* The same for a bare text. */
bool crm_yaml_text_number(const char *text, double *value);

/* The deepest node that a path below `from` leads to; never NULL. "mass[3]" below a chain whose
 * mass is a scalar gives that scalar. *complete (may be NULL) says whether all of it was followed.
 */
const crm_node *crm_yaml_locate(const crm_node *from, const char *path, bool *complete);

/* ---- Errors ---------------------------------------------------------------------------------- */

/* The node's path from the root: "chain.mass[3]"; "scenario" for the root. */
void crm_yaml_path(const crm_node *node, char *text, size_t size);
/* In one line, as it might stand in a file. */
void crm_yaml_write_node(const crm_node *node, FILE *stream);
/* The whole, as a file that is read as the same tree. */
void crm_yaml_write(const crm_tree *tree, FILE *stream);
/* What was written there, short enough for a message: 'abc', a list of 3, a mapping. */
void crm_yaml_show(const crm_node *node, char *text, size_t size);
/* Text fit for a message or a terminal: shortened to size; what a terminal would
 * act on is escaped (base/text.h).
 */
void crm_yaml_show_text(const char *text, char *shown, size_t size);

/* Fill *error with place and message and return the status. */
crm_status crm_yaml_fail(const crm_tree *tree, const crm_node *node, crm_read_error *error,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));
crm_status crm_yaml_fail_at(crm_read_error *error, crm_status status, const char *source,
                            size_t line, size_t column, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
crm_status crm_yaml_fail_memory(const crm_tree *tree, crm_read_error *error);

/* For a text that should have been a field and its value, "count:3" or "count = 3": how to write
 * it. False: it is neither.
 */
bool crm_yaml_hint(const char *text, char *hint, size_t size);
/* The same for text that is not valid YAML where this line is: tabs, fields without a space after
 * the colon in the line above, brackets left open.
 */
bool crm_yaml_hint_at(const char *text, size_t length, size_t line, char *hint, size_t size);

#endif
