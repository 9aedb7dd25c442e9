#include "read_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

json_t *parse(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    if (root == NULL) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    return root;
}

const json_t *result_of(const json_t *root, size_t index)
{
    return json_array_get(json_object_get(root, "results"), index);
}

double number_at(const json_t *result, const char *key, size_t index)
{
    return json_number_value(json_array_get(json_object_get(result, key), index));
}
