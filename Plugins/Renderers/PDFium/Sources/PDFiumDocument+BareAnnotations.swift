internal import CPDFium

// Annotations that have to be drawn by what they say (ISO 32000-1, 12.5), for want of a picture. PDFium does so for most kinds;
// borders of links, lines and polygons, which other viewers show, it leaves out.
extension PDFiumDocument {
    /// Annotations of a page that are looked at, and corners of all of them that are drawn, at most: many may share a list.
    private static let annotationLimit: CInt = 4096, cornerLimit: CUnsignedLong = 65536

    /// Puts what PDFium leaves out onto a page, in memory only.
    func addBareAnnotations(to page: OpaquePointer) {
        var corners = Self.cornerLimit
        for index in 0..<min(Self.annotationLimit, functions.annotation_count(page)) {
            guard let annotation = functions.open_annotation(page, index) else { continue }
            defer { functions.close_annotation(annotation) }
            let hidden = CInt(CPDFIUM_ANNOTATION_HIDDEN | CPDFIUM_ANNOTATION_NO_VIEW)
            // Of layers it is not known here which are shown.
            guard functions.annotation_flags(annotation) & hidden == 0, !has(annotation, "OC") else { continue }
            let type = functions.annotation_type(annotation)
            guard !has(annotation, "AP") || type == CInt(CPDFIUM_LINK) && isAppearanceEmpty(of: annotation) else {
                continue
            }
            add(annotation, type, to: page, &corners)
        }
    }

    /// Whether a field lies on a page (ISO 32000-1, 12.5.6.19: `Widget`).
    func hasField(_ page: OpaquePointer) -> Bool {
        (0..<max(0, min(Self.annotationLimit, functions.annotation_count(page)))).contains { index in
            guard let annotation = functions.open_annotation(page, index) else { return false }
            defer { functions.close_annotation(annotation) }
            return functions.annotation_type(annotation) == CInt(CPDFIUM_WIDGET)
        }
    }

    /// Whether an annotation's picture consists of nothing. Viewers show the borders of such links.
    private func isAppearanceEmpty(of annotation: OpaquePointer) -> Bool {
        functions.appearance(annotation, 0, nil, 0) <= MemoryLayout<UInt16>.size
    }

    private func add(
        _ annotation: OpaquePointer, _ type: CInt, to page: OpaquePointer, _ corners: inout CUnsignedLong
    ) {
        guard let width = borderWidth(of: annotation, isLink: type == CInt(CPDFIUM_LINK)),
            let path = outline(of: annotation, type, width, &corners)
        else { return }
        if has(annotation, "AP") { _ = functions.set_appearance(annotation, 0, nil) }
        var isFilled = false
        // Black may mean that there is no colour, which is what most polygons mean that could be filled with black.
        if type == CInt(CPDFIUM_POLYGON), has(annotation, "IC"),
            let colour = colour(of: annotation, CPDFIUM_INTERIOR_COLOUR),
            colour.red | colour.green | colour.blue != 0
        {
            isFilled = functions.set_fill_colour(path, colour.red, colour.green, colour.blue, colour.alpha) != 0
        }
        if let colour = colour(of: annotation, CPDFIUM_COLOUR) {
            _ = functions.set_stroke_colour(path, colour.red, colour.green, colour.blue, colour.alpha)
        }
        _ = functions.set_stroke_width(path, width)
        let fill = isFilled ? CPDFIUM_FILL_ALTERNATE : CPDFIUM_NO_FILL
        _ = functions.set_drawing(path, CInt(fill), 1)
        functions.add(page, path)
    }

    /// How wide the line around an annotation is, or that which it consists of; `nil` where none is to be drawn.
    ///
    /// A link has a border only where the file says how wide it is: by the standard it is 1 wide where nothing is said, but
    /// viewers do not show that. The newer entry for borders, BS, cannot be read through PDFium, and most links have it in
    /// order to have no border.
    private func borderWidth(of annotation: OpaquePointer, isLink: Bool) -> Float? {
        if has(annotation, "BS") { return isLink ? nil : 1 }
        var (horizontal, vertical, width) = (Float(0), Float(0), Float(0))
        guard functions.annotation_border(annotation, &horizontal, &vertical, &width) != 0 else {
            return isLink ? nil : 1
        }
        return width.isFinite && width > 0 ? width : nil
    }

    /// The line as a path, which belongs to the caller; `nil` for annotations of other kinds and with senseless numbers.
    /// - Parameter corners: how many polygons may still have.
    private func outline(
        of annotation: OpaquePointer, _ type: CInt, _ width: Float, _ corners: inout CUnsignedLong
    ) -> OpaquePointer? {
        switch type {
        case CInt(CPDFIUM_LINK):
            var box = cpdfium_rectangle()
            guard functions.annotation_rectangle(annotation, &box) != 0 else { return nil }
            // Inside of the rectangle, whichever corners the file names.
            let (left, bottom) = (min(box.left, box.right) + width / 2, min(box.bottom, box.top) + width / 2)
            let (wide, high) = (abs(box.right - box.left) - width, abs(box.top - box.bottom) - width)
            guard [left, bottom, wide, high].allSatisfy(\.isFinite), wide > 0, high > 0 else { return nil }
            return functions.new_rectangle(left, bottom, wide, high)
        case CInt(CPDFIUM_LINE):
            var (start, end) = (cpdfium_point(), cpdfium_point())
            guard functions.annotation_line(annotation, &start, &end) != 0 else { return nil }
            return path(along: [start, end], isClosed: false)
        case CInt(CPDFIUM_POLYGON), CInt(CPDFIUM_POLYLINE):
            let count = functions.annotation_vertices(annotation, nil, 0)
            guard count >= 2, count <= corners else { return nil }
            corners -= count
            var points = [cpdfium_point](repeating: cpdfium_point(), count: Int(count))
            guard functions.annotation_vertices(annotation, &points, count) == count else { return nil }
            return path(along: points, isClosed: type == CInt(CPDFIUM_POLYGON))
        default: return nil
        }
    }

    private func path(along points: [cpdfium_point], isClosed: Bool) -> OpaquePointer? {
        guard let first = points.first, points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }),
            let path = functions.new_path(first.x, first.y)
        else { return nil }
        for point in points.dropFirst() { _ = functions.line_to(path, point.x, point.y) }
        if isClosed { _ = functions.close_path(path) }
        return path
    }

    private func colour(
        of annotation: OpaquePointer, _ kind: Int
    ) -> (red: CUnsignedInt, green: CUnsignedInt, blue: CUnsignedInt, alpha: CUnsignedInt)? {
        var (red, green, blue, alpha) = (CUnsignedInt(0), CUnsignedInt(0), CUnsignedInt(0), CUnsignedInt(0))
        let isKnown = functions.annotation_colour(
            annotation, CInt(kind), &red, &green, &blue, &alpha)
        return isKnown != 0 ? (red, green, blue, alpha) : nil
    }

    private func has(_ annotation: OpaquePointer, _ key: String) -> Bool {
        functions.annotation_has(annotation, key) != 0
    }
}
