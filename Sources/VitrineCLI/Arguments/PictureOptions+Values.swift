import Finishing
import VitrineKit

/// Values of the picture options as people write them.
extension PictureOptions {
    /// Seconds, or hours, minutes and seconds with colons between.
    static func moment(_ text: String) throws(PluginError) -> Double {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var time = 0.0
        for (index, part) in parts.enumerated() {
            // What follows a colon are two digits below 60, and a fraction at the end only.
            let isLast = index == parts.count - 1
            let isNumber = part.utf8.allSatisfy { 0x30...0x39 ~= $0 || (isLast && $0 == UInt8(ascii: ".")) }
            guard parts.count <= 3, isNumber, let number = Double(part), index == 0 || number < 60 else {
                throw PluginError(
                    .invalidArgument,
                    "'\(DisplayText.of(text))' is no value for --at: write seconds, or hours, minutes and seconds such as "
                        + "1:30 or 1:02:03")
            }
            time = time * 60 + number
        }
        return time
    }

    /// The first and the last page, as `1-9`, counted from 1; given back counted from 0.
    static func pages(_ text: String) throws(PluginError) -> ClosedRange<Int> {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard 1...2 ~= parts.count, let first = parts[0], let last = parts[parts.count - 1],
            1...1_000_000 ~= first, first...1_000_000 ~= last
        else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(text))' are no pages: write the first and the last, such as 1-9")
        }
        return first - 1...last - 1
    }

    /// Whether a word behind `--sheet` was meant as columns and rows, right or wrong, and not as a file.
    static let looksLikeGrid: @Sendable ([UInt8]) -> Bool = { word in
        func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
        guard word.first.map(isDigit) == true, !word.contains(UInt8(ascii: ".")) else { return false }
        return word.lazy.filter { !isDigit($0) }.count <= "×".utf8.count
    }

    /// Columns and rows, as `3x3`.
    static func grid(_ text: String) throws(PluginError) -> (Int, Int) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1], 1...Finish.maximumGrid ~= columns,
            1...Finish.maximumGrid ~= rows
        else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(text))' is no sheet: write columns and rows, such as 3x3; at most "
                    + "\(Finish.maximumGrid) each")
        }
        return (columns, rows)
    }

    /// The format that a file's name ends in; `nil` for an end that says nothing of pictures.
    /// - Throws: `invalidArgument` for one of a format that is not written: nobody wants a PNG by that name.
    static func format(ofName name: [UInt8]?) throws(PluginError) -> PictureFormat? {
        guard let name, let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let suffix = String(decoding: name[(dot + 1)...], as: UTF8.self)
        guard !otherFormats.contains(suffix.lowercased()) else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(name))' is to be \(suffix.uppercased()), which is not written: let its name end in .png, "
                    + ".jpg, .webp or .avif, or say --format")
        }
        return PictureFormat(suffix: suffix)
    }

    private static let otherFormats: Set = [
        "gif", "bmp", "tif", "tiff", "heic", "heif", "jxl", "jp2", "ico", "svg", "pdf", "mp4", "webm",
    ]

    /// The scale that a file's name tells, as in `name@2x.png`.
    static func scale(ofName name: [UInt8]?) -> Int? {
        guard let name, let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let mark = name[..<dot].suffix(3)
        guard mark.count == 3, mark.first == UInt8(ascii: "@"), mark.last == UInt8(ascii: "x") else { return nil }
        let digit = Int(mark[mark.startIndex + 1]) - 48
        return 1...4 ~= digit ? digit : nil
    }
}
