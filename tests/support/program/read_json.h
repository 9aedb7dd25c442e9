/* What the program's JSON says, for tests. */
#ifndef CAROM_TEST_READ_JSON_H
#define CAROM_TEST_READ_JSON_H

#include <jansson.h>

/* A text that must be JSON; to be released. */
json_t *parse(const char *text);
/* The entry of the program's `results` for the law with this index. */
const json_t *result_of(const json_t *root, size_t index);
/* A number of the list under this key. */
double number_at(const json_t *result, const char *key, size_t index);

#endif
