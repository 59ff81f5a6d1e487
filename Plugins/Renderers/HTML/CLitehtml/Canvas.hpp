#ifndef CLITEHTML_CANVAS_HPP
#define CLITEHTML_CANVAS_HPP

#include "CLitehtml.h"
#include "Element.hpp"

#include <litehtml/litehtml.h>
#include <cstdlib>
#include <memory>
#include <string>

/// Hands on what litehtml asks for.
class Canvas final : public litehtml::document_container, public Lines {
public:
    Canvas(const clitehtml_canvas &calls, int width, int height) : calls(calls), width(width), height(height) {}
    virtual ~Canvas() = default;

    // Fonts and letters.

    litehtml::uint_ptr create_font(
        const char *families, int size, int weight, litehtml::font_style style, unsigned int decoration,
        litehtml::font_metrics *metrics) override {
        clitehtml_font font = {families, size, weight, style == litehtml::fontStyleItalic, false, false, false};
        font.is_underlined = (decoration & litehtml::font_decoration_underline) != 0;
        font.is_struck = (decoration & litehtml::font_decoration_linethrough) != 0;
        font.is_overlined = (decoration & litehtml::font_decoration_overline) != 0;
        clitehtml_metrics found = {0, 0, 0, 0};
        const uintptr_t number = calls.font(calls.context, font, &found);
        if (metrics) {
            metrics->height = found.height, metrics->ascent = found.ascent, metrics->descent = found.descent;
            metrics->x_height = found.x_height;
            // An underlined blank shows.
            metrics->draw_spaces = decoration != 0;
        }
        return number;
    }
    void delete_font(litehtml::uint_ptr) override {}
    int text_width(const char *text, litehtml::uint_ptr font) override { return calls.text_width(calls.context, text, font); }
    void draw_text(
        litehtml::uint_ptr, const char *text, litehtml::uint_ptr font, litehtml::web_color colour,
        const litehtml::position &line) override {
        calls.text(calls.context, text, font, converted(colour), converted(line));
    }
    void end_line() override { calls.end_line(calls.context); }
    void transform_text(litehtml::tstring &text, litehtml::text_transform transform) override {
        clitehtml_letters letters;
        switch (transform) {
        case litehtml::text_transform_capitalize: letters = clitehtml_capitalized; break;
        case litehtml::text_transform_uppercase: letters = clitehtml_upper; break;
        case litehtml::text_transform_lowercase: letters = clitehtml_lower; break;
        default: return;
        }
        take(calls.transform(calls.context, text.c_str(), letters), text);
    }
    // CSS 2.1, 4.3.2: 72 points and 96 pixels are an inch.
    int pt_to_px(int points) const override { return static_cast<int>(points * 96L / 72); }
    int get_default_font_size() const override { return 16; }
    const char *get_default_font_name() const override { return "sans-serif"; }

    // Style sheets and pictures.

    void import_css(litehtml::tstring &text, const litehtml::tstring &address, litehtml::tstring &) override {
        text.clear();
        take(calls.style(calls.context, address.c_str()), text);
    }
    void load_image(const char *, const char *, bool) override {}
    void get_image_size(const char *address, const char *, litehtml::size &size) override {
        if (!calls.picture_size(calls.context, address, &size.width, &size.height)) size.width = size.height = 0;
    }

    std::shared_ptr<litehtml::element> create_element(
        const char *tag, const litehtml::string_map &attributes, const std::shared_ptr<litehtml::document> &document) override {
        const std::string name = tag;
        if (name == "img") {
            const auto address = attributes.find("src"), text = attributes.find("alt");
            int width = 0, height = 0;
            if (text != attributes.end() && !words(text->second).empty() &&
                (address == attributes.end() || !calls.picture_size(calls.context, address->second.c_str(), &width, &height)))
                if (auto box = alternative(text->second, attributes, document, budget)) return box;
        }
        return made_element(name, document, budget);
    }

    // Boxes.

