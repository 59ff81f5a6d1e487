#ifndef CLITEHTML_ARRANGEMENT_HPP
#define CLITEHTML_ARRANGEMENT_HPP

#include "Arranged.hpp"
#include "FlexLines.hpp"
#include "GridTracks.hpp"
#include "Measuring.hpp"

#include <litehtml/litehtml.h>
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// Lays out what is in a flexible box or a grid. It lives for one layout of one element.
class Arrangement {
public:
    Arrangement(litehtml::element &element, const Arranged &arranged)
        : element(element), arranged(arranged), document(*element.get_document()), font_size(element.get_font_size()) {}

    /// Like render of litehtml: places the element in a room of a width, and returns the width that it needs. is_known: whether the room
    /// is as wide as the element has to be.
    int render(int x, int y, int room, bool is_known) {
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
            if (arranged.kind == Arranged::Kind::grid)
                taken = grid(room, natural);
            else
                taken = arranged.is_column ? column(room, natural) : row(room, natural);
            if (pass == 0) room = std::min(room, natural);
        }
        litehtml::position &place = element.get_position();
        place.width = room;
        element.calc_auto_margins(parent_width);
        place.move_to(x + element.content_margins_left(), y + element.content_margins_top());
        place.height = std::max(taken, room_height);
        return (is_set ? room : natural) + margins;
    }

