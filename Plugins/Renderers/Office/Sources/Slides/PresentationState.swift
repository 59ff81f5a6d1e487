internal import VitrineKit

/// What presentations of PowerPoint say of themselves, and LibreOffice does not show as it prints it.
enum PresentationState {
    /// The most bytes of a document's records that are looked at.
    private static let limit = 24 << 20

    /// Whether there is no slide. LibreOffice makes one, with fields that invite people to fill them. Of damaged ones this is
    /// not said.
    static func hasNoSlides(_ input: any RandomAccessInput, _ format: DocumentFormat) -> Bool {
        guard format.family == .presentation else { return false }
        switch format.packing {
        case .compound: return SlideRecords.areMissing(in: input, limit: limit)
        case .openXML:
            guard let archive = try? ZipDirectory(input) else { return false }
            return PackageParts(archive: archive, input: input).count(in: "ppt/presentation.xml", "sldId") == 0
        case .openDocument, .flatXML, .richText, .records, .own: return false
        }
    }

    /// Whether masters are shown in the stead of slides, when it is opened for people.
    static func showsMasters(_ input: any RandomAccessInput, _ format: DocumentFormat) -> Bool {
        format.family == .presentation && format.packing == .compound
            && SlideRecords.areMastersShown(of: input)
    }
}
