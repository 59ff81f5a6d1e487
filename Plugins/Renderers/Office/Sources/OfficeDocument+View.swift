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
    /// - Parameter page: counted from 0. For spreadsheets, 0 is the first sheet that is visible and has content.
    /// - Throws: `empty` when there is nothing at all, `invalidArgument` when there is no such page.
    func view(page: Int) throws(PluginError) -> View {
        switch family {
        case .text:
            let pages = self.pages
            if pages.isEmpty {
                let whole = size
                return View(area: Area(width: whole.width, height: whole.height), pages: 1)
            }
            try check(page, of: pages.count, "page")
            return View(area: pages[page], pages: pages.count)
        case .spreadsheet:
            let sheets = parts
            try check(page, of: sheets, "sheet")
            return View(area: selectSheet(page, of: sheets), pages: sheets)
        case .presentation, .drawing:
            let slides = parts
            try check(page, of: slides, "slide")
            select(part: page)
            let whole = size
            return View(area: Area(width: whole.width, height: whole.height), pages: slides)
        }
    }

    private func check(_ page: Int, of count: Int, _ name: String) throws(PluginError) {
        guard count > 0 else { throw PluginError(.empty, "the document has no \(name)") }
        guard 0..<count ~= page else {
            throw PluginError(
                .invalidArgument, "there is no \(name) \(page + 1): the document has \(count)")
        }
    }

    private func selectSheet(_ page: Int, of count: Int) -> Area {
        select(part: page)
        let whole = size
        return Area(width: min(whole.width, 16_838), height: min(whole.height, 11_906))
    }
}
