#include "base/agenda.h"

#include <stdlib.h>

#include "base/base.h"

bool crm_agenda_create(crm_agenda *agenda, size_t size)
{
    *agenda = (crm_agenda){.heap = CRM_NEW(uint32_t, size),
                           .place = CRM_NEW(uint32_t, size),
                           .key = CRM_NEW(double, size)};
    if (agenda->heap == NULL || agenda->place == NULL || agenda->key == NULL) {
        return false;
    }
    for (size_t j = 0; j < size; j++) {
        agenda->place[j] = UINT32_MAX;
    }
    return true;
}

void crm_agenda_release(crm_agenda *agenda)
{
    free(agenda->heap);
    free(agenda->place);
    free(agenda->key);
}

static bool goes_before(const crm_agenda *agenda, uint32_t a, uint32_t b)
{
    return agenda->key[a] > agenda->key[b] || (agenda->key[a] == agenda->key[b] && a < b);
}

static void set_place(crm_agenda *agenda, size_t place, uint32_t contact)
{
    agenda->heap[place] = contact;
    agenda->place[contact] = (uint32_t)place;
}

static size_t sift_up(crm_agenda *agenda, size_t place)
{
    uint32_t contact = agenda->heap[place];
    while (place > 0 && goes_before(agenda, contact, agenda->heap[(place - 1) / 2])) {
        set_place(agenda, place, agenda->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    set_place(agenda, place, contact);
    return place;
}

static void sift_down(crm_agenda *agenda, size_t place)
{
    uint32_t contact = agenda->heap[place];
    for (size_t child = 2 * place + 1; child < agenda->count; child = 2 * place + 1) {
        if (child + 1 < agenda->count &&
            goes_before(agenda, agenda->heap[child + 1], agenda->heap[child])) {
            child++;
        }
        if (!goes_before(agenda, agenda->heap[child], contact)) {
            break;
        }
        set_place(agenda, place, agenda->heap[child]);
        place = child;
    }
    set_place(agenda, place, contact);
}

void crm_agenda_put(crm_agenda *agenda, size_t contact, double key)
{
    size_t place = agenda->place[contact];
    if (place == UINT32_MAX) {
        place = agenda->count++;
        agenda->heap[place] = (uint32_t)contact;
    } else if (agenda->key[contact] == key) {
        return;
    }
    agenda->key[contact] = key;
    sift_down(agenda, sift_up(agenda, place));
}

void crm_agenda_drop(crm_agenda *agenda, size_t contact)
{
    size_t place = agenda->place[contact];
    if (place == UINT32_MAX) {
        return;
    }
    agenda->place[contact] = UINT32_MAX;
    uint32_t last = agenda->heap[--agenda->count];
    if (last != contact) {
        agenda->heap[place] = last;
        sift_down(agenda, sift_up(agenda, place));
    }
}
