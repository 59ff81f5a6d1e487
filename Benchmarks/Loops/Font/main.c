/* FreeType and cairo for the letters of a Latin font, pango for its name. Fonts of other scripts are left out. */
#include <cairo-ft.h>
#include <loop.h>
#include <pages.h>

static FT_Library library;

static int start(const char *scratch) {
    (void)scratch;
    return FT_Init_FreeType(&library) == 0;
}

/* Writes a line as wide as there is room, no larger than `most`. */
static void write_line(cairo_t *context, const char *text, double y, double most) {
    cairo_text_extents_t extents;
    cairo_set_font_size(context, 100);
    cairo_text_extents(context, text, &extents);
    double size = extents.width > 0 ? 178 / extents.width * 100 : most;
    cairo_set_font_size(context, size < most ? size : most);
    cairo_move_to(context, 16, y);
    cairo_show_text(context, text);
}

static int render(const char *path, int box, loop_picture *picture) {
    FT_Face face;
    if (FT_New_Face(library, path, 0, &face) != 0) return 0;
    loop_page page;
    if (!FT_Get_Char_Index(face, 'A') || !FT_Get_Char_Index(face, 'g')
        || !loop_open_page(&page, box, 210, 210, picture)) {
        FT_Done_Face(face);
        return 0;
    }
    cairo_font_face_t *font = cairo_ft_font_face_create_for_ft_face(face, 0);
    cairo_save(page.context);
    cairo_set_font_face(page.context, font);
    write_line(page.context, "Ag", 110, 120);
    write_line(page.context, "Hamburgefonstiv 0123", 145, 16);
    cairo_restore(page.context);
    cairo_font_face_destroy(font);
    if (face->family_name) loop_write(&page, face->family_name, -1, "Sans", 9.5, 16, 195, 178, 200);
    int drawn = loop_close_page(&page);
    FT_Done_Face(face);
    return drawn;
}

int main(int argc, char **argv) {
    const loop program = {start, render};
    return loop_main(argc, argv, &program);
}
