import PictureTraits
public import VitrineKit

/// Draws a page, sheet or slide of an office document with LibreOffice, through LibreOfficeKit.
///
/// One per process. Conforms as `RendererConformance` of VitrineTesting says.
public final class OfficeRenderer: Renderer {
    let kit: OfficeKit
    let folder: String

    /// Starts LibreOffice.
    /// - Parameter environment: its private folder gets the profile, temporary files and a copy of each document.
    /// - Throws: `pluginUnavailable` without LibreOffice or without a private folder.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        guard let folder = environment.privateFolder else {
            throw PluginError(.pluginUnavailable, "the renderer for office documents needs a private folder")
        }
        self.folder = folder
        kit = try OfficeKit(privateFolder: folder)
    }

    /// Draws a page, sheet or slide. Of the first one, a picture that the document carries is taken as
    /// ``RenderRequest/embedded`` says, by default when it is as large as the box.
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
        var facts = finding.isEncrypted ? Facts() : DocumentProperties(of: input, finding.format).facts
        // Only LibreOffice reads what is encrypted.
        var needsExport = request.wantsPageText && finding.isEncrypted
        if request.wantsText, !finding.isEncrypted {
            let page = request.wantsPageText ? request.page : nil
            let text = DocumentText(of: input, finding.format, page: page)
            facts.text = text?.text
            needsExport = request.wantsPageText && text == nil
        }
        if request.page == 0, !needsExport, !finding.isEncrypted,
            let picture = EmbeddedPicture(in: input, format: finding.format, box: request.box, request.embedded)
        {
            facts.pages = picture.pages
            var rendering = Rendering(picture.bitmap, facts: facts)
            rendering.embedded = "document's thumbnail"
            return rendering
        }
        if finding.format.family == .spreadsheet, !kit.opensSpreadsheets {
            throw PluginError(
                .pluginUnavailable, "spreadsheets cannot be drawn: install the full package libreoffice-calc")
        }
        let opened = try open(input, finding, request, mayShorten: !needsExport)
        let document = opened.document
        var view = opened.view
        if finding.format.isPicture {
            let head = try input.head(DocumentSniffer.headSize)
            let size = OwnFormat(rawValue: finding.format.suffix)?.statedSize(head)
            view.area = try PictureProbe(document, on: view.area, statedSize: size).area
        }
        guard
            let size = PixelSize.fitting(
                width: Double(view.area.width), height: Double(view.area.height), in: request.box, enlarging: true)
        else { throw PluginError(.empty, "the document has nothing to draw: its page has no size") }
        facts.pages = opened.pages
        if document.family == .spreadsheet, facts.details[.sheetNames] == nil {
            facts.set(.sheetNames, document.partNames)
        }
        if document.family == .text {
            facts.setPage(pointsWide: Double(view.area.width) / 20, high: Double(view.area.height) / 20)
        }
        let hasNoSlides = !finding.isEncrypted && PresentationState.hasNoSlides(input, finding.format)
        let isPrinted =
            hasNoSlides
            || !finding.isEncrypted
                && (PresentationState.showsMasters(input, finding.format)
                    || EmptyFields.are(on: request.page, of: input, finding.format))
        let bitmap = try Bitmap.page(size) { (size) throws(PluginError) in
            try document.draw(view, size, printingIn: isPrinted ? folder : nil)
        }
        // Templates without slides show their background.
        if hasNoSlides, !bitmap.hasSeveralColours {
            throw PluginError(.empty, "the presentation has no slides")
        }
        // What is no package has to be written as one, which takes as long as drawing it.
        if needsExport { facts.text = document.exportedText(request.page, in: folder) }
        return Rendering(bitmap, facts: facts)
    }
}
