#ifndef CLITEHTML_MEASURED_HPP
#define CLITEHTML_MEASURED_HPP

#include <gumbo.h>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

/// What a page is to gumbo, which litehtml parses pages with, too: elements that are closed wrongly are nested as browsers nest them.
class Measured {
public:
    explicit Measured(const char *html) {
        GumboOptions options = kGumboDefaultOptions;
        options.allocator = [](void *arena, size_t count) { return static_cast<Measured *>(arena)->allocate(count); };
        // The arena is freed as a whole: gumbo frees by functions that call themselves.
        options.deallocator = [](void *, void *) {};
        options.userdata = this;
        try {
            if (GumboOutput *output = gumbo_parse_with_options(&options, html, std::strlen(html))) look(output->document);
        } catch (const std::bad_alloc &) {
            is_laid_out = false;
        }
    }
    Measured(const Measured &) = delete;
    Measured &operator=(const Measured &) = delete;
    ~Measured() {
        for (void *block : blocks) std::free(block);
    }

    /// Whether it can be laid out.
    bool is_laid_out = true;

private:
    static constexpr size_t most_bytes = 256u << 20, block_size = 1u << 20;
    static constexpr int most_nodes = 20000, deepest = 200, most_tables = 6;
    static constexpr long most_fields = 100000, most_number = 99999;

    std::vector<void *> blocks;
    char *next = nullptr;
    size_t left = 0, taken = 0;

    // What gumbo outgrew stays until the end: it doubles its arrays, so that this is as much again.
    void *allocate(size_t count) {
        count = (count + 15) & ~static_cast<size_t>(15);
        if (count > left) {
            const size_t size = count > block_size ? count : block_size;
            if (size > most_bytes - taken) throw std::bad_alloc();
            blocks.reserve(blocks.size() + 1);
            next = static_cast<char *>(std::malloc(size));
            if (!next) throw std::bad_alloc();
            blocks.push_back(next);
            left = size;
            taken += size;
        }
        char *found = next;
        next += count;
        left -= count;
        return found;
    }

    struct Place {
        const GumboNode *node;
        int depth, tables;
    };

    void look(const GumboNode *document) {
        std::vector<Place> open = {{document, 0, 0}};
        int nodes = 0;
        long fields = 0;
        while (!open.empty()) {
            const Place place = open.back();
            open.pop_back();
            const GumboNode *node = place.node;
            const bool is_document = node->type == GUMBO_NODE_DOCUMENT;
            if (!is_document && node->type != GUMBO_NODE_ELEMENT && node->type != GUMBO_NODE_TEMPLATE) continue;
            int tables = place.tables;
            if (!is_document) {
                const GumboElement &element = node->v.element;
                tables += element.tag == GUMBO_TAG_TABLE ? 1 : 0;
                const long columns = number(element, "colspan"), rows = number(element, "rowspan");
                if (columns > 1 || rows > 1) fields += (columns > 1 ? columns : 1) * (rows > 1 ? rows : 1);
                const bool counts = element.tag == GUMBO_TAG_OL || element.tag == GUMBO_TAG_LI;
                if (counts && (number(element, "start") > most_number || number(element, "value") > most_number))
                    is_laid_out = false;
            }
            if (++nodes > most_nodes || place.depth > deepest || tables > most_tables || fields > most_fields) is_laid_out = false;
            if (!is_laid_out) return;
            const GumboVector &children = is_document ? node->v.document.children : node->v.element.children;
            for (unsigned int i = 0; i < children.length; i++)
                open.push_back({static_cast<const GumboNode *>(children.data[i]), place.depth + 1, tables});
        }
    }

    /// A number among the attributes, at most a little more than is borne.
    static long number(const GumboElement &element, const char *name) {
        const GumboAttribute *found = gumbo_get_attribute(&element.attributes, name);
        if (!found) return 0;
        const long value = std::labs(std::strtol(found->value, nullptr, 10));
        return value < 0 || value > most_number ? most_number + 1 : value;
    }
};

#endif
