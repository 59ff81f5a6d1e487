internal import ArchiveReading
internal import PackagePreviews
internal import PictureDecoding
internal import TextDrawing
public import VitrineKit

/// Draws what is in an archive, with libarchive and pango: a contact sheet of its first pictures where it holds mainly
/// such, else the list of its topmost names with their sizes. What is known to be a program's file is shown by the picture
/// that this left in it.
///
/// Torrents, which are lists of files that lie elsewhere, are drawn as such lists.
///
/// Archives inside of it are files like any other, and nothing is ever unpacked to a disk.
public final class ArchiveRenderer: Renderer {
    private let decoder: PictureDecoder

    /// Loads fonts, and what libarchive loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try ArchiveLibrary.warmUp()
        try DrawingLibrary.warmUp()
        MemberNames.warmUp()
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Draws an archive, which has one page and no moments.
    /// - Throws: `empty` when there is nothing in it, `locked` when a password is needed for any part, `unsupported` for documents,
    ///   scenes without a picture, discs of UDF and later parts of an archive, `corrupt`, `limitExceeded`, `invalidArgument` for another page or a moment,
    ///   or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        if request.mimeType == TorrentFile.type { return try torrent(input, request) }
        try request.checkSinglePicture(in: "the archive")
        let archive = try Self.archive(input)
        guard !archive.members.contains(where: \.isEncrypted) else {
            throw PluginError(.locked, "the archive needs a password")
        }
        guard !Self.isDocument(archive) else {
            throw PluginError(
                .unsupported, "the archive is a document, which is not drawn as the files that it is made of")
        }
        let contents = ArchiveContents(archive)
        guard !contents.isEmpty else {
            throw try Self.unlisted(input) ?? archive.lacks(PluginError(.empty, "there is nothing in the archive"))
        }
        var facts = Facts()
        if contents.isWhole { facts.set(.members, Double(contents.files)) }
        if request.wantsText { facts.text = contents.text }
        if request.embedded != .never, PackagePreview.isIn(archive),
            let rendering = try preview(archive, request, facts)
        {
            return rendering
        }
        if request.embedded != .never, let scene = try scene(archive, request) {
            var rendering = Rendering(scene, facts: facts)
            rendering.embedded = PackagePreview.kind
            return rendering
        }
        if ArchiveKind.isPackedFile(request.mimeType), try Self.isDiagram(archive) { throw PackedDiagram.reason }
        if !Self.programs.contains(request.mimeType), let pictures = contents.pictures,
            // Of an archive that lies elsewhere each picture has to be fetched.
            let sheet = try ContactSheet(
                archive, pictures, decoder, box: request.box,
                enough: input.fileDescriptor == nil ? ContactSheet.enoughFromElsewhere : .max)
        {
            return Rendering(try sheet.drawn(contents, box: request.box), facts: facts)
        }
        return Rendering(try list(contents, request), facts: facts)
    }

    private static func archive(_ input: any RandomAccessInput) throws(PluginError) -> Archive {
        do throws(PluginError) { return try Archive(input) } catch {
            guard error.code == .corrupt, let reason = try unlisted(input) else { throw error }
            throw reason
        }
    }

    /// Why nothing of a file can be listed that is neither empty nor damaged.
    private static func unlisted(_ input: any RandomAccessInput) throws(PluginError) -> PluginError? {
        if let reason = LaterVolume.reason(try input.head(LaterVolume.headLength)) { return reason }
        return try UniversalDisc.isIn(input) ? UniversalDisc.reason : nil
    }

    private func list(_ contents: ArchiveContents, _ request: RenderRequest) throws(PluginError) -> Bitmap {
        let page = try Page.forList(of: contents, box: request.box)
        page.draw(contents, request.mimeType)
        return try page.finish()
    }

    /// A torrent, by the files that it is about.
    private func torrent(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try request.checkSinglePicture(in: "the torrent")
        try input.checkNotEmpty("the torrent")
        return try input.withContents(limit: Self.longestTorrent) { bytes throws(PluginError) in
            let torrent = try TorrentFile(bytes)
            let contents = ArchiveContents(torrent.members, isWhole: torrent.isWhole)
            guard !contents.isEmpty else { throw PluginError(.empty, "there are no files in the torrent") }
            var facts = Facts(title: Facts.line(DisplayText.of(torrent.name)))
            if contents.isWhole { facts.set(.members, Double(contents.files)) }
            facts.set(.created, torrent.created.flatMap { FactDate(secondsSince1970: $0)?.text })
            if request.wantsText {
                facts.text = Facts.bounded([torrent.comment, contents.text].compactMap { $0 }.joined(separator: "\n"))
            }
            return Rendering(try list(contents, request), facts: facts)
        }
    }

    /// Bytes of a torrent: those of a million pieces of a file.
    private static let longestTorrent: Int64 = 64 << 20

    /// The picture that a program left in its file, which has no type of its own.
    /// - Returns: `nil` when it is damaged: what is in the file is still known.
    private func preview(
        _ archive: Archive, _ request: RenderRequest, _ facts: Facts
    ) throws(PluginError) -> Rendering? {
        do throws(PluginError) {
            var rendering = try PackagePreview(of: archive, decoder, request).rendering
            rendering.facts = facts
            return rendering
        } catch {
            guard error.isOfMember else { throw error }
            return nil
        }
    }

    /// The picture in a scene of Blender that is packed.
    /// - Returns: `nil` when it is no scene, or damaged.
    /// - Throws: `unsupported` when it is packed by itself and no picture is in it: a list of one file would say nothing.
    private func scene(_ archive: Archive, _ request: RenderRequest) throws(PluginError) -> Bitmap? {
        do throws(PluginError) { return try BlenderScene.packed(in: archive) } catch {
            let isTold = error.code == .unsupported && ArchiveKind.isPackedFile(request.mimeType)
            guard error.isOfMember, !isTold else { throw error }
            return nil
        }
    }

    /// Whether it is a diagram of Dia. What cannot be unpacked is none.
    private static func isDiagram(_ archive: Archive) throws(PluginError) -> Bool {
        do throws(PluginError) { return try PackedDiagram.isIn(archive) } catch {
            guard error.isOfMember else { throw error }
            return false
        }
    }

    /// Whether it is one of Office Open XML (ISO/IEC 29500-2, 10), OpenDocument or EPUB (OCF 3.3, 4.3). Their own
    /// renderers draw them, or say why they cannot be drawn.
    private static func isDocument(_ archive: Archive) -> Bool {
        archive.members.first?.name.elementsEqual("mimetype".utf8) == true
            || archive.members.contains { member in
                ["[Content_Types].xml", "_rels/.rels"].contains { member.name.elementsEqual($0.utf8) }
            }
    }

    /// Their pictures are buttons and icons.
    private static let programs: Set = [
        "application/java-archive", "application/x-java-archive", "application/vnd.android.package-archive",
        "application/x-xpinstall", "application/vnd.debian.binary-package", "application/x-deb", "application/x-rpm",
        "application/x-source-rpm",
    ]
}
