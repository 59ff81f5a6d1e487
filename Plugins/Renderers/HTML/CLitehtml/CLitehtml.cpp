#include "CLitehtml.h"
#include "Canvas.hpp"
#include "Measured.hpp"

#include <exception>
#include <new>

// In this order: the document is freed before what it draws on.
struct clitehtml_page {
    clitehtml_page(const clitehtml_canvas &calls, int width, int height)
        : width(width), height(height), canvas(calls, width, height) {}
    const int width, height;
    Canvas canvas;
    litehtml::context context;
    litehtml::document::ptr document;
};

clitehtml_page *clitehtml_open(
    const char *html, const char *style, const clitehtml_canvas *canvas, int width, int height, clitehtml_failure *failure) {
    *failure = clitehtml_damaged;
    try {
        if (!Measured(html).is_laid_out) {
            *failure = clitehtml_too_deep;
            return nullptr;
        }
        auto page = std::make_unique<clitehtml_page>(*canvas, width, height);
        page->context.load_master_stylesheet(style);
        page->document = litehtml::document::createFromUTF8(html, &page->canvas, &page->context);
        if (!page->document) return nullptr;
        page->document->render(width);
        return page.release();
    } catch (const std::bad_alloc &) {
        *failure = clitehtml_lacks_memory;
    } catch (...) {
    }
    return nullptr;
}

bool clitehtml_draw(clitehtml_page *page) {
    try {
        const litehtml::position window(0, 0, page->width, page->height);
        page->document->draw(0, 0, 0, &window);
        return true;
    } catch (...) {
        return false;
    }
}

void clitehtml_close(clitehtml_page *page) { delete page; }
