#pragma once
#include <dlfcn.h>
#include <stddef.h>

/* As much of PDFium's public C interface as is used here, found in the library by its names. PDFium is no package of
 * Debian and may be absent, so that nothing is linked against it. What each function does is said in PDFium's own
 * documentation of fpdfview.h, fpdf_annot.h, fpdf_doc.h, fpdf_edit.h, fpdf_formfill.h, fpdf_text.h and fpdf_transformpage.h. */

typedef struct vp_pdf_document vp_pdf_document;
typedef struct vp_pdf_page vp_pdf_page;
typedef struct vp_pdf_text vp_pdf_text;
typedef struct vp_pdf_bitmap vp_pdf_bitmap;
typedef struct vp_pdf_object vp_pdf_object;
typedef struct vp_pdf_annotation vp_pdf_annotation;

/* FS_RECTF and FS_POINTF, in points of the page. */
typedef struct vp_pdf_rectangle {
    float left, top, right, bottom;
} vp_pdf_rectangle;
typedef struct vp_pdf_point {
    float x, y;
} vp_pdf_point;

/* FPDF_LIBRARY_CONFIG, version 2. */
typedef struct vp_pdfium_config {
    int version;
    const char **font_folders;
    void *isolate;
    unsigned int slot;
} vp_pdfium_config;

/* FPDF_FILEACCESS. `read` answers 0 when it fails. */
typedef struct vp_pdf_file {
    unsigned long size;
    int (*read)(void *context, unsigned long offset, unsigned char *buffer, unsigned long count);
    void *context;
} vp_pdf_file;

/* FPDF_SYSTEMTIME. */
typedef struct vp_pdf_time {
    unsigned short fields[8];
} vp_pdf_time;

/* FPDF_FORMFILLINFO, version 1: what a viewer is asked for while somebody fills a form in. Nobody does here. */
typedef struct vp_pdf_viewer {
    int version;
    void (*release)(struct vp_pdf_viewer *);
    void (*invalidate)(struct vp_pdf_viewer *, vp_pdf_page *, double, double, double, double);
    void (*output_selected)(struct vp_pdf_viewer *, vp_pdf_page *, double, double, double, double);
    void (*set_cursor)(struct vp_pdf_viewer *, int);
    int (*set_timer)(struct vp_pdf_viewer *, int, void (*)(int));
    void (*kill_timer)(struct vp_pdf_viewer *, int);
    vp_pdf_time (*local_time)(struct vp_pdf_viewer *);
    void (*changed)(struct vp_pdf_viewer *);
    vp_pdf_page *(*page)(struct vp_pdf_viewer *, vp_pdf_document *, int);
    vp_pdf_page *(*current_page)(struct vp_pdf_viewer *, vp_pdf_document *);
    int (*rotation)(struct vp_pdf_viewer *, vp_pdf_page *);
    void (*named_action)(struct vp_pdf_viewer *, const char *);
    void (*set_focus)(struct vp_pdf_viewer *, const unsigned short *, unsigned long, int);
    void (*open_uri)(struct vp_pdf_viewer *, const char *);
    void (*go_to)(struct vp_pdf_viewer *, int, int, float *, int);
    void *script;
    /* Further versions have fields for XFA, which is not asked for. */
    void *unused[20];
} vp_pdf_viewer;

static inline void vp_ignore_area(vp_pdf_viewer *v, vp_pdf_page *p, double a, double b, double c, double d) {
    (void)v, (void)p, (void)a, (void)b, (void)c, (void)d;
}
static inline void vp_ignore_number(vp_pdf_viewer *viewer, int number) { (void)viewer, (void)number; }
static inline int vp_no_timer(vp_pdf_viewer *viewer, int wait, void (*call)(int)) {
    (void)viewer, (void)wait, (void)call;
    return 0;
}
static inline vp_pdf_time vp_no_time(vp_pdf_viewer *viewer) {
    (void)viewer;
    return (vp_pdf_time){{0}};
}
static inline void vp_ignore(vp_pdf_viewer *viewer) { (void)viewer; }
static inline vp_pdf_page *vp_no_page(vp_pdf_viewer *viewer, vp_pdf_document *document, int index) {
    (void)viewer, (void)document, (void)index;
    return NULL;
}
static inline vp_pdf_page *vp_no_current_page(vp_pdf_viewer *viewer, vp_pdf_document *document) {
    (void)viewer, (void)document;
    return NULL;
}
static inline int vp_no_rotation(vp_pdf_viewer *viewer, vp_pdf_page *page) {
    (void)viewer, (void)page;
    return 0;
}
static inline void vp_ignore_text(vp_pdf_viewer *viewer, const char *text) { (void)viewer, (void)text; }
static inline void vp_ignore_focus(vp_pdf_viewer *viewer, const unsigned short *text, unsigned long count, int is) {
    (void)viewer, (void)text, (void)count, (void)is;
}
static inline void vp_ignore_place(vp_pdf_viewer *viewer, int page, int zoom, float *numbers, int count) {
    (void)viewer, (void)page, (void)zoom, (void)numbers, (void)count;
}

