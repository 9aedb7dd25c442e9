/* Messages between ranks, as little of MPI as a study needs. */
#include <mpi.h>
#include <stdint.h>

#include "carom/status.h"
#include "plugin/plugin.h"

enum { TAG = 1, PIECE = 1 << 30 };

extern CRM_API const crm_messenger crm_mpi;

static bool start(int *rank, int *size)
{
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    return provided >= MPI_THREAD_SERIALIZED;
}

static int neighbours(void)
{
    MPI_Comm machine;
    int size = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &size);
    MPI_Comm_free(&machine);
    return size;
}

/* Counts of MPI are of type int. */
static void broadcast(void *data, size_t size)
{
    for (size_t done = 0; done < size; done += PIECE) {
        size_t left = size - done;
        MPI_Bcast((char *)data + done, (int)(left < PIECE ? left : PIECE), MPI_BYTE, 0,
                  MPI_COMM_WORLD);
    }
}

static void send(int to, const void *data, size_t size)
{
    MPI_Send(data, (int)size, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static void describe(const MPI_Status *status, int *from, size_t *size)
{
    int count = 0;
    MPI_Get_count(status, MPI_BYTE, &count);
    *from = status->MPI_SOURCE;
    *size = (size_t)count;
}

static bool poll(int *from, size_t *size)
{
    int waits = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &waits, &status);
    if (waits) {
        describe(&status, from, size);
    }
    return waits != 0;
}

static void wait_for(int *from, size_t *size)
{
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    describe(&status, from, size);
}

static void receive(int from, void *data, size_t size)
{
    MPI_Recv(data, (int)size, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void stop(void)
{
    MPI_Finalize();
}

const crm_messenger crm_mpi = {.start = start,
                               .neighbours = neighbours,
                               .broadcast = broadcast,
                               .send = send,
                               .poll = poll,
                               .receive = receive,
                               .wait = wait_for,
                               .stop = stop};
