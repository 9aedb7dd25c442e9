/* A hash that detects accidental changes; it does not protect against deliberate ones. */
#ifndef CRM_HASH_H
#define CRM_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a. The first call starts from CRM_HASH_START, a later one from the hash so far. */
#define CRM_HASH_START 0xcbf29ce484222325u
uint64_t crm_hash(uint64_t so_far, const void *bytes, size_t size);

#endif