private:
    litehtml::element &element;
    const Arranged &arranged;
    litehtml::document &document;
    const int font_size;
    litehtml::elements_vector items;
    int gap = 0, row_gap = 0, room_height = 0;

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

    int row(int room, int &natural) {
        std::vector<FlexItem> sizes;
        natural = 0;
        const std::string flow = text(element, "flex-flow") + " " + text(element, "flex-direction");
        const bool is_reversed = flow.find("row-reverse") != std::string::npos;
        if (is_reversed) std::reverse(items.begin(), items.end());
        for (const litehtml::element::ptr &item : items) {
            sizes.push_back(flex_item(item, room));
            natural += sizes.back().basis + (sizes.size() > 1 ? gap : 0);
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
        return static_cast<int>(std::min(top, 1000000L));
    }

    GridCell cell(const litehtml::element &item, int count, const std::map<std::string, GridArea> &areas) {
        GridCell found;
        const std::string area = text(item, "grid-area");
        const auto named = areas.find(area);
        if (named != areas.end()) {
            const GridArea &place = named->second;
            return {place.column, place.row, place.end_column - place.column, place.end_row - place.row};
        }
        read_span(text(item, "grid-column"), count, found.column, found.columns);
        read_span(text(item, "grid-row"), 0, found.row, found.rows);
        const std::string first = text(item, "grid-column-start"), last = text(item, "grid-column-end");
        if (!first.empty() || !last.empty())
            read_span((first.empty() ? "auto" : first) + (last.empty() ? "" : "/" + last), count, found.column, found.columns);
        return found;
    }

    /// Gives the rows of a grid what is left of its height: those that ask for it, or all.
    void fill_rows(std::vector<int> &heights, int room) {
        const long count = static_cast<long>(heights.size());
        long left = room_height - row_gap * (count - 1);
        for (const int height : heights) left -= height;
        if (left <= 0 || count == 0) return;
        GridTracks rows(document, font_size, room, row_gap);
        rows.read(text(element, "grid-template-rows"));
        double shares = 0;
        for (long i = 0; i < count && i < static_cast<long>(rows.tracks.size()); i++) shares += rows.tracks[i].share;
        for (long i = 0; i < count; i++) {
            const double share = i < static_cast<long>(rows.tracks.size()) ? rows.tracks[i].share : 0;
            heights[i] += static_cast<int>(shares > 0 ? left * share / shares : left / count);
        }
    }

    /// Whether columns or rows share what is left of a grid.
    static bool fills(const std::string &content) { return content.empty() || content == "normal" || content == "stretch"; }

    /// Where columns or rows begin, and the next one behind them would. The gap becomes what is between them.
    static std::vector<int> lines(const std::vector<int> &sizes, int room, int &gap, const std::string &content) {
        const long count = static_cast<long>(sizes.size());
        long left = room - gap * (count - 1);
        for (const int size : sizes) left -= size;
        const Spacing places = spacing(justification(content), left, count, gap);
        gap = places.between;
        std::vector<int> found(1, places.start);
        for (const int size : sizes) found.push_back(within_page(found.back() + size + gap));
        return found;
    }

    int grid(int room, int &natural) {
        GridTracks columns(document, font_size, room, gap);
        std::string template_columns = text(element, "grid-template-columns"), template_areas = text(element, "grid-template-areas");
        const std::string shorthand = text(element, "grid-template", text(element, "grid").c_str());
        const std::vector<std::string> halves = words(shorthand, '/');
        if (template_columns.empty() && halves.size() == 2) template_columns = halves[1];
        if (template_areas.empty()) template_areas = shorthand;
        const std::map<std::string, GridArea> areas = grid_areas(template_areas);
        columns.read(template_columns == "none" ? "" : template_columns);
        std::vector<GridTrack> &tracks = columns.tracks;
        GridTrack automatic;
        automatic.is_automatic = true;
        for (const auto &area : areas)
            while (static_cast<int>(tracks.size()) < area.second.end_column) tracks.push_back(automatic);
        if (tracks.empty() && text(element, "grid-auto-flow").find("column") == 0)
            for (size_t i = 0; i < std::min(items.size(), static_cast<size_t>(GridTracks::most)); i++) tracks.push_back(automatic);
        if (tracks.empty()) tracks.push_back(automatic);
        const int count = static_cast<int>(tracks.size());

        // Fields that are taken, row by row.
        std::vector<std::vector<bool>> taken;
        std::vector<GridCell> cells;
        int next_column = 0, next_row = 0;
        const auto is_free = [&](const GridCell &cell) {
            for (int y = cell.row; y < cell.row + cell.rows; y++)
                for (int x = cell.column; x < cell.column + cell.columns; x++)
                    if (y < static_cast<int>(taken.size()) && taken[y][x]) return false;
            return true;
        };
        for (const litehtml::element::ptr &item : items) {
            GridCell found = cell(*item, count, areas);
            found.columns = std::min(found.columns, count);
            if (found.column >= 0) found.column = std::min(found.column, count - found.columns);
            if (found.column < 0 || found.row < 0) {
                GridCell trial = found;
                trial.row = found.row < 0 ? next_row : found.row;
                trial.column = found.column < 0 ? (found.row < 0 ? next_column : 0) : found.column;
                if (found.column >= 0 && found.row < 0 && found.column < next_column) trial.row++;
                while (trial.column + trial.columns > count || !is_free(trial)) {
                    if (found.column >= 0) {
                        trial.row++;
                    } else if (++trial.column + trial.columns > count) {
                        trial.column = 0;
                        trial.row++;
                    }
                    if (trial.row >= GridTracks::most_rows) break;
                }
                trial.column = std::min(trial.column, count - trial.columns);
                found = trial;
                next_row = found.row, next_column = found.column + found.columns;
            }
            found.row = std::min(found.row, GridTracks::most_rows);
            while (static_cast<int>(taken.size()) < found.row + found.rows) taken.emplace_back(count, false);
            for (int y = found.row; y < found.row + found.rows; y++)
                for (int x = found.column; x < found.column + found.columns; x++) taken[y][x] = true;
            cells.push_back(found);
        }

        natural = gap * (count - 1);
        for (size_t i = 0; i < items.size(); i++) {
            GridTrack &track = tracks[cells[i].column];
            items[i]->calc_outlines(room);
            if (cells[i].columns == 1 && track.pixels == 0) track.needed = std::max(track.needed, natural_width(items[i]));
        }
        for (const GridTrack &track : tracks) natural += std::max(track.pixels, track.needed);
        const std::vector<std::string> both = words(text(element, "place-content"));
        const std::string across = text(element, "justify-content", both.empty() ? "" : both.back().c_str());
        const std::string down = text(element, "align-content", both.empty() ? "" : both.front().c_str());
        size_tracks(tracks, room, gap, fills(across));
        std::vector<int> widths;
        for (const GridTrack &track : tracks) widths.push_back(track.size);
        int across_gap = gap, down_gap = row_gap;
        const std::vector<int> lefts = lines(widths, room, across_gap, across);

        std::vector<int> heights(taken.size(), 0);
        for (size_t i = 0; i < items.size(); i++) {
            const GridCell &cell = cells[i];
            const int width = lefts[cell.column + cell.columns] - lefts[cell.column] - across_gap;
            render_across(*items[i], items[i], lefts[cell.column], width, align(*items[i], "justify-self", "justify-items"));
            if (cell.rows == 1) heights[cell.row] = std::max(heights[cell.row], items[i]->height());
        }
        for (size_t i = 0; i < items.size(); i++) {
            const GridCell &cell = cells[i];
            int height = within_page(items[i]->height()) - row_gap * (cell.rows - 1);
            for (int row = cell.row; row < cell.row + cell.rows; row++) height -= heights[row];
            if (height > 0) heights[cell.row + cell.rows - 1] += height;
        }
        if (fills(down)) fill_rows(heights, room);
        const std::vector<int> tops = lines(heights, room_height, down_gap, down);
        for (size_t i = 0; i < items.size(); i++) {
            const GridCell &cell = cells[i];
            settle(*items[i], tops[cell.row], tops[cell.row + cell.rows] - tops[cell.row] - down_gap);
        }
        return heights.empty() ? 0 : tops.back() - down_gap;
    }
};

#endif
