#ifndef CLITEHTML_FLEXARRANGEMENT_HPP
#define CLITEHTML_FLEXARRANGEMENT_HPP

#include "Arrangement.hpp"
#include "FlexLines.hpp"

#include <litehtml/litehtml.h>
#include <algorithm>
#include <string>
#include <vector>

/// Lays out a flexible box (CSS Flexible Box Layout 1).
class FlexArrangement final : public Arrangement {
public:
    FlexArrangement(litehtml::element &element, bool is_column) : Arrangement(element), is_column(is_column) {}

protected:
    int arrange(int room, int &natural) override { return is_column ? column(room, natural) : row(room, natural); }

private:
    const bool is_column;

    FlexItem flex_item(const litehtml::element::ptr &item, int room) {
        item->calc_outlines(room);
        FlexItem found;
        std::string basis = "auto";
        const std::vector<std::string> shorthand = words(text(*item, "flex"));
        if (!shorthand.empty()) {
            if (shorthand[0] == "none") {
                found.shrink = 0;
            } else if (shorthand[0] == "auto") {
                found.grow = 1;
            } else if (shorthand[0] != "initial") {
                int numbers = 0;
                found.grow = 1;
                basis = "0";
                for (const std::string &word : shorthand) {
                    if (!is_length(word) || word.find_first_not_of("0123456789.") != std::string::npos)
                        basis = word;
                    else if (numbers++ == 0)
                        found.grow = number(word);
                    else if (numbers == 2)
                        found.shrink = number(word);
                    else
                        basis = word;
                }
            }
        }
        found.grow = std::max(0.0, number(text(*item, "flex-grow", std::to_string(found.grow).c_str())));
        found.shrink = std::max(0.0, number(text(*item, "flex-shrink", std::to_string(found.shrink).c_str())));
        basis = text(*item, "flex-basis", basis.c_str());
        const Arranged *known = Arranged::of(item);
        if (is_length(basis)) {
            found.basis = outer(*item, pixels(document, basis, font_size, room));
        } else if (known && !known->width.is_predefined()) {
            litehtml::css_length width = known->width;
            found.basis = outer(*item, document.cvt_units(width, item->get_font_size(), room));
        } else {
            found.basis = natural_width(item);
        }
        const std::string most = text(*item, "max-width", "none"), least = text(*item, "min-width");
        if (is_length(most)) found.most = outer(*item, pixels(document, most, item->get_font_size(), room));
        found.least = is_length(least) ? outer(*item, pixels(document, least, item->get_font_size(), room)) : -1;
        found.basis = std::max(0, std::min(std::max(found.basis, found.least), found.most));
        found.is_free_before = text(*item, "margin-left") == "auto";
        found.is_free_behind = text(*item, "margin-right") == "auto";
        return found;
    }

    Justify justify() { return justification(text(element, "justify-content", text(element, "place-content").c_str())); }

    int row(int room, int &natural) {
        std::vector<FlexItem> sizes;
        natural = 0;
        const std::string flow = text(element, "flex-flow") + " " + text(element, "flex-direction");
        const bool is_reversed = flow.find("row-reverse") != std::string::npos;
        if (is_reversed) std::reverse(items.begin(), items.end());
        for (const litehtml::element::ptr &item : items) {
            sizes.push_back(flex_item(item, room));
            natural = within_page(natural + sizes.back().basis + (sizes.size() > 1 ? gap : 0));
        }
        const std::string wrap = text(element, "flex-wrap", flow.c_str());
        const bool wraps = wrap.find("wrap") != std::string::npos && wrap.find("nowrap") == std::string::npos;
        Justify where = justify();
        if (is_reversed && (where == Justify::start || where == Justify::end))
            where = where == Justify::start ? Justify::end : Justify::start;
        // A line has no more boxes than it has room for their longest words.
        for (size_t i = 0; wraps && i < sizes.size(); i++)
            if (sizes[i].least < 0 && sizes[i].basis < room) sizes[i].least = std::min(least_width(items[i]), sizes[i].most);
        const std::vector<FlexLine> lines = flex_lines(sizes, room, gap, wraps);
        int top = 0;
        for (const FlexLine &line : lines) {
            long total = gap * (static_cast<long>(line.end - line.start) - 1);
            for (size_t i = line.start; i < line.end; i++) total += sizes[i].basis;
            for (size_t i = line.start; i < line.end && total > room; i++)
                if (sizes[i].least < 0) sizes[i].least = std::min(sizes[i].basis, least_width(items[i]));
            flex_line(sizes, line, room, gap, where);
            int height = 0;
            for (size_t i = line.start; i < line.end; i++) {
                items[i]->render(sizes[i].position, 0, sizes[i].size);
                height = std::max(height, items[i]->height());
            }
            if (lines.size() == 1) height = std::max(height, room_height);
            if (top > 0) top = within_page(top + row_gap);
            for (size_t i = line.start; i < line.end; i++) settle(*items[i], top, height);
            top = within_page(top + height);
        }
        if (is_reversed) std::reverse(items.begin(), items.end());
        return top;
    }

    int column(int room, int &natural) {
        natural = 0;
        long total = 0;
        double grow = 0;
        const bool is_reversed = (text(element, "flex-flow") + text(element, "flex-direction")).find("column-reverse") != std::string::npos;
        if (is_reversed) std::reverse(items.begin(), items.end());
        for (const litehtml::element::ptr &item : items) {
            item->calc_outlines(room);
            natural = std::max(natural, natural_width(item));
            render_across(*item, item, 0, room, align(*item, "align-self", "align-items"));
            total += item->height() + (item == items.front() ? 0 : row_gap);
            const std::vector<std::string> shorthand = words(text(*item, "flex"));
            grow += std::max(0.0, number(text(*item, "flex-grow", shorthand.empty() ? "0" : shorthand[0].c_str())));
        }
        const long left = std::max(0L, room_height - total);
        const long count = static_cast<long>(items.size());
        const Spacing places = spacing(grow == 0 ? justify() : Justify::start, left, count, row_gap);
        long top = places.start;
        for (const litehtml::element::ptr &item : items) {
            const std::vector<std::string> shorthand = words(text(*item, "flex"));
            const double share = std::max(0.0, number(text(*item, "flex-grow", shorthand.empty() ? "0" : shorthand[0].c_str())));
            if (grow > 0) item->get_position().height += static_cast<int>(left * share / std::max(grow, 1.0));
            item->get_position().y += static_cast<int>(top);
            top += item->height() + (item == items.back() ? 0 : places.between);
        }
        if (is_reversed) std::reverse(items.begin(), items.end());
        return within_page(top);
    }
};

#endif
