/* Man pages and completions, made at build time from the tables that the program itself reads. */
#ifndef CRM_MANUAL_H
#define CRM_MANUAL_H

#include <stdio.h>

#include "cli/cli.h"

/* ---- Pages in roff -------------------------------------------------------------------------- */

void crm_manual_print_program(FILE *stream);                             /* carom(1) */
void crm_manual_print_command(FILE *stream, const crm_command *command); /* carom-solve(1) */
void crm_manual_print_scenario(FILE *stream);                            /* carom-scenario(5) */

/* ---- Completions ---------------------------------------------------------------------------- */

void crm_manual_complete_bash(FILE *stream);
void crm_manual_complete_zsh(FILE *stream);
void crm_manual_complete_fish(FILE *stream);

#endif
