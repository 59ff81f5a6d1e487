internal import CArchive
internal import VitrineKit

/// An input as libarchive reads it: ranges, small ones after a leap and larger ones on a straight way, so that a list
/// at the end of a large file that is far away costs little.
///
/// libarchive keeps a bare pointer to this object, so it has to outlive the archive.
final class ArchiveSource {
    /// The first failure of the input itself, which libarchive would turn into a bare number.
    private(set) var failure: PluginError?

    private let input: any RandomAccessInput
    private var position: Int64
    private let buffer: UnsafeMutableRawBufferPointer
    private var reach = smallest
    /// Bytes that were read since ``isOfUse()``.
    private var barren: Int64 = 0

    private static let smallest = 4 << 10
    private static let largest = 256 << 10
    /// Bytes that are read of an archive without anything coming of them. Without a bound, zeros behind the beginning of one are
    /// gone through for a sign of the next member, and there may be a terabyte of them that takes no room on a disk.
    private static let mostBarren: Int64 = 512 << 20

    /// Wraps an input.
    /// - Parameter start: where reading begins.
    init(_ input: any RandomAccessInput, start: Int64) {
        self.input = input
        position = start
        buffer = .allocate(byteCount: Self.largest, alignment: 16)
    }

    deinit { buffer.deallocate() }

    static func from(_ owner: UnsafeMutableRawPointer?) -> ArchiveSource? {
        owner.map { Unmanaged<ArchiveSource>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Notes that something came of what was read: a member, or a part of its content.
    func isOfUse() { barren = 0 }

    /// Reads on.
    /// - Returns: how many bytes lie at `block`, 0 at the end, less than 0 after a failure.
    func read(_ block: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        guard failure == nil else { return Int(ARCHIVE_FATAL) }
        guard barren < Self.mostBarren else {
            failure = PluginError(
                .corrupt,
                "the archive is damaged: there is nothing in \(Self.mostBarren >> 20) MiB of it where more was to be")
            return Int(ARCHIVE_FATAL)
        }
        do throws(PluginError) {
            let count = try input.read(at: position, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<reach]))
            block?.pointee = UnsafeRawPointer(buffer.baseAddress)
            position += Int64(count)
            barren += Int64(count)
            reach = min(Self.largest, reach * 2)
            return count
        } catch {
            failure = error
            return Int(ARCHIVE_FATAL)
        }
    }

    /// Leaves bytes out, none beyond the end.
    /// - Returns: how many.
    func skip(_ count: Int64) -> Int64 {
        let skipped = max(0, min(count, input.size - position))
        position += skipped
        if skipped > Int64(reach) { reach = Self.smallest }
        return skipped
    }

    /// Goes to another place.
    /// - Returns: the new position, or less than 0 when there is no such place.
    func seek(_ offset: Int64, _ origin: CInt) -> Int64 {
        let base: Int64
        switch origin {
        case SEEK_SET: base = 0
        case SEEK_CUR: base = position
        case SEEK_END: base = input.size
        default: return Int64(ARCHIVE_FATAL)
        }
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return Int64(ARCHIVE_FATAL) }
        position = target
        reach = Self.smallest
        return target
    }
}
