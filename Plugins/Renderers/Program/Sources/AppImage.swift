internal import CompoundFiles
internal import PictureDecoding
internal import VitrineKit

/// An AppImage of the second type (its specification, "Image format"): a program that starts what is in the file system behind
/// it. Shown by its `.DirIcon`, or by a larger picture of the same icon.
enum AppImage: ProgramFormat {
    static func begins(_ head: [UInt8]) -> Bool {
        // Other programs for Linux, some of which have the name of an AppImage, begin alike.
        head.starts(with: [0x7F, 0x45, 0x4C, 0x46])
    }

    /// Bytes of an icon, and of the entry for menus.
    private static let longestIcon = 16 << 20, longestEntry = 256 << 10
    private static let names = (icon: ".DirIcon", entry: ".desktop")
    /// Sides of icons as the icon theme has them, in the order in which they are tried.
    private static let sides = [256, 512, 1024, 128, 96, 64, 48]

    static func icon(
        of input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Rendering? {
        let head = try input.head(ProgramRenderer.headLength)
        if head.holds([0x41, 0x49, 1], at: 8) {
            throw PluginError(
                .unsupported, "the AppImage is one of the first type (ISO 9660), whose files are not read")
        }
        guard head.holds([0x41, 0x49, 2], at: 8) else { return nil }
        guard let end = try end(of: input), try input.bytes(at: end, count: 4).elementsEqual("hsqs".utf8) else {
            throw PluginError(
                .unsupported, "behind the AppImage's program is no file system of the kind that is known (SquashFS)")
        }
        let files = try SquashFiles(input, from: end)
        let entry = try self.entry(files)
        var paths = [names.icon]
        if let name = entry?["Icon"], !name.contains("/") {
            paths += sides.map { "usr/share/icons/hicolor/\($0)x\($0)/apps/\(name).png" } + ["\(name).png"]
        }
        var search = IconSearch(box: box, decoder)
        for path in paths where !search.isOver {
            try search.look { () throws(PluginError) in try files.contents(of: path, limit: longestIcon) }
        }
        guard let icon = try search.found?.get() else { return nil }
        return Rendering(icon.bitmap, facts: Facts(title: entry?["Name"].flatMap { Facts.line($0) }))
    }

    /// Where the program ends and the file system begins: behind the table of sections, or the last of these.
    /// - Returns: `nil` when the header is cut off, or says what cannot be.
    private static func end(of input: any RandomAccessInput) throws(PluginError) -> Int64? {
        let head = try input.head(64)
        // All AppImages are for machines with the lowest byte first.
        guard head.count == 64, head[5] == 1 else { return nil }
        let isWide = head[4] == 2
        guard let table = isWide ? head.uint64(at: 40) : head.uint32(at: 32),
            let length = head.uint16(at: isWide ? 58 : 46), let count = head.uint16(at: isWide ? 60 : 48), count > 0
        else { return nil }
        let last = try input.bytes(at: Int64(clamping: table).addingCapped(length * (count - 1)), count: length)
        let offset = isWide ? last.uint64(at: 24) : last.uint32(at: 16)
        let size = isWide ? last.uint64(at: 32) : last.uint32(at: 20)
        guard let offset, let size else { return nil }
        let end = max(Int64(table).addingCapped(length * count), Int64(offset).addingCapped(size))
        return end < input.size ? end : nil
    }

    /// What the entry for menus says (Desktop Entry Specification), in no particular language.
    /// - Returns: `nil` when there is none that can be read.
    private static func entry(_ files: SquashFiles) throws(PluginError) -> [String: String]? {
        guard let name = try files.names().first(where: { $0.hasSuffix(names.entry) }) else { return nil }
        let bytes: [UInt8]?
        do throws(PluginError) { bytes = try files.contents(of: name, limit: longestEntry) } catch {
            guard [.corrupt, .limitExceeded, .unsupported].contains(error.code) else { throw error }
            return nil
        }
        guard let bytes else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let section = lines.drop { $0 != "[Desktop Entry]" }.dropFirst().prefix { !$0.hasPrefix("[") }
        return Dictionary(
            section.compactMap { line in
                let parts = line.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                return (trimmed(parts[0]), trimmed(parts[1]))
            }
        ) { first, _ in first }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension Int64 {
    /// The sum, or the largest number where it is larger.
    fileprivate func addingCapped(_ other: Int) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(Int64(other))
        return overflow ? .max : sum
    }
}
