#pragma once
#include <dlfcn.h>
#include <stddef.h>

/* As much of PDFium's public C interface as is used here, found in the library by its names. PDFium is no package of
 * Debian and may be absent, so that nothing is linked against it. What each function does is said in PDFium's own
 * documentation of fpdfview.h, fpdf_annot.h, fpdf_doc.h, fpdf_edit.h, fpdf_flatten.h, fpdf_formfill.h, fpdf_text.h and
 * fpdf_transformpage.h. */

typedef struct cpdfium_document cpdfium_document;
typedef struct cpdfium_page cpdfium_page;
typedef struct cpdfium_text cpdfium_text;
typedef struct cpdfium_bitmap cpdfium_bitmap;
typedef struct cpdfium_object cpdfium_object;
typedef struct cpdfium_annotation cpdfium_annotation;

/* FS_RECTF and FS_POINTF, in points of the page. */
typedef struct cpdfium_rectangle {
    float left, top, right, bottom;
} cpdfium_rectangle;
typedef struct cpdfium_point {
    float x, y;
} cpdfium_point;

/* FPDF_LIBRARY_CONFIG, version 2. */
typedef struct cpdfium_config {
    int version;
    const char **font_folders;
    void *isolate;
    unsigned int slot;
} cpdfium_config;

/* FPDF_FILEACCESS. `read` answers 0 when it fails. */
typedef struct cpdfium_file {
    unsigned long size;
    int (*read)(void *context, unsigned long offset, unsigned char *buffer, unsigned long count);
    void *context;
} cpdfium_file;

/* FPDF_SYSTEMTIME. */
typedef struct cpdfium_time {
    unsigned short fields[8];
} cpdfium_time;

/* FPDF_FORMFILLINFO, version 1: what a viewer is asked for while somebody fills a form in. Nobody does here. */
typedef struct cpdfium_viewer {
    int version;
    void (*release)(struct cpdfium_viewer *);
    void (*invalidate)(struct cpdfium_viewer *, cpdfium_page *, double, double, double, double);
    void (*output_selected)(struct cpdfium_viewer *, cpdfium_page *, double, double, double, double);
    void (*set_cursor)(struct cpdfium_viewer *, int);
    int (*set_timer)(struct cpdfium_viewer *, int, void (*)(int));
    void (*kill_timer)(struct cpdfium_viewer *, int);
    cpdfium_time (*local_time)(struct cpdfium_viewer *);
    void (*changed)(struct cpdfium_viewer *);
    cpdfium_page *(*page)(struct cpdfium_viewer *, cpdfium_document *, int);
    cpdfium_page *(*current_page)(struct cpdfium_viewer *, cpdfium_document *);
    int (*rotation)(struct cpdfium_viewer *, cpdfium_page *);
    void (*named_action)(struct cpdfium_viewer *, const char *);
    void (*set_focus)(struct cpdfium_viewer *, const unsigned short *, unsigned long, int);
    void (*open_uri)(struct cpdfium_viewer *, const char *);
    void (*go_to)(struct cpdfium_viewer *, int, int, float *, int);
    void *script;
    /* Further versions have fields for XFA, which is not asked for. */
    void *unused[20];
} cpdfium_viewer;

static inline void cpdfium_ignore_area(cpdfium_viewer *v, cpdfium_page *p, double a, double b, double c, double d) {
    (void)v, (void)p, (void)a, (void)b, (void)c, (void)d;
}
static inline void cpdfium_ignore_number(cpdfium_viewer *viewer, int number) { (void)viewer, (void)number; }
static inline int cpdfium_no_timer(cpdfium_viewer *viewer, int wait, void (*call)(int)) {
    (void)viewer, (void)wait, (void)call;
    return 0;
}
static inline cpdfium_time cpdfium_no_time(cpdfium_viewer *viewer) {
    (void)viewer;
    return (cpdfium_time){{0}};
}
static inline void cpdfium_ignore(cpdfium_viewer *viewer) { (void)viewer; }
static inline cpdfium_page *cpdfium_no_page(cpdfium_viewer *viewer, cpdfium_document *document, int index) {
    (void)viewer, (void)document, (void)index;
    return NULL;
}
static inline cpdfium_page *cpdfium_no_current_page(cpdfium_viewer *viewer, cpdfium_document *document) {
    (void)viewer, (void)document;
    return NULL;
}
static inline int cpdfium_no_rotation(cpdfium_viewer *viewer, cpdfium_page *page) {
    (void)viewer, (void)page;
    return 0;
}
static inline void cpdfium_ignore_text(cpdfium_viewer *viewer, const char *text) { (void)viewer, (void)text; }
static inline void cpdfium_ignore_focus(cpdfium_viewer *viewer, const unsigned short *text, unsigned long count, int is) {
    (void)viewer, (void)text, (void)count, (void)is;
}
static inline void cpdfium_ignore_place(cpdfium_viewer *viewer, int page, int zoom, float *numbers, int count) {
    (void)viewer, (void)page, (void)zoom, (void)numbers, (void)count;
}

