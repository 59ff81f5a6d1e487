#ifndef CLITEHTML_ELEMENT_HPP
#define CLITEHTML_ELEMENT_HPP

#include "FlexArrangement.hpp"
#include "GridArrangement.hpp"
#include "Variables.hpp"

#include <litehtml/litehtml.h>
#include <litehtml/el_anchor.h>
#include <litehtml/el_body.h>
#include <litehtml/el_div.h>
#include <litehtml/el_font.h>
#include <litehtml/el_image.h>
#include <litehtml/el_para.h>
#include <litehtml/el_space.h>
#include <litehtml/el_table.h>
#include <litehtml/el_td.h>
#include <litehtml/el_text.h>
#include <litehtml/el_tr.h>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

/// An element of litehtml that can be a flexible box or a grid, or be in one.
template <class Base> class Element final : public Base, public Arranged {
public:
    Element(const std::shared_ptr<litehtml::document> &document, Arranged::Budget &budget) : Base(document), budget(budget) {}

    void parse_styles(bool is_reparse = false) override {
        if (const char *style = this->get_attr("style")) {
            // What it says about variables comes first. litehtml reads the attribute again.
            this->m_style.add(Variables::settings(style).c_str(), nullptr, this);
            this->set_attr("style", known(style).c_str());
            this->m_style.add(this->get_attr("style"), nullptr, this);
        }
        if (std::strcmp(this->get_tagName(), "details") == 0 && !this->get_attr("open")) close();
        colour_ground();
        is_transparent = has_no_opacity();
        const std::string arrangement = this->get_style_property("-arrangement", false, "none");
        // A box of old is one in which a text is cut after some lines, or else a flexible one.
        most_lines = arrangement == "box" ? static_cast<int>(number(property("-webkit-line-clamp", "0"))) : 0;
        const bool is_flexible = arrangement == "flex" || (arrangement == "box" && most_lines <= 0);
        kind = is_flexible ? Kind::flex : arrangement == "grid" ? Kind::grid : Kind::none;
        const std::string direction =
            std::string(this->get_style_property("flex-flow", false, "")) + this->get_style_property("flex-direction", false, "");
        is_column = direction.find("column") != std::string::npos ||
                    (arrangement == "box" && property("-webkit-box-orient", "") == "vertical");
        bound_effort();
        number_items();
        if (kind != Kind::none) wrap_texts();
        Base::parse_styles(is_reparse);
        // What sticks to an edge is no further from its place for that.
        if (property("-sticky", "no") == "yes")
            for (litehtml::css_length *side :
                 {&this->m_css_offsets.left, &this->m_css_offsets.right, &this->m_css_offsets.top, &this->m_css_offsets.bottom})
                side->predef(0);
        become_item();
        // Lines of text are not cut (CSS Overflow 3, 3); litehtml would cut them to nothing.
        if (this->m_display == litehtml::display_inline) this->m_overflow = litehtml::overflow_visible;
    }

    int render(int x, int y, int max_width, bool second_pass = false) override {
        // Tables ask each time for the least width of all that is in them; what is laid out for that is laid out anew afterwards.
        if (max_width > 1) return laid_out(x, y, max_width, second_pass);
        if (least < 0) least = laid_out(x, y, max_width, second_pass);
        return least;
    }

    void add_style(const std::string &style, const std::string &address) override {
        budget.style -= static_cast<long>(style.size());
        if (budget.style < 0) return;
        if (style.find("var(") != std::string::npos) Base::add_style(Variables::settings(style), address);
        Base::add_style(known(style), address);
    }

    /// litehtml puts variables in their places rule by rule: what an earlier rule made of them is made anew once all are known.
    void apply_stylesheet(const litehtml::css &stylesheet) override {
        Base::apply_stylesheet(stylesheet);
        bool sets = false, uses = false;
        size_t bytes = 0;
        for (const auto &rule : this->m_used_styles) {
            if (!rule->m_used) continue;
            bytes += rule->m_selector->m_style.size();
            sets = sets || rule->m_selector->m_style.find("--") != std::string::npos;
            uses = uses || rule->m_selector->m_style.find("var(") != std::string::npos;
        }
        if (!sets || !uses || bytes > most_style) return;
        for (const auto &rule : this->m_used_styles)
            if (rule->m_used) this->add_style(Variables::without_settings(rule->m_selector->m_style), rule->m_selector->m_baseurl);
    }

    /// Variables are given without others in them: litehtml would look for these again and again.
    const char *get_style_property(const char *name, bool inherited, const char *otherwise = nullptr) const override {
        if (name[0] != '-' || name[1] != '-') return Base::get_style_property(name, inherited, otherwise);
        return Variables::value(name, [&](const std::string &variable) { return setting(variable); });
    }

    /// Margins of boxes that begin where the one around them does are one (CSS 2.1, 8.3.1); litehtml places a box before it knows that of
    /// the boxes in it.
    void calc_outlines(int parent_width) override {
        Base::calc_outlines(parent_width);
        for (litehtml::margins *edge : {&this->m_margins, &this->m_padding, &this->m_borders})
            for (int *side : {&edge->left, &edge->right, &edge->top, &edge->bottom}) *side = within_page(*side);
        const bool is_block = this->m_display == litehtml::display_block || this->m_display == litehtml::display_list_item;
        if (kind != Kind::none || !is_block || !this->collapse_top_margin()) return;
        for (const litehtml::element::ptr &child : this->m_children) {
            if (child->is_white_space() || !child->in_normal_flow()) continue;
            const litehtml::style_display display = child->get_display();
            if (child->get_float() != litehtml::float_none) continue;
            if (display != litehtml::display_block && display != litehtml::display_list_item) return;
            child->calc_outlines(parent_width);
            this->m_margins.top = std::max(this->m_margins.top, child->margin_top());
            return;
        }
    }

    void parse_attributes() override {
        if constexpr (std::is_same_v<Base, litehtml::el_font>) {
            // Sizes are counted from the usual one (HTML, 15.3.2).
            const std::string size = this->get_attr("size", "");
            if (!size.empty() && (size[0] == '+' || size[0] == '-'))
                this->set_attr("size", std::to_string(std::min(std::max(3 + static_cast<int>(number(size)), 1), 7)).c_str());
        }
        Base::parse_attributes();
    }

    void draw(litehtml::uint_ptr window, int x, int y, const litehtml::position *clip) override {
        if (!is_transparent) Base::draw(window, x, y, clip);
    }

    void draw_background(litehtml::uint_ptr window, int x, int y, const litehtml::position *clip) override {
        if (!is_transparent) Base::draw_background(window, x, y, clip);
    }

    /// Words of two boxes are in no line, however near they are.
    void draw_children(
        litehtml::uint_ptr window, int x, int y, const litehtml::position *clip, litehtml::draw_flag flag, int depth) override {
        if (is_transparent) return;
        const bool is_box = this->m_display != litehtml::display_inline;
        Lines *lines = is_box ? dynamic_cast<Lines *>(this->get_document()->container()) : nullptr;
        if (lines) lines->end_line();
        Base::draw_children(window, x, y, clip, flag, depth);
        if (lines) lines->end_line();
    }

    bool is_floats_holder() const override { return kind != Kind::none || is_item || Base::is_floats_holder(); }

private:
    Arranged::Budget &budget;
    /// Lines after which a text is cut; nothing for all.
    int most_lines = 0;
    /// Whether neither it nor what is in it can be seen.
    bool is_transparent = false;

    static constexpr int table_effort = 10, box_effort = 12, most_effort = 75;
    /// Declarations of one element that are read twice, in bytes.
    static constexpr size_t most_style = 16 << 10;

    /// What a style sheet says about a variable. Its name is in lower case, as litehtml keeps it.
    std::string setting(std::string variable) const {
        for (char &letter : variable) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
        const char *found = Base::get_style_property(variable.c_str(), true, nullptr);
        return found ? found : "";
    }

    /// Declarations, without those whose variables are not known here.
    std::string known(const std::string &style) const {
        if (style.find("var(") == std::string::npos) return style;
        return Variables::without_unknown(style, [&](const std::string &variable) { return setting(variable); });
    }

    int laid_out(int x, int y, int max_width, bool second_pass) {
        const bool is_block = kind == Kind::none || this->m_display == litehtml::display_none || budget.left <= 0;
        if (!is_block) budget.left--;
        const int needed = is_block             ? Base::render(x, y, max_width, second_pass)
                           : kind == Kind::grid ? GridArrangement(*this).lay_out(x, y, max_width, second_pass)
                                                : FlexArrangement(*this, is_column).lay_out(x, y, max_width, second_pass);
        cut_after_lines();
        this->m_pos.width = within_page(this->m_pos.width), this->m_pos.height = within_page(this->m_pos.height);
        return within_page(needed);
    }

    std::string property(const char *name, const char *otherwise) { return this->get_style_property(name, false, otherwise); }

    /// What asks for the widths of all in it before it lays it out does so again in each other one: there are only so many in one
    /// another. A cell that is in no row is in a table of its own.
    void bound_effort() {
        const Arranged *outer = of(this->parent());
        if (outer) effort = outer->effort;
        const std::string display = property("display", "inline");
        if (display.find("table") != std::string::npos) {
            const std::string around = this->parent() ? this->parent()->get_style_property("display", false, "inline") : "";
            const bool is_table = display == "table" || display == "inline-table";
            const bool is_inside = display == "table-cell" ? around == "table-row"
                                   : display == "table-row" || display == "table-column"
                                       ? around == "table" || around.find("-group") != std::string::npos
                                       : !is_table && (around == "table" || around == "inline-table");
            if (is_inside || (effort += table_effort) <= most_effort) return;
        } else {
            const std::string position = property("position", "static");
            const bool shrinks = display == "inline-block" || property("float", "none") != "none" || position == "absolute" ||
                                 position == "fixed";
            if (!shrinks || property("width", "auto") != "auto" || (effort += box_effort) <= most_effort) return;
        }
        this->m_style.add("display: block !important; float: none !important; position: static !important", nullptr, this);
    }

    /// Leaves of an element that is closed its summary, or the word that browsers write (HTML, 4.11.1).
    void close() {
        const auto summary = std::find_if(this->m_children.begin(), this->m_children.end(), [](const litehtml::element::ptr &child) {
            return std::strcmp(child->get_tagName(), "summary") == 0;
        });
        const litehtml::element::ptr shown = summary == this->m_children.end() ? nullptr : *summary;
        this->m_children.clear();
        this->appendChild(shown ? shown : std::make_shared<litehtml::el_text>("Details", this->get_document()));
    }

    /// Of a gradient the first colour is the ground, unless it lets see another one; a ground that only letters let see is their colour.
    void colour_ground() {
        // A variable may mean several colours, and where each of them ends.
        const std::vector<std::string> stops = words(property("-gradient", "none"), ',');
        const std::vector<std::string> first = stops.empty() ? stops : words(stops[0]);
        const bool is_bare = property("background-color", "transparent") == "transparent";
        if (!first.empty() && first[0] != "none" && (is_bare || is_opaque(first[0])))
            this->m_style.add(("background-color: " + first[0]).c_str(), nullptr, this);
        if (property("background-clip", "") != "text" && property("-webkit-background-clip", "") != "text") return;
        const std::string colour = property("background-color", "transparent");
        if (colour == "transparent") return;
        this->m_style.add(("color: " + colour + " !important; background-color: transparent !important").c_str(), nullptr, this);
    }

    static bool is_opaque(const std::string &colour) {
        const size_t comma = colour.rfind(',');
        return colour != "transparent" &&
               (colour.compare(0, 5, "rgba(") != 0 || comma == std::string::npos || number(colour.substr(comma + 1)) >= 1);
    }

    /// What begins to be seen by itself is seen, and so is a whole page, which some script shows.
    bool has_no_opacity() {
        const std::string opacity = property("opacity", "1");
        if (opacity.find_first_not_of("0.%") != std::string::npos || number(opacity) != 0) return false;
        // What is to appear by and by is waiting for its moment, or for a script.
        for (const char *name : {"animation", "animation-name", "-webkit-animation", "-webkit-animation-name", "transition",
                                 "transition-property", "-webkit-transition"})
            if (property(name, "none").compare(0, 4, "none") != 0) return false;
        const std::string tag = this->get_tagName();
        return tag != "html" && tag != "body";
    }

    /// Makes a box no higher than the lines of the text in it after which it is cut.
    void cut_after_lines() {
        if (most_lines <= 0 || this->m_overflow == litehtml::overflow_visible) return;
        for (const litehtml::element::ptr &child : this->m_children)
            if (child->get_display() == litehtml::display_block) return;
        this->m_pos.height = std::min(this->m_pos.height, within_page(static_cast<long>(most_lines) * this->m_line_height));
    }

    /// Numbers the items of a list (HTML, 4.4.8), which litehtml does in an element of its own.
    void number_items() {
        int next = static_cast<int>(number(this->get_attr("start", "1")));
        for (const litehtml::element::ptr &child : this->m_children) {
            if (std::strcmp(child->get_tagName(), "li") != 0) continue;
            if (const char *value = child->get_attr("value")) next = static_cast<int>(number(value));
            child->set_attr("list_index", std::to_string(next++).c_str());
        }
    }

    /// Puts texts into boxes of their own.
    void wrap_texts() {
        litehtml::elements_vector wrapped;
        litehtml::element::ptr box;
        for (const litehtml::element::ptr &child : this->m_children) {
            if (child->get_display() != litehtml::display_inline_text) {
                box = nullptr;
                wrapped.push_back(child);
                continue;
            }
            if (!box) {
                if (child->is_white_space()) continue;
                box = std::make_shared<Element<litehtml::html_tag>>(this->get_document(), budget);
                box->add_style("display: block", "");
                box->parent(this->shared_from_this());
                wrapped.push_back(box);
            }
            box->appendChild(child);
        }
        this->m_children = wrapped;
    }

    void become_item() {
        const Arranged *container = of(this->parent());
        if (!container || container->kind == Kind::none) return;
        if (this->m_el_position >= litehtml::element_position_absolute || this->m_display == litehtml::display_none) return;
        is_item = true;
        this->m_float = litehtml::float_none;
        if (this->m_display == litehtml::display_inline || this->m_display == litehtml::display_inline_block)
            this->m_display = litehtml::display_block;
        width = this->m_css_width;
        if (container->kind == Kind::flex && !container->is_column && !this->is_replaced()) this->m_css_width.predef(0);
    }
};

