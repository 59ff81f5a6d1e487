#pragma once
/* LibreOfficeKit is headers only: they load the library of an installed LibreOffice with dlopen. */
#define LOK_USE_UNSTABLE_API 1
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include <stdlib.h>
#include <string.h>
#include <png.h>
#include <turbojpeg.h>
#include <zlib.h>
#include <LibreOfficeKit/LibreOfficeKit.h>
#include <LibreOfficeKit/LibreOfficeKitInit.h>

/* LibreOfficeKitDocumentType of LibreOfficeKitEnums.h, which only a C++ compiler reads. */
enum coffice_document_type {
    coffice_text = 0, coffice_spreadsheet = 1, coffice_presentation = 2, coffice_drawing = 3
};

/* LOK_FEATURE_DOCUMENT_PASSWORD and LOK_CALLBACK_DOCUMENT_PASSWORD of the same header. */
static const unsigned long long coffice_asks_for_passwords = 1;
static const int coffice_password_wanted = 20;

/* Makes all threads share one heap: what one document leaves free serves the next, whichever thread reads it. Larger blocks,
 * pictures and what is unpacked, have memory of their own, which goes back as soon as they are freed. */
static inline void coffice_share_heap(void) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
}

/* Tells liblangtag, which LibreOffice links, where its tables of languages are. Nothing where LibreOffice brings its own. */
static inline void coffice_take_languages_from(const char *folder) {
    void *library = dlopen("liblangtag.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!library) { return; }
    void (*set_folder)(const char *) = (void (*)(const char *))dlsym(library, "lt_db_set_datadir");
    if (set_folder) { set_folder(folder); }
    dlclose(library);
}

/* What dl_iterate_phdr(3) tells of a library. <link.h> declares it for _GNU_SOURCE only, which a module for Swift cannot
 * define: the C library's types in it would be others than those of Swift's own module. */
struct coffice_library {
    ElfW(Addr) address;
    const char *name;
    const ElfW(Phdr) *segments;
    ElfW(Half) count;
};
int coffice_each_library(int (*look)(struct coffice_library *, size_t, void *), void *context) __asm__("dl_iterate_phdr");

/* Smaller segments are not worth a call. */
enum { coffice_small_segment = 256 << 10 };

/* Unmaps the pages of one library's segments that are never written, and so hold what the file holds. */
static inline int coffice_return_pages_of(struct coffice_library *library, size_t size, void *unused) {
    (void)size;
    (void)unused;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < library->count; i++) {
        const ElfW(Phdr) *segment = &library->segments[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) { continue; }
        uintptr_t start = library->address + segment->p_vaddr, end = start + segment->p_filesz;
        start = (start + page - 1) / page * page;
        end = end / page * page;
        if (end > start + coffice_small_segment) { madvise((void *)start, end - start, MADV_DONTNEED); }
    }
    return 0;
}

/* Gives back the pages of all libraries' code and constants. They stay in the system's cache of files, and come from
 * there when they are used again. For 64-bit systems, where libraries' code is not changed when it is loaded. May be
 * called while other threads run. */
static inline void coffice_return_library_pages(void) { coffice_each_library(coffice_return_pages_of, NULL); }

/* memmem(3), which <string.h> too declares for _GNU_SOURCE only. */
const void *coffice_find(const void *bytes, size_t count, const void *words, size_t length) __asm__("memmem");

/* PNG_FORMAT_RGBA, which Swift does not import. */
static const png_uint_32 coffice_png_rgba = PNG_FORMAT_RGBA;

/* Unpacks the beginning of a gzip file (RFC 1952). Returns how many bytes were unpacked, at most `size`. */
static inline unsigned coffice_inflate_gzip_head(
    const void *packed, unsigned packed_size, void *bytes, unsigned size) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) { return 0; }
    stream.next_in = (Bytef *)packed;
    stream.avail_in = packed_size;
    stream.next_out = (Bytef *)bytes;
    stream.avail_out = size;
    inflate(&stream, Z_SYNC_FLUSH);
    inflateEnd(&stream);
    return size - stream.avail_out;
}

/* Unpacks a file of a zip archive (RFC 1951) of a known size. 0 when it is whole and has that size. */
static inline int coffice_inflate(const void *packed, unsigned packed_size, void *bytes, unsigned size) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) { return -1; }
    stream.next_in = (Bytef *)packed;
    stream.avail_in = packed_size;
    stream.next_out = (Bytef *)bytes;
    stream.avail_out = size;
    int result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return result == Z_STREAM_END && stream.avail_out == 0 ? 0 : -1;
}
