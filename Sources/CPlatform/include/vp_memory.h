/* Memory: behind descriptors, of processes, and free on the heap.
 * Every function that returns something returns a value of 0 or more, or -errno; errno itself is left undefined. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Memory of a fixed size that only this descriptor reaches; sealed against growing, shrinking and further
 * seals, so that a process that shares it cannot take pages away from one that reads it. */
int vp_sealed_memory(const char *name, size_t size);

/* A descriptor that tells how much memory a process uses, for vp_resident_memory. Where /proc hides processes
 * (hidepid), one that gave up being dumpable cannot be opened any more; what was opened before goes on telling. */
int vp_open_memory(pid_t pid);

/* Resident memory of a process in bytes, 0 once it has ended, -ESRCH once it was reaped, or another -errno. */
int64_t vp_resident_memory(int memory);

/* What of it is the process's own: not of files and not shared. In bytes, 0 once it has ended, or -errno. */
int64_t vp_own_memory(int memory);

/* Memory that only this descriptor reaches and that grows as it is written. */
int vp_growing_memory(const char *name);

/* Makes such memory unchangeable, whoever gets hold of it and however it is opened anew, and opens it for reading, from its
 * start. Nothing may have it mapped for writing. Returns the new descriptor, or -errno; the old one stays open. */
int vp_finished_memory(int memory);

/* Gives free memory of the heap back to the system when there are more bytes of it than `above`, or than a third of that
 * once the heap is more than four times as large: who holds much keeps little beside it. glibc itself returns
 * only what lies at the heap's end, so that one large document would decide what a process holds from then on.
 * To count them takes a walk through all free blocks, up to milliseconds: it is left out as long as the whole heap is no
 * larger (after vp_keep_memory), and comes so seldom that it takes at most some three percent of the time.
 * May be called while other threads run. */
void vp_return_memory(size_t above);

/* Lets the heap keep up to `bytes` of free memory at its end, and take blocks of up to that size from there. By default
 * glibc returns every block of 128 KiB at once, and a process that makes one picture after the other spends more on
 * getting zeroed pages again than on its work. To be called before there are other threads. */
void vp_keep_memory(int bytes);
