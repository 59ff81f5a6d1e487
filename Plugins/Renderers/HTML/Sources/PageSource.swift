internal import MIME

/// The markup of a page, as far as the upper part of it needs: without scripts and comments, with a bounded number of elements and
/// letters.
struct PageSource {
    private static let xhtml = "application/xhtml+xml"

    /// In UTF-8.
    let markup: String
    /// Whether it counts on style sheets that lie elsewhere.
    let namesStyle: Bool
    /// Whether it runs from right to left. The library puts one word behind the other from the left on: such a page is laid out as
    /// its own reflection, and reflected once more when it is drawn.
    let isMirrored: Bool
    /// What short addresses in it stand for.
    let addresses: Addresses
    /// The address that others in it count from.
    let base: String
    /// Addresses of pages of a help file that it leads to, as frames or in its place, that of most use first.
    let leads: [String]

    /// Takes the markup out of a page.
    /// - Parameter type: its MIME type.
    init(_ saved: SavedPage, type: String) {
        var charset = saved.charset ?? Self.encoding(of: saved.page)
        // What is UTF-8 is hardly anything else.
        if charset == nil, String(validating: saved.page, as: UTF8.self) == nil { charset = saved.help?.charset }
        var text = Charset.text(saved.page, charset: charset)[...]
        // A mark of the order of bytes is no letter.
        if text.unicodeScalars.first == "\u{FEFF}" { text = text.dropFirst() }
        let bytes = Array(text.utf8)
        func scanned(isMirrored: Bool) -> (MarkupScanner, Addresses) {
            let addresses = Addresses(hasFiles: !saved.isAlone)
            let rewriter = StyleRewriter(isMirrored: isMirrored, addresses: addresses, base: saved.location)
            var scanner = MarkupScanner(
                bytes, isXML: type == Self.xhtml, leads: saved.help == nil ? nil : PageLeads(), rewriter)
            scanner.run()
            return (scanner, addresses)
        }
        var (scanner, addresses) = scanned(isMirrored: false)
        isMirrored = scanner.isRightToLeft
        if isMirrored { (scanner, addresses) = scanned(isMirrored: true) }
        self.addresses = addresses
        base = WebAddress.resolved(scanner.base ?? "", on: saved.location)
        leads = scanner.leads?.addresses ?? []
        markup = (isMirrored ? BrowserStyle.mirrored : "") + String(decoding: scanner.out, as: UTF8.self)
        namesStyle = scanner.namesStyle && saved.isAlone
    }

    /// A page of lines.
    init(lines: [String], like page: PageSource) {
        (namesStyle, isMirrored, addresses, base) = (false, page.isMirrored, page.addresses, page.base)
        leads = []
        let escaped = lines.map { $0.replacing("&", with: "&amp;").replacing("<", with: "&lt;") }
        markup = escaped.map { "<p>\($0)</p>" }.joined()
    }

    /// The encoding that a page says it has, in its first kilobyte (HTML, "prescan a byte stream"), or by its first bytes.
    private static func encoding(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return "UTF-8" }
        if bytes.starts(with: [0xFF, 0xFE]) { return "UTF-16LE" }
        if bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16BE" }
        let head = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
        for mark in ["charset=", "encoding="] {
            guard let found = head.firstRange(of: mark) else { continue }
            let name = head[found.upperBound...].drop { $0 == "\"" || $0 == "'" || $0 == " " }.prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0))
            }
            // A page that can be searched for these words is not written in units of two bytes.
            if !name.isEmpty, !name.hasPrefix("utf-16") { return String(name) }
        }
        return nil
    }
}
