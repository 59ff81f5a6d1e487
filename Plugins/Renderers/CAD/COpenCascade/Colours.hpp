#ifndef COLOURS_HPP
#define COLOURS_HPP

#include <IGESControl_Reader.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <IGESGraph_Color.hxx>
#include <Quantity_Color.hxx>
#include <STEPConstruct.hxx>
#include <STEPConstruct_Styles.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepVisual_Colour.hxx>
#include <StepVisual_OverRidingStyledItem.hxx>
#include <StepVisual_StyledItem.hxx>
#include <TColStd_HSequenceOfTransient.hxx>
#include <TopoDS_Shape.hxx>
#include <TopoDS_TShape.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>
#include <cmath>
#include <unordered_map>

// Red, green and blue in sRGB's code, and alpha.
struct colour {
    float parts[4];
    bool is_hidden;
};

// What a file says of the colours of its shapes, wherever these stand.
class colours {
public:
    // Returns NULL where the file says nothing of this one.
    const colour *find(const TopoDS_Shape &shape) const {
        const auto found = known.find(shape.TShape().get());
        return found == known.end() ? nullptr : &found->second;
    }

    void add_step(const Handle(XSControl_WorkSession) & session) {
        STEPConstruct_Styles styles(session);
        if (!styles.LoadStyles()) return;
        const auto process = session->TransferReader()->TransientProcess();
        for (int number = 1; number <= styles.NbStyles(); number++) {
            const auto style = styles.Style(number);
            if (!style.IsNull()) add(style, styles, process);
        }
        Handle(TColStd_HSequenceOfTransient) hidden;
        if (!styles.LoadInvisStyles(hidden)) return;
        for (int number = 1; number <= hidden->Length(); number++) {
            const auto style = Handle(StepVisual_StyledItem)::DownCast(hidden->Value(number));
            if (!style.IsNull()) hide(style, process);
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

    static TopoDS_Shape shape(
        const Handle(StepVisual_StyledItem) & style, const Handle(Transfer_TransientProcess) & process) {
        const auto item = Handle(StepRepr_RepresentationItem)::DownCast(style->ItemAP242().Value());
        return item.IsNull() ? TopoDS_Shape() : STEPConstruct::FindShape(process, item);
    }

    void add(
        const Handle(StepVisual_StyledItem) & style, const STEPConstruct_Styles &styles,
        const Handle(Transfer_TransientProcess) & process) {
        Handle(StepVisual_Colour) surface, boundary, curve, rendering;
        double transparency = 0;
        bool is_component;
        if (!styles.GetColors(style, surface, boundary, curve, rendering, transparency, is_component)) return;
        Quantity_Color found;
        const auto &named = rendering.IsNull() ? surface : rendering;
        if (named.IsNull() || !STEPConstruct_Styles::DecodeColor(named, found)) return;
        const TopoDS_Shape coloured = shape(style, process);
        if (coloured.IsNull()) return;
        colour shown = coded(found);
        if (!rendering.IsNull() && transparency > 0 && transparency < 1) shown.parts[3] = static_cast<float>(1 - transparency);
        // What is said of one use of a part among several, which the shapes do not tell apart, gives way to what is said of it
        // everywhere.
        if (style->IsKind(STANDARD_TYPE(StepVisual_OverRidingStyledItem))) known.emplace(coloured.TShape().get(), shown);
        else known[coloured.TShape().get()] = shown;
    }

    void hide(const Handle(StepVisual_StyledItem) & style, const Handle(Transfer_TransientProcess) & process) {
        const TopoDS_Shape hidden = shape(style, process);
        if (!hidden.IsNull()) known[hidden.TShape().get()] = {{0, 0, 0, 1}, true};
    }

    // The library keeps colours as light, and not as numbers of files.
    static colour coded(const Quantity_Color &found) {
        double red, green, blue;
        found.Values(red, green, blue, Quantity_TOC_sRGB);
        return {{static_cast<float>(red), static_cast<float>(green), static_cast<float>(blue), 1}, false};
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
        static const float numbered[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
        const int rank = entity.RankColor();
        if (entity.DefColor() != IGESData_DefValue || rank < 2 || rank > 8) return false;
        for (int index = 0; index < 3; index++) shown.parts[index] = numbered[rank - 1][index];
        return true;
    }
};

#endif