/* A viewer that does nothing. */
static inline vp_pdf_viewer vp_still_viewer(void) {
    return (vp_pdf_viewer){
        .version = 1,
        .invalidate = vp_ignore_area,
        .output_selected = vp_ignore_area,
        .set_cursor = vp_ignore_number,
        .set_timer = vp_no_timer,
        .kill_timer = vp_ignore_number,
        .local_time = vp_no_time,
        .changed = vp_ignore,
        .page = vp_no_page,
        .current_page = vp_no_current_page,
        .rotation = vp_no_rotation,
        .named_action = vp_ignore_text,
        .set_focus = vp_ignore_focus,
        .open_uri = vp_ignore_text,
        .go_to = vp_ignore_place,
    };
}

typedef struct vp_pdf_form vp_pdf_form;

enum {
    VP_PDF_ERROR_FILE = 2,
    VP_PDF_ERROR_FORMAT = 3,
    VP_PDF_ERROR_PASSWORD = 4,
    VP_PDF_ERROR_SECURITY = 5,
    VP_PDF_ERROR_PAGE = 6,
    /* Blue, green, red, unused. */
    VP_PDF_BGRX = 3,
    VP_PDF_DRAW_ANNOTATIONS = 1,
    /* FPDF_PAGEOBJ_IMAGE. */
    VP_PDF_OBJECT_IMAGE = 3,
    /* FPDF_ANNOTATION_SUBTYPE. */
    VP_PDF_LINK = 2,
    VP_PDF_LINE = 4,
    VP_PDF_POLYGON = 7,
    VP_PDF_POLYLINE = 8,
    /* FPDF_ANNOT_FLAG: not to be seen at all, and not on a screen. */
    VP_PDF_ANNOTATION_HIDDEN = 1 << 1,
    VP_PDF_ANNOTATION_NO_VIEW = 1 << 5,
    /* FPDFANNOT_COLORTYPE. */
    VP_PDF_COLOUR = 0,
    VP_PDF_INTERIOR_COLOUR = 1,
    /* FPDF_FILLMODE. */
    VP_PDF_NO_FILL = 0,
    VP_PDF_FILL_ALTERNATE = 1,
};

