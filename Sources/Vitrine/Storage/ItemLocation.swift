import Accounts
import PlaceNames
public import VitrineKit

/// What somebody pointed at: a source, or one item in it.
public struct ItemLocation: Hashable, Sendable {
    /// The source: the folder itself, or the folder that holds the item.
    public var source: SourceURI
    /// The item in it, or the root.
    public var path: ItemPath

    /// Its URI.
    public var uri: String { source.appending(path) }

    /// Reads a path or a URI, as people write it on a command line.
    ///
    /// Text with a scheme that some backend serves (`file:`, `rclone:` …), or with `://`, is a URI. All else is a path, taken from the
    /// working folder, with `.`, `..` and doubled slashes removed as GLib does it: in the text, without asking the
    /// file system, so that the URI is the one that file managers use.
    /// - Parameters:
    ///   - text: a path or URI, as bytes.
    ///   - workingFolder: an absolute path.
    ///   - schemes: the schemes that count.
    /// - Throws: `invalidArgument` for an empty text, a NUL byte, a broken URI, one with a password, or a `file:` URI of
    ///   another machine.
    public static func parse(
        _ text: [UInt8], workingFolder: [UInt8], schemes: Set<String>
    ) throws(PluginError) -> SourceURI {
        guard !text.isEmpty else { throw PluginError(.invalidArgument, "an empty text is no path") }
        guard !text.contains(0) else { throw PluginError(.invalidArgument, "a path cannot hold a NUL byte") }
        if isURI(text, schemes) {
            let uri = try parsed(text, workingFolder: workingFolder, schemes: schemes)
            try ((try? ArchiveAddress(uri))?.archive ?? uri).checkNoPassword()
            return uri
        }
        return file(text, workingFolder: workingFolder)
    }

    /// Reads a path, whatever it looks like.
    /// - Parameters:
    ///   - path: not empty, without NUL bytes.
    ///   - workingFolder: an absolute path.
    static func file(_ path: [UInt8], workingFolder: [UInt8]) -> SourceURI {
        let slash = UInt8(ascii: "/")
        return SourceURI(file: normalized(path.first == slash ? path : workingFolder + [slash] + path))
    }

    private static func parsed(
        _ text: [UInt8], workingFolder: [UInt8], schemes: Set<String>
    ) throws(PluginError) -> SourceURI {
        if schemes.contains(ArchiveAddress.scheme), let colon = text.firstIndex(of: UInt8(ascii: ":")),
            String(decoding: text[..<colon], as: UTF8.self).lowercased() == ArchiveAddress.scheme
        {
            let rest = Array(text[(colon + 1)...])
            return try ArchiveAddress.parse(rest, workingFolder: workingFolder, schemes: schemes)
        }
        return try SourceURI(String(decoding: text, as: UTF8.self)).asHere { normalized($0) }
    }

    /// Whether text is a URI and no path.
    static func isURI(_ text: [UInt8], _ schemes: Set<String>) -> Bool {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return schemes.contains(String(decoding: text[..<colon], as: UTF8.self).lowercased())
            || looksLikeURI(text, colon)
    }

    /// Whether text is a URI with `://` behind its scheme, or that of an archive with such a URI behind `archive:`.
    static func isURIWithSlashes(_ text: [UInt8], _ schemes: Set<String>) -> Bool {
        let scheme = Array("\(ArchiveAddress.scheme):".utf8)
        let head = String(decoding: text.prefix(scheme.count), as: UTF8.self).lowercased()
        let uri = head.utf8.elementsEqual(scheme) ? Array(text.dropFirst(scheme.count)) : text
        guard let colon = uri.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return uri[(colon + 1)...].starts(with: "//".utf8) && isURI(uri, schemes)
    }

    /// The location as one item of the folder that holds it, for URIs that name a file; of a member of an archive, as an
    /// item of the whole archive.
    /// - Throws: `invalidArgument` when there is nothing above it.
    public init(item uri: SourceURI) throws(PluginError) {
        if let address = try ArchiveAddress(uri) {
            guard !address.path.isRoot else {
                throw PluginError(
                    .invalidArgument,
                    "'\(PlaceName.of(uri))' is a whole archive, not a file in one; its members follow behind '!/'")
            }
            (source, path) = (address.source, address.path)
            return
        }
        let path = uri.path
        // `mail:inbox/a.pdf` has no slash of its own to begin with.
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        // `drive:a.pdf` of `rclone:drive:a.pdf` has none at all: what stands before the colon is no part of the name.
        let colon = slash == nil ? path.dropFirst().firstIndex(of: UInt8(ascii: ":")) : nil
        let nameStart = (slash ?? colon).map { $0 + 1 } ?? 0
        guard nameStart < path.count else {
            throw PluginError(.invalidArgument, "'\(PlaceName.of(uri))' is a source, not a file in one")
        }
        let name = Array(path[nameStart...])
        let folder = slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<(slash ?? nameStart)])
        if uri.scheme == "file" {
            source = try uri.asHere { _ in folder }
        } else {
            let encoded = uri.authority.map { "\(uri.scheme)://\($0)" } ?? "\(uri.scheme):"
            source = try SourceURI(
                encoded + PercentEncoding.encode(folder) + (uri.query.map { "?" + $0 } ?? ""))
        }
        self.path = try ItemPath(name)
    }

    /// `s3://…`, also when no backend serves it: that there is none is then said, instead of looking for a folder `s3:`.
    private static func looksLikeURI(_ text: [UInt8], _ colon: Int) -> Bool {
        text[(colon + 1)...].starts(with: "//".utf8) && colon > 1
            && text[..<colon].allSatisfy {
                Character(UnicodeScalar($0)).isLetter || Character(UnicodeScalar($0)).isNumber
            }
    }

    static func normalized(_ path: [UInt8]) -> [UInt8] {
        var parts: [ArraySlice<UInt8>] = []
        for part in path.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual(".".utf8) { continue }
            if part.elementsEqual("..".utf8) {
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        return [UInt8(ascii: "/")] + Array(parts.joined(separator: [UInt8(ascii: "/")]))
    }
}
