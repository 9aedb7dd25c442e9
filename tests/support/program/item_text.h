/* Items of the published record, written for a test. */
#ifndef CAROM_TEST_ITEM_TEXT_H
#define CAROM_TEST_ITEM_TEXT_H

#include "reproduce/record.h"

typedef struct trial {
    char directory[64], path[96];
    crm_item *item;
    crm_record *record;
    crm_read_error error;
    crm_status status;
} trial;

/* Read "x.yaml" with the text given, after the words that every item has. To be finished. */
trial read_text(const char *text);
void finish(trial *t);
/* The same, and computed. */
trial run_text(const char *text);
/* The complaint has the place and the words. */
void refuses(const char *text, const char *place, const char *words);

/* An elastic ball of mass 1 strikes one of mass m: the second takes 4m/(1+m)^2 of the energy, most
 * at m = 1.
 */
#define STRUCK_MASS                                                                                \
    "scenario: {laws: [newton], chain: {count: 2, velocity: [1], mass: 1}}\n"                      \
    "vary: {parameter: m, values: [0.2, 0.5, 0.8, 1, 1.3, 2, 4], "                                 \
    "set: ['chain.mass=[1, $]']}\n"

#define TWO_BALLS "scenario: {laws: [newton], chain: {count: 2, velocity: [1]}}\n"

#endif