typedef struct vp_pdfium {
    void (*_Nonnull start)(const vp_pdfium_config *config);
    unsigned long (*_Nonnull last_error)(void);
    vp_pdf_document *(*_Nonnull open_memory)(const void *bytes, size_t count, const char *password);
    vp_pdf_document *(*_Nonnull open_file)(vp_pdf_file *file, const char *password);
    void (*_Nonnull close_document)(vp_pdf_document *document);
    int (*_Nonnull page_count)(vp_pdf_document *document);
    /* UTF-16, little-endian, with a zero at its end; answers the bytes that it needs. */
    unsigned long (*_Nonnull metadata)(vp_pdf_document *document, const char *key, void *buffer, unsigned long size);
    vp_pdf_page *(*_Nonnull open_page)(vp_pdf_document *document, int index);
    void (*_Nonnull close_page)(vp_pdf_page *page);
    /* In points, turned as the page says. */
    float (*_Nonnull page_width)(vp_pdf_page *page);
    float (*_Nonnull page_height)(vp_pdf_page *page);
    /* Says in memory what is seen of the page, in points that are not turned; of it counts what lies in the media box. */
    void (*_Nonnull set_crop_box)(vp_pdf_page *page, float left, float bottom, float right, float top);
    vp_pdf_bitmap *(*_Nonnull open_bitmap)(int width, int height, int format, void *rows, int bytes_per_row);
    void (*_Nonnull close_bitmap)(vp_pdf_bitmap *bitmap);
    void (*_Nonnull draw)(vp_pdf_bitmap *bitmap, vp_pdf_page *page, int x, int y, int width, int height, int turns, int flags);
    /* What the page's content draws, and how many annotations lie on it. */
    int (*_Nonnull object_count)(vp_pdf_page *page);
    vp_pdf_object *(*_Nonnull object)(vp_pdf_page *page, int index);
    int (*_Nonnull object_type)(vp_pdf_object *object);
    /* Bytes that the file has of a picture, packed as they are, when there is no buffer. */
    unsigned long (*_Nonnull image_data)(vp_pdf_object *image, void *buffer, unsigned long size);
    /* How a picture is packed, one filter around the other. A name needs the bytes that are answered, a zero at the end among
     * them; nothing is written into fewer. */
    int (*_Nonnull filter_count)(vp_pdf_object *image);
    unsigned long (*_Nonnull filter)(vp_pdf_object *image, int index, void *name, unsigned long size);
    int (*_Nonnull annotation_count)(vp_pdf_page *page);
    /* An annotation is to be closed before its page. */
    vp_pdf_annotation *(*_Nonnull open_annotation)(vp_pdf_page *page, int index);
    void (*_Nonnull close_annotation)(vp_pdf_annotation *annotation);
    int (*_Nonnull annotation_type)(vp_pdf_annotation *annotation);
    int (*_Nonnull annotation_flags)(vp_pdf_annotation *annotation);
    int (*_Nonnull annotation_has)(vp_pdf_annotation *annotation, const char *key);
    int (*_Nonnull annotation_rectangle)(vp_pdf_annotation *annotation, vp_pdf_rectangle *rectangle);
    /* Black where the file names no colour, and where it says that there is none. */
    int (*_Nonnull annotation_colour)(
        vp_pdf_annotation *annotation, int kind, unsigned int *red, unsigned int *green, unsigned int *blue,
        unsigned int *alpha);
    /* What draws an annotation's picture, in UTF-16; answers how many bytes those and the 0 behind them are. */
    unsigned long (*_Nonnull appearance)(
        vp_pdf_annotation *annotation, int mode, unsigned short *units, unsigned long size);
    /* Takes an annotation's pictures away when there is no new one; its colour is told only where there is none. */
    int (*_Nonnull set_appearance)(vp_pdf_annotation *annotation, int mode, const unsigned short *appearance);
    /* The radii of its corners and its width, of the entry 'Border' only. */
    int (*_Nonnull annotation_border)(
        vp_pdf_annotation *annotation, float *horizontal, float *vertical, float *width);
    int (*_Nonnull annotation_line)(vp_pdf_annotation *annotation, vp_pdf_point *start, vp_pdf_point *end);
    /* Answers how many there are; writes nothing into room for fewer. */
    unsigned long (*_Nonnull annotation_vertices)(
        vp_pdf_annotation *annotation, vp_pdf_point *points, unsigned long count);
    /* Paths, which belong to the caller until they are added to a page, behind what it draws already. */
    vp_pdf_object *(*_Nonnull new_path)(float x, float y);
    vp_pdf_object *(*_Nonnull new_rectangle)(float x, float y, float width, float height);
    int (*_Nonnull line_to)(vp_pdf_object *path, float x, float y);
    int (*_Nonnull close_path)(vp_pdf_object *path);
    int (*_Nonnull set_drawing)(vp_pdf_object *path, int fill_mode, int is_stroked);
    int (*_Nonnull set_stroke_colour)(
        vp_pdf_object *path, unsigned int red, unsigned int green, unsigned int blue, unsigned int alpha);
    int (*_Nonnull set_fill_colour)(
        vp_pdf_object *path, unsigned int red, unsigned int green, unsigned int blue, unsigned int alpha);
    int (*_Nonnull set_stroke_width)(vp_pdf_object *path, float width);
    void (*_Nonnull add)(vp_pdf_page *page, vp_pdf_object *object);
    /* What kind of form the document has; 0 is none. */
    int (*_Nonnull form_type)(vp_pdf_document *document);
    vp_pdf_form *(*_Nonnull open_form)(vp_pdf_document *document, vp_pdf_viewer *viewer);
    void (*_Nonnull close_form)(vp_pdf_form *form);
    void (*_Nonnull enter_page)(vp_pdf_page *page, vp_pdf_form *form);
    void (*_Nonnull leave_page)(vp_pdf_page *page, vp_pdf_form *form);
    void (*_Nonnull draw_form)(
        vp_pdf_form *form, vp_pdf_bitmap *bitmap, vp_pdf_page *page, int x, int y, int width, int height, int turns,
        int flags);
    vp_pdf_text *(*_Nonnull open_text)(vp_pdf_page *page);
    void (*_Nonnull close_text)(vp_pdf_text *text);
    int (*_Nonnull text_length)(vp_pdf_text *text);
    /* Answers the units of UTF-16 that were written, a zero at the end among them. */
    int (*_Nonnull text_units)(vp_pdf_text *text, int first, int count, unsigned short *units);
} vp_pdfium;

