#pragma once
/* LibreOfficeKit is headers only: they load the library of an installed LibreOffice with dlopen. */
#define LOK_USE_UNSTABLE_API 1
#include <stdlib.h>
#include <LibreOfficeKit/LibreOfficeKit.h>
#include <LibreOfficeKit/LibreOfficeKitInit.h>

/* LibreOfficeKitDocumentType of LibreOfficeKitEnums.h, which only a C++ compiler reads. */
enum coffice_document_type {
    coffice_text = 0, coffice_spreadsheet = 1, coffice_presentation = 2, coffice_drawing = 3
};
