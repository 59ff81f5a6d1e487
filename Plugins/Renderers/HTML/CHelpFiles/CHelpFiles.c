#include "CHelpFiles.h"
#include <mspack.h>
#include <stdlib.h>
#include <string.h>

/* Files that a help file may list. The largest collections have some ten thousand; each takes a piece of memory here, and its path
 * another one where it is looked for. */
enum { most_files = 1 << 18 };
/* Bytes of the pieces, with the paths. */
enum { most_bytes = 32 << 20 };

struct chelpfiles_file {
    /* Comes first: what is called while the list is read finds the rest by it. */
    struct mspack_system system;
    chelpfiles_input input;
    struct mschm_decompressor *decompressor;
    struct mschmd_header *header;
    struct mschmd_file **files;
    size_t count;
    /* Pieces of memory that were taken while the list was read, their bytes, and whether one was refused. */
    size_t pieces, bytes;
    int is_full;
    /* Where the file goes that is unpacked. */
    uint8_t *out;
    size_t room, written;
};

/* What libmspack calls a file: a place in the input, or the end of the output. */
struct place {
    chelpfiles_file *help;
    int64_t offset;
    int writes;
};

/* What libmspack takes for a name is the help file itself: it hands the pointer on and never looks at it. */
static struct mspack_file *open_place(struct mspack_system *self, const char *name, int mode) {
    (void)self;
    if (mode != MSPACK_SYS_OPEN_READ && mode != MSPACK_SYS_OPEN_WRITE) return NULL;
    struct place *place = calloc(1, sizeof *place);
    if (!place) return NULL;
    place->help = (chelpfiles_file *)(uintptr_t)name;
    place->writes = mode == MSPACK_SYS_OPEN_WRITE;
    return (struct mspack_file *)place;
}

static void close_place(struct mspack_file *file) { free(file); }

/* Free Pascal's compiler of help files writes the first of the two GUIDs in the header twice, which Windows reads and libmspack
 * does not. They differ in their first byte. */
enum { second_guid = 0x28, first_guid_begins = 0x10, second_guid_begins = 0x11 };

static int read_bytes(struct mspack_file *file, void *buffer, int count) {
    struct place *place = (struct place *)file;
    if (place->writes || count < 0) return -1;
    int done = 0;
    int64_t start = place->offset;
    while (done < count) {
        int read = place->help->input.read(
            place->help->input.context, place->offset, (uint8_t *)buffer + done, count - done);
        if (read < 0) return -1;
        if (read == 0) break;
        done += read;
        place->offset += read;
    }
    if (start <= second_guid && place->offset > second_guid) {
        uint8_t *guid = (uint8_t *)buffer + (second_guid - start);
        if (*guid == first_guid_begins) *guid = second_guid_begins;
    }
    return done;
}

static int write_bytes(struct mspack_file *file, void *buffer, int count) {
    struct place *place = (struct place *)file;
    chelpfiles_file *help = place->help;
    if (!place->writes || count < 0) return -1;
    size_t left = help->room - help->written;
    size_t taken = (size_t)count < left ? (size_t)count : left;
    memcpy(help->out + help->written, buffer, taken);
    help->written += taken;
    /* Fewer bytes than asked for end the unpacking. */
    return (int)taken;
}

static int seek_place(struct mspack_file *file, off_t offset, int mode) {
    struct place *place = (struct place *)file;
    int64_t from = mode == MSPACK_SYS_SEEK_CUR ? place->offset
        : mode == MSPACK_SYS_SEEK_END          ? place->help->input.size
                                               : 0;
    int64_t to;
    if (place->writes || __builtin_add_overflow(from, (int64_t)offset, &to)) return -1;
    if (to < 0 || to > place->help->input.size) return -1;
    place->offset = to;
    return 0;
}

static off_t tell_place(struct mspack_file *file) { return (off_t)((struct place *)file)->offset; }

/* What it has to say is for nobody. */
static void pass_over(struct mspack_file *file, const char *format, ...) {
    (void)file;
    (void)format;
}

static void *allocate(struct mspack_system *self, size_t size) {
    (void)self;
    return malloc(size);
}

/* Stands in while the list is read. Each file of it is one piece, and there is hardly any other. Later on libmspack hands over
 * copies of the system, which nothing stands behind. */
static void *allocate_in_list(struct mspack_system *self, size_t size) {
    chelpfiles_file *help = (chelpfiles_file *)self;
    help->bytes += size;
    help->is_full |= ++help->pieces > most_files || help->bytes > most_bytes;
    return help->is_full ? NULL : malloc(size);
}

static void copy_bytes(void *from, void *to, size_t count) { memcpy(to, from, count); }

chelpfiles_file *chelpfiles_open(chelpfiles_input input, chelpfiles_failure *failure) {
    *failure = chelpfiles_damaged;
    chelpfiles_file *help = calloc(1, sizeof *help);
    if (!help) return NULL;
    help->input = input;
    help->system = (struct mspack_system){
        .open = open_place, .close = close_place, .read = read_bytes, .write = write_bytes, .seek = seek_place,
        .tell = tell_place, .message = pass_over, .alloc = allocate, .free = free, .copy = copy_bytes,
    };
    help->decompressor = mspack_create_chm_decompressor(&help->system);
    help->system.alloc = allocate_in_list;
    if (help->decompressor) help->header = help->decompressor->open(help->decompressor, (const char *)help);
    help->system.alloc = allocate;
    if (!help->header) {
        if (help->is_full) *failure = chelpfiles_too_many;
        chelpfiles_close(help);
        return NULL;
    }
    struct mschmd_file *lists[] = {help->header->files, help->header->sysfiles};
    for (int list = 0; list < 2; list++)
        for (struct mschmd_file *file = lists[list]; file; file = file->next) help->count++;
    help->files = calloc(help->count ? help->count : 1, sizeof *help->files);
    if (!help->files) {
        chelpfiles_close(help);
        return NULL;
    }
    size_t index = 0;
    for (int list = 0; list < 2; list++)
        for (struct mschmd_file *file = lists[list]; file; file = file->next) help->files[index++] = file;
    return help;
}

void chelpfiles_close(chelpfiles_file *help) {
    if (help->header) help->decompressor->close(help->decompressor, help->header);
    if (help->decompressor) mspack_destroy_chm_decompressor(help->decompressor);
    free(help->files);
    free(help);
}

size_t chelpfiles_count(const chelpfiles_file *help) { return help->count; }

const char *chelpfiles_path(const chelpfiles_file *help, size_t index) { return help->files[index]->filename; }

int64_t chelpfiles_length(const chelpfiles_file *help, size_t index) { return help->files[index]->length; }

int64_t chelpfiles_unpack(chelpfiles_file *help, size_t index, void *buffer, size_t room) {
    help->out = buffer;
    help->room = room;
    help->written = 0;
    int status = help->decompressor->extract(help->decompressor, help->files[index], (const char *)help);
    help->out = NULL;
    /* It calls it a failure when there is no more room; without any it had nothing to write. */
    int is_full = room > 0 && help->written == room;
    return status == MSPACK_ERR_OK || is_full ? (int64_t)help->written : -1;
}
