internal import VitrineKit

extension OfficeDocument {
    /// What to draw.
    struct View {
        /// The part of the page, sheet or slide that is shown.
        var area: Area
        /// Pages, sheets or slides in all.
        var pages: Int
    }

    /// Chooses what to draw and shows it.
    /// - Parameter request: its page counts from 0. For spreadsheets, 0 is the first sheet that is visible and has
    ///   content.
    /// - Throws: `empty` when there is nothing at all, `invalidArgument` when there is no such page.
    func view(_ request: RenderRequest) throws(PluginError) -> View {
        let page = request.page
        switch family {
        case .text:
            let pages = self.pages
            if pages.isEmpty {
                try check(request, of: 1, "page")
                let whole = size
                return View(area: Area(width: whole.width, height: whole.height), pages: 1)
            }
            try check(request, of: pages.count, "page")
            return View(area: pages[page], pages: pages.count)
        case .spreadsheet:
            let sheets = parts
            try check(request, of: sheets, "sheet")
            return View(area: try selectSheet(page, of: sheets), pages: sheets)
        case .presentation, .drawing:
            let slides = parts
            try check(request, of: slides, "slide")
            select(part: page)
            return View(area: slide(size), pages: slides)
        }
    }

    /// The whole slide but for its edge, on which the view that LibreOffice draws has a line.
    private func slide(_ size: (width: Int, height: Int)) -> Area {
        let edge = max(size.width, size.height) / 200
        guard size.width > 4 * edge, size.height > 4 * edge else {
            return Area(width: size.width, height: size.height)
        }
        return Area(x: edge, y: edge, width: size.width - 2 * edge, height: size.height - 2 * edge)
    }

    private func check(_ request: RenderRequest, of count: Int, _ unit: String) throws(PluginError) {
        guard count > 0 else { throw PluginError(.empty, "the document has no \(unit)") }
        try request.checkPage(of: count, in: "the document", unit: unit)
    }

    /// Shows a sheet. For the first one, the next that is visible and has something in it is taken instead.
    private func selectSheet(_ page: Int, of count: Int) throws(PluginError) -> Area {
        var first: (sheet: Int, area: Area)?
        let candidates = page > 0 ? page...page : 0...min(count, Self.probedSheets) - 1
        for sheet in candidates where page > 0 || isVisible(part: sheet) {
            select(part: sheet)
            let probe = try SheetProbe(self)
            if probe.extent != nil { return probe.area }
            first = first ?? (sheet, probe.area)
        }
        select(part: first?.sheet ?? page)
        return first?.area ?? SheetProbe.largest
    }

    /// Sheets that are looked at in search of one with content.
    private static let probedSheets = 8
}
