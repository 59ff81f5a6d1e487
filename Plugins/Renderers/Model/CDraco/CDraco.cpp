#include "CDraco.h"

#include <draco/compression/decode.h>
#include <draco/mesh/mesh.h>
#include <memory>
#include <new>

struct cdraco_mesh {
    std::unique_ptr<draco::Mesh> mesh;
};

// How many points and triangles there are is known after unpacking only: libdraco tells nothing else before.
cdraco_mesh *cdraco_open(const void *bytes, size_t count, cdraco_failure *failure) try {
    *failure = CDRACO_DAMAGED;
    draco::DecoderBuffer buffer;
    buffer.Init(static_cast<const char *>(bytes), count);
    auto kind = draco::Decoder::GetEncodedGeometryType(&buffer);
    if (kind.ok() && kind.value() == draco::POINT_CLOUD) {
        *failure = CDRACO_NO_MESH;
        return nullptr;
    }
    draco::Decoder decoder;
    auto result = decoder.DecodeMeshFromBuffer(&buffer);
    if (!result.ok()) return nullptr;
    return new cdraco_mesh{std::move(result).value()};
} catch (const std::bad_alloc &) {
    *failure = CDRACO_NO_MEMORY;
    return nullptr;
} catch (...) {
    return nullptr;
}

void cdraco_free(cdraco_mesh *mesh) { delete mesh; }

uint32_t cdraco_points(const cdraco_mesh *mesh) { return mesh->mesh->num_points(); }
uint32_t cdraco_triangles(const cdraco_mesh *mesh) { return mesh->mesh->num_faces(); }

void cdraco_corners(const cdraco_mesh *mesh, uint32_t triangle, uint32_t corners[3]) {
    const auto &face = mesh->mesh->face(draco::FaceIndex(triangle));
    for (int corner = 0; corner < 3; corner++) corners[corner] = face[corner].value();
}

uint32_t cdraco_width(const cdraco_mesh *mesh, uint32_t attribute) {
    const auto *found = mesh->mesh->GetAttributeByUniqueId(attribute);
    return found ? found->num_components() : 0;
}

// The largest whole number of a kind, whose parts fractions are; 1 for all others.
static float largest(draco::DataType type) {
    switch (type) {
        case draco::DT_INT8: return 127;
        case draco::DT_UINT8: return 255;
        case draco::DT_INT16: return 32767;
        case draco::DT_UINT16: return 65535;
        default: return 1;
    }
}

bool cdraco_numbers(const cdraco_mesh *mesh, uint32_t attribute, bool is_fraction, float *numbers) try {
    const auto *found = mesh->mesh->GetAttributeByUniqueId(attribute);
    if (!found) return false;
    const int width = found->num_components();
    // libdraco itself makes fractions of those that are called so in its own bytes.
    const float scale = is_fraction && !found->normalized() ? 1 / largest(found->data_type()) : 1;
    for (uint32_t point = 0; point < mesh->mesh->num_points(); point++) {
        const auto value = found->mapped_index(draco::PointIndex(point));
        if (value.value() >= found->size()) return false;
        float *target = numbers + static_cast<size_t>(point) * width;
        if (!found->ConvertValue<float>(value, width, target)) return false;
        for (int part = 0; part < width; part++) target[part] *= scale;
    }
    return true;
} catch (...) {
    return false;
}