/// An element by its name; none for those that litehtml makes best.
inline litehtml::element::ptr made_element(
    const std::string &name, const std::shared_ptr<litehtml::document> &document, Arranged::Budget &budget) {
    if (name == "br" || name == "link" || name == "title" || name == "style" || name == "base" || name == "script") return nullptr;
    if (name == "p") return std::make_shared<Element<litehtml::el_para>>(document, budget);
    if (name == "img") return std::make_shared<Element<litehtml::el_image>>(document, budget);
    if (name == "table") return std::make_shared<Element<litehtml::el_table>>(document, budget);
    if (name == "td" || name == "th") return std::make_shared<Element<litehtml::el_td>>(document, budget);
    if (name == "tr") return std::make_shared<Element<litehtml::el_tr>>(document, budget);
    if (name == "a") return std::make_shared<Element<litehtml::el_anchor>>(document, budget);
    if (name == "body") return std::make_shared<Element<litehtml::el_body>>(document, budget);
    if (name == "div") return std::make_shared<Element<litehtml::el_div>>(document, budget);
    if (name == "font") return std::make_shared<Element<litehtml::el_font>>(document, budget);
    return std::make_shared<Element<litehtml::html_tag>>(document, budget);
}

/// The text that stands for a picture which is not there.
inline litehtml::element::ptr alternative(
    const std::string &text, const litehtml::string_map &attributes, const std::shared_ptr<litehtml::document> &document,
    Arranged::Budget &budget) {
    constexpr size_t most_letters = 300;
    constexpr int smallest = 24;
    const auto length = [&](const char *name) {
        const auto found = attributes.find(name);
        return found == attributes.end() || found->second.find('%') != std::string::npos ? 0 : static_cast<int>(number(found->second));
    };
    const int width = length("width"), height = length("height");
    // An icon has no room for a text.
    if ((width > 0 && width < smallest) || (height > 0 && height < smallest)) return nullptr;
    auto box = std::make_shared<Element<litehtml::html_tag>>(document, budget);
    if (width > 0 && height > 0)
        box->add_style(
            "overflow: hidden; border: 1px solid #c8c8c8; width: " + std::to_string(width) + "px; height: " + std::to_string(height) +
                "px; box-sizing: border-box",
            "");
    size_t letters = 0;
    for (const std::string &word : words(text)) {
        letters += word.size() + 1;
        if (letters > most_letters) break;
        if (letters > word.size() + 1) box->appendChild(std::make_shared<litehtml::el_space>(" ", document));
        box->appendChild(std::make_shared<litehtml::el_text>(word.c_str(), document));
    }
    return box;
}

#endif
