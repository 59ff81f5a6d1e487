#pragma once
/* LibreOfficeKit is headers only: they load the library of an installed LibreOffice with dlopen. */
#define LOK_USE_UNSTABLE_API 1
#include <malloc.h>
#include <stdlib.h>
#include <LibreOfficeKit/LibreOfficeKit.h>
#include <LibreOfficeKit/LibreOfficeKitInit.h>

/* LibreOfficeKitDocumentType of LibreOfficeKitEnums.h, which only a C++ compiler reads. */
enum coffice_document_type {
    coffice_text = 0, coffice_spreadsheet = 1, coffice_presentation = 2, coffice_drawing = 3
};

/* Makes all threads share one heap: what one document leaves free serves the next, whichever thread reads it. */
static inline void coffice_share_heap(void) { mallopt(M_ARENA_MAX, 1); }
