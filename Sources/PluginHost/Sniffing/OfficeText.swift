/// Texts that are named as documents of Office. Word opens notes so named, and Excel the tables that programs and pages of the web
/// hand out under its ending: separated by tabs or commas, or in HTML.
enum OfficeText {
    /// What such a text is.
    /// - Parameters:
    ///   - named: the type that its name says.
    ///   - head: its beginning, known to be text.
    /// - Returns: `nil` where the name says another type than those of old documents of Office.
    static func type(named: String, _ head: [UInt8]) -> String? {
        guard named == sheet || others.contains(named) else { return nil }
        let marks = isUTF16(head) ? head.dropFirst(2).filter { $0 != 0 } : head
        if marks.starts(with: "<?xml".utf8) { return "application/xml" }
        if Markup.isElement(marks) { return "text/html" }
        return named == sheet ? "text/csv" : ContentType.text
    }

    /// Whether a text is in UTF-16, which the shared MIME database takes for bytes of any kind.
    static func isUTF16(_ head: [UInt8]) -> Bool {
        head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
    }

    private static let sheet = "application/vnd.ms-excel"
    /// Of Publisher, since keys of SSH have its ending.
    private static let others: Set = ["application/msword", "application/vnd.ms-works", "application/vnd.ms-publisher"]
}
