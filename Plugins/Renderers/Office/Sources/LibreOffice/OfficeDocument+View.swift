internal import VitrineKit

extension OfficeDocument {
    /// What to draw.
    struct View {
        /// The part of the page, sheet or slide that is shown.
        var area: Area
        /// Pages, sheets or slides in all.
        var pages: Int
        /// Which of them is shown, counted from 0.
        var page: Int
        /// Whether the area begins at the cell that the cursor is on, wherever that is in a drawing of this size.
        var beginsAtCursor = false
    }

    /// Chooses what to draw and shows it.
    /// - Parameter request: where it asks for no page, the first sheet is shown that is visible and has content.
    /// - Throws: `empty` when there is nothing at all, `invalidArgument` when there is no such page.
    func view(_ request: RenderRequest) throws(PluginError) -> View {
        let page = request.page
        switch family {
        case .text:
            let pages = self.pages
            if pages.isEmpty {
                try check(request, of: 1, "page")
                let whole = size
                return View(area: Area(width: whole.width, height: whole.height), pages: 1, page: 0)
            }
            try check(request, of: pages.count, "page")
            return View(area: pages[page], pages: pages.count, page: page)
        case .spreadsheet:
            let sheets = parts
            try check(request, of: sheets, "sheet")
            let (shown, probe) = try selectSheet(request.asksPage || page > 0 ? page : nil, of: sheets)
            return View(
                area: probe?.area ?? SheetProbe.largest, pages: sheets, page: shown,
                beginsAtCursor: probe?.first != nil)
        case .presentation, .drawing:
            let slides = parts
            try check(request, of: slides, "slide")
            select(part: page)
            let whole = size
            return View(area: Area(width: whole.width, height: whole.height), pages: slides, page: page)
        }
    }

    /// Draws what a view shows.
    /// - Parameters:
    ///   - size: of the picture, in pixels.
    ///   - folder: where to write meanwhile, when a slide is to be drawn as it is printed.
    /// - Throws: `limitExceeded` when there is no memory for it.
    func draw(_ view: View, _ size: PixelSize, printingIn folder: String?) throws(PluginError) -> Bitmap {
        if let folder, let bitmap = try printed(size, in: folder) {
            bitmap.coverFrame()
            return bitmap
        }
        var area = view.area
        if view.beginsAtCursor { cursor(drawing: area, size).map { (area.x, area.y) = $0 } }
        let bitmap = try draw(area, size)
        if family == .presentation || family == .drawing { bitmap.coverFrame() }
        if family == .spreadsheet, isMirrored(part: view.page) { bitmap.mirror() }
        return bitmap
    }

    private func check(_ request: RenderRequest, of count: Int, _ unit: String) throws(PluginError) {
        guard count > 0 else { throw PluginError(.empty, "the document has no \(unit)") }
        try request.checkPage(of: count, in: "the document", unit: unit)
    }

    /// Shows a sheet, also a hidden one.
    /// - Parameter page: the one that is asked for; `nil` for the first that is visible and has something in it.
    private func selectSheet(_ page: Int?, of count: Int) throws(PluginError) -> (sheet: Int, probe: SheetProbe?) {
        var first: (sheet: Int, probe: SheetProbe?)?
        let candidates = page.map { $0...$0 } ?? 0...min(count, Self.probedSheets) - 1
        for sheet in candidates where page != nil || isVisible(part: sheet) {
            try reveal(part: sheet)
            select(part: sheet)
            let probe = try SheetProbe(self)
            if probe.extent != nil { return (sheet, probe) }
            first = first ?? (sheet, probe)
        }
        let shown = first ?? (page ?? 0, nil)
        select(part: shown.sheet)
        return shown
    }

    /// Sheets that are looked at in search of one with content.
    private static let probedSheets = 8
}

extension Bitmap {
    /// Exchanges left and right.
    fileprivate func mirror() {
        withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                let row = UnsafeMutableRawBufferPointer(rebasing: bytes[(y * bytesPerRow)...].prefix(width * 4))
                row.withMemoryRebound(to: UInt32.self) { pixels in
                    var pixels = pixels
                    pixels.reverse()
                }
            }
        }
    }

    /// Covers the outermost pixels with those beside them: around slides LibreOffice draws a line of one pixel, in a
    /// colour that no setting changes. Printed slides may cover the outermost pixels in part.
    fileprivate func coverFrame() {
        guard width > 2, height > 2 else { return }
        withUnsafeMutableBytes { bytes in
            func copy(to target: Int, from source: Int, _ count: Int) {
                for index in 0..<count { bytes[target + index] = bytes[source + index] }
            }
            for y in 0..<height {
                let row = y * bytesPerRow
                copy(to: row, from: row + 4, 4)
                copy(to: row + (width - 1) * 4, from: row + (width - 2) * 4, 4)
            }
            copy(to: 0, from: bytesPerRow, width * 4)
            copy(to: (height - 1) * bytesPerRow, from: (height - 2) * bytesPerRow, width * 4)
        }
    }
}
