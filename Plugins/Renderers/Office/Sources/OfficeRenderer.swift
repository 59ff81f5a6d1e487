import PictureTraits
public import VitrineKit

/// Draws a page, sheet or slide of an office document with LibreOffice, through LibreOfficeKit.
///
/// One per process. Conforms as `RendererConformance` of VitrineTesting says.
public final class OfficeRenderer: Renderer {
    /// LibreOffice, or why only pictures that documents carry are shown. A run over many documents asks no more for a while after
    /// the first one that carries none; thumbnailers are started for each file.
    private let started: Result<OfficeKit, PluginError>
    let folder: String

    var kit: OfficeKit { get throws(PluginError) { try started.get() } }

    /// Starts LibreOffice, unless a sandbox hides its settings.
    /// - Parameter environment: its private folder gets the profile, temporary files and a copy of each document.
    /// - Throws: `pluginUnavailable` without LibreOffice or without a private folder.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        guard let folder = environment.privateFolder else {
            throw PluginError(.pluginUnavailable, "the renderer for office documents needs a private folder")
        }
        self.folder = folder
        if let obstacle = OfficeKit.obstacle {
            started = .failure(obstacle)
        } else {
            started = .success(try OfficeKit(privateFolder: folder))
        }
    }

    /// Draws a page, sheet or slide: where none is asked for, the first that people see. Of the first one, a picture that the
    /// document carries is taken as ``RenderRequest/embedded`` says, by default when it is as large as the box. Pages and slides
    /// in a box of 256 pixels at most are three and a half times as large as it, and left to the worker's scaler.
    /// - Throws: `empty`, `corrupt`, `encrypted`, `unsupported`, `limitExceeded`, `invalidArgument` when there is no
    ///   such page, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try request.refuseMoment(in: "a document")
        // After the document is closed.
        defer { LibraryPages.returnSurplus() }
        return try rendering(of: input, request)
    }

    private func rendering(
        of input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        let finding = try DocumentSniffer.look(at: input, mimeType: request.mimeType)
        var request = request
        let asksPage = request.asksPage
        if !request.asksPage, request.page == 0, finding.format.family == .presentation, !finding.isEncrypted {
            (request.page, request.asksPage) = (HiddenSlides.firstVisible(of: input, finding.format), true)
        }
        var facts = finding.isEncrypted ? Facts() : DocumentProperties(of: input, finding.format).facts
        // Only LibreOffice reads what is encrypted.
        var needsExport = request.wantsPageText && finding.isEncrypted
        if request.wantsText, !finding.isEncrypted {
            let page = request.wantsPageText ? request.page : nil
            let text = DocumentText(of: input, finding.format, page: page, isAsked: asksPage)
            facts.text = text?.text
            needsExport = request.wantsPageText && text == nil
        }
        // Nothing better is to be had without LibreOffice.
        if case .failure = started, request.embedded == .auto { request.embedded = .prefer }
        if request.page == 0, !needsExport, !finding.isEncrypted,
            let picture = EmbeddedPicture(in: input, format: finding.format, box: request.box, request.embedded)
        {
            facts.pages = picture.pages
            var rendering = Rendering(picture.bitmap, facts: facts)
            rendering.embedded = "document's thumbnail"
            return rendering
        }
        let kit = try kit
        if finding.format.family == .spreadsheet, !kit.opensSpreadsheets {
            throw PluginError(
                .pluginUnavailable, "spreadsheets cannot be drawn: install the full package libreoffice-calc")
        }
        if finding.format.isFormula { try checkFormula(finding) }
        let opened = try open(input, finding, request, mayShorten: !needsExport)
        var view = opened.view
        if finding.format.isPicture {
            let head = try input.head(DocumentSniffer.headSize)
            let size = OwnFormat(rawValue: finding.format.suffix)?.statedSize(head)
            if finding.format.isFormula {
                view.area = try FormulaDocument.area(of: opened.document, on: view.area)
            } else {
                view.area = try PictureProbe(opened.document, on: view.area, statedSize: size).area
            }
        }
        facts.pages = opened.pages
        if !finding.format.isPicture { describe(opened.document, view, in: &facts) }
        let bitmap = try draw(opened.document, view, of: input, finding, request)
        // What is no package has to be written as one, which takes as long as drawing it.
        if needsExport { facts.text = opened.document.exportedText(view.page, in: folder) }
        return Rendering(bitmap, facts: facts)
    }

    /// - Throws: `pluginUnavailable` where LibreOffice draws no formulas, `locked` for one that is encrypted.
    private func checkFormula(_ finding: DocumentSniffer.Finding) throws(PluginError) {
        guard try kit.drawsFormulas else {
            throw PluginError(.pluginUnavailable, "formulas cannot be drawn: install libreoffice-math")
        }
        guard !finding.isEncrypted else {
            throw PluginError(.locked, "the formula is protected by a password, with which none is opened here")
        }
    }

    /// Adds what only LibreOffice tells.
    private func describe(_ document: OfficeDocument, _ view: OfficeDocument.View, in facts: inout Facts) {
        if document.family == .spreadsheet, facts.details[.sheetNames] == nil {
            facts.set(.sheetNames, document.partNames)
        }
        if document.family == .text {
            facts.setPage(pointsWide: Double(view.area.width) / 20, high: Double(view.area.height) / 20)
        }
    }

    /// Draws what is to be seen of a document as large as the box, or as ``finer(_:)`` says.
    private func draw(
        _ document: OfficeDocument, _ view: OfficeDocument.View, of input: any RandomAccessInput,
        _ finding: DocumentSniffer.Finding, _ request: RenderRequest
    ) throws(PluginError) -> Bitmap {
        guard
            let size = PixelSize.fitting(
                width: Double(view.area.width), height: Double(view.area.height), in: request.box, enlarging: true)
        else { throw PluginError(.empty, "the document has nothing to draw: its page has no size") }
        let hasNoSlides = !finding.isEncrypted && PresentationState.hasNoSlides(input, finding.format)
        // Into what is encrypted only LibreOffice looks, so that it may have anything.
        let isPrinted =
            finding.isEncrypted
            ? document.family == .presentation
            : hasNoSlides || PresentationState.showsMasters(input, finding.format)
                || EmptyFields.are(on: view.page, of: input, finding.format)
        func draw(_ size: PixelSize) throws(PluginError) -> Bitmap {
            try document.draw(view, size, printingIn: isPrinted ? folder : nil)
        }
        let bitmap: Bitmap
        if document.family != .spreadsheet, let finer = Self.finer(size) {
            bitmap = try draw(finer)
        } else {
            bitmap = try .page(size, draw)
        }
        // Templates without slides show their background.
        if hasNoSlides, !bitmap.hasSeveralColours {
            throw PluginError(.empty, "the presentation has no slides")
        }
        if finding.format.isWork, request.page == 0, bitmap.isBarePaper {
            throw PluginError(.unsupported, "nothing is to be seen of what LibreOffice reads of the document of iWork")
        }
        return bitmap
    }

    /// Pixels of a side up to which a page is drawn finer than others.
    private static let finestPage = 256

    /// The size in which a small page is drawn, and left to the worker's scaler; `nil` for larger ones.
    ///
    /// Letters of a thumbnail are a few pixels high, and LibreOffice bends them to whole ones, at twice the size too. Three and
    /// a half times is as large as the scaler takes without averaging first (ADR 14). What is made beside a larger preview is
    /// scaled down from that. Cells of sheets are larger, and can be read as crisp as they are.
    private static func finer(_ size: PixelSize) -> PixelSize? {
        guard max(size.width, size.height) <= finestPage else { return nil }
        return PixelSize(width: size.width * 7 / 2, height: size.height * 7 / 2)
    }
}
