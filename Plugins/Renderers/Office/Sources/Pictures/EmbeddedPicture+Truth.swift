internal import VitrineKit

extension EmbeddedPicture {
    /// The most bytes of the properties that are unpacked.
    private static let propertiesLimit = 1 << 20

    /// Whether the picture is one of the document as it is. Programs that fill templates (pandoc, libraries of Python, Java and
    /// JavaScript, mail merges) keep the picture of the template.
    /// - Parameter name: the part that it is.
    static func isTrue(
        _ name: String, _ archive: ZipDirectory, _ input: any RandomAccessInput, _ format: DocumentFormat
    ) throws(PluginError) -> Bool {
        // Microsoft's programs date no part, and those programs the parts that they write.
        guard format.packing == .openDocument else { return archive.entries.allSatisfy { $0.minute == nil } }
        func minute(_ name: String) -> Int? { archive.entries.first { $0.name == name }?.minute }
        // Office suites date all parts, and write them within moments.
        guard let written = minute("content.xml"), let drawn = minute(name), written <= drawn + 1,
            let properties = try archive.unpacked("meta.xml", limit: propertiesLimit, in: input)
        else { return false }
        let text = String(decoding: properties, as: UTF8.self)
        guard let mark = text.firstRange(of: "<meta:generator>") else { return false }
        let generator = text[mark.upperBound...].prefix { $0 != "<" }
        return paints(generator)
    }

    /// Whether a program draws what it writes so that it can be seen. OpenOffice and what is like it (StarOffice, NeoOffice,
    /// Symphony, and LibreOffice at first) leave out points where they make a page small (docs/adr/0012).
    /// - Parameter generator: its name and version, such as `LibreOffice/7.2.4.1$Linux_X86_64 …`.
    private static func paints(_ generator: Substring) -> Bool {
        if generator.hasPrefix("KOffice") || generator.hasPrefix("Calligra") { return true }
        guard generator.hasPrefix("LibreOffice") || generator.hasPrefix("Collabora") else { return false }
        let version = generator.drop { $0 != "/" }.dropFirst().prefix { $0.isASCII && $0.isNumber }
        return Int(version).map { $0 >= 5 } ?? false
    }
}
