package import ArchiveReading
package import VitrineKit

/// A file of Blender up to 4.5: blocks one after the other, of which one of the first holds a picture of the
/// scene (Blender's documentation of its file format; the block `TEST`).
package enum BlenderScene {
    /// Bytes before the first block.
    package static let headLength = 12
    /// Blocks before the picture, and pixels of its sides, at most.
    private static let mostBlocks = 32, largestSide = 1024

    /// Whether a file begins as one.
    package static func begins(_ head: [UInt8]) -> Bool {
        head.count == headLength && head.starts(with: "BLENDER".utf8)
    }

    /// Reads the picture.
    /// - Throws: `unsupported` when there is none, `corrupt` when it is cut off, or what the input throws.
    package static func preview(_ input: any RandomAccessInput) throws(PluginError) -> Bitmap {
        let head = try input.head(headLength)
        let none = PluginError(.unsupported, "the scene has no preview in it, and nothing else of it can be drawn")
        // The size of an address, and the order of bytes.
        guard head.count == headLength, head[7] == 0x2D || head[7] == 0x5F, head[8] == 0x76 || head[8] == 0x56 else {
            throw none
        }
        let isLittle = head[8] == 0x76
        let blockHead = head[7] == 0x2D ? 24 : 20
        func number(_ bytes: [UInt8], at: Int) -> Int {
            let field = bytes[at..<at + 4]
            return isLittle ? Int(littleEndianBytes: field) : Int(bigEndianBytes: field)
        }
        var at = Int64(headLength)
        for _ in 0..<mostBlocks {
            let block = try input.bytes(at: at, count: blockHead + 8)
            guard block.count == blockHead + 8 else { throw none }
            let length = number(block, at: 4)
            guard block.starts(with: "TEST".utf8) else {
                at += Int64(blockHead + length)
                continue
            }
            let size = PixelSize(width: number(block, at: blockHead), height: number(block, at: blockHead + 4))
            guard 1...largestSide ~= size.width, 1...largestSide ~= size.height,
                length >= 8 + size.width * size.height * 4
            else { throw none }
            let pixels = try input.bytes(at: at + Int64(blockHead + 8), count: size.width * size.height * 4)
            guard pixels.count == size.width * size.height * 4 else {
                throw PluginError(.corrupt, "the scene is cut off: its preview is not whole")
            }
            return try upright(pixels, size)
        }
        throw none
    }

    /// The scene that is packed as a whole (gzip, since version 3.0 zstd) is the one member of an archive.
    /// - Returns: `nil` when that is something else; else its picture.
    /// - Throws: as ``preview(_:)``.
    package static func packed(in archive: Archive) throws(PluginError) -> Bitmap? {
        guard !archive.isZip, archive.members.count == 1, let member = archive.members.first, !member.isApart,
            begins(try archive.beginning(of: member, count: headLength))
        else { return nil }
        return try preview(BytesInput(try archive.beginning(of: member, count: packedRange)))
    }

    /// Bytes of a packed scene in which the picture is looked for: it has 64 KiB, or 256, behind little else.
    private static let packedRange = 2 << 20

    /// Rows come from the bottom up.
    private static func upright(_ pixels: [UInt8], _ size: PixelSize) throws(PluginError) -> Bitmap {
        let bitmap = try Bitmap(width: size.width, height: size.height, format: .rgba)
        let row = size.width * 4
        bitmap.withUnsafeMutableBytes { target in
            for y in 0..<size.height {
                let from = (size.height - 1 - y) * row
                let line = UnsafeMutableRawBufferPointer(
                    rebasing: target[y * bitmap.bytesPerRow..<y * bitmap.bytesPerRow + row])
                line.copyBytes(from: pixels[from..<from + row])
            }
        }
        return bitmap
    }
}
