internal import MIME
internal import VitrineKit

/// A page with the files that lie in the same one: a page that a browser saved whole is a message whose parts are the page, its
/// style sheets and its pictures (MHTML, RFC 2557). Of any other page there is only itself.
struct SavedPage {
    /// The page's own bytes.
    private(set) var page: [UInt8] = []
    /// The encoding that the message says the page has.
    private(set) var charset: String?
    /// The page's own address.
    private(set) var location = ""
    private var files: [String: [UInt8]] = [:]

    /// The MIME type of messages that are pages.
    static let archive = "application/x-mimearchive"
    /// Bytes that are read of a file.
    static let reach = 16 << 20

    /// Whether nothing lies beside the page.
    var isAlone: Bool { files.isEmpty }

    /// A page alone.
    init(_ page: [UInt8]) { self.page = page }

    /// Reads the beginning of a file.
    /// - Throws: `corrupt` for a message without a page, or what the input throws.
    init(_ input: any RandomAccessInput, type: String) throws(PluginError) {
        let bytes = try input.head(Self.reach)
        guard type == Self.archive else {
            page = bytes
            return
        }
        var scanner = MIMEScanner()
        scanner.take(bytes)
        scanner.finish()
        guard let root = scanner.parts.first(where: { ["text/html", "application/xhtml+xml"].contains($0.type.value) })
        else { throw PluginError(.corrupt, "the saved page has no page among its parts") }
        page = Self.content(of: root, bytes)
        charset = root.type["charset"]
        location = root.location ?? ""
        for part in scanner.parts where part.offset != root.offset {
            let content = Self.content(of: part, bytes)
            if let address = part.location { files[WebAddress.resolved(address, on: location)] = content }
            if let number = part.contentID { files["cid:" + number] = content }
        }
    }

    /// The bytes of a file by its whole address.
    /// - Returns: `nil` where it lies elsewhere.
    subscript(_ address: String) -> [UInt8]? { files[address] }

    private static func content(of part: MIMEPart, _ bytes: [UInt8]) -> [UInt8] {
        let start = min(max(0, Int(part.offset)), bytes.count)
        let end = min(bytes.count, start + max(0, Int(part.encodedSize)))
        return part.coding.decode(bytes[start..<end])
    }
}