/* A viewer that does nothing. */
static inline cpdfium_viewer cpdfium_still_viewer(void) {
    return (cpdfium_viewer){
        .version = 1,
        .invalidate = cpdfium_ignore_area,
        .output_selected = cpdfium_ignore_area,
        .set_cursor = cpdfium_ignore_number,
        .set_timer = cpdfium_no_timer,
        .kill_timer = cpdfium_ignore_number,
        .local_time = cpdfium_no_time,
        .changed = cpdfium_ignore,
        .page = cpdfium_no_page,
        .current_page = cpdfium_no_current_page,
        .rotation = cpdfium_no_rotation,
        .named_action = cpdfium_ignore_text,
        .set_focus = cpdfium_ignore_focus,
        .open_uri = cpdfium_ignore_text,
        .go_to = cpdfium_ignore_place,
    };
}

typedef struct cpdfium_form cpdfium_form;

enum {
    CPDFIUM_ERROR_FILE = 2,
    CPDFIUM_ERROR_FORMAT = 3,
    CPDFIUM_ERROR_PASSWORD = 4,
    CPDFIUM_ERROR_SECURITY = 5,
    CPDFIUM_ERROR_PAGE = 6,
    /* Blue, green, red, unused. */
    CPDFIUM_BGRX = 3,
    CPDFIUM_DRAW_ANNOTATIONS = 1,
    /* FPDF_PAGEOBJ_IMAGE. */
    CPDFIUM_OBJECT_IMAGE = 3,
    /* FPDF_ANNOTATION_SUBTYPE. */
    CPDFIUM_LINK = 2,
    CPDFIUM_LINE = 4,
    CPDFIUM_POLYGON = 7,
    CPDFIUM_POLYLINE = 8,
    CPDFIUM_WIDGET = 20,
    /* FPDF_ANNOT_FLAG: not to be seen at all, and not on a screen. */
    CPDFIUM_ANNOTATION_HIDDEN = 1 << 1,
    CPDFIUM_ANNOTATION_NO_VIEW = 1 << 5,
    /* FPDFANNOT_COLORTYPE. */
    CPDFIUM_COLOUR = 0,
    CPDFIUM_INTERIOR_COLOUR = 1,
    /* FPDF_FILLMODE. */
    CPDFIUM_NO_FILL = 0,
    CPDFIUM_FILL_ALTERNATE = 1,
    /* FLATTEN_SUCCESS. */
    CPDFIUM_FLATTENED = 1,
};

