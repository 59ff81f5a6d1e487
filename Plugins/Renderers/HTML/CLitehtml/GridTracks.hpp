#ifndef CLITEHTML_GRIDTRACKS_HPP
#define CLITEHTML_GRIDTRACKS_HPP

#include "Lengths.hpp"

#include <string>
#include <vector>

/// A column of a grid: pixels, or a share of what is left, or what its boxes need.
struct GridTrack {
    int pixels = 0;
    double share = 0;
    bool is_automatic = false;
    /// At most what it takes.
    int size = 0, needed = 0;
};

/// Reads the columns of a grid (CSS Grid Layout 1, 7.2).
class GridTracks {
public:
    /// Columns and rows that a grid may have.
    static constexpr int most = 64, most_rows = 2000;

    GridTracks(litehtml::document &document, int font_size, int room, int gap)
        : document(document), font_size(font_size), room(room), gap(gap) {}

    std::vector<GridTrack> tracks;

    void read(const std::string &value) {
        for (const std::string &word : words(value)) {
            if (static_cast<int>(tracks.size()) >= most) return;
            if (word[0] == '[') continue;
            if (word.compare(0, 7, "repeat(") == 0)
                repeat(word.substr(7, word.size() - 8));
            else
                tracks.push_back(track(word));
        }
    }

private:
    litehtml::document &document;
    const int font_size, room, gap;

    GridTrack track(const std::string &word, bool is_bound = false) {
        GridTrack track;
        // A bound is no pair of bounds.
        if (!is_bound && word.compare(0, 7, "minmax(") == 0) {
            const std::vector<std::string> bounds = words(word.substr(7, word.size() - 8), ',');
            if (bounds.size() == 2) {
                track = this->track(trimmed(bounds[1]), true);
                if (track.share > 0) track.pixels = pixels(document, trimmed(bounds[0]), font_size, room);
                return track;
            }
        }
        if (word.size() > 2 && word.compare(word.size() - 2, 2, "fr") == 0)
            track.share = std::max(number(word), 0.0);
        else if (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '.')
            track.pixels = std::max(pixels(document, word, font_size, room), 0);
        else
            track.is_automatic = true;
        return track;
    }

    void repeat(const std::string &arguments) {
        const size_t comma = arguments.find(',');
        if (comma == std::string::npos) return;
        const std::string list = trimmed(arguments.substr(comma + 1));
        int count = static_cast<int>(number(arguments));
        if (arguments.compare(0, 5, "auto-") == 0) {
            const GridTrack one = track(list);
            count = one.pixels > 0 ? (room + gap) / (one.pixels + gap) : 1;
        }
        const std::vector<std::string> all = words(list);
        for (int i = 0; i < std::min(std::max(count, 1), most); i++)
            for (const std::string &word : all) {
                if (static_cast<int>(tracks.size()) >= most) return;
                if (word[0] != '[') tracks.push_back(track(word));
            }
    }

    static std::string trimmed(const std::string &text) {
        const std::vector<std::string> parts = words(text);
        std::string all;
        for (const std::string &part : parts) all += (all.empty() ? "" : " ") + part;
        return all;
    }
};

/// Gives columns their widths (CSS Grid Layout 1, 12.4, in short): shares get what is left.
/// fills: whether those that take what they need get it where there are no shares.
inline void size_tracks(std::vector<GridTrack> &tracks, int room, int gap, bool fills) {
    long left = room - gap * (static_cast<long>(tracks.size()) - 1);
    double shares = 0;
    long automatic = 0;
    for (GridTrack &track : tracks) {
        track.size = track.is_automatic ? track.needed : track.share > 0 ? 0 : track.pixels;
        shares += track.share;
        automatic += track.is_automatic ? track.size : 0;
        left -= track.size;
    }
    if (left < 0 && automatic > 0) {
        const double scale = std::max(0.0, static_cast<double>(automatic + left) / automatic);
        for (GridTrack &track : tracks)
            if (track.is_automatic) track.size = static_cast<int>(track.size * scale);
        left = 0;
    }
    if (left <= 0) return;
    long columns = 0;
    for (const GridTrack &track : tracks) columns += track.is_automatic;
    for (GridTrack &track : tracks) {
        if (shares > 0)
            track.size += track.share > 0 ? static_cast<int>(left * track.share / std::max(shares, 1.0)) : 0;
        else if (track.is_automatic && fills)
            track.size += static_cast<int>(left / columns);
    }
}

#endif
