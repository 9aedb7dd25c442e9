#include "page_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

json_t *page_data(const fixture *f, const char *name, char **raw)
{
    static const char begin[] = "id=\"carom-data\">";
    char *page = get_file(f, name);
    assert_non_null(page);
    char *from = strstr(page, begin);
    assert_non_null(from);
    from += strlen(begin);
    char *to = strstr(from, "</script>");
    assert_non_null(to);
    json_error_t error;
    json_t *data = json_loadb(from, (size_t)(to - from), 0, &error);
    if (data == NULL) {
        fail_msg("%s: %s at %d", name, error.text, error.position);
    }
    *to = '\0';
    if (raw != NULL) {
        *raw = strdup(from);
    }
    free(page);
    return data;
}

json_t *page_result(const fixture *f, const char *name)
{
    json_t *data = page_data(f, name, NULL);
    json_object_del(data, "report");
    json_object_del(data, "histories");
    return data;
}