    void draw_list_marker(litehtml::uint_ptr, const litehtml::list_marker &marker) override {
        const clitehtml_box box = converted(marker.pos);
        if (marker.marker_type == litehtml::list_style_type_square)
            calls.fill(calls.context, box, box, clitehtml_corners(), converted(marker.color));
        else
            calls.disc(calls.context, box, converted(marker.color), marker.marker_type != litehtml::list_style_type_circle);
    }
    void draw_background(litehtml::uint_ptr, const litehtml::background_paint &paint) override {
        const clitehtml_corners corners = converted(paint.border_radius);
        if (paint.color.alpha != 0)
            calls.fill(calls.context, converted(paint.border_box), converted(paint.clip_box), corners, converted(paint.color));
        if (paint.image.empty() || paint.image_size.width <= 0 || paint.image_size.height <= 0) return;
        const clitehtml_box place = {paint.position_x, paint.position_y, paint.image_size.width, paint.image_size.height};
        const bool both = paint.repeat == litehtml::background_repeat_repeat;
        calls.clip(calls.context, converted(paint.border_box), corners);
        calls.picture(
            calls.context, paint.image.c_str(), converted(paint.clip_box), place,
            both || paint.repeat == litehtml::background_repeat_repeat_x,
            both || paint.repeat == litehtml::background_repeat_repeat_y);
        calls.unclip(calls.context);
    }
    void draw_borders(
        litehtml::uint_ptr, const litehtml::borders &borders, const litehtml::position &box, bool) override {
        const clitehtml_edge edges[4] = {
            converted(borders.left), converted(borders.top), converted(borders.right), converted(borders.bottom)};
        calls.border(calls.context, converted(box), converted(borders.radius), edges);
    }
    void set_clip(
        const litehtml::position &box, const litehtml::border_radiuses &radii, bool valid_x, bool valid_y) override {
        litehtml::position clip = box;
        if (!valid_x) clip.x = 0, clip.width = width;
        if (!valid_y) clip.y = 0, clip.height = height;
        calls.clip(calls.context, converted(clip), converted(radii));
    }
    void del_clip() override { calls.unclip(calls.context); }

    // The window.

    void set_caption(const char *title) override { calls.title(calls.context, title); }
    void get_client_rect(litehtml::position &window) const override { window = litehtml::position(0, 0, width, height); }
    void get_media_features(litehtml::media_features &media) const override {
        media.type = litehtml::media_type_screen;
        media.width = media.device_width = width;
        media.height = media.device_height = height;
        media.color = 8;
        media.monochrome = 0;
        media.color_index = 256;
        media.resolution = 96;
    }
    void get_language(litehtml::tstring &language, litehtml::tstring &culture) const override {
        language = "en";
        culture.clear();
    }

    // Nobody clicks, and nothing else is there.

    void set_base_url(const char *) override {}
    void link(const std::shared_ptr<litehtml::document> &, const litehtml::element::ptr &) override {}
    void on_anchor_click(const char *, const litehtml::element::ptr &) override {}
    void set_cursor(const char *) override {}

private:
    const clitehtml_canvas calls;
    const int width, height;
    Arranged::Budget budget;

    static void take(char *given, litehtml::tstring &text) {
        const std::unique_ptr<char, decltype(&std::free)> owned(given, &std::free);
        if (owned) text = owned.get();
    }
    static clitehtml_box converted(const litehtml::position &box) { return {box.x, box.y, box.width, box.height}; }
    static clitehtml_colour converted(const litehtml::web_color &colour) {
        return {colour.red, colour.green, colour.blue, colour.alpha};
    }
    static clitehtml_corners converted(const litehtml::border_radiuses &radii) {
        return {
            {radii.top_left_x, radii.top_right_x, radii.bottom_right_x, radii.bottom_left_x},
            {radii.top_left_y, radii.top_right_y, radii.bottom_right_y, radii.bottom_left_y}};
    }
    static clitehtml_edge converted(const litehtml::border &border) {
        clitehtml_line line = clitehtml_line_solid;
        switch (border.style) {
        case litehtml::border_style_none:
        case litehtml::border_style_hidden: line = clitehtml_line_none; break;
        case litehtml::border_style_dotted: line = clitehtml_line_dotted; break;
        case litehtml::border_style_dashed: line = clitehtml_line_dashed; break;
        default: break;
        }
        return {border.width, line, converted(border.color)};
    }
};

#endif
