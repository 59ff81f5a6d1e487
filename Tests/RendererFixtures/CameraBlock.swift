/// Makes blocks of Exif, big-endian, as cameras write them.
public enum CameraBlock {
    /// One entry of a directory: its tag, its format, how many values, and their bytes.
    public typealias Entry = (tag: Int, format: Int, count: Int, bytes: [UInt8])

    /// A text, with the zero behind it.
    public static func text(_ tag: Int, _ text: String) -> Entry {
        (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
    }
    /// Fractions.
    public static func rationals(_ tag: Int, _ values: [(Int, Int)]) -> Entry {
        (tag, 5, values.count, values.flatMap { big($0.0, 4) + big($0.1, 4) })
    }

    /// A block with a directory, one of the camera's and one of places below it, and one of a thumbnail behind it.
    public static func make(
        _ main: [Entry], camera: [Entry] = [], place: [Entry] = [], thumbnail: [UInt8] = []
    ) -> [UInt8] {
        var body = Array("MM".utf8) + big(42, 2) + big(8, 4)
        // Directories are written one after the other; those below the first are pointed to by tags of their own.
        let pointers = (camera.isEmpty ? 0 : 1) + (place.isEmpty ? 0 : 1)
        let mainSize = size(main.count + pointers, main)
        var entries = main
        if !camera.isEmpty { entries.append((0x8769, 4, 1, big(8 + mainSize, 4))) }
        if !place.isEmpty {
            let below = camera.isEmpty ? 0 : size(camera.count, camera)
            entries.append((0x8825, 4, 1, big(8 + mainSize + below, 4)))
        }
        for directory in [entries, camera, place] where !directory.isEmpty { append(directory, to: &body) }
        guard !thumbnail.isEmpty else { return Array("Exif\0\0".utf8) + body }
        let link = 8 + 2 + 12 * entries.count
        body.replaceSubrange(link..<(link + 4), with: big(body.count, 4))
        let start = body.count + 2 + 12 * 3 + 4
        append(
            [(0x0103, 3, 1, big(6, 2)), (0x0201, 4, 1, big(start, 4)), (0x0202, 4, 1, big(thumbnail.count, 4))],
            to: &body)
        return Array("Exif\0\0".utf8) + body + thumbnail
    }

    private static func size(_ count: Int, _ entries: [Entry]) -> Int {
        2 + 12 * count + 4 + entries.reduce(0) { $0 + ($1.bytes.count > 4 ? $1.bytes.count : 0) }
    }

    private static func append(_ entries: [Entry], to body: inout [UInt8]) {
        var data: [UInt8] = []
        let start = body.count + 2 + 12 * entries.count + 4
        body += big(entries.count, 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            body += big(entry.tag, 2) + big(entry.format, 2) + big(entry.count, 4)
            if entry.bytes.count > 4 {
                body += big(start + data.count, 4)
                data += entry.bytes
            } else {
                body += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
            }
        }
        body += big(0, 4) + data
    }

    /// A JPEG file with a block behind its first marker.
    public static func insert(_ block: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
        Array(jpeg.prefix(2)) + [0xFF, 0xE1] + big(block.count + 2, 2) + block + Array(jpeg.dropFirst(2))
    }

    /// A block of a camera that knew the moment, its zone and the place.
    public static let sample = make(
        [text(0x010F, "Example Works"), text(0x0110, "E-1"), (0x0112, 3, 1, [0, 1]), text(0x013B, "Alice")],
        camera: [text(0x9003, "2024:05:03 14:02:11"), text(0x9011, "+02:00")],
        place: [
            text(1, "S"), rationals(2, [(47, 1), (30, 1), (0, 1)]), text(3, "E"),
            rationals(4, [(8, 1), (15, 1), (36, 1)]), (5, 1, 1, [1]), rationals(6, [(405, 10)]),
        ])
}
