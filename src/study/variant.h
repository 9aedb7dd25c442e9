/* A scenario some of whose fields are set again and again, and read each time. */
#ifndef CRM_VARIANT_H
#define CRM_VARIANT_H

#include "scenario/reader.h"
#include "scenario/scenario.h"

/* A field that is set. Entries of a list that is made follow one another with the list's path. */
typedef struct crm_variant_slot {
    const char *path;
    const crm_node *node; /* of the field that asks for it */
    size_t list;          /* of a list's first entry: how many there are; 0: a value of its own */
} crm_variant_slot;

/* Whether they can be set independently, and none belongs to the block of a command. */
crm_status crm_variant_check_slots(crm_reader *reader, const crm_variant_slot *slots, size_t count);

/* What it is made from; borrowed until it is made, laws and slots as long as it lives. */
typedef struct crm_variant_def {
    const char *text;
    size_t length;
    const char *source;
    const crm_yaml_limits *limits;
    crm_own_laws own;
    const char *const *overrides; /* "PATH=VALUE" ... */
    size_t override_count;
    const char *laws; /* as --law takes them; NULL: those of the scenario */
    bool moves;       /* it is a motion, not an impact */
    const crm_variant_slot *slots;
    size_t slot_count;
} crm_variant_def;

enum { CRM_SLOT_TEXT = 32 };

typedef struct crm_variant {
    crm_tree *tree;
    const char *laws;
    bool moves;
    const crm_variant_slot *slots;
    size_t count;
    crm_place *places; /* one per slot, like the two below; all in the tree's arena */
    crm_node **scalars;
    char (*texts)[CRM_SLOT_TEXT];
    crm_arena_mark mark; /* what a reading takes from the arena is given back before the next */
    crm_scenario *scenario;
} crm_variant;

/* Zeroed before; to be closed also after an error. */
crm_status crm_variant_open(crm_variant *variant, const crm_variant_def *def,
                            crm_read_error *error);
void crm_variant_close(crm_variant *variant);

void crm_variant_set_number(crm_variant *variant, size_t slot, double number);
/* A node of another tree, which is only read. */
void crm_variant_set_node(crm_variant *variant, size_t slot, const crm_node *node);

/* Read the scenario as it is set, which replaces the one before. NULL scenario: it is none. */
crm_status crm_variant_read(crm_variant *variant, crm_read_error *error);

/* The message without "file:line:column: ", where values matter and places do not. */
const char *crm_variant_bare(const crm_variant *variant, const crm_read_error *error);

#endif
