import FileBytes
public import Finishing
import Glibc
public import VitrineKit

/// The file of an entry, read as a whole.
public enum EntryFile {
    /// No picture that is stored is larger.
    private static let limit = 1 << 30

    /// Reads an entry.
    /// - Parameter path: of an entry.
    /// - Throws: `io` and the like when it is gone, larger than any preview, or changes meanwhile.
    public static func read(_ path: String) throws(PluginError) -> [UInt8] {
        let file = PNGTextReader.open(path, in: AT_FDCWD)
        guard file >= 0 else { throw PluginError(errno: errno, "cannot read the preview '\(path)'") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, 0...limit ~= Int(status.st_size) else {
            throw PluginError(.io, "cannot read the preview '\(path)'")
        }
        guard let bytes = read(file, count: Int(status.st_size)) else {
            throw PluginError(.io, "cannot read the preview '\(path)'")
        }
        return bytes
    }

    /// The first bytes of an open file; its position stays where it is.
    /// - Returns: `nil` when it has fewer, or cannot be read.
    static func read(_ file: CInt, count size: Int) -> [UInt8]? {
        let bytes = FileBytes.read(size, from: file, at: 0).bytes
        return bytes.count == size ? bytes : nil
    }

    /// The size of a picture in pixels, as its header says; `nil` when it is none of the format.
    public static func size(of picture: [UInt8], _ format: PictureFormat) -> PixelSize? {
        let size = picture.withUnsafeBytes { bytes -> PixelSize? in
            switch format {
            case .png:
                guard bytes.count >= PNG.headLength, bytes.starts(with: PNG.signature) else { return nil }
                return PixelSize(width: Int(PNG.number(bytes, at: 16)), height: Int(PNG.number(bytes, at: 20)))
            case .jpeg: return FinishedPicture.jpeg(bytes).size
            case .webp: return FinishedPicture.webp(bytes).size
            case .avif: return FinishedPicture.avif(bytes).size
            }
        }
        guard let size, 1...Bitmap.maximumSide ~= size.width, 1...Bitmap.maximumSide ~= size.height else { return nil }
        return size
    }
}
