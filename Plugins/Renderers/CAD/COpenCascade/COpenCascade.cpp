#include "COpenCascade.h"
#include "Colours.hpp"
#include "Wholeness.hpp"

#include <BRepBndLib.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <BinTools.hxx>
#include <Bnd_Box.hxx>
#include <IFSelect_ReturnStatus.hxx>
#include <IGESControl_Controller.hxx>
#include <IGESControl_Reader.hxx>
#include <IMeshTools_Parameters.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <Poly_Triangulation.hxx>
#include <Precision.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Iterator.hxx>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <unordered_set>
#include <vector>

namespace {

// How far triangles may be from the surface, of the diagonal of all that is drawn: a pixel of a picture of that width and half
// as many. And by how much neighbours may be turned against each other, in radians.
const double deviation = 1.0 / 750, turn = 0.4;

// Shapes in one another, and all together: assemblies name the same ones again and again.
const int deepest = 200;
const size_t most_shapes = 2000000;

struct too_large {};

// The faces of a shape that are drawn.
class faces {
public:
    struct one {
        TopoDS_Face face;
        // NULL where the file names none.
        const colour *shown;
        // Those of one solid, or of one shell that is in none, have the same number: they have edges in common.
        size_t group;
    };
    std::vector<one> all;

    explicit faces(const colours &known) : known(known) {}

    // Adds those of a part of something.
    // outer: where that is.
    void add(const TopoDS_Shape &part, const TopLoc_Location &outer, const colour *inherited, bool is_grouped, int depth) {
        if (++shapes > most_shapes || depth > deepest) throw too_large();
        const TopAbs_ShapeEnum kind = part.ShapeType();
        if (kind > TopAbs_FACE) return;
        const colour *own = known.find(part);
        const colour *shown = own ? own : inherited;
        if (shown && shown->is_hidden) return;
        const TopLoc_Location place = outer * part.Location();
        if (kind == TopAbs_FACE) {
            all.push_back({TopoDS::Face(part.Located(place, false)), shown, group});
            return;
        }
        if (!is_grouped && kind >= TopAbs_SOLID) group++, is_grouped = true;
        for (TopoDS_Iterator inner(part, true, false); inner.More(); inner.Next())
            add(inner.Value(), place, shown, is_grouped, depth + 1);
    }

    // How large all of them are together; what has no end, and is not drawn, is left out.
    double diagonal() {
        Bnd_Box whole;
        const auto has_end = [&](const one &drawn) {
            Bnd_Box box;
            BRepBndLib::Add(drawn.face, box, false);
            if (box.IsVoid() || box.IsOpen()) return false;
            whole.Add(box);
            return true;
        };
        all.erase(std::remove_if(all.begin(), all.end(), [&](const one &drawn) { return !has_end(drawn); }), all.end());
        return all.empty() ? 0 : std::sqrt(whole.SquareExtent());
    }

private:
    const colours &known;
    size_t shapes = 0, group = 0;
};

struct model final : copencascade_model {
    std::vector<double> all_points;
    std::vector<float> all_normals;
    std::vector<uint32_t> all_corners;
    std::vector<copencascade_part> all_parts;
    const size_t most;

    explicit model(size_t most) : copencascade_model(), most(std::min<size_t>(most, UINT32_MAX)) {}

    // Tells where the lists are, which do not change any more.
    void finish() {
        point_count = all_points.size() / 3, triangle_count = all_corners.size() / 3, part_count = all_parts.size();
        points = all_points.data(), normals = all_normals.data();
        corners = all_corners.data(), parts = all_parts.data();
    }