typedef struct cpdfium_functions {
    void (*_Nonnull start)(const cpdfium_config *config);
    unsigned long (*_Nonnull last_error)(void);
    cpdfium_document *(*_Nonnull open_memory)(const void *bytes, size_t count, const char *password);
    cpdfium_document *(*_Nonnull open_file)(cpdfium_file *file, const char *password);
    void (*_Nonnull close_document)(cpdfium_document *document);
    int (*_Nonnull page_count)(cpdfium_document *document);
    /* UTF-16, little-endian, with a zero at its end; answers the bytes that it needs. */
    unsigned long (*_Nonnull metadata)(cpdfium_document *document, const char *key, void *buffer, unsigned long size);
    cpdfium_page *(*_Nonnull open_page)(cpdfium_document *document, int index);
    void (*_Nonnull close_page)(cpdfium_page *page);
    /* In points, turned as the page says. */
    float (*_Nonnull page_width)(cpdfium_page *page);
    float (*_Nonnull page_height)(cpdfium_page *page);
    /* Says in memory what is seen of the page, in points that are not turned; of it counts what lies in the media box. */
    void (*_Nonnull set_crop_box)(cpdfium_page *page, float left, float bottom, float right, float top);
    cpdfium_bitmap *(*_Nonnull open_bitmap)(int width, int height, int format, void *rows, int bytes_per_row);
    void (*_Nonnull close_bitmap)(cpdfium_bitmap *bitmap);
    void (*_Nonnull draw)(cpdfium_bitmap *bitmap, cpdfium_page *page, int x, int y, int width, int height, int turns, int flags);
    /* What the page's content draws, and how many annotations lie on it. */
    int (*_Nonnull object_count)(cpdfium_page *page);
    cpdfium_object *(*_Nonnull object)(cpdfium_page *page, int index);
    int (*_Nonnull object_type)(cpdfium_object *object);
    /* Bytes that the file has of a picture, packed as they are, when there is no buffer. */
    unsigned long (*_Nonnull image_data)(cpdfium_object *image, void *buffer, unsigned long size);
    /* How a picture is packed, one filter around the other. A name needs the bytes that are answered, a zero at the end among
     * them; nothing is written into fewer. */
    int (*_Nonnull filter_count)(cpdfium_object *image);
    unsigned long (*_Nonnull filter)(cpdfium_object *image, int index, void *name, unsigned long size);
    int (*_Nonnull annotation_count)(cpdfium_page *page);
    /* An annotation is to be closed before its page. */
    cpdfium_annotation *(*_Nonnull open_annotation)(cpdfium_page *page, int index);
    void (*_Nonnull close_annotation)(cpdfium_annotation *annotation);
    int (*_Nonnull annotation_type)(cpdfium_annotation *annotation);
    int (*_Nonnull annotation_flags)(cpdfium_annotation *annotation);
    int (*_Nonnull annotation_has)(cpdfium_annotation *annotation, const char *key);
    int (*_Nonnull annotation_rectangle)(cpdfium_annotation *annotation, cpdfium_rectangle *rectangle);
    /* Black where the file names no colour, and where it says that there is none. */
    int (*_Nonnull annotation_colour)(
        cpdfium_annotation *annotation, int kind, unsigned int *red, unsigned int *green, unsigned int *blue,
        unsigned int *alpha);
    /* What draws an annotation's picture, in UTF-16; answers how many bytes those and the 0 behind them are. */
    unsigned long (*_Nonnull appearance)(
        cpdfium_annotation *annotation, int mode, unsigned short *units, unsigned long size);
    /* Takes an annotation's pictures away when there is no new one; its colour is told only where there is none. */
    int (*_Nonnull set_appearance)(cpdfium_annotation *annotation, int mode, const unsigned short *appearance);
    /* Makes what annotations draw part of their page, which is seen when the page is opened anew. */
    int (*_Nonnull flatten)(cpdfium_page *page, int use);
    /* The radii of its corners and its width, of the entry 'Border' only. */
    int (*_Nonnull annotation_border)(
        cpdfium_annotation *annotation, float *horizontal, float *vertical, float *width);
    int (*_Nonnull annotation_line)(cpdfium_annotation *annotation, cpdfium_point *start, cpdfium_point *end);
    /* Answers how many there are; writes nothing into room for fewer. */
    unsigned long (*_Nonnull annotation_vertices)(
        cpdfium_annotation *annotation, cpdfium_point *points, unsigned long count);
    /* Paths, which belong to the caller until they are added to a page, behind what it draws already. */
    cpdfium_object *(*_Nonnull new_path)(float x, float y);
    cpdfium_object *(*_Nonnull new_rectangle)(float x, float y, float width, float height);
    int (*_Nonnull line_to)(cpdfium_object *path, float x, float y);
    int (*_Nonnull close_path)(cpdfium_object *path);
    int (*_Nonnull set_drawing)(cpdfium_object *path, int fill_mode, int is_stroked);
    int (*_Nonnull set_stroke_colour)(
        cpdfium_object *path, unsigned int red, unsigned int green, unsigned int blue, unsigned int alpha);
    int (*_Nonnull set_fill_colour)(
        cpdfium_object *path, unsigned int red, unsigned int green, unsigned int blue, unsigned int alpha);
    int (*_Nonnull set_stroke_width)(cpdfium_object *path, float width);
    void (*_Nonnull add)(cpdfium_page *page, cpdfium_object *object);
    /* What kind of form the document has; 0 is none. */
    int (*_Nonnull form_type)(cpdfium_document *document);
    cpdfium_form *(*_Nonnull open_form)(cpdfium_document *document, cpdfium_viewer *viewer);
    void (*_Nonnull close_form)(cpdfium_form *form);
    void (*_Nonnull enter_page)(cpdfium_page *page, cpdfium_form *form);
    void (*_Nonnull leave_page)(cpdfium_page *page, cpdfium_form *form);
    void (*_Nonnull draw_form)(
        cpdfium_form *form, cpdfium_bitmap *bitmap, cpdfium_page *page, int x, int y, int width, int height, int turns,
        int flags);
    cpdfium_text *(*_Nonnull open_text)(cpdfium_page *page);
    void (*_Nonnull close_text)(cpdfium_text *text);
    int (*_Nonnull text_length)(cpdfium_text *text);
    /* Answers the units of UTF-16 that were written, a zero at the end among them. */
    int (*_Nonnull text_units)(cpdfium_text *text, int first, int count, unsigned short *units);
} cpdfium_functions;

