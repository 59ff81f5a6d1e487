internal import CPDFium
internal import VitrineKit

// What is written on pages.
extension PDFiumDocument {
    /// What the text of further pages may cost, as a share of drawing. The first one's is always read: it is what a
    /// document is most likely looked for by.
    private static let textShare = 0.05
    /// The most pages that are read.
    private static let textPages = 8
    /// Annotations of a page that are looked at, and bytes of what draws one, at most: beyond that there may be words.
    private static let annotationLimit: CInt = 512, appearanceLimit: CUnsignedLong = 64 << 10
    /// The operators that show letters, and the one that draws something else, which may do so (ISO 32000-1, tables 109 and 87).
    private static let writing = ["Tj", "TJ", "'", "\"", "Do"].map { Array($0.utf8) }

    /// The text of the first pages, as many as can be had in a time.
    /// - Parameters:
    ///   - drawn: the page that is open already, and its number.
    ///   - time: that drawing it took.
    func text(_ drawn: OpaquePointer, _ number: Int, of pages: Int, drawnIn time: Duration) -> String? {
        let budget = time * Self.textShare
        let clock = ContinuousClock()
        let began = clock.now
        var text = ""
        for index in 0..<min(pages, Self.textPages) {
            if index > 0, clock.now - began > budget || text.utf8.count >= Facts.textLimit { break }
            guard let page = index == number ? drawn : functions.open_page(handle, CInt(index)) else { break }
            defer { if index != number { functions.close_page(page) } }
            text += Facts.bounded(words(on: page, index)) + "\n"
        }
        text = Facts.bounded(text)
        return text.contains { !$0.isWhitespace } ? text : nil
    }

    /// The text of a page, with what stands in fields that were filled in, in stamps and in notes: PDFium reads them only when
    /// they are put onto the page, in memory, and the page is opened anew. The page is not to be drawn afterwards.
    func words(on page: OpaquePointer, _ index: Int) -> String {
        guard mayHaveWrittenAnnotations(page), functions.flatten(page, 0) == CInt(CPDFIUM_FLATTENED),
            let flat = functions.open_page(handle, CInt(index))
        else { return words(of: page) }
        defer { functions.close_page(flat) }
        return words(of: flat)
    }

    private func mayHaveWrittenAnnotations(_ page: OpaquePointer) -> Bool {
        let count = functions.annotation_count(page)
        guard count <= Self.annotationLimit else { return true }
        return (0..<max(0, count)).contains { index in
            guard let annotation = functions.open_annotation(page, index) else { return false }
            defer { functions.close_annotation(annotation) }
            return mayBeWritten(annotation)
        }
    }

    /// Whether letters may be drawn for an annotation. None are for fields that nobody filled in.
    private func mayBeWritten(_ annotation: OpaquePointer) -> Bool {
        let size = functions.appearance(annotation, 0, nil, 0)
        guard size <= Self.appearanceLimit else { return true }
        var units = [UInt16](repeating: 0, count: Int(size) / 2)
        let read = units.withUnsafeMutableBufferPointer { functions.appearance(annotation, 0, $0.baseAddress, size) }
        guard read == size else { return false }
        let drawing = units.map { UInt8(truncatingIfNeeded: $0) }
        return Self.writing.contains { drawing.firstRange(of: $0) != nil }
    }

    private func words(of page: OpaquePointer) -> String {
        guard let text = functions.open_text(page) else { return "" }
        defer { functions.close_text(text) }
        // A unit has at least one byte in UTF-8.
        let count = min(Int(functions.text_length(text)), Facts.textLimit)
        guard count > 0 else { return "" }
        let units = [UInt16](unsafeUninitializedCapacity: count + 1) { buffer, written in
            written = max(0, min(count + 1, Int(functions.text_units(text, 0, CInt(count), buffer.baseAddress))))
        }
        return String(decoding: units.lazy.filter { $0 != 0 }, as: UTF16.self)
    }
}
