internal import PictureDecoding
internal import TextDrawing
internal import VitrineKit

extension Page {
    private static let ground = Ink(red: 0.957, green: 0.957, blue: 0.965)
    private static let card = Ink(red: 1, green: 1, blue: 1)
    private static let frame = Ink(red: 0.925, green: 0.925, blue: 0.941)
    private static let edge = Ink(red: 0.855, green: 0.855, blue: 0.88)
    private static let warning = Ink(red: 0.64, green: 0.23, blue: 0.12)

    /// Draws a sheet as it was planned.
    /// - Parameters:
    ///   - decoder: decodes its pictures, one after the other.
    ///   - bytes: what the pictures are parts of.
    func draw(_ plan: SheetPlan, _ decoder: PictureDecoder, _ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        fill(x: 0, y: 0, width: width, height: height, Self.ground)
        for place in plan.places { draw(place, decoder, bytes) }
    }

    private func draw(_ place: SheetPlan.Place, _ decoder: PictureDecoder, _ bytes: UnsafeRawBufferPointer) {
        let (x, y, room) = (place.x, place.y, place.width)
        switch place.part {
        case .title(let text): line(text, size: 30, isBold: true, x: x, baseline: y + 28, width: room)
        case .note(let text): line(text, size: 15, ink: .pale, x: x, baseline: y + 15, width: room)
        case .end(let text): line(text, size: 14, ink: .pale, x: x, baseline: y + 20, width: room)
        case .folder(let name, let detail):
            let taken = line(name, size: 18, isBold: true, x: x, baseline: y + 34, width: room * 0.8)
            line(detail, size: 13, ink: .pale, x: x + taken + 12, baseline: y + 34, width: room - taken - 12)
            fill(x: x, y: y + 44, width: room, height: 1, Self.edge)
        case .kind(let name): line(name, size: 12, isBold: true, ink: .pale, x: x, baseline: y + 18, width: room)
        case .file(let name, let detail, let picture):
            card(name, detail, x, y, room)
            guard !picture.isEmpty,
                let drawn = try? decoder.picture(Array(bytes[picture]), box: Int(SheetPlan.cell)).bitmap
            else { return paragraph("not shown", ink: .pale, x, y, room) }
            show(drawn, x, y, room)
        case .failure(let name, let detail, let reason):
            card(name, detail, x, y, room)
            paragraph(reason, ink: Self.warning, x, y, room)
        }
    }

    /// The frame for a picture, and below it a name in two lines, and what is known of the file.
    private func card(_ name: String, _ detail: String, _ x: Double, _ y: Double, _ room: Double) {
        fill(x: x - 1, y: y - 1, width: room + 2, height: SheetPlan.cellHeight + 2, Self.edge)
        fill(x: x, y: y, width: room, height: SheetPlan.cellHeight, Self.card)
        fill(x: x, y: y, width: room, height: SheetPlan.frame, Self.frame)
        let font = TextLayout.Font(family: "Sans", size: 13)
        var below = SheetPlan.frame + 20
        if let layout = TextLayout(Self.shown(name), font, on: self, width: room - 20, lines: 2) {
            use(.text)
            below += 17 * Double(layout.draw(on: self, x: x + 10, baseline: y + below, pitch: 17))
        }
        line(detail, size: 11.5, ink: .pale, x: x + 10, baseline: y + below, width: room - 20)
    }

    /// A picture in the middle of its frame, never larger than it is, with a hair's breadth around it.
    private func show(_ picture: Bitmap, _ x: Double, _ y: Double, _ room: Double) {
        let scale = min(
            1, (room - 20) / Double(picture.width), (SheetPlan.frame - 20) / Double(picture.height))
        let (wide, high) = (Double(picture.width) * scale, Double(picture.height) * scale)
        let (left, top) = (x + (room - wide) / 2, y + (SheetPlan.frame - high) / 2)
        if picture.isOpaque { fill(x: left - 1, y: top - 1, width: wide + 2, height: high + 2, Self.edge) }
        draw(picture, x: left, y: top, width: wide, height: high)
    }

    /// Some lines in the place of a picture.
    private func paragraph(_ text: String, ink: Ink, _ x: Double, _ y: Double, _ room: Double) {
        let font = TextLayout.Font(family: "Sans", size: 12)
        guard let layout = TextLayout(Self.shown(text), font, on: self, width: room - 24, lines: 8) else { return }
        use(ink)
        let high = Double(min(8, layout.lineCount)) * 16
        layout.draw(on: self, x: x + 12, baseline: y + (SheetPlan.frame - high) / 2 + 12, pitch: 16)
    }

    /// What can be seen of a text.
    private static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(400)))
    }
}