/* Finds the functions. `missing` becomes the name of one that is not there, which is called by nobody then, or NULL. */
static inline vp_pdfium vp_pdfium_found(void *library, const char **missing) {
    vp_pdfium found;
    *missing = NULL;
#define VP_FIND(field, name) \
    if (!(*(void **)&found.field = dlsym(library, name))) *missing = name
    VP_FIND(start, "FPDF_InitLibraryWithConfig");
    VP_FIND(last_error, "FPDF_GetLastError");
    VP_FIND(open_memory, "FPDF_LoadMemDocument64");
    VP_FIND(open_file, "FPDF_LoadCustomDocument");
    VP_FIND(close_document, "FPDF_CloseDocument");
    VP_FIND(page_count, "FPDF_GetPageCount");
    VP_FIND(metadata, "FPDF_GetMetaText");
    VP_FIND(open_page, "FPDF_LoadPage");
    VP_FIND(close_page, "FPDF_ClosePage");
    VP_FIND(page_width, "FPDF_GetPageWidthF");
    VP_FIND(page_height, "FPDF_GetPageHeightF");
    VP_FIND(set_crop_box, "FPDFPage_SetCropBox");
    VP_FIND(open_bitmap, "FPDFBitmap_CreateEx");
    VP_FIND(close_bitmap, "FPDFBitmap_Destroy");
    VP_FIND(draw, "FPDF_RenderPageBitmap");
    VP_FIND(object_count, "FPDFPage_CountObjects");
    VP_FIND(object, "FPDFPage_GetObject");
    VP_FIND(object_type, "FPDFPageObj_GetType");
    VP_FIND(image_data, "FPDFImageObj_GetImageDataRaw");
    VP_FIND(filter_count, "FPDFImageObj_GetImageFilterCount");
    VP_FIND(filter, "FPDFImageObj_GetImageFilter");
    VP_FIND(annotation_count, "FPDFPage_GetAnnotCount");
    VP_FIND(open_annotation, "FPDFPage_GetAnnot");
    VP_FIND(close_annotation, "FPDFPage_CloseAnnot");
    VP_FIND(annotation_type, "FPDFAnnot_GetSubtype");
    VP_FIND(annotation_flags, "FPDFAnnot_GetFlags");
    VP_FIND(annotation_has, "FPDFAnnot_HasKey");
    VP_FIND(annotation_rectangle, "FPDFAnnot_GetRect");
    VP_FIND(annotation_colour, "FPDFAnnot_GetColor");
    VP_FIND(appearance, "FPDFAnnot_GetAP");
    VP_FIND(set_appearance, "FPDFAnnot_SetAP");
    VP_FIND(annotation_border, "FPDFAnnot_GetBorder");
    VP_FIND(annotation_line, "FPDFAnnot_GetLine");
    VP_FIND(annotation_vertices, "FPDFAnnot_GetVertices");
    VP_FIND(new_path, "FPDFPageObj_CreateNewPath");
    VP_FIND(new_rectangle, "FPDFPageObj_CreateNewRect");
    VP_FIND(line_to, "FPDFPath_LineTo");
    VP_FIND(close_path, "FPDFPath_Close");
    VP_FIND(set_drawing, "FPDFPath_SetDrawMode");
    VP_FIND(set_stroke_colour, "FPDFPageObj_SetStrokeColor");
    VP_FIND(set_fill_colour, "FPDFPageObj_SetFillColor");
    VP_FIND(set_stroke_width, "FPDFPageObj_SetStrokeWidth");
    VP_FIND(add, "FPDFPage_InsertObject");
    VP_FIND(form_type, "FPDF_GetFormType");
    VP_FIND(open_form, "FPDFDOC_InitFormFillEnvironment");
    VP_FIND(close_form, "FPDFDOC_ExitFormFillEnvironment");
    VP_FIND(enter_page, "FORM_OnAfterLoadPage");
    VP_FIND(leave_page, "FORM_OnBeforeClosePage");
    VP_FIND(draw_form, "FPDF_FFLDraw");
    VP_FIND(open_text, "FPDFText_LoadPage");
    VP_FIND(close_text, "FPDFText_ClosePage");
    VP_FIND(text_length, "FPDFText_CountChars");
    VP_FIND(text_units, "FPDFText_GetText");
#undef VP_FIND
    return found;
}
