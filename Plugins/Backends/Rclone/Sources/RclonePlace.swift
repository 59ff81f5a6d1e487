import Transfer
import VitrineKit

/// The root of a source, as rclone names it.
struct RclonePlace: Sendable {
    /// The remote and a folder of it: what rclone calls a file system.
    private let fs: String
    /// The rest of the way to the root, where that cannot be part of `fs`.
    private let prefix: ItemPath
    /// The remote as people know it; options that may hold secrets are left out.
    let name: String

    init(_ source: SourceURI) throws(PluginError) {
        let shown = DisplayText.of(source.text)
        guard source.scheme == "rclone", source.authority == nil, source.query == nil,
            let text = String(validating: source.path, as: UTF8.self)
        else { throw PluginError(.invalidArgument, "'\(shown)' names no remote: write rclone:remote:path") }
        guard let colon = Self.end(ofRemote: text), colon > text.startIndex else {
            throw PluginError(
                .invalidArgument,
                "'\(shown)' names no remote: write rclone:remote:path, with a remote of 'rclone listremotes'")
        }
        let remote = text[...colon]
        name = DisplayText.of(String(remote.prefix { $0 != "," && $0 != "=" })) + (remote.contains(",") ? "…:" : "")
        let path = text[text.index(after: colon)...]
        let components = path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
        _ = try ItemPath(Array(components.joined(separator: [UInt8(ascii: "/")])))
        // An address of content ends the file system's name at a bracket.
        guard !remote.contains("]") else {
            throw PluginError(.invalidArgument, "'\(shown)' has a ']' in its remote, which rclone cannot serve")
        }
        let plain = components.prefix { !$0.contains(UInt8(ascii: "]")) }
        let slash: [UInt8] = [UInt8(ascii: "/")]
        fs =
            remote + (path.hasPrefix("/") ? "/" : "")
            + String(decoding: Array(plain.joined(separator: slash)), as: UTF8.self)
        prefix = try ItemPath(Array(components.dropFirst(plain.count).joined(separator: slash)))
    }

    /// The colon behind a remote; those in quotes are part of its options.
    private static func end(ofRemote text: String) -> String.Index? {
        var quote: UInt8?
        // One in front means a remote that has no name.
        for index in text.utf8.indices.dropFirst() {
            let byte = text.utf8[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ":") {
                return index
            } else if byte == UInt8(ascii: "/") {
                return nil
            }
        }
        return nil
    }

    /// File system and path for the remote control.
    func names(of path: ItemPath) throws(PluginError) -> (fs: String, remote: String) {
        let whole = prefix.isRoot ? path.bytes : prefix.bytes + (path.isRoot ? [] : [UInt8(ascii: "/")]) + path.bytes
        guard let remote = String(validating: whole, as: UTF8.self) else {
            throw PluginError(.notFound, "\(path.shown) is no text in UTF-8, which rclone's names are")
        }
        return (fs, remote)
    }

    /// The address of a file's content.
    func url(of path: ItemPath) throws(PluginError) -> TransferURL {
        let (fs, remote) = try names(of: path)
        return try TransferURL(
            "http://rclone/" + PercentEncoding.encodeComponent("[\(fs)]/\(remote)".utf8, keepsSlash: true))
    }
}
