internal import MIME
internal import VitrineKit

/// A page with the files that lie in the same one: a page that a browser saved whole is a message whose parts are the page, its
/// style sheets and its pictures (MHTML, RFC 2557); a help file holds many pages, of which the first is shown. Of any other page
/// there is only itself.
struct SavedPage {
    /// The page's own bytes.
    private(set) var page: [UInt8] = []
    /// The encoding that the message says the page has.
    private(set) var charset: String?
    /// The page's own address.
    private(set) var location = ""
    private var files: [String: [UInt8]] = [:]
    /// What the page lies in, if it is a help file.
    private(set) var help: HelpFile?

    /// The MIME type of messages that are pages.
    static let archive = "application/x-mimearchive"
    /// Bytes that are read of a file.
    static let reach = 16 << 20

    /// Whether nothing lies beside the page.
    var isAlone: Bool { files.isEmpty && help == nil }

    /// Whether files of a type are pages with what belongs to them, which nobody else draws.
    static func packs(_ type: String) -> Bool { type == archive || type == HelpFile.type }

    /// A page alone.
    init(_ page: [UInt8]) { self.page = page }

    /// Reads the beginning of a file, or what is needed of a help file. That is read from later, too, for what its page names.
    /// - Throws: `corrupt` for a message without a page and a damaged help file, `empty` for one without pages, or what the input
    ///   throws.
    init(_ input: any RandomAccessInput, type: String) throws(PluginError) {
        if type == HelpFile.type {
            let help = try HelpFile(input)
            self.help = help
            guard let page = help[help.home] else {
                throw help.failure
                    ?? PluginError(.corrupt, "the first page of the help file, \(help.home.path), cannot be unpacked")
            }
            (self.page, location) = (page, HelpAddress.address(of: help.home.path))
            return
        }
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

    /// The page of the same help file at an address.
    /// - Parameter address: its whole address.
    /// - Returns: `nil` where no such page lies in it, and for one that was asked for before, since pages may lead to each other.
    func turned(to address: String) -> SavedPage? {
        guard let help, let page = help.unseenPage(at: address), let bytes = help[page] else { return nil }
        var other = self
        (other.page, other.location) = (bytes, address)
        return other
    }

    /// The bytes of a file by its whole address.
    /// - Returns: `nil` where it lies elsewhere.
    subscript(_ address: String) -> [UInt8]? { files[address] ?? help?[address] }

    private static func content(of part: MIMEPart, _ bytes: [UInt8]) -> [UInt8] {
        let start = min(max(0, Int(part.offset)), bytes.count)
        let end = min(bytes.count, start + max(0, Int(part.encodedSize)))
        return part.coding.decode(bytes[start..<end])
    }
}
