import PlaceNames
public import VitrineKit

/// A place in an archive: `archive:` and the URI of the archive, which is an item of any other storage, then `!/` and
/// the member's path.
///
///     archive:file:///home/alice/photos.zip!/holiday/1.jpg
///     archive:s3://bucket/photos.zip!/holiday/1.jpg?endpoint=https://s3.example.org
///
/// All of it is percent-encoded as every URI. The first `!` before a `/`, or at the end, divides it: one that belongs to
/// the archive's own path is written `%21`, those of members stay as they are. A query is the archive's, and comes last,
/// as it does in the URIs of all items.
struct ArchiveAddress: Hashable, Sendable {
    /// The archive itself.
    let archive: SourceURI
    /// The whole archive as a source: with `!` at its end.
    let source: SourceURI
    /// The place in it.
    let path: ItemPath

    static let scheme = "archive"

    /// Takes a URI apart.
    /// - Returns: `nil` for those of other schemes.
    /// - Throws: `invalidArgument` when what follows the scheme is no URI, is itself in an archive, lies on another
    ///   machine, or leads nowhere.
    init?(_ uri: SourceURI) throws(PluginError) {
        guard uri.scheme == Self.scheme else { return nil }
        guard uri.authority == nil else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(uri.text))' is no URI of an archive: behind 'archive:' stands that of the archive, such "
                    + "as archive:file:///folder/photos.zip!/1.jpg")
        }
        let text = uri.text.utf8.dropFirst(Self.scheme.utf8.count + 1).prefix { $0 != UInt8(ascii: "?") }
        let (archive, member, _) = Self.divided(Array(text))
        let query = uri.query.map { "?" + $0 } ?? ""
        try self.init(
            archive: try SourceURI(String(decoding: archive, as: UTF8.self) + query),
            path: PercentEncoding.decode(String(decoding: member, as: UTF8.self)) ?? [])
    }

    /// Puts an address together.
    /// - Parameter path: of the member, with slashes at its ends or without.
    /// - Throws: as ``init(_:)``.
    init(archive: SourceURI, path: [UInt8]) throws(PluginError) {
        guard archive.scheme != Self.scheme else {
            throw PluginError(
                .invalidArgument,
                "'\(PlaceName.of(archive))' is in an archive itself, and archives in archives are not opened; "
                    + "unpack the outer one first")
        }
        self.archive = try archive.asHere { ItemLocation.normalized($0) }
        let slash = UInt8(ascii: "/")
        self.path = try ItemPath(path.trimmed(of: slash))
        let head = self.archive.text.prefix { $0 != "?" }.replacing("!", with: "%21")
        source = try SourceURI(
            "\(Self.scheme):\(head)!" + (self.archive.query.map { "?" + $0 } ?? ""))
    }

    /// Reads what stands behind `archive:` on a command line: a URI, or a path as people write it, with the member's
    /// path written in the same way. Without `!` it is the whole archive.
    /// - Throws: as ``init(_:)``.
    static func parse(
        _ text: [UInt8], workingFolder: [UInt8], schemes: Set<String>
    ) throws(PluginError) -> SourceURI {
        let address: ArchiveAddress?
        if ItemLocation.isURI(text, schemes) {
            var text = text
            let mark = text.firstIndex(of: UInt8(ascii: "?"))
            // A member behind the query, where the archive's own URI was copied as a whole.
            if let mark, divided(Array(text[..<mark])).isWhole {
                let (query, member, _) = divided(Array(text[mark...]))
                text = text[..<mark] + Array("!/".utf8) + member + query
            }
            address = try ArchiveAddress(
                SourceURI("\(scheme):" + String(decoding: text, as: UTF8.self)))
        } else {
            let (path, member, _) = divided(text)
            let archive = try ItemLocation.parse(path, workingFolder: workingFolder, schemes: [])
            address = try ArchiveAddress(archive: archive, path: member)
        }
        guard let address else { throw PluginError(.invalidArgument, "that is no URI of an archive") }
        return try address.uri
    }

    /// The place as a URI.
    var uri: SourceURI { get throws(PluginError) { try SourceURI(source.appending(path)) } }

    /// Whether a URI stands for a whole archive, which no folder holds.
    static func isWhole(_ uri: SourceURI) -> Bool {
        guard let address = try? ArchiveAddress(uri) else { return false }
        return address.path.isRoot
    }

    private static func divided(_ text: [UInt8]) -> (archive: [UInt8], member: [UInt8], isWhole: Bool) {
        let slash = UInt8(ascii: "/")
        let mark = text.indices.first {
            text[$0] == UInt8(ascii: "!") && ($0 + 1 == text.count || text[$0 + 1] == slash)
        }
        guard let mark else { return (text, [], true) }
        return (Array(text[..<mark]), Array(text[(mark + 1)...].drop { $0 == slash }), false)
    }
}

extension SourceURI {
    /// Whether it stands for all that is in an archive.
    public var isWholeArchive: Bool { ArchiveAddress.isWhole(self) }

    /// The places of what is in an archive that this is, or in those that lie below it; none for what is in an archive itself.
    public var archivePlaces: [String] {
        if scheme == ArchiveAddress.scheme { return [] }
        let head = "\(ArchiveAddress.scheme):" + text.prefix { $0 != "?" }.replacing("!", with: "%21")
        return [head, head + "!"].map { $0 + (query.map { "?" + $0 } ?? "") }
    }

    /// The last part of its path, without the mark behind a whole archive; empty when the path has none.
    public var lastName: [UInt8] {
        let last = path.split(separator: UInt8(ascii: "/")).last ?? []
        return Array(isWholeArchive && last.last == UInt8(ascii: "!") ? last.dropLast() : last)
    }
}

extension [UInt8] {
    fileprivate func trimmed(of byte: UInt8) -> ArraySlice<UInt8> {
        var rest = drop { $0 == byte }
        while rest.last == byte { rest.removeLast() }
        return rest
    }
}
