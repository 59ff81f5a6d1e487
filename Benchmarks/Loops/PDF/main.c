/* poppler-glib and cairo: the first page, drawn twice as large and halved where Vitrine does so. */
#include <cairo.h>
#include <loop.h>
#include <poppler.h>
#include <stdlib.h>
#include <string.h>

/* Poppler drops the fonts and tables that it has loaded with its last document, so one is kept open. */
static PopplerDocument *previous;

static int start(const char *scratch) {
    (void)scratch;
    return 1;
}

static int draw(PopplerPage *page, int box, loop_picture *picture) {
    double width, height;
    poppler_page_get_size(page, &width, &height);
    if (!loop_fit(width, height, box, 1, &picture->width, &picture->height)) return 0;
    picture->width *= loop_page_factor(box);
    picture->height *= loop_page_factor(box);
    picture->stride = (size_t)picture->width * 4;
    picture->format = LOOP_BGRX;
    picture->pixels = malloc(picture->stride * (size_t)picture->height);
    if (!picture->pixels) return 0;
    memset(picture->pixels, 0xFF, picture->stride * (size_t)picture->height);
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        picture->pixels, CAIRO_FORMAT_RGB24, picture->width, picture->height, (int)picture->stride);
    cairo_t *context = cairo_create(surface);
    cairo_scale(context, picture->width / width, picture->height / height);
    poppler_page_render(page, context);
    int drawn = cairo_status(context) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(context);
    cairo_surface_destroy(surface);
    return drawn && (loop_page_factor(box) == 1 || loop_halve(picture));
}

static int render(const char *path, int box, loop_picture *picture) {
    GMappedFile *file = g_mapped_file_new(path, FALSE, NULL);
    if (!file) return 0;
    GBytes *bytes = g_mapped_file_get_bytes(file);
    g_mapped_file_unref(file);
    PopplerDocument *document = poppler_document_new_from_bytes(bytes, NULL, NULL);
    g_bytes_unref(bytes);
    if (!document) return 0;
    if (previous) g_object_unref(previous);
    previous = document;
    PopplerPage *page = poppler_document_get_n_pages(document) > 0 ? poppler_document_get_page(document, 0) : NULL;
    if (!page) return 0;
    int drawn = draw(page, box, picture);
    g_object_unref(page);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}
