#ifndef COLOURS_HPP
#define COLOURS_HPP

#include <IGESControl_Reader.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <IGESGraph_Color.hxx>
#include <Interface_EntityIterator.hxx>
#include <Interface_Graph.hxx>
#include <Quantity_Color.hxx>
#include <STEPConstruct.hxx>
#include <STEPConstruct_Styles.hxx>
#include <StepRepr_NextAssemblyUsageOccurrence.hxx>
#include <StepRepr_PropertyDefinition.hxx>
#include <StepRepr_Representation.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepShape_ShapeDefinitionRepresentation.hxx>
#include <StepVisual_Colour.hxx>
#include <StepVisual_OverRidingStyledItem.hxx>
#include <StepVisual_PresentationStyleByContext.hxx>
#include <StepVisual_StyleContextSelect.hxx>
#include <StepVisual_StyledItem.hxx>
#include <TColStd_HSequenceOfTransient.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS_Shape.hxx>
#include <TopoDS_TShape.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>
#include <climits>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

// Red, green and blue in sRGB's code, and alpha.
struct colour {
    float parts[4];
    bool is_hidden;
};

// What a file says of the colours of its shapes.
class colours {
public:
    // What is said of a part of another shape, which has its place in that one and nothing more; of this use of it, else of the
    // part wherever it is used. Returns NULL where the file says nothing of it.
    const colour *find(const TopoDS_Shape &part) const {
        const auto uses = used.find(use_of(part));
        // What is said last holds, and last is said what is hidden.
        if (uses != used.end()) {
            for (auto use = uses->second.rbegin(); use != uses->second.rend(); ++use) {
                if (use->first == part.Location()) return &use->second;
            }
        }
        const auto found = known.find(part.TShape().get());
        return found == known.end() ? nullptr : &found->second;
    }

    void add_step(const Handle(XSControl_WorkSession) & session) {
        STEPConstruct_Styles styles(session);
        if (!styles.LoadStyles()) return;
        for (int number = 1; number <= styles.NbStyles(); number++) {
            const auto style = styles.Style(number);
            colour shown;
            if (!style.IsNull() && read(style, styles, shown)) set(style, shown, session);
        }
        Handle(TColStd_HSequenceOfTransient) hidden;
        if (!styles.LoadInvisStyles(hidden)) return;
        for (int number = 1; number <= hidden->Length(); number++) {
            const auto style = Handle(StepVisual_StyledItem)::DownCast(hidden->Value(number));
            if (!style.IsNull()) set(style, {{0, 0, 0, 1}, true}, session);
        }
    }

    void add_iges(IGESControl_Reader &reader) {
        const auto process = reader.WS()->TransferReader()->TransientProcess();
        const auto entities = reader.IGESModel();
        if (entities.IsNull()) return;
        for (int number = 1; number <= entities->NbEntities(); number++) {
            const auto entity = entities->Entity(number);
            colour shown = {{0, 0, 0, 1}, false};
            if (entity.IsNull() || !read(*entity, shown)) continue;
            const TopoDS_Shape shape = TransferBRep::ShapeResult(process, entity);
            if (!shape.IsNull()) known[shape.TShape().get()] = shown;
        }
    }

private:
    std::unordered_map<const TopoDS_TShape *, colour> known;
    // Of single uses of parts, by what is used, and where in what it is part of; few have a number in common.
    std::unordered_map<uint64_t, std::vector<std::pair<TopLoc_Location, colour>>> used;

    // What representations of uses are about, and whether that was looked for.
    std::unordered_map<const Standard_Transient *, std::pair<bool, TopoDS_Shape>> contexts;