    void add(const TopoDS_Face &face, const colour *shown) {
        TopLoc_Location location;
        const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, location);
        // A surface that could not be divided has none.
        if (mesh.IsNull() || mesh->NbTriangles() == 0) return;
        const size_t first = all_points.size() / 3;
        const size_t nodes = static_cast<size_t>(mesh->NbNodes()), triangles = static_cast<size_t>(mesh->NbTriangles());
        if (first + nodes > most || all_corners.size() / 3 + triangles > most) throw too_large();
        if (!mesh->HasNormals()) mesh->ComputeNormals();
        begin(shown);
        const gp_Trsf placement = location.Transformation();
        const bool is_reversed = face.Orientation() == TopAbs_REVERSED;
        // A placement that mirrors turns triangles round, and normals with them.
        const bool is_mirrored = placement.IsNegative();
        for (int node = 1; node <= mesh->NbNodes(); node++) {
            const gp_Pnt point = mesh->Node(node).Transformed(placement);
            all_points.insert(all_points.end(), {point.X(), point.Y(), point.Z()});
            // Zero where the surface has a tip.
            gp_Vec3f stored;
            mesh->Normal(node, stored);
            gp_Vec normal = gp_Vec(stored.x(), stored.y(), stored.z()).Transformed(placement);
            if (is_reversed) normal.Reverse();
            all_normals.insert(
                all_normals.end(),
                {static_cast<float>(normal.X()), static_cast<float>(normal.Y()), static_cast<float>(normal.Z())});
        }
        for (int number = 1; number <= mesh->NbTriangles(); number++) {
            int a, b, c;
            mesh->Triangle(number).Get(a, b, c);
            if (is_reversed != is_mirrored) std::swap(b, c);
            for (int corner : {a, b, c}) all_corners.push_back(static_cast<uint32_t>(first + static_cast<size_t>(corner) - 1));
        }
    }

private:
    void begin(const colour *shown) {
        copencascade_part part = {all_corners.size() / 3, {0, 0, 0, 1}, shown != nullptr};
        if (shown) std::copy(std::begin(shown->parts), std::end(shown->parts), part.colour);
        if (!all_parts.empty()) {
            const copencascade_part &last = all_parts.back();
            if (last.has_colour == part.has_colour && std::equal(last.colour, last.colour + 4, part.colour)) return;
        }
        all_parts.push_back(part);
    }
};

// Each returns false for what it cannot read; what can be read may still hold no shape.

bool read_step(const char *path, TopoDS_Shape &shape, colours &known) {
    STEPControl_Reader reader;
    if (reader.ReadFile(path) != IFSelect_RetDone) return false;
    const wholeness file(reader.WS()->Graph());
    if (!file.has_whole_shapes) return false;
    reader.TransferRoots();
    if (file.has_whole_styles) known.add_step(reader.WS());
    shape = reader.OneShape();
    return true;
}

// Whether a file in STEP or IGES has its end. The library reads what there is of others, be it nothing.
bool has_end(const char *path, copencascade_format format) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = file.tellg(), some = std::min<std::streamoff>(size, 1024);
    if (some <= 0) return false;
    std::string last(static_cast<size_t>(some), ' ');
    file.seekg(size - some);
    file.read(&last[0], some);
    if (format == copencascade_step) return last.find("END-ISO-10303-21") != std::string::npos;
    // The section of one line, whose letter is the 73rd.
    for (size_t start = 0; start + 72 < last.size();) {
        const size_t end = std::min(last.find_first_of("\r\n", start), last.size());
        if (end - start > 72 && last[start + 72] == 'T') return true;
        start = end + 1;
    }
    return false;
}

bool read_iges(const char *path, TopoDS_Shape &shape, colours &known) {
    IGESControl_Reader reader;
    if (!has_end(path, copencascade_iges) || reader.ReadFile(path) != IFSelect_RetDone) return false;
    reader.SetReadVisible(true);
    reader.TransferRoots();
    known.add_iges(reader);
    shape = reader.OneShape();
    return true;
}

