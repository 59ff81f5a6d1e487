internal import CDCMTK
internal import VitrineKit

/// What is written in DICOM and is no picture that can be drawn.
extension DICOMFile {
    /// Refuses it, with a sentence that says what it is.
    /// - Throws: `unsupported`; `corrupt` for what is nothing at all.
    func refuseOther() throws(PluginError) {
        let kind = text(.storageClass) ?? text(.mediaStorageClass)
        if kind == Self.directory {
            throw PluginError(
                .unsupported, "the DICOM file is an index of others (DICOMDIR), each of which is drawn by itself")
        }
        if has(.document) {
            let type = text(.documentType).flatMap { Self.documents.contains($0.lowercased()) ? " (\($0))" : nil } ?? ""
            throw PluginError(
                .unsupported, "the DICOM file holds a document\(type) in place of a picture; export it to see it")
        }
        if let syntax = text(.transferSyntax), syntax.hasPrefix(Self.jpegFamily) {
            if Self.films.contains(where: { syntax.hasPrefix(Self.jpegFamily + $0) }) {
                throw PluginError(.unsupported, "the DICOM file holds a film (MPEG), of which no frame is decoded")
            }
            guard cdcmtk_name(syntax) != nil else {
                let told = Self.identifier(syntax).map { " (\($0))" } ?? ""
                throw PluginError(
                    .unsupported, "the picture in the DICOM file is compressed in a way that is not known\(told)")
            }
        }
        if has(.pixels) { return }
        if has(.floats) || has(.doubles) {
            throw PluginError(.unsupported, "the DICOM file holds a map of fractions, which is not drawn")
        }
        guard let kind else {
            throw PluginError(.corrupt, "the file is no DICOM file, or its beginning is damaged; fetch it again")
        }
        if kind.hasPrefix(Self.reports) {
            throw PluginError(.unsupported, "the DICOM file holds a structured report, and no picture")
        }
        let name = cdcmtk_name(kind).map { String(cString: $0) } ?? Self.identifier(kind)
        throw PluginError(.unsupported, "the DICOM file holds no picture" + (name.map { ": its kind is \($0)" } ?? ""))
    }

    /// A unique identifier (DICOM PS3.5, 9.1); `nil` for any other text, which may be somebody's name.
    private static func identifier(_ text: String) -> String? {
        text.utf8.count <= 64 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E } ? text : nil
    }

    /// Identifiers of the standard's part 6, table A-1, and beginnings of such.
    private static let directory = "1.2.840.10008.1.3.10", reports = "1.2.840.10008.5.1.4.1.1.88."
    /// Types of documents that are told (DICOM PS3.3, A.45, A.85 and A.104).
    private static let documents: Set = [
        "application/pdf", "text/xml", "application/xml", "model/stl", "model/obj", "model/mtl",
    ]
    private static let jpegFamily = "1.2.840.10008.1.2.4.", films = ["10"]
}

extension DICOMFile.Element {
    fileprivate static let storageClass = Self(0x08, 0x16), mediaStorageClass = Self(0x02, 0x02)
    fileprivate static let transferSyntax = Self(0x02, 0x10)
    fileprivate static let document = Self(0x42, 0x11), documentType = Self(0x42, 0x12)
    fileprivate static let pixels = Self(0x7FE0, 0x10), floats = Self(0x7FE0, 0x08), doubles = Self(0x7FE0, 0x09)
}
