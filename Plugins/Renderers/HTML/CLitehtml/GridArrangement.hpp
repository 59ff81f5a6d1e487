#ifndef CLITEHTML_GRIDARRANGEMENT_HPP
#define CLITEHTML_GRIDARRANGEMENT_HPP

#include "Arrangement.hpp"
#include "GridPlacement.hpp"
#include "GridTracks.hpp"

#include <litehtml/litehtml.h>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

/// Lays out a grid (CSS Grid Layout 1).
class GridArrangement final : public Arrangement {
public:
    explicit GridArrangement(litehtml::element &element) : Arrangement(element) {}

protected:
    int arrange(int room, int &natural) override {
        std::map<std::string, GridArea> areas;
        std::vector<GridTrack> tracks = columns(room, areas);
        const int count = static_cast<int>(tracks.size());
        GridPlacement placement(count);
        std::vector<GridCell> cells;
        for (const litehtml::element::ptr &item : items) cells.push_back(placement.place(cell(*item, count, areas)));

        measure(tracks, cells, room);
        long needed = gap * (count - 1);
        for (const GridTrack &track : tracks) needed += std::max(track.pixels, track.needed);
        natural = within_page(needed);
        const std::vector<std::string> both = words(text(element, "place-content"));
        const std::string across = text(element, "justify-content", both.empty() ? "" : both.back().c_str());
        const std::string down = text(element, "align-content", both.empty() ? "" : both.front().c_str());
        size_tracks(tracks, room, gap, fills(across));
        std::vector<int> widths;
        for (const GridTrack &track : tracks) widths.push_back(track.size);
        int across_gap = gap, down_gap = row_gap;
        const std::vector<int> lefts = lines(widths, room, across_gap, across);

        std::vector<int> heights = render(cells, lefts, across_gap, placement.rows());
        if (fills(down)) fill_rows(heights, room);
        const std::vector<int> tops = lines(heights, room_height, down_gap, down);
        for (size_t i = 0; i < items.size(); i++) {
            const GridCell &cell = cells[i];
            settle(*items[i], tops[cell.row], tops[cell.row + cell.rows] - tops[cell.row] - down_gap);
        }
        return heights.empty() ? 0 : tops.back() - down_gap;
    }

private:
    /// The columns that a style sheet names, or that its areas or its boxes need; at least one.
    std::vector<GridTrack> columns(int room, std::map<std::string, GridArea> &areas) {
        std::string template_columns = text(element, "grid-template-columns"), template_areas = text(element, "grid-template-areas");
        const std::string shorthand = text(element, "grid-template", text(element, "grid").c_str());
        const std::vector<std::string> halves = words(shorthand, '/');
        if (template_columns.empty() && halves.size() == 2) template_columns = halves[1];
        if (template_areas.empty()) template_areas = shorthand;
        areas = grid_areas(template_areas);
        GridTracks found(document, font_size, room, gap);
        found.read(template_columns == "none" ? "" : template_columns);
        std::vector<GridTrack> &tracks = found.tracks;
        GridTrack automatic;
        automatic.is_automatic = true;
        for (const auto &area : areas)
            while (static_cast<int>(tracks.size()) < area.second.end_column) tracks.push_back(automatic);
        if (tracks.empty() && text(element, "grid-auto-flow").find("column") == 0)
            for (size_t i = 0; i < std::min(items.size(), static_cast<size_t>(GridTracks::most)); i++) tracks.push_back(automatic);
        if (tracks.empty()) tracks.push_back(automatic);
        return tracks;
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

    /// Finds out what columns need for the boxes that are in one of them only.
    void measure(std::vector<GridTrack> &tracks, const std::vector<GridCell> &cells, int room) {
        for (size_t i = 0; i < items.size(); i++) {
            GridTrack &track = tracks[cells[i].column];
            items[i]->calc_outlines(room);
            if (cells[i].columns == 1 && track.pixels == 0) track.needed = std::max(track.needed, natural_width(items[i]));
        }
    }

    /// Lays the boxes out in their columns. Returns the heights of the rows.
    std::vector<int> render(const std::vector<GridCell> &cells, const std::vector<int> &lefts, int across_gap, int rows) {
        std::vector<int> heights(rows, 0);
        for (size_t i = 0; i < items.size(); i++) {
            const GridCell &cell = cells[i];
            const int width = lefts[cell.column + cell.columns] - lefts[cell.column] - across_gap;
            render_across(*items[i], items[i], lefts[cell.column], width, align(*items[i], "justify-self", "justify-items"));
            if (cell.rows == 1) heights[cell.row] = std::max(heights[cell.row], within_page(items[i]->height()));
        }
        for (size_t i = 0; i < items.size(); i++) {
            const GridCell &cell = cells[i];
            long height = within_page(items[i]->height()) - static_cast<long>(row_gap) * (cell.rows - 1);
            for (int row = cell.row; row < cell.row + cell.rows; row++) height -= heights[row];
            if (height > 0) heights[cell.row + cell.rows - 1] += static_cast<int>(height);
        }
        return heights;
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
};

#endif
