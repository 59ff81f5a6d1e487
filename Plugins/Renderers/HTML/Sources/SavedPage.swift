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
    /// Where the pages stand in the help file that were turned to.
    private var turned: Set<Int> = []

    /// The MIME type of messages that are pages.
    static let archive = "application/x-mimearchive"
    /// Bytes that are read of a file.
    static let reach = 16 << 20
    /// Pages of a help file that lead from one to the next.
    private static let mostTurned = 4

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
            guard turn(to: HelpAddress.address(of: help.home)) else {
                throw help.failure
                    ?? PluginError(.corrupt, "the first page of the help file, \(help.home), cannot be unpacked")
            }
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

    /// Turns to a page of the help file.
    /// - Parameter address: its whole address.
    /// - Returns: whether it did: not where no such page lies in it, to one that it showed before, or once too often.
    mutating func turn(to address: String) -> Bool {
        guard let help, turned.count < Self.mostTurned, let place = help.place(of: address), !turned.contains(place),
            let page = help[address],
            HelpAddress.spellings(of: address).contains(where: { HelpFile.isPage($0) || HelpFile.isPage($0, page) })
        else { return false }
        turned.insert(place)
        (self.page, location) = (page, address)
        return true
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
