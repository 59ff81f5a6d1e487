#include "pages.h"
#include <pango/pangocairo.h>
#include <stdlib.h>
#include <string.h>

int loop_open_page(loop_page *page, int box, double width, double height, loop_picture *picture) {
    if (!loop_fit(width, height, box, 1, &picture->width, &picture->height)) return 0;
    picture->stride = (size_t)picture->width * 4;
    picture->format = LOOP_BGRX;
    picture->pixels = malloc(picture->stride * (size_t)picture->height);
    if (!picture->pixels) return 0;
    memset(picture->pixels, 0xFF, picture->stride * (size_t)picture->height);
    page->surface = cairo_image_surface_create_for_data(
        picture->pixels, CAIRO_FORMAT_RGB24, picture->width, picture->height, (int)picture->stride);
    page->context = cairo_create(page->surface);
    cairo_scale(page->context, picture->width / width, picture->height / height);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(page->context, options);
    cairo_font_options_destroy(options);
    cairo_set_source_rgb(page->context, 0.11, 0.13, 0.16);
    return 1;
}

int loop_close_page(loop_page *page) {
    cairo_surface_finish(page->surface);
    int drawn = cairo_status(page->context) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(page->context);
    cairo_surface_destroy(page->surface);
    return drawn;
}

double loop_write(
    loop_page *page, const char *text, int count, const char *family, double size, double x, double y, double width,
    double bottom) {
    PangoLayout *layout = pango_cairo_create_layout(page->context);
    pango_context_set_round_glyph_positions(pango_layout_get_context(layout), FALSE);
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, family);
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_text(layout, text, count);
    PangoLayoutIter *lines = pango_layout_get_iter(layout);
    double pitch = size * 1.25;
    do {
        if (y > bottom) break;
        cairo_move_to(page->context, x, y);
        pango_cairo_show_layout_line(page->context, pango_layout_iter_get_line_readonly(lines));
        y += pitch;
    } while (pango_layout_iter_next_line(lines));
    pango_layout_iter_free(lines);
    g_object_unref(layout);
    return y;
}

char *loop_text(const char *path, int *count) {
    size_t size;
    const uint8_t *bytes = loop_map(path, &size);
    if (!bytes) return NULL;
    const gchar *end;
    g_utf8_validate((const gchar *)bytes, (gssize)(size < 64 << 10 ? size : 64 << 10), &end);
    *count = (int)(end - (const gchar *)bytes);
    char *text = *count > 0 ? g_strndup((const gchar *)bytes, (gsize)*count) : NULL;
    loop_unmap(bytes, size);
    return text;
}
