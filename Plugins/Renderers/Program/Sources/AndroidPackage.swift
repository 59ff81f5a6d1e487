internal import ArchiveReading
internal import PictureDecoding
internal import VitrineKit

/// A package of Android: the icon that its manifest names, else one that is called as such icons are.
///
/// Icons that are drawn in layers (adaptive ones, in XML) are passed over for the pictures that older versions show instead.
enum AndroidPackage: ProgramFormat {
    static func begins(_ head: [UInt8]) -> Bool { Archive.beginsAsZip(head) }

    /// Bytes of the manifest and of the table of resources, at most; pictures that are tried.
    private static let longestManifest = 8 << 20, longestTable = 64 << 20, mostTried = 8
    /// Pixels across of an icon on a screen of 160 dots an inch.
    private static let baseSide = 48

    static func icon(
        of input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Rendering? {
        let archive = try Archive(input)
        let table = try content("resources.arsc", of: archive, limit: longestTable).flatMap { AndroidResources($0) }
        let manifest = try content("AndroidManifest.xml", of: archive, limit: longestManifest).map(AndroidManifest.init)
        var icon = try picture(manifest?.texts(of: manifest?.icon, table) ?? [], of: archive, box, decoder)
        if case .success = icon {
        } else {
            let other = try picture(usual(archive), of: archive, box, decoder)
            if other != nil { icon = other }
        }
        guard let icon else {
            if let failure = archive.failure { throw failure }
            return nil
        }
        let label = manifest?.texts(of: manifest?.label, table).first
        return Rendering(try icon.get().bitmap, facts: Facts(title: label.flatMap { Facts.line($0.text) }))
    }

    /// The smallest of some pictures that fills the box, else the largest, or why none can be decoded.
    /// - Returns: `nil` when there are none.
    private static func picture(
        _ icons: [AndroidResources.Text], of archive: Archive, _ box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Result<DecodedPicture, PluginError>? {
        var search = IconSearch(box: box, decoder)
        for name in inOrder(icons, box) where !search.isOver {
            guard let file = archive.members.first(where: { $0.name.elementsEqual(name.utf8) }) else { continue }
            try search.look { () throws(PluginError) in try archive.contents(of: file) }
        }
        return search.found
    }

    /// Pictures by their paths, in the order in which they are tried: those for the screen on which the icon just fills the
    /// box, for finer ones, then for coarser ones.
    private static func inOrder(_ icons: [AndroidResources.Text], _ box: Int) -> [String] {
        let wanted = box * 160 / baseSide
        let pictures = icons.filter { !$0.text.hasSuffix(".xml") }
        return pictures.sorted { a, b in
            a.density >= wanted && b.density >= wanted ? a.density < b.density : a.density > b.density
        }.prefix(mostTried).map(\.text)
    }

    /// Pictures that are called as the icons of most programs are, in folders for screens of a density.
    private static func usual(_ archive: Archive) -> [AndroidResources.Text] {
        archive.members.compactMap { member in
            let parts = String(decoding: member.name, as: UTF8.self).split(separator: "/")
            guard member.isFile, parts.count == 3, parts[0] == "res", names.contains(String(parts[2])),
                parts[1].hasPrefix("mipmap") || parts[1].hasPrefix("drawable")
            else { return nil }
            let density = parts[1].split(separator: "-").compactMap { densities[String($0)] }.first
            return AndroidResources.Text(text: parts.joined(separator: "/"), density: density ?? 160)
        }
    }

    private static let names = Set(
        ["ic_launcher", "app_icon", "ic_launcher_round", "icon"].flatMap { [$0 + ".png", $0 + ".webp"] })
    private static let densities = [
        "ldpi": 120, "mdpi": 160, "hdpi": 240, "xhdpi": 320, "xxhdpi": 480, "xxxhdpi": 640,
    ]

    /// - Returns: `nil` when it is not there, damaged or encrypted: the icon may still be found without it.
    private static func content(_ name: String, of archive: Archive, limit: Int) throws(PluginError) -> [UInt8]? {
        guard let member = archive.members.first(where: { $0.name.elementsEqual(name.utf8) }) else { return nil }
        do throws(PluginError) { return try archive.contents(of: member, limit: limit) } catch {
            guard error.isOfMember else { throw error }
            return nil
        }
    }
}
