#include "COpenCascade.h"
#include "Colours.hpp"

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
#include <Interface_Check.hxx>
#include <Interface_InterfaceModel.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <Poly_Triangulation.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Iterator.hxx>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {

// How far triangles may be from the surface, of the diagonal of all shapes: a pixel of a picture of that width and half as
// many. And by how much neighbours may be turned against each other, in radians.
const double deviation = 1.0 / 750, turn = 0.4;

// Shapes in one another, and all together: assemblies name the same ones again and again.
const int deepest = 200;
const size_t most_shapes = 5000000;

struct too_large {};

struct model final : occt_model {
    std::vector<double> all_points;
    std::vector<float> all_normals;
    std::vector<uint32_t> all_corners;
    std::vector<occt_part> all_parts;
    const size_t most;
    size_t shapes = 0;

    explicit model(size_t most) : occt_model(), most(std::min<size_t>(most, UINT32_MAX)) {}

    // Tells where the lists are, which do not change any more.
    void finish() {
        point_count = all_points.size() / 3, triangle_count = all_corners.size() / 3, part_count = all_parts.size();
        points = all_points.data(), normals = all_normals.data();
        corners = all_corners.data(), parts = all_parts.data();
    }

    void add(const TopoDS_Shape &shape, const colour *inherited, const colours &known, int depth) {
        if (++shapes > most_shapes || depth > deepest) throw too_large();
        const colour *own = known.find(shape);
        const colour *shown = own ? own : inherited;
        if (shown && shown->is_hidden) return;
        if (shape.ShapeType() == TopAbs_FACE) return add(TopoDS::Face(shape), shown);
        if (shape.ShapeType() > TopAbs_FACE) return;
        for (TopoDS_Iterator part(shape); part.More(); part.Next()) add(part.Value(), shown, known, depth + 1);
    }

private:
    void begin(const colour *shown) {
        occt_part part = {all_corners.size() / 3, {0, 0, 0, 1}, shown != nullptr};
        if (shown) std::copy(std::begin(shown->parts), std::end(shown->parts), part.colour);
        if (!all_parts.empty()) {
            const occt_part &last = all_parts.back();
            if (last.has_colour == part.has_colour && std::equal(last.colour, last.colour + 4, part.colour)) return;
        }
        all_parts.push_back(part);
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
            const gp_Dir normal = mesh->Normal(node);
            gp_Vec turned = gp_Vec(normal).Transformed(placement);
            if (is_reversed) turned.Reverse();
            all_normals.insert(
                all_normals.end(),
                {static_cast<float>(turned.X()), static_cast<float>(turned.Y()), static_cast<float>(turned.Z())});
        }
        for (int number = 1; number <= mesh->NbTriangles(); number++) {
            int a, b, c;
            mesh->Triangle(number).Get(a, b, c);
            if (is_reversed != is_mirrored) std::swap(b, c);
            for (int corner : {a, b, c}) all_corners.push_back(static_cast<uint32_t>(first + static_cast<size_t>(corner) - 1));
        }
    }
};

// Whether part of a shape lacks what it is made of: another part that is not there, or is none. The library takes for granted
// that it is there, and ends the process. Of what its checks find it tells the kind by words alone.
bool is_torn(const Handle(Interface_InterfaceModel) & file) {
    const char *const torn[] = {"reference", "illegal type", "not an Entity", "Count of Parameters"};
    for (int number = 1; number <= file->NbEntities(); number++) {
        if (!file->Value(number)->IsKind(STANDARD_TYPE(StepRepr_RepresentationItem))) continue;
        const Handle(Interface_Check) check = file->Check(number, true);
        for (int fail = 1; fail <= check->NbFails(); fail++) {
            const char *told = check->CFail(fail, false);
            if (std::any_of(std::begin(torn), std::end(torn), [&](const char *one) { return std::strstr(told, one); })) return true;
        }
    }
    return false;
}

// Each returns false for what it cannot read; what can be read may still hold no shape.

bool read_step(const char *path, TopoDS_Shape &shape, colours &known) {
    STEPControl_Reader reader;
    if (reader.ReadFile(path) != IFSelect_RetDone || is_torn(reader.WS()->Model())) return false;
    reader.TransferRoots();
    known.add_step(reader.WS());
    shape = reader.OneShape();
    return true;
}

bool read_iges(const char *path, TopoDS_Shape &shape, colours &known) {
    IGESControl_Reader reader;
    if (reader.ReadFile(path) != IFSelect_RetDone) return false;
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

// Divides all surfaces. Returns false where nothing has an extent.
bool divide(const TopoDS_Shape &shape) {
    Bnd_Box box;
    BRepBndLib::Add(shape, box, false);
    if (box.IsVoid()) return false;
    const double diagonal = std::sqrt(box.SquareExtent());
    if (!(diagonal > 0) || !std::isfinite(diagonal)) return false;
    BRepTools::Clean(shape);
    BRepMesh_IncrementalMesh(shape, diagonal * deviation, false, turn, false);
    return true;
}

std::unique_ptr<model> read(const char *path, occt_format format, size_t most, occt_outcome &outcome) {
    colours known;
    TopoDS_Shape shape;
    const bool is_read = format == occt_step ? read_step(path, shape, known)
                       : format == occt_iges ? read_iges(path, shape, known) : read_brep(path, shape);
    outcome = is_read ? occt_empty : occt_damaged;
    if (shape.IsNull() || !divide(shape)) return nullptr;
    auto made = std::make_unique<model>(most);
    made->add(shape, nullptr, known, 0);
    if (made->all_corners.empty()) return nullptr;
    made->finish();
    outcome = occt_done;
    return made;
}

}  // namespace

const occt_model *occt_open(const char *path, occt_format format, size_t most, occt_outcome *outcome) {
    *outcome = occt_damaged;
    try {
        return read(path, format, most, *outcome).release();
    } catch (const too_large &) {
        *outcome = occt_too_large;
    } catch (const std::bad_alloc &) {
        *outcome = occt_no_memory;
    } catch (const Standard_OutOfMemory &) {
        *outcome = occt_no_memory;
    } catch (const Standard_Failure &) {
        *outcome = occt_damaged;
    } catch (const std::exception &) {
        *outcome = occt_damaged;
    }
    return nullptr;
}

void occt_close(const occt_model *made) { delete static_cast<const model *>(made); }

bool occt_warm_up(void) {
    try {
        // What it would say goes to the output otherwise.
        Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
        STEPControl_Controller::Init();
        IGESControl_Controller::Init();
        return true;
    } catch (...) {
        return false;
    }
}
