/* PDFium: the first page with its annotations, drawn twice as large and halved where Vitrine does so. It lies beside this
 * program, where `scripts/stage` links it. Fields of forms, which Vitrine draws too, are left out. */
#include <dlfcn.h>
#include <loop.h>
#include <stdlib.h>
#include <string.h>

static struct {
    void (*start)(void);
    void *(*open_memory)(const void *bytes, size_t count, const char *password);
    void (*close_document)(void *document);
    void *(*open_page)(void *document, int index);
    void (*close_page)(void *page);
    float (*width)(void *page);
    float (*height)(void *page);
    void *(*open_bitmap)(int width, int height, int format, void *rows, int stride);
    void (*close_bitmap)(void *bitmap);
    void (*draw)(void *bitmap, void *page, int x, int y, int width, int height, int turns, int flags);
} pdf;

static int start(const char *scratch) {
    (void)scratch;
    void *library = dlopen("libpdfium.so", RTLD_NOW);
    if (!library) return 0;
    return (*(void **)&pdf.start = dlsym(library, "FPDF_InitLibrary"))
        && (*(void **)&pdf.open_memory = dlsym(library, "FPDF_LoadMemDocument64"))
        && (*(void **)&pdf.close_document = dlsym(library, "FPDF_CloseDocument"))
        && (*(void **)&pdf.open_page = dlsym(library, "FPDF_LoadPage"))
        && (*(void **)&pdf.close_page = dlsym(library, "FPDF_ClosePage"))
        && (*(void **)&pdf.width = dlsym(library, "FPDF_GetPageWidthF"))
        && (*(void **)&pdf.height = dlsym(library, "FPDF_GetPageHeightF"))
        && (*(void **)&pdf.open_bitmap = dlsym(library, "FPDFBitmap_CreateEx"))
        && (*(void **)&pdf.close_bitmap = dlsym(library, "FPDFBitmap_Destroy"))
        && (*(void **)&pdf.draw = dlsym(library, "FPDF_RenderPageBitmap")) && (pdf.start(), 1);
}

static int draw(void *page, int box, loop_picture *picture) {
    if (!loop_fit(pdf.width(page), pdf.height(page), box, 1, &picture->width, &picture->height)) return 0;
    int width = picture->width *= loop_page_factor(box), height = picture->height *= loop_page_factor(box);
    picture->stride = (size_t)width * 4;
    picture->format = LOOP_BGRX;
    picture->pixels = malloc(picture->stride * (size_t)height);
    if (!picture->pixels) return 0;
    memset(picture->pixels, 0xFF, picture->stride * (size_t)height);
    /* 3: blue, green, red, unused. */
    void *bitmap = pdf.open_bitmap(width, height, 3, picture->pixels, (int)picture->stride);
    if (!bitmap) return 0;
    /* 1: with annotations. */
    pdf.draw(bitmap, page, 0, 0, width, height, 0, 1);
    pdf.close_bitmap(bitmap);
    return loop_page_factor(box) == 1 || loop_halve(picture);
}

static int render(const char *path, int box, loop_picture *picture) {
    size_t count;
    const uint8_t *bytes = loop_map(path, &count);
    void *document = bytes ? pdf.open_memory(bytes, count, NULL) : NULL;
    void *page = document ? pdf.open_page(document, 0) : NULL;
    int drawn = page && draw(page, box, picture);
    if (page) pdf.close_page(page);
    if (document) pdf.close_document(document);
    loop_unmap(bytes, count);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}
