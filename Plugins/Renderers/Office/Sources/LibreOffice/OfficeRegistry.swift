internal import Glibc
internal import VitrineKit

/// The settings that LibreOffice is installed with, without those of its windows.
///
/// LibreOffice reads 3 MB of XML at its start and keeps it as objects: half of its heap before the first document. Two thirds
/// are labels of commands, keys, places of toolbars and the like, of which no drawing needs anything. What may be asked for is
/// still declared; there is nothing in it.
enum OfficeRegistry {
    /// Where a distribution's file of starting values names the layers of settings.
    private static let key = "CONFIGURATION_LAYERS="
    /// The layer of the installation itself (`configmgr` of LibreOffice), in front of its place.
    private static let layer = "xcsxcu:"

    /// Writes them, and has LibreOffice take them from there. Nothing happens where an installation looks otherwise than is
    /// known: LibreOffice then takes all of them.
    /// - Parameters:
    ///   - program: the folder of LibreOffice's programs.
    ///   - folder: for the settings; made.
    /// - Throws: `noSpace`, `forbidden` or `io` when they cannot be written.
    static func shorten(of program: String, in folder: String) throws(PluginError) {
        let source = program + "/../share/registry"
        let names = names(in: source).filter { $0.hasSuffix(".xcd") }
        guard names.contains("main.xcd"), let layers = layers(of: program, withOwn: folder) else { return }
        var files: [(name: String, bytes: [UInt8])] = []
        for name in names {
            guard let bytes = SmallFile.bytes(source + "/" + name) else { return }
            files.append((name, shortened(bytes)))
        }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw PluginError(errno: errno, "cannot make a folder for LibreOffice's settings")
        }
        for file in files { try SmallFile.write(file.bytes, to: folder + "/" + file.name) }
        setenv("CONFIGURATION_LAYERS", layers, 1)
    }

    /// A file of settings without the values of those that are left out.
    static func shortened(_ file: [UInt8]) -> [UInt8] {
        file.withUnsafeBytes { bytes in
            var kept: [UInt8] = []
            var at = 0
            while let start = bytes.offset(of: "<oor:component-data ", from: at),
                let head = bytes.offset(of: ">", from: start), let last = bytes.offset(of: lastTag, from: head)
            {
                let end = last + lastTag.utf8CodeUnitCount
                let isLeftOut = isForWindows(String(decoding: bytes[start..<head], as: UTF8.self))
                kept += bytes[at..<(isLeftOut ? start : end)]
                at = end
            }
            return kept + bytes[at...]
        }
    }

    private static let lastTag: StaticString = "</oor:component-data>"

    /// - Parameter tag: of a component's values, up to its end.
    private static func isForWindows(_ tag: String) -> Bool {
        guard let name = attribute("oor:name", of: tag) else { return false }
        switch attribute("oor:package", of: tag) {
        case "org.openoffice.Office.UI":
            return name.hasSuffix("Commands") || name.hasSuffix("WindowState")
                || ["Controller", "Sidebar", "ToolbarMode"].contains(name)
        case "org.openoffice.Office": return ["Accelerators", "PresenterScreen", "TableWizard"].contains(name)
        default: return false
        }
    }

    private static func attribute(_ name: String, of tag: String) -> Substring? {
        tag.firstRange(of: " \(name)=\"").map { tag[$0.upperBound...].prefix { $0 != "\"" } }
    }

    /// The layers as the installation has them, with another place in the stead of its own.
    private static func layers(of program: String, withOwn folder: String) -> String? {
        let lines = (SmallFile.read(program + "/fundamentalrc") ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix(key) }) else { return nil }
        var layers = line.dropFirst(key.count).split(separator: " ").map(String.init)
        guard let own = layers.firstIndex(where: { $0.hasPrefix(layer) }) else { return nil }
        layers[own] = layer + OfficeProfile.url(folder)
        return layers.joined(separator: " ")
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }
}
