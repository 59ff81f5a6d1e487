/* librsvg and cairo: the drawing, straight at its final size. */
#include <cairo.h>
#include <librsvg/rsvg.h>
#include <loop.h>
#include <stdlib.h>

static int start(const char *scratch) {
    (void)scratch;
    return 1;
}

static int draw(RsvgHandle *handle, int box, loop_picture *picture) {
    double width, height;
    if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height)) {
        gboolean has_width, has_height, has_view;
        RsvgLength across, down;
        RsvgRectangle view;
        rsvg_handle_get_intrinsic_dimensions(handle, &has_width, &across, &has_height, &down, &has_view, &view);
        width = has_view ? view.width : 1;
        height = has_view ? view.height : 1;
    }
    if (!loop_fit(width, height, box, 1, &picture->width, &picture->height)) return 0;
    picture->stride = (size_t)picture->width * 4;
    picture->format = LOOP_BGRA_PREMULTIPLIED;
    picture->pixels = calloc((size_t)picture->height, picture->stride);
    if (!picture->pixels) return 0;
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        picture->pixels, CAIRO_FORMAT_ARGB32, picture->width, picture->height, (int)picture->stride);
    cairo_t *context = cairo_create(surface);
    const RsvgRectangle frame = {0, 0, picture->width, picture->height};
    int drawn = rsvg_handle_render_document(handle, context, &frame, NULL);
    cairo_destroy(context);
    cairo_surface_destroy(surface);
    return drawn;
}

static int render(const char *path, int box, loop_picture *picture) {
    RsvgHandle *handle = rsvg_handle_new_from_file(path, NULL);
    if (!handle) return 0;
    int drawn = draw(handle, box, picture);
    g_object_unref(handle);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}
