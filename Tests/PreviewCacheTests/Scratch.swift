import Foundation
import Picture
import PreviewCache
import VitrineKit

/// A cache in a folder of its own, removed with it.
final class Scratch: Sendable {
    let path: String
    let cache: PreviewCache

    init() throws {
        path = NSTemporaryDirectory() + "vitrine-cache-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        cache = Self.cache(in: path)
    }

    static func cache(in path: String) -> PreviewCache {
        PreviewCache(
            folders: CacheFolders(thumbnails: path + "/thumbnails", previews: path + "/vitrine/previews"),
            version: "1.2")
    }

    /// All files below the folder, hidden ones included.
    var files: [String] {
        let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return found.filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// Makes a file of the user's own.
    @discardableResult
    func file(_ name: String, _ bytes: [UInt8] = [1, 2, 3]) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// What is stored in most tests.
enum Sample {
    static let subject = Subject(
        uri: "file:///home/jens/photos/me.png", modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_789),
        size: 4321, mimeType: "image/png")

    /// A picture as the worker's own encoder makes it, of one colour.
    static func picture(_ width: Int = 20, _ height: Int = 10, colour: UInt8 = 0x80) throws -> [UInt8] {
        let bitmap = try Bitmap(width: width, height: height, format: .rgba)
        bitmap.withUnsafeMutableBytes { rows in for index in rows.indices { rows[index] = colour } }
        var memory = [UInt8](repeating: 0, count: width * height * 5 + 4096)
        let encoded = try memory.withUnsafeMutableBytes {
            try PictureEncoder.encode(bitmap, box: max(width, height), into: $0)
        }
        return Array(memory[..<encoded.length])
    }
}

extension PreviewCache {
    /// Stores a picture of 20 × 10 pixels, or what is said to be one.
    @discardableResult
    func store(
        _ picture: [UInt8]? = nil, _ subject: Subject = Sample.subject, size: PreviewSize = .large,
        variant: Variant = .standard, facts: Facts = Facts()
    ) throws -> String {
        let bytes = try picture ?? Sample.picture()
        return try bytes.withUnsafeBytes {
            try store(
                $0, declared: PixelSize(width: 20, height: 10), for: subject, size: size, variant: variant, facts: facts
            )
        }
    }
}

func contents(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