/* Finds the functions. `missing` becomes the name of one that is not there, which is called by nobody then, or NULL. */
static inline cpdfium_functions cpdfium_found(void *library, const char **missing) {
    cpdfium_functions found;
    *missing = NULL;
#define CPDFIUM_FIND(field, name) \
    if (!(*(void **)&found.field = dlsym(library, name))) *missing = name
    CPDFIUM_FIND(start, "FPDF_InitLibraryWithConfig");
    CPDFIUM_FIND(last_error, "FPDF_GetLastError");
    CPDFIUM_FIND(open_memory, "FPDF_LoadMemDocument64");
    CPDFIUM_FIND(open_file, "FPDF_LoadCustomDocument");
    CPDFIUM_FIND(close_document, "FPDF_CloseDocument");
    CPDFIUM_FIND(page_count, "FPDF_GetPageCount");
    CPDFIUM_FIND(metadata, "FPDF_GetMetaText");
    CPDFIUM_FIND(open_page, "FPDF_LoadPage");
    CPDFIUM_FIND(close_page, "FPDF_ClosePage");
    CPDFIUM_FIND(page_width, "FPDF_GetPageWidthF");
    CPDFIUM_FIND(page_height, "FPDF_GetPageHeightF");
    CPDFIUM_FIND(set_crop_box, "FPDFPage_SetCropBox");
    CPDFIUM_FIND(open_bitmap, "FPDFBitmap_CreateEx");
    CPDFIUM_FIND(close_bitmap, "FPDFBitmap_Destroy");
    CPDFIUM_FIND(draw, "FPDF_RenderPageBitmap");
    CPDFIUM_FIND(object_count, "FPDFPage_CountObjects");
    CPDFIUM_FIND(object, "FPDFPage_GetObject");
    CPDFIUM_FIND(object_type, "FPDFPageObj_GetType");
    CPDFIUM_FIND(image_data, "FPDFImageObj_GetImageDataRaw");
    CPDFIUM_FIND(filter_count, "FPDFImageObj_GetImageFilterCount");
    CPDFIUM_FIND(filter, "FPDFImageObj_GetImageFilter");
    CPDFIUM_FIND(annotation_count, "FPDFPage_GetAnnotCount");
    CPDFIUM_FIND(open_annotation, "FPDFPage_GetAnnot");
    CPDFIUM_FIND(close_annotation, "FPDFPage_CloseAnnot");
    CPDFIUM_FIND(annotation_type, "FPDFAnnot_GetSubtype");
    CPDFIUM_FIND(annotation_flags, "FPDFAnnot_GetFlags");
    CPDFIUM_FIND(annotation_has, "FPDFAnnot_HasKey");
    CPDFIUM_FIND(annotation_rectangle, "FPDFAnnot_GetRect");
    CPDFIUM_FIND(annotation_colour, "FPDFAnnot_GetColor");
    CPDFIUM_FIND(appearance, "FPDFAnnot_GetAP");
    CPDFIUM_FIND(set_appearance, "FPDFAnnot_SetAP");
    CPDFIUM_FIND(flatten, "FPDFPage_Flatten");
    CPDFIUM_FIND(annotation_border, "FPDFAnnot_GetBorder");
    CPDFIUM_FIND(annotation_line, "FPDFAnnot_GetLine");
    CPDFIUM_FIND(annotation_vertices, "FPDFAnnot_GetVertices");
    CPDFIUM_FIND(new_path, "FPDFPageObj_CreateNewPath");
    CPDFIUM_FIND(new_rectangle, "FPDFPageObj_CreateNewRect");
    CPDFIUM_FIND(line_to, "FPDFPath_LineTo");
    CPDFIUM_FIND(close_path, "FPDFPath_Close");
    CPDFIUM_FIND(set_drawing, "FPDFPath_SetDrawMode");
    CPDFIUM_FIND(set_stroke_colour, "FPDFPageObj_SetStrokeColor");
    CPDFIUM_FIND(set_fill_colour, "FPDFPageObj_SetFillColor");
    CPDFIUM_FIND(set_stroke_width, "FPDFPageObj_SetStrokeWidth");
    CPDFIUM_FIND(add, "FPDFPage_InsertObject");
    CPDFIUM_FIND(form_type, "FPDF_GetFormType");
    CPDFIUM_FIND(open_form, "FPDFDOC_InitFormFillEnvironment");
    CPDFIUM_FIND(close_form, "FPDFDOC_ExitFormFillEnvironment");
    CPDFIUM_FIND(enter_page, "FORM_OnAfterLoadPage");
    CPDFIUM_FIND(leave_page, "FORM_OnBeforeClosePage");
    CPDFIUM_FIND(draw_form, "FPDF_FFLDraw");
    CPDFIUM_FIND(open_text, "FPDFText_LoadPage");
    CPDFIUM_FIND(close_text, "FPDFText_ClosePage");
    CPDFIUM_FIND(text_length, "FPDFText_CountChars");
    CPDFIUM_FIND(text_units, "FPDFText_GetText");
#undef CPDFIUM_FIND
    return found;
}
