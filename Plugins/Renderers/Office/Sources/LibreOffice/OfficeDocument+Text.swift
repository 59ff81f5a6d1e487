internal import COffice
internal import Glibc
internal import VitrineKit
internal import XML

extension OfficeDocument {
    /// The most bytes that are read of what LibreOffice wrote.
    private static let longest = 32 << 20
    /// Bytes that are parsed at once.
    private static let step = 64 << 10

    /// The text of a page as LibreOffice writes it: plain for texts, of which it does not say where pages end, so that there is
    /// the first page only; else as one file of OpenDocument, but for drawings, for which its library has no such filter.
    /// - Parameters:
    ///   - page: counted from 0.
    ///   - folder: a folder of this process alone, where a file is written meanwhile.
    /// - Returns: `nil` when there is none, or when it cannot be written.
    func exportedText(_ page: Int, in folder: String) -> String? {
        let suffix: String
        switch family {
        case .text: suffix = "txt"
        case .spreadsheet: suffix = "fods"
        case .presentation: suffix = "fodp"
        case .drawing: suffix = "odg"
        }
        guard family != .text || page == 0 else { return nil }
        if family == .text { acceptChanges() }
        let path = folder + "/text." + suffix
        defer { unlink(path) }
        guard save(as: "file://" + PercentEncoding.encode(path.utf8), suffix), let bytes = Self.contents(path) else {
            return nil
        }
        let text =
            switch family {
            case .text: String(decoding: bytes, as: UTF8.self)
            case .drawing: Self.drawnWords(of: bytes, page)
            case .spreadsheet, .presentation: Self.words(of: bytes, family, page)
            }
        let kept = Facts.bounded(String(text.drop { $0 == "\u{FEFF}" || $0.isNewline }))
        return kept.contains { !$0.isWhitespace } ? kept : nil
    }

    private static func drawnWords(of package: [UInt8], _ page: Int) -> String {
        let format = DocumentFormat(packing: .openDocument, family: .drawing, suffix: "odg")
        return DocumentText(of: BytesInput(package), format, page: page, isAsked: true)?.text ?? ""
    }

    private static func words(of bytes: [UInt8], _ family: DocumentFormat.Family, _ page: Int) -> String {
        let gathering = TextGathering(.openDocument(family))
        gathering.lastPage = page
        // Pictures stand in it as text.
        let reader = XMLReader("the document's text", limits: XMLLimits(depth: 256, text: longest))
        for start in stride(from: 0, to: bytes.count, by: step) where !gathering.isFull {
            let end = min(start + step, bytes.count)
            guard let events = try? reader.events(from: Array(bytes[start..<end]), isLast: end == bytes.count) else {
                break
            }
            for event in events { gathering.take(event) }
        }
        return gathering.pages.indices.contains(page) ? gathering.pages[page] : ""
    }

    /// A file that LibreOffice wrote, up to a limit.
    static func contents(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size > 0 else { return nil }
        let wanted = min(Int(status.st_size), longest)
        return [UInt8](unsafeUninitializedCapacity: wanted) { room, filled in
            while filled < wanted {
                let got = pread(file, room.baseAddress.map { $0 + filled }, wanted - filled, off_t(filled))
                if got <= 0 { break }
                filled += got
            }
        }
    }
}
