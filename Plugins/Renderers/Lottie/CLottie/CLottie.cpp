#include "CLottie.h"

#include <memory>
#include <new>
#include <rlottie.h>
#include <string>

struct clottie_animation {
    std::unique_ptr<rlottie::Animation> animation;
};

// Names of pictures are put behind this, whatever they are: what is below a file that is no folder cannot be opened.
static const char *const nowhere = "/dev/null/";

clottie_animation *clottie_open(const char *json, size_t count) try {
    // Not kept for the next one of the same key.
    auto animation = rlottie::Animation::loadFromData(std::string(json, count), "", nowhere, false);
    return animation ? new clottie_animation{std::move(animation)} : nullptr;
} catch (...) {
    return nullptr;
}

void clottie_free(clottie_animation *animation) { delete animation; }

clottie_facts clottie_get_facts(const clottie_animation *animation) {
    clottie_facts facts = {0, 0, animation->animation->totalFrame(), animation->animation->frameRate()};
    animation->animation->size(facts.width, facts.height);
    return facts;
}

bool clottie_draw(
    clottie_animation *animation, size_t frame, uint32_t *pixels, size_t width, size_t height, size_t bytes_per_row) try {
    animation->animation->renderSync(frame, rlottie::Surface(pixels, width, height, bytes_per_row));
    return true;
} catch (...) {
    return false;
}
