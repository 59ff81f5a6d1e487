#include "CAssimp.h"
#include "OneFile.hpp"

#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/Importer.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>

// What Debian's Assimp calls when a check of its own fails, which a damaged file is enough for. The library calls what is found
// first under this name, and that is this one, in the plugin itself: the scene is given up, and not the worker. What it throws is
// caught where files are read.
namespace Assimp {
[[noreturn]] __attribute__((visibility("default"))) void aiAssertViolation(const char *, const char *, int) {
    throw std::runtime_error("a check of the library failed");
}
}  // namespace Assimp

// What the library caught is thrown again: it tells a lack of memory by a text only.
static const aiScene *read(const void *bytes, size_t count, const char *ending, char *reason, size_t room) {
    const std::string name = std::string("model.") + ending;
    Assimp::Importer importer;
    importer.SetIOHandler(new OneFile(bytes, count, name));
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    if (importer.ReadFile(name, aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_FlipUVs)) return importer.GetOrphanedScene();
    std::snprintf(reason, room, "%s", importer.GetErrorString());
    if (importer.GetException()) std::rethrow_exception(importer.GetException());
    return nullptr;
}

const aiScene *cassimp_open(
    const void *bytes, size_t count, const char *ending, char *reason, size_t room, bool *lacks_memory) {
    *lacks_memory = false;
    reason[0] = '\0';
    try {
        return read(bytes, count, ending, reason, room);
    } catch (const std::bad_alloc &) {
        *lacks_memory = true;
    } catch (const std::exception &error) {
        if (reason[0] == '\0') std::snprintf(reason, room, "%s", error.what());
    } catch (...) {
    }
    return nullptr;
}

void cassimp_close(const aiScene *scene) { delete scene; }

// Whether the file names no material: the library makes one up then, of a name of its own, or of none and a certain grey.
static bool is_made_up(const aiMaterial *material, const aiColor4D &colour) {
    aiString name;
    if (aiGetMaterialString(material, AI_MATKEY_NAME, &name) != aiReturn_SUCCESS || name.length == 0)
        return colour.r == 0.6f && colour.g == 0.6f && colour.b == 0.6f;
    const char *known[] = {AI_DEFAULT_MATERIAL_NAME, "%%%DEFAULT", "LWODefaultSurface", "<IFCDefault>"};
    return std::any_of(std::begin(known), std::end(known), [&](const char *one) { return std::strcmp(name.data, one) == 0; });
}

bool cassimp_colour(const aiMaterial *material, float colour[4]) {
    aiColor4D found;
    if (aiGetMaterialColor(material, AI_MATKEY_COLOR_DIFFUSE, &found) != aiReturn_SUCCESS) return false;
    if (is_made_up(material, found)) return false;
    float opacity = 1;
    unsigned int count = 1;
    if (aiGetMaterialFloatArray(material, AI_MATKEY_OPACITY, &opacity, &count) != aiReturn_SUCCESS) opacity = 1;
    colour[0] = found.r, colour[1] = found.g, colour[2] = found.b, colour[3] = opacity;
    return true;
}

const uint8_t *cassimp_picture(const aiScene *scene, const aiMaterial *material, uint32_t *count) {
    aiString path;
    if (aiGetMaterialTexture(material, aiTextureType_DIFFUSE, 0, &path) != aiReturn_SUCCESS
        && aiGetMaterialTexture(material, aiTextureType_BASE_COLOR, 0, &path) != aiReturn_SUCCESS)
        return nullptr;
    const aiTexture *found = nullptr;
    // Either its number, or what it was called where the model was made.
    for (unsigned int i = 0; i < scene->mNumTextures && !found; i++) {
        const aiTexture *one = scene->mTextures[i];
        const bool is_number = path.data[0] == '*';
        if (is_number ? std::strtoul(path.data + 1, nullptr, 10) == i : std::strcmp(path.data, one->mFilename.data) == 0)
            found = one;
    }
    // With a height it is no file, but pixels.
    if (!found || found->mHeight != 0 || !found->pcData) return nullptr;
    *count = found->mWidth;
    return reinterpret_cast<const uint8_t *>(found->pcData);
}
