internal import PrivateCopies
internal import VitrineKit

extension OfficeRenderer {
    /// Bytes of a document at most; it is copied before it is opened.
    private static let inputLimit: Int64 = 256 << 20
    /// Bytes of an encrypted presentation that is written to find its first visible slide.
    private static let longestWritten: Int64 = 16 << 20

    /// What LibreOffice has open.
    struct Opened {
        let document: OfficeDocument
        /// The file that it reads.
        let copy: PrivateCopy
        /// What of it is shown.
        let view: OfficeDocument.View
        /// Pages or slides of the document in all, where LibreOffice has its beginning only; `nil` when it has all of it.
        var allPages: Int?

        /// Pages, sheets or slides of the document in all.
        var pages: Int { allPages ?? view.pages }
    }

    /// Opens a document, or as much of it as is needed, and shows the page.
    /// - Parameter mayShorten: whether nothing but the page itself is wanted of LibreOffice.
    /// - Throws: `encrypted`, `corrupt` with what is wrong, `limitExceeded`, `empty`, `invalidArgument` when there is no such page, or
    ///   what the input throws.
    func open(
        _ input: any RandomAccessInput, _ finding: DocumentSniffer.Finding, _ request: RenderRequest,
        mayShorten: Bool
    ) throws(PluginError) -> Opened {
        if mayShorten, request.page == 0, !finding.isEncrypted, let short = openShort(input, finding.format, request) {
            return short
        }
        if let excess = finding.excess { throw excess }
        let copy = try copy(of: input, finding.format)
        let document: OfficeDocument
        do throws(PluginError) {
            document = try kit.open(copy.url, request.password)
        } catch {
            if finding.isEncrypted { throw PluginError(.encrypted, "the document is protected by a password") }
            throw try DocumentDamage.found(in: input, finding.format.packing) ?? error
        }
        var request = request
        if finding.isEncrypted, !request.asksPage, request.page == 0, input.size <= Self.longestWritten {
            request.page = document.firstVisibleSlide(in: folder)
        }
        return Opened(document: document, copy: copy, view: try document.view(request))
    }

    private func copy(of input: any RandomAccessInput, _ format: DocumentFormat) throws(PluginError) -> PrivateCopy {
        if format.isFormula { return try FormulaDocument.copy(of: input, in: folder) }
        if format.suffix == OwnFormat.gnumeric.rawValue, let old = try OldGnumeric(input) {
            return try old.copy(in: folder)
        }
        if format.suffix == OwnFormat.dxf.rawValue, let text = try ExchangeDrawing.text(of: input) {
            return try PrivateCopy(in: folder, suffix: format.suffix) { (file) throws(PluginError) in
                try PrivateCopy.write(text, to: file)
            }
        }
        if let other = try OpeningSetting.copyWithoutThem(of: input, format, in: folder, limit: Self.inputLimit) {
            return other
        }
        return try PrivateCopy(of: input, in: folder, suffix: format.suffix, limit: Self.inputLimit, for: "LibreOffice")
    }

    /// - Returns: `nil` when the document is to be opened as a whole; also when this cannot be, since only the whole
    ///   document tells why, and when something else than its beginning is shown, such as the second sheet, which may show
    ///   something of the first, or rows further down than it has.
    private func openShort(
        _ input: any RandomAccessInput, _ format: DocumentFormat, _ request: RenderRequest
    ) -> Opened? {
        guard input.size <= Self.inputLimit,
            let short: any ShortDocument = ShortText(of: input, format) ?? ShortSlides(of: input, format)
                ?? ShortSlideRecords(of: input, format) ?? ShortSheet(of: input, format)
                ?? ShortRichText(of: input, format),
            let copy = try? short.copy(in: folder, suffix: format.suffix),
            let document = try? kit.open(copy.url, nil), document.family == format.family,
            let allPages = short.allPages(whenShown: document.family == .text ? document.pages.count : document.parts),
            let view = try? document.view(request), view.page == 0, !view.beginsAtCursor
        else { return nil }
        return Opened(document: document, copy: copy, view: view, allPages: allPages)
    }
}