    static uint64_t use_of(const TopoDS_Shape &part) {
        const auto place = static_cast<uint64_t>(part.Location().HashCode(INT_MAX));
        return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(part.TShape().get())) ^ place << 32;
    }

    static bool read(const Handle(StepVisual_StyledItem) & style, const STEPConstruct_Styles &styles, colour &shown) {
        Handle(StepVisual_Colour) surface, boundary, curve, rendering;
        double transparency = 0;
        bool is_component;
        if (!styles.GetColors(style, surface, boundary, curve, rendering, transparency, is_component)) return false;
        Quantity_Color found;
        const auto &named = rendering.IsNull() ? surface : rendering;
        if (named.IsNull() || !STEPConstruct_Styles::DecodeColor(named, found)) return false;
        // The library keeps colours as light, and not as numbers of files.
        double red, green, blue;
        found.Values(red, green, blue, Quantity_TOC_sRGB);
        shown = {{static_cast<float>(red), static_cast<float>(green), static_cast<float>(blue), 1}, false};
        if (!rendering.IsNull() && transparency > 0 && transparency < 1) shown.parts[3] = static_cast<float>(1 - transparency);
        return true;
    }

    void set(const Handle(StepVisual_StyledItem) & style, const colour &shown, const Handle(XSControl_WorkSession) & session) {
        const auto process = session->TransferReader()->TransientProcess();
        if (const auto context = shown_in(style)) {
            // Many styles may name one.
            auto &known_use = contexts[context.get()];
            if (!known_use.first) known_use = {true, shape_used(context, session->Graph(), process)};
            const TopoDS_Shape &use = known_use.second;
            if (!use.IsNull()) used[use_of(use)].emplace_back(use.Location(), shown);
            return;
        }
        const auto item = Handle(StepRepr_RepresentationItem)::DownCast(style->ItemAP242().Value());
        const TopoDS_Shape shape = item.IsNull() ? TopoDS_Shape() : STEPConstruct::FindShape(process, item);
        if (shape.IsNull()) return;
        // What is said instead of something else may be meant for one place only, and gives way.
        if (style->IsKind(STANDARD_TYPE(StepVisual_OverRidingStyledItem))) known.emplace(shape.TShape().get(), shown);
        else known[shape.TShape().get()] = shown;
    }

    // The representation for which alone a style is meant; NULL for one that holds everywhere.
    static Handle(StepRepr_Representation) shown_in(const Handle(StepVisual_StyledItem) & style) {
        for (int number = 1; number <= style->NbStyles(); number++) {
            const auto bound = Handle(StepVisual_PresentationStyleByContext)::DownCast(style->StylesValue(number));
            if (bound.IsNull()) continue;
            const auto context = Handle(StepRepr_Representation)::DownCast(bound->StyleContext().Value());
            if (!context.IsNull()) return context;
        }
        return Handle(StepRepr_Representation)();
    }

    // The part, in its place, that a representation of a use of it is about.
    static TopoDS_Shape shape_used(
        const Handle(StepRepr_Representation) & context, const Interface_Graph &graph,
        const Handle(Transfer_TransientProcess) & process) {
        for (auto holder = graph.Sharings(context); holder.More(); holder.Next()) {
            const auto definition = Handle(StepShape_ShapeDefinitionRepresentation)::DownCast(holder.Value());
            if (definition.IsNull()) continue;
            const auto property = Handle(StepRepr_PropertyDefinition)::DownCast(definition->Definition().Value());
            if (property.IsNull()) continue;
            const auto use = Handle(StepRepr_NextAssemblyUsageOccurrence)::DownCast(property->Definition().Value());
            if (!use.IsNull()) return TransferBRep::ShapeResult(process, use);
        }
        return TopoDS_Shape();
    }

    // Eight colours have numbers, of which black is that of the pen that nobody chose; others are entities, in percent.
    static bool read(const IGESData_IGESEntity &entity, colour &shown) {
        if (entity.DefColor() == IGESData_DefReference) {
            const auto named = Handle(IGESGraph_Color)::DownCast(entity.Color());
            if (named.IsNull()) return false;
            double parts[3];
            named->RGBIntensity(parts[0], parts[1], parts[2]);
            for (int index = 0; index < 3; index++) {
                if (!(parts[index] >= 0 && parts[index] <= 100)) return false;
                shown.parts[index] = static_cast<float>(parts[index] / 100);
            }
            return true;
        }
        static const float numbered[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
        const int rank = entity.RankColor();
        if (entity.DefColor() != IGESData_DefValue || rank < 2 || rank > 8) return false;
        for (int index = 0; index < 3; index++) shown.parts[index] = numbered[rank - 2][index];
        return true;
    }
};

#endif
