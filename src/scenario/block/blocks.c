#include "scenario/block/blocks.h"

#include "base/base.h"

#define KIND_TEXT(name, text) [name] = text,
static const char *const kinds[] = {CRM_KIND_LIST(KIND_TEXT)};

const char *crm_block_kind_text(crm_kind kind)
{
    return kinds[kind];
}

/* The fields of every block in turn, then where each block's lie among them. */
#define FIELD(index, name, kind, unit, allowed, standard, text)                                    \
    {name, kind, unit, allowed, standard, text},
#define FIELDS(block, fields, name, text)                                                          \
    static const crm_field fields_of_##block[] = {fields(FIELD)};
CRM_BLOCK_LIST(FIELDS)

#define BLOCK(block, fields, name, text)                                                           \
    [block] = {name, text, sizeof fields_of_##block / sizeof(crm_field), fields_of_##block},
static const crm_block blocks[CRM_BLOCKS] = {CRM_BLOCK_LIST(BLOCK)};

const crm_block *crm_block_at(crm_block_index index)
{
    return &blocks[index];
}
