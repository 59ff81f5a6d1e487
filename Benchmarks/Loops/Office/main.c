/* LibreOfficeKit, started once: the first page, sheet or slide. Of a sheet, the first A4 page's worth of cells. */
#define _GNU_SOURCE
#define LOK_USE_UNSTABLE_API
#include <LibreOfficeKit/LibreOfficeKit.h>
#include <LibreOfficeKit/LibreOfficeKitInit.h>
#include <loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LibreOfficeKitDocumentType; its header is for C++ only. */
enum { TEXT = 0, SPREADSHEET = 1 };

static LibreOfficeKit *kit;

static int start(const char *scratch) {
    char profile[4096];
    snprintf(profile, sizeof profile, "file://%s/profile", scratch);
    setenv("SAL_USE_VCLPLUGIN", "svp", 1);
    setenv("TMPDIR", scratch, 1);
    kit = lok_init_2("/usr/lib/libreoffice/program", profile);
    return kit != NULL;
}

static long smaller(long one, long other) { return one < other ? one : other; }

static int draw(LibreOfficeKitDocument *document, int box, loop_picture *picture) {
    LibreOfficeKitDocumentClass *calls = document->pClass;
    calls->initializeForRendering(document, "{}");
    long x = 0, y = 0, width = 0, height = 0;
    calls->setPart(document, 0);
    calls->getDocumentSize(document, &width, &height);
    int type = calls->getDocumentType(document);
    if (type == TEXT) {
        char *pages = calls->getPartPageRectangles(document);
        if (pages) sscanf(pages, "%ld, %ld, %ld, %ld", &x, &y, &width, &height);
        free(pages);
    } else if (type == SPREADSHEET) {
        width = smaller(width, 16838);
        height = smaller(height, 11906);
    }
    if (!loop_fit((double)width, (double)height, box, 1, &picture->width, &picture->height)) return 0;
    picture->stride = (size_t)picture->width * 4;
    picture->format = LOOP_BGRX;
    picture->pixels = malloc(picture->stride * (size_t)picture->height);
    if (!picture->pixels) return 0;
    memset(picture->pixels, 0xFF, picture->stride * (size_t)picture->height);
    calls->paintTile(
        document, picture->pixels, picture->width, picture->height, (int)x, (int)y, (int)width, (int)height);
    return 1;
}

static int render(const char *path, int box, loop_picture *picture) {
    char url[4096];
    snprintf(url, sizeof url, "file://%s", path);
    LibreOfficeKitDocument *document = kit->pClass->documentLoadWithOptions(kit, url, "Batch=true");
    if (!document) return 0;
    int drawn = draw(document, box, picture);
    document->pClass->destroy(document);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    int status = loop_main(argc, argv, &library);
    /* LibreOffice's own end takes long and may crash; it is not what is measured. */
    fflush(NULL);
    _Exit(status);
}
