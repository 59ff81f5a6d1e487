import PluginHost
import VitrineKit

// The step of an item in which a document that is packed by itself (report.pdf.gz) is unpacked, so that it is drawn as what
// it is and not as an archive of one file.
extension PreviewPipeline {
    /// A file that may be a document that is packed by itself.
    struct PackedFile {
        /// Who would draw it as an archive.
        var archiver: InstalledPlugin
        /// What the document is called, as far as the file's name tells.
        var name: [UInt8]
    }

    /// Whether something is packed by itself, as far as can be told without unpacking it. What an archive holds is no business
    /// of this, and neither are files that somebody draws as they are, such as packed drawings (svgz). In archives it stays
    /// packed.
    /// - Parameter file: its renderers are those who would draw it as an archive.
    func packing(of file: KnownItem) -> PackedFile? {
        let item = file.open.item
        guard let archiver = file.renderers.first,
            let declared = registry.declaredType(for: file.type.mimeType, by: archiver),
            Packing.types.contains(declared),
            let name = Packing.unpackedName(item.path.name, in: item.storage.source.scheme),
            file.open.entry.size.map({ $0 <= Packing.largestFile }) ?? false,
            mayBeDrawn(name, by: archiver)
        else { return nil }
        return PackedFile(archiver: archiver, name: name)
    }

    /// Unpacks what is packed by itself.
    ///
    /// A contained worker unpacks it, within the bounds for members of archives: no more bytes than a member may have, and
    /// not many times the bytes that are packed.
    /// - Parameters:
    ///   - open: the packed file.
    ///   - packing: what ``packing(of:)`` says of it.
    ///   - urgency: of the drawing, and so of what must be done before.
    /// - Returns: `nil` when it is no such file, when it cannot be unpacked, or when nobody draws what is in it: then it is
    ///   what it was.
    /// - Throws: what passes by itself: `changed`, `cancelled`, `workerLost`, or what its storage throws.
    func packedDocument(
        _ open: OpenItem, _ packing: PackedFile, _ order: RenderOrder, _ urgency: Urgency
    ) async throws(PluginError) -> KnownItem? {
        let inner: OpenItem
        do throws(PluginError) {
            guard let found = try await unpacked(open.item, order, urgency) else { return nil }
            inner = found
        } catch {
            // The last two are about what unpacks it, not about the file, which somebody draws as an archive.
            guard error.isPermanent || error.code == .invalidArgument || error.code == .pluginUnavailable else {
                throw error
            }
            return nil
        }
        let size = inner.entry.size ?? Int64(inner.head.count)
        let sniffed = sniffer.type(head: inner.head, name: packing.name, size: size)
        let content = registry.drawnType(of: sniffed, head: inner.head)
        let drawers = registry.renderers(for: content.mimeType)
        guard !inner.isEmpty, let first = drawers.first, first.manifest.id != packing.archiver.manifest.id,
            first.foreign == nil
        else { return nil }
        open.inner = inner
        return KnownItem(open: inner, type: content, renderers: drawers)
    }

    /// Who draws files of a type, as far as type and name tell: of a packed document who draws what its name says that it is.
    /// - Parameter scheme: that of the file's source.
    func likelyRenderer(of type: String, named name: [UInt8], in scheme: String) -> InstalledPlugin? {
        likelyRenderers(among: registry.renderers(for: type), of: type, named: name, in: scheme).first
    }

    /// The same, and after it those who are asked when it refuses the file.
    /// - Parameter renderers: those of the type.
    func likelyRenderers(
        among renderers: [InstalledPlugin], of type: String, named name: [UInt8], in scheme: String
    ) -> [InstalledPlugin] {
        guard let first = renderers.first, let inner = Packing.unpackedName(name, in: scheme),
            let declared = registry.declaredType(for: type, by: first), Packing.types.contains(declared)
        else { return renderers }
        // What cannot be unpacked is drawn as what it is.
        return registry.renderers(for: sniffer.type(name: inner).mimeType) + renderers
    }

    /// What a name says that is packed in the file; `nil` when it does not say that it is packed. Files with the same bytes
    /// are drawn in the same way only if this is the same of both.
    /// - Parameter scheme: that of the file's source.
    func packedType(_ name: [UInt8], in scheme: String) -> String? {
        Packing.unpackedName(name, in: scheme).map { sniffer.type(name: $0).mimeType }
    }

    /// Whether somebody else than the archiver draws files of a name, or the name does not tell.
    private func mayBeDrawn(_ name: [UInt8], by archiver: InstalledPlugin) -> Bool {
        let type = sniffer.type(name: name).mimeType
        guard let first = registry.renderers(for: type).first else { return type == "application/octet-stream" }
        return first.manifest.id != archiver.manifest.id
    }

    /// Unpacks the one file that a packed file holds.
    /// - Returns: `nil` when it holds several, or none.
    private func unpacked(
        _ item: Item, _ order: RenderOrder, _ urgency: Urgency
    ) async throws(PluginError) -> OpenItem? {
        let address = try ArchiveAddress(archive: SourceURI(item.uri), path: [])
        let archive = OpenArchive(
            address.source, in: item.storage, at: item.path, containers, keepsMembers: false, urgency)
        let contents = try await archive.contents()
        guard contents.tree.members.count == 1, let path = contents.paths[0],
            let entry = contents.tree[path]?.entry, entry.kind == .file
        else { return nil }
        let storage = Storage(
            source: address.source, backend: ArchiveBackend(archive, base: .root),
            seconds: StorageRegistry.secondsOfArchives)
        return try await OpenItem(Item(storage: storage, path: path, entry: entry), blocks, order.limits)
    }
}
