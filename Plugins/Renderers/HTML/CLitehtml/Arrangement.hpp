#ifndef CLITEHTML_ARRANGEMENT_HPP
#define CLITEHTML_ARRANGEMENT_HPP

#include "Arranged.hpp"
#include "Justification.hpp"
#include "Measuring.hpp"

#include <litehtml/litehtml.h>
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

/// Lays out what is in a flexible box or a grid: what both have in common. It lives for one layout of one element.
class Arrangement {
public:
    virtual ~Arrangement() = default;

    /// Like render of litehtml: places the element in a room of a width, and returns the width that it needs. is_known: whether the room
    /// is as wide as the element has to be.
    int lay_out(int x, int y, int room, bool is_known) {
        const int parent_width = room = within_page(room);
        element.calc_outlines(parent_width);
        const int margins = element.content_margins_width();
        const bool is_set = !element.get_css_width().is_predefined();
        room = is_set ? within_page(element.calc_width(parent_width)) - edges(element) : parent_width - margins;
        const std::string most = text(element, "max-width"), least = text(element, "min-width");
        if (is_length(most)) room = std::min(room, pixels(document, most, font_size, parent_width) - edges(element));
        if (is_length(least)) room = std::max(room, pixels(document, least, font_size, parent_width) - edges(element));
        room = within_page(std::max(room, 0));

        collect(room);
        room_height = height();
        gap = gaps("column-gap", 1, room), row_gap = gaps("row-gap", 0, room);
        const bool is_held = text(element, "left", "auto") != "auto" && text(element, "right", "auto") != "auto";
        const bool shrinks = element.get_display() == litehtml::display_inline_block ||
                             element.get_float() != litehtml::float_none ||
                             (element.get_element_position() >= litehtml::element_position_absolute && !is_held);
        int natural = 0, taken = 0;
        // A box that shrinks is asked for its width first.
        for (int pass = shrinks && !is_set && !is_known ? 0 : 1; pass < 2; pass++) {
            taken = arrange(room, natural);
            if (pass == 0) room = std::min(room, natural);
        }
        litehtml::position &place = element.get_position();
        place.width = room;
        element.calc_auto_margins(parent_width);
        place.move_to(x + element.content_margins_left(), y + element.content_margins_top());
        place.height = std::max(taken, room_height);
        return within_page((is_set ? room : natural) + margins);
    }

protected:
    litehtml::element &element;
    litehtml::document &document;
    const int font_size;
    /// What is laid out, in its order.
    litehtml::elements_vector items;
    /// What is between two boxes of a line, and between two lines; the height that is known before the layout, or 0.
    int gap = 0, row_gap = 0, room_height = 0;

    explicit Arrangement(litehtml::element &element)
        : element(element), document(*element.get_document()), font_size(element.get_font_size()) {}

    /// Places the boxes in a room of a width. Returns the height that they take; natural: the width that they need.
    virtual int arrange(int room, int &natural) = 0;

    Align align(const litehtml::element &item, const char *own, const char *all) {
        const std::string place = text(element, "place-items"), value = text(item, own);
        if (!value.empty() && value != "auto") return alignment(value);
        const std::vector<std::string> both = words(place);
        const std::string shorthand = both.empty() ? "" : std::string(own) == "justify-self" ? both.back() : both.front();
        return alignment(text(element, all, shorthand.c_str()));
    }

    /// Moves a box that was laid out, or makes it higher, in a room from a line on.
    void settle(litehtml::element &item, int top, int height) {
        litehtml::position &place = item.get_position();
        const int left = height - item.height();
        const bool moves = text(item, "margin-top") == "auto";
        switch (moves ? Align::end : align(item, "align-self", "align-items")) {
        case Align::stretch:
            if (left > 0 && item.get_css_height().is_predefined() && !item.is_replaced()) place.height += left;
            break;
        case Align::center: place.y += left / 2; break;
        case Align::end: place.y += left; break;
        case Align::start: break;
        }
        place.y += top;
    }

    /// Lays a box out in a room of a width, which it fills or not.
    void render_across(litehtml::element &item, const litehtml::element::ptr &shared, int x, int room, Align align) {
        const bool fills = align == Align::stretch && text(item, "margin-left") != "auto";
        if (fills || !item.get_css_width().is_predefined() || item.is_replaced()) {
            item.render(x, 0, room);
        } else {
            item.render(x, 0, std::min(room, natural_width(shared)));
        }
        const int left = room - item.width();
        if (left <= 0 || text(item, "margin-left") == "auto" || align == Align::stretch || align == Align::start) {
            if (!fills && left > 0 && text(item, "margin-left") == "auto") item.get_position().x += left / 2;
            return;
        }
        item.get_position().x += align == Align::center ? left / 2 : left;
    }

private:
    int gaps(const char *name, size_t place, int room) {
        const std::vector<std::string> both = words(text(element, "gap", text(element, "grid-gap").c_str()));
        const std::string shorthand = both.empty() ? "0" : both[std::min(place, both.size() - 1)];
        return std::max(0, pixels(document, text(element, name, shorthand.c_str()), font_size, room));
    }

    /// The least height of what is in it; 0 where nothing is said about it.
    int height() {
        int found = 0;
        if (!element.get_predefined_height(found)) found = 0;
        found = within_page(found);
        const std::string least = text(element, "min-height", "0");
        if (least.find('%') == std::string::npos) found = std::max(found, pixels(document, least, font_size, 0));
        if (found && text(element, "box-sizing") == "border-box")
            found -= element.get_paddings().height() + element.get_borders().height();
        return within_page(std::max(found, 0));
    }

    void collect(int room) {
        for (const litehtml::element::ptr &child : children()) {
            if (child->is_white_space() || child->get_display() == litehtml::display_none) continue;
            // litehtml makes these for rules that give them nothing to show, too.
            const bool is_made = std::strncmp(child->get_tagName(), "::", 2) == 0;
            if (is_made && child->get_children_count() == 0 && child->get_css_width().is_predefined()) continue;
            if (child->get_element_position() >= litehtml::element_position_absolute)
                child->render(0, 0, room);
            else
                items.push_back(child);
        }
        std::vector<std::pair<double, size_t>> order;
        for (size_t i = 0; i < items.size(); i++) order.emplace_back(number(text(*items[i], "order", "0")), i);
        std::sort(order.begin(), order.end());
        litehtml::elements_vector sorted;
        for (const auto &place : order) sorted.push_back(items[place.second]);
        items = sorted;
    }

    litehtml::elements_vector children() {
        litehtml::elements_vector all;
        for (size_t i = 0; i < element.get_children_count(); i++) all.push_back(element.get_child(static_cast<int>(i)));
        return all;
    }
};

#endif
