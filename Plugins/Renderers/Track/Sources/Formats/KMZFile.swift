internal import ArchiveReading
internal import VitrineKit

/// A KML document and what belongs to it, in a zip file (OGC KML 2.2, annex C).
enum KMZFile {
    /// Bytes of the document, once it is unpacked.
    private static let longest = 256 << 20

    /// The document: `doc.kml`, else the first one that lies least deep.
    /// - Throws: `corrupt` when there is none, `encrypted`, `limitExceeded`, or what the input throws.
    static func document(_ input: any RandomAccessInput) throws(PluginError) -> [UInt8] {
        var limits = ArchiveLimits()
        limits.member = longest
        limits.ratio = 1000
        let archive = try Archive(input, limits: limits)
        let documents = archive.members.filter {
            $0.isFile && String(decoding: $0.name.suffix(4), as: UTF8.self).lowercased() == ".kml"
        }
        let root = documents.min { depth($0) < depth($1) }
        guard let document = documents.first(where: { $0.name.elementsEqual("doc.kml".utf8) }) ?? root else {
            throw archive.lacks(PluginError(.corrupt, "the KMZ file has no KML document in it"))
        }
        return try archive.contents(of: document)
    }

    private static func depth(_ member: ArchiveMember) -> Int { member.name.count { $0 == UInt8(ascii: "/") } }
}

extension KMLListener {
    /// Why there is nothing to draw.
    var emptiness: String {
        if hasLinks { return "the KML document has no coordinates of its own: it names others, which are not fetched" }
        if hasOverlays { return "the KML document has no coordinates of places, only pictures that lie on the ground" }
        return "the KML document has no coordinates: none of its placemarks has a geometry"
    }
}
