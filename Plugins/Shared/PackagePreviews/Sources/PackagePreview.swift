package import ArchiveReading
package import PictureDecoding
package import VitrineKit
internal import WorkDocuments

/// The picture that a program left in its zip file.
package struct PackagePreview {
    /// The smallest one that is large enough, else the largest.
    package let picture: DecodedPicture
    /// Whether it is all that the file shows, at its own size, and no preview of that.
    package let isWhole: Bool

    /// Where programs put previews.
    private static let previews: Set<[UInt8]> = Set(
        [
            // Krita, Adobe XD; OpenRaster (its specification, section File Layout), XMind and MuseScore. Procreate has it as
            // iWork does.
            "preview.png", "Thumbnails/thumbnail.png",
            // 3MF (Core Specification, 6.1) as most programs name it, and as slicers do; FreeCAD.
            "Metadata/thumbnail.png", "Metadata/plate_1.png", "thumbnails/Thumbnail.png",
            // Sketch; Figma and Adobe XD; GeoGebra; Hangul (HWPX); CorelDRAW, and before its version X6.
            "previews/preview.png", "thumbnail.png", "geogebra_thumbnail.png", "Preview/PrvImage.png",
            "previews/thumbnail.png", "metadata/thumbnails/thumbnail.bmp",
        ].map { Array($0.utf8) }
    ).union(ofWork)
    /// Where iWork does.
    package static let ofWork = Set(WorkDocument.previews.map { Array($0.utf8) })
    /// What painting programs keep of a picture as a whole, beside its layers.
    private static let whole = Array("mergedimage.png".utf8)

    /// What files without a type of their own are known by: the preview, and the name of a member beside it, in
    /// whatever folder, or its end where it begins with a dot.
    private static let programs: [(preview: [UInt8], beside: [UInt8])] = [
        ("previews/preview.png", "document.json"), ("Thumbnails/thumbnail.png", "content.json"),
        ("Thumbnails/thumbnail.png", "content.xml"), ("Thumbnails/thumbnail.png", ".mscx"),
        ("QuickLook/Thumbnail.png", "Document.archive"), ("geogebra_thumbnail.png", "geogebra.xml"),
        ("thumbnail.png", "canvas.fig"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

    /// Whether an archive of which only is known that it is a zip file, whose list is whole, is the file of such a program: of Sketch, XMind,
    /// MuseScore, Procreate, GeoGebra or Figma.
    package static func isIn(_ archive: Archive) -> Bool {
        guard archive.isZip else { return false }
        return programs.contains { program in
            archive.members.contains { $0.isApart && $0.name == program.preview }
                && archive.members.contains { isNamed($0.name, program.beside) }
        }
    }

    private static func isNamed(_ path: [UInt8], _ beside: [UInt8]) -> Bool {
        guard path.suffix(beside.count).elementsEqual(beside) else { return false }
        return beside.first == UInt8(ascii: ".") || path.count == beside.count
            || path[path.count - beside.count - 1] == UInt8(ascii: "/")
    }

    /// Finds and decodes it.
    /// - Parameters:
    ///   - archive: the file.
    ///   - decoder: decodes pictures.
    ///   - request: says how large it is wanted, and whether previews are.
    ///   - names: what it may be called, and nothing else; `nil` for what any program calls it.
    /// - Throws: `unsupported` where there is none, or none but previews when these are not wanted; `locked`, `corrupt`,
    ///   `limitExceeded`, or what the input throws.
    package init(
        of archive: Archive, _ decoder: PictureDecoder, _ request: RenderRequest, named names: Set<[UInt8]>? = nil
    ) throws(PluginError) {
        let previews = names ?? Self.previews
        var seen: Set<[UInt8]> = []
        // One that is there several times is no file of these programs.
        var found = archive.members.filter { member in
            (names == nil && member.name == Self.whole || request.embedded != .never && previews.contains(member.name))
                && seen.insert(member.name).inserted
        }.sorted { ($0.size ?? .max) < ($1.size ?? .max) }
        // Where all that stands before a picture has to be unpacked for it, this is done for one, the largest.
        if !found.allSatisfy(\.isApart) { found = found.suffix(1) }
        var best: (picture: DecodedPicture, isWhole: Bool)?
        var failure = archive.lacks(
            PluginError(.unsupported, "the file has no preview in it, and nothing else of it can be drawn"))
        for member in found {
            do throws(PluginError) {
                let picture = try decoder.preview(try archive.contents(of: member), box: request.box)
                if picture.side > best?.picture.side ?? 0 { best = (picture, member.name == Self.whole) }
                if picture.side >= request.box { break }
            } catch {
                guard error.isOfMember else { throw error }
                failure = error
            }
        }
        guard let best else { throw failure }
        (picture, isWhole) = best
    }

    /// The picture, with what is known of it.
    package var rendering: Rendering {
        var rendering = Rendering(picture.bitmap, facts: Facts(size: isWhole ? picture.size : nil))
        if !isWhole { rendering.embedded = Self.kind }
        return rendering
    }

    /// What previews are called among the pictures inside of files.
    package static let kind = "preview of its program"
}

extension DecodedPicture {
    /// The longer side of the whole picture.
    fileprivate var side: Int { max(size.width, size.height) }
}
