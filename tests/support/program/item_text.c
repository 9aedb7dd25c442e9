#include "item_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support.h"

trial read_text(const char *text)
{
    trial t = {0};
    snprintf(t.directory, sizeof t.directory, "/tmp/carom-test-XXXXXX");
    assert_non_null(mkdtemp(t.directory));
    snprintf(t.path, sizeof t.path, "%s/x.yaml", t.directory);
    FILE *file = fopen(t.path, "w");
    assert_non_null(file);
    fprintf(file, "name: x\nsource: a test\ntitle: a title\n%s", text);
    fclose(file);
    t.status = crm_item_read(t.path, &t.item, &t.error);
    unlink(t.path);
    rmdir(t.directory);
    return t;
}

void finish(trial *t)
{
    crm_record_free(t->record);
    crm_item_free(t->item);
}

trial run_text(const char *text)
{
    trial t = read_text(text);
    crm_error error = {0};
    if (t.status != CRM_OK) {
        print_error("%s\n", t.error.text);
    }
    assert_int_equal(t.status, CRM_OK);
    assert_ok(crm_record_create(t.item, &t.record, &error), &error);
    crm_records_run(&t.record, 1, 1, NULL);
    return t;
}

void refuses(const char *text, const char *place, const char *words)
{
    trial t = read_text(text);
    assert_int_not_equal(t.status, CRM_OK);
    char wanted[160];
    snprintf(wanted, sizeof wanted, "%s:%s: ", t.path, place);
    if (strstr(t.error.text, wanted) == NULL || strstr(t.error.text, words) == NULL) {
        fail_msg("'%s' has not '%s' and '%s'", t.error.text, wanted, words);
    }
    finish(&t);
}
