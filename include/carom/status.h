/* What can go wrong when carom is called, and where.
 *
 * A status says whether a call was carried out. How an impact *ended* (solved, not terminated,
 * infeasible ...) is an outcome, see outcome.h: a law that cannot answer is not a misuse.
 */
#ifndef CAROM_STATUS_H
#define CAROM_STATUS_H

#include <stddef.h>

#if defined(_WIN32)
#define CRM_API
#else
#define CRM_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* One list makes the enum and its texts, so they cannot drift apart. */
#define CRM_STATUS_LIST(X)                                                                         \
    X(CRM_OK, "done")                                                                              \
    X(CRM_ERROR_ARGUMENT, "an argument is missing or out of range")                                \
    X(CRM_ERROR_MODEL, "the data do not describe a mechanical system")                             \
    X(CRM_ERROR_OPTION, "a law's option is unknown or out of range")                               \
    X(CRM_ERROR_MEMORY, "out of memory")                                                           \
    X(CRM_ERROR_NUMERICS, "a factorization or iteration broke down")                               \
    X(CRM_ERROR_STOPPED, "stopped by the caller's recorder")

#define CRM_STATUS_ENUM(name, text) name,
typedef enum crm_status { CRM_STATUS_LIST(CRM_STATUS_ENUM) CRM_STATUS_COUNT } crm_status;
#undef CRM_STATUS_ENUM

/* What a call answers for, and what its caller does:
 *
 * - A function that returns a status looks at what it is handed: pointers that must not be NULL,
 *   sizes, enumerations, numbers that are none or out of range, names and indices inside a
 *   definition. CRM_ERROR_MEMORY: there was no memory; nothing is changed or lost, and the same
 *   call may be made again.
 * - How long an array is it cannot know: arrays have as many entries as the sizes beside them say.
 * - Functions that return no status (to read a model, an outcome, a motion, or to measure) take
 *   what was made by the library, not NULL, and indices within it. Builds for debugging, and those
 *   with sanitizers, end the program with a message where that is not so.
 *
 * Whatever the caller has set for itself (a locale, traps or rounding of floating-point numbers,
 * handlers of signals) changes no answer, and is as it was when a call returns; callbacks run in
 * the usual floating-point environment. A forked child may use what its parent made before.
 */

/* Filled by every fallible function when the caller passes one (it may always be NULL).
 * `place` is the field at fault in the caller's terms, with one-based indices: "mass[3]",
 * "contacts[2].restitution"; empty when no field is to blame.
 */
typedef struct crm_error {
    crm_status status;
    char place[128];
    char message[512];
} crm_error;

/* The text of a status; never NULL. */
CRM_API const char *crm_status_text(crm_status status);

#ifdef __cplusplus
}
#endif
#endif
