#ifndef CLITEHTML_VARIABLES_HPP
#define CLITEHTML_VARIABLES_HPP

#include "Lengths.hpp"

#include <functional>
#include <string>

/// Variables of style sheets (CSS Custom Properties 1). Those that name themselves end as nothing, and so do those that are long.
class Variables {
public:
    /// What a variable means.
    /// - names: it, and what is taken where it is not there: others, with commas between, or a text. In that, parentheses are written
    ///   as the bytes 1 and 2: litehtml looks for the first one that closes.
    /// - look: what a style sheet says about one, which may name others.
    /// Returns a text that is valid until the next call, or NULL for nothing.
    static const char *value(const std::string &names, const std::function<std::string(const std::string &)> &look) {
        static thread_local std::string found;
        static thread_local int looks = 0, depth = 0;
        if (depth == 0) looks = 0;
        if (depth >= deepest) return nullptr;
        depth++;
        std::string text;
        size_t start = 0;
        while (start < names.size() && text.empty() && looks++ < most_looks) {
            const size_t comma = names.compare(start, 2, "--") == 0 ? names.find(',', start) : std::string::npos;
            std::string name = trimmed(names.substr(start, comma == std::string::npos ? comma : comma - start));
            if (name.compare(0, 2, "--") == 0) {
                text = replaced(look(name), look);
            } else {
                for (char &letter : name) letter = letter == 1 ? '(' : letter == 2 ? ')' : letter;
                text = replaced(name, look);
            }
            if (comma == std::string::npos) break;
            start = names.find_first_not_of(" \t\n", comma + 1);
        }
        depth--;
        found = text;
        return found.empty() || found.size() > longest ? nullptr : found.c_str();
    }

    /// Declarations of variables.
    static std::string settings(const std::string &style) {
        return kept(style, [](const std::string &declaration) { return sets(declaration); });
    }

    /// Declarations without those of variables.
    static std::string without_settings(const std::string &style) {
        return kept(style, [](const std::string &declaration) { return !sets(declaration); });
    }

    /// Declarations without those that name a variable which means nothing (2.2 and 3): litehtml would take them for black.
    static std::string without_unknown(const std::string &style, const std::function<std::string(const std::string &)> &look) {
        return kept(style, [&](const std::string &declaration) {
            return declaration.find("var(") == std::string::npos || sets(declaration) || !replaced(declaration, look).empty();
        });
    }

private:
    static constexpr int deepest = 8, most_looks = 64;
    static constexpr size_t longest = 1000;

    static std::string trimmed(const std::string &text) {
        const size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
        return first == std::string::npos ? "" : text.substr(first, last - first + 1);
    }

    static bool sets(const std::string &declaration) { return trimmed(declaration).compare(0, 2, "--") == 0; }

    static std::string kept(const std::string &style, const std::function<bool(const std::string &)> &is_kept) {
        std::string all;
        for (const std::string &declaration : words(style, ';'))
            if (is_kept(declaration)) all += declaration + ";";
        return all;
    }

    static std::string replaced(std::string text, const std::function<std::string(const std::string &)> &look) {
        size_t at = 0;
        while (text.size() <= longest && (at = text.find("var(", at)) != std::string::npos) {
            const size_t end = text.find(')', at);
            if (end == std::string::npos) return "";
            const char *meaning = value(text.substr(at + 4, end - at - 4), look);
            if (!meaning) return "";
            const std::string kept = meaning;
            text.replace(at, end - at + 1, kept);
            at += kept.size();
        }
        return text.size() > longest ? "" : text;
    }
};

#endif