// The library reads on where a file has ended, and for ever where it looks for the end of a list: what is not there throws.
bool read_brep(const char *path, TopoDS_Shape &shape) {
    std::ifstream file(path, std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    const std::string head = "Open CASCADE Topology";
    std::string start(head.size() + 1, ' ');
    file.read(&start[0], static_cast<std::streamsize>(start.size()));
    file.seekg(0);
    BRep_Builder builder;
    if (start.find(head) != std::string::npos) BinTools::Read(shape, file);
    else BRepTools::Read(shape, file, builder);
    return !shape.IsNull();
}

// Divides the faces from one up to another into triangles, each once wherever it stands. Returns how many these are.
size_t divide(const faces &drawn, size_t from, size_t to, const IMeshTools_Parameters &fineness,
              std::unordered_set<const TopoDS_TShape *> &divided) {
    TopoDS_Compound together;
    BRep_Builder builder;
    builder.MakeCompound(together);
    size_t triangles = 0;
    bool is_empty = true;
    for (size_t index = from; index < to; index++) {
        const TopoDS_Face &face = drawn.all[index].face;
        if (!divided.insert(face.TShape().get()).second) continue;
        builder.Add(together, face);
        is_empty = false;
    }
    if (!is_empty) {
        BRepTools::Clean(together);
        BRepMesh_IncrementalMesh(together, fineness);
    }
    for (size_t index = from; index < to; index++) {
        TopLoc_Location location;
        const auto mesh = BRep_Tool::Triangulation(drawn.all[index].face, location);
        if (!mesh.IsNull()) triangles += static_cast<size_t>(mesh->NbTriangles());
    }
    return triangles;
}

std::unique_ptr<model> read(const char *path, copencascade_format format, size_t most, double size, copencascade_outcome &outcome) {
    colours known;
    TopoDS_Shape shape;
    const bool is_read = format == copencascade_step ? read_step(path, shape, known)
                       : format == copencascade_iges ? read_iges(path, shape, known) : read_brep(path, shape);
    outcome = is_read && (format != copencascade_step || has_end(path, format)) ? copencascade_empty : copencascade_damaged;
    if (shape.IsNull()) return nullptr;
    faces drawn(known);
    drawn.add(shape, TopLoc_Location(), nullptr, false, 0);
    const double diagonal = drawn.diagonal();
    if (!(diagonal > 0) || !std::isfinite(diagonal)) return nullptr;

    IMeshTools_Parameters fineness;
    // Nor is anything divided that is smaller: hundreds of screws need no threads.
    fineness.Deflection = fineness.MinSize = std::max(std::max(diagonal, size) * deviation, Precision::Confusion());
    fineness.Angle = turn;
    std::unordered_set<const TopoDS_TShape *> divided;
    size_t triangles = 0;
    for (size_t from = 0, to = 0; from < drawn.all.size(); from = to) {
        while (to < drawn.all.size() && drawn.all[to].group == drawn.all[from].group) to++;
        triangles += divide(drawn, from, to, fineness, divided);
        if (triangles > most) throw too_large();
    }
    auto made = std::make_unique<model>(most);
    for (const auto &one : drawn.all) made->add(one.face, one.shown);
    if (made->all_corners.empty()) return nullptr;
    made->finish();
    made->diagonal = diagonal;
    outcome = copencascade_done;
    return made;
}

}  // namespace

const copencascade_model *copencascade_open(const char *path, copencascade_format format, size_t most, double size, copencascade_outcome *outcome) {
    *outcome = copencascade_damaged;
    try {
        return read(path, format, most, size, *outcome).release();
    } catch (const too_large &) {
        *outcome = copencascade_too_large;
    } catch (const std::bad_alloc &) {
        *outcome = copencascade_no_memory;
    } catch (const Standard_OutOfMemory &) {
        *outcome = copencascade_no_memory;
    } catch (const Standard_Failure &) {
        *outcome = copencascade_damaged;
    } catch (const std::exception &) {
        *outcome = copencascade_damaged;
    }
    return nullptr;
}

void copencascade_close(const copencascade_model *made) { delete static_cast<const model *>(made); }

bool copencascade_warm_up(void) {
    try {
        // What it would say goes to the output otherwise, of some errors past its own messenger.
        Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
        std::cout.setstate(std::ios::failbit);
        // Its sentences, which nobody reads, would be taken from wherever the program was started.
        if (setenv("CSF_XSMessage", "/", 1) != 0 || setenv("CSF_SHMessage", "/", 1) != 0) return false;
        STEPControl_Controller::Init();
        IGESControl_Controller::Init();
        return true;
    } catch (...) {
        return false;
    }
}
