import Finishing
import Glibc
import VitrineKit

/// A thumbnail that came along with a folder, looked at before anybody gets it.
///
/// Who made the folder made it, so that it is as much a stranger's as the files in it, and yet no contained worker has seen
/// it: programs decode it as they decode all entries, in their own processes. So it must be what such an entry is, and
/// stay so: a small PNG that is sound from its first byte to its last, with nothing in it that has to be unpacked but its
/// pixels, in a file that only this user, or root, can change. Any other is passed over, and the item is drawn.
enum SharedPicture {
    /// What may stand beside the pixels: colours as numbers, sizes, times, and the keys.
    private static let harmless = Set(
        ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "bKGD", "pHYs", "tIME", "tEXt"].map {
            $0.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        })

    /// Bytes of a picture with 16 bits a channel that cannot be compressed, and of keys.
    private static func longest(_ box: Int) -> Int {
        let pixels = box * (1 + 8 * box)
        return pixels + pixels / 64 + (256 << 10)
    }

    /// Whether a thumbnail may be handed out.
    /// - Parameters:
    ///   - path: the file.
    ///   - box: the longest side that it may have, in pixels.
    static func isSound(_ path: String, box: Int) -> Bool {
        let file = PNGTextReader.open(path, in: AT_FDCWD)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid() || status.st_uid == 0, !LinkedFolder.isOpenToOthers(status),
            0...longest(box) ~= Int(status.st_size),
            let bytes = EntryFile.read(file, count: Int(status.st_size)), isPlain(bytes, box)
        else { return false }
        return PictureVerifier().map { $0.fault(file) == nil } ?? false
    }

    /// Whether a file has the size that is wanted, and no chunk but those that have a place in a thumbnail.
    private static func isPlain(_ bytes: [UInt8], _ box: Int) -> Bool {
        guard let size = EntryFile.size(of: bytes, .png), 1...box ~= size.width, 1...box ~= size.height else {
            return false
        }
        return bytes.withUnsafeBytes { bytes in
            var offset = PNG.signature.count
            while bytes.count - offset >= PNG.frameLength {
                let length = Int(PNG.number(bytes, at: offset))
                guard length <= bytes.count - offset - PNG.frameLength,
                    harmless.contains(PNG.number(bytes, at: offset + 4))
                else { return false }
                offset += length + PNG.frameLength
            }
            return offset == bytes.count
        }
    }
}
