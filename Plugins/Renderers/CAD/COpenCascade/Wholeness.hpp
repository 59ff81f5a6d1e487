#ifndef WHOLENESS_HPP
#define WHOLENESS_HPP

#include <Interface_Check.hxx>
#include <Interface_EntityIterator.hxx>
#include <Interface_Graph.hxx>
#include <Interface_InterfaceModel.hxx>
#include <StepGeom_Placement.hxx>
#include <StepRepr_ItemDefinedTransformation.hxx>
#include <StepRepr_ProductDefinitionShape.hxx>
#include <StepRepr_RepresentationRelationship.hxx>
#include <StepShape_FaceBasedSurfaceModel.hxx>
#include <StepShape_FaceSurface.hxx>
#include <StepShape_ShapeDefinitionRepresentation.hxx>
#include <StepShape_ShapeRepresentation.hxx>
#include <StepShape_ShellBasedSurfaceModel.hxx>
#include <StepShape_SolidModel.hxx>
#include <StepVisual_Colour.hxx>
#include <StepVisual_FillAreaStyle.hxx>
#include <StepVisual_FillAreaStyleColour.hxx>
#include <StepVisual_PresentationStyleAssignment.hxx>
#include <StepVisual_SurfaceSideStyle.hxx>
#include <StepVisual_SurfaceStyleFillArea.hxx>
#include <StepVisual_SurfaceStyleUsage.hxx>
#include <cstring>
#include <vector>

// What of a STEP file lacks what it is made of: another entity that is not there, or is of no kind that is known. The library
// takes for granted that it is there, and ends the process. Of what its checks find it tells the kind by words alone.
class wholeness {
public:
    explicit wholeness(const Interface_Graph &graph) : model(graph.Model()) {
        const int count = model->NbEntities();
        std::vector<bool> is_part(static_cast<size_t>(count) + 1, false);
        std::vector<int> left;
        for (int number = 1; number <= count; number++) {
            const auto &entity = model->Value(number);
            if (is_any<StepShape_SolidModel, StepShape_ShellBasedSurfaceModel, StepShape_FaceBasedSurfaceModel,
                       StepGeom_Placement>(entity)) {
                is_part[static_cast<size_t>(number)] = true;
                left.push_back(number);
            } else if (is_any<StepShape_ShapeDefinitionRepresentation, StepRepr_ProductDefinitionShape, StepShape_ShapeRepresentation,
                              StepRepr_RepresentationRelationship, StepRepr_ItemDefinedTransformation>(entity)) {
                has_whole_shapes = has_whole_shapes && !is_torn(number);
            } else if (is_any<StepVisual_PresentationStyleAssignment, StepVisual_SurfaceStyleUsage, StepVisual_SurfaceSideStyle,
                              StepVisual_SurfaceStyleFillArea, StepVisual_FillAreaStyle, StepVisual_FillAreaStyleColour,
                              StepVisual_Colour>(entity)) {
                has_whole_styles = has_whole_styles && !is_torn(number);
            }
        }
        // All that solids, surfaces and their places consist of; what nothing uses may be as it is.
        while (has_whole_shapes && !left.empty()) {
            const int number = left.back();
            left.pop_back();
            has_whole_shapes = !is_torn(number);
            for (auto part = graph.Shareds(model->Value(number)); part.More(); part.Next()) {
                const int next = model->Number(part.Value());
                if (next <= 0 || is_part[static_cast<size_t>(next)]) continue;
                is_part[static_cast<size_t>(next)] = true;
                left.push_back(next);
            }
        }
    }

    bool has_whole_shapes = true, has_whole_styles = true;

private:
    const Handle(Interface_InterfaceModel) model;

    template <class... Kinds> static bool is_any(const Handle(Standard_Transient) & entity) {
        return (... || entity->IsKind(STANDARD_TYPE(Kinds)));
    }

    bool is_torn(int number) const {
        const Handle(Interface_Check) check = model->Check(number, true);
        const bool is_colour = is_any<StepVisual_Colour>(model->Value(number));
        for (int fail = 1; fail <= check->NbFails(); fail++) {
            const char *told = check->CFail(fail, true);
            const auto names = [&](const char *words) { return std::strstr(told, words) != nullptr; };
            // A face on a surface of an unknown kind is left out.
            if (names("(face_geometry)") || names("(basis_surface)")) continue;
            if (names("reference") || names("illegal type") || names("not an Entity") || names("Count of Parameters")) return true;
            if (is_colour && names("not a Real")) return true;
        }
        return false;
    }
};

#endif
