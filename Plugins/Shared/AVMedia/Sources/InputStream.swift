internal import CAV
internal import Glibc
internal import VitrineKit

/// An input as libav reads it: an `AVIOContext` over ranged reads, with a bound on how much is read.
///
/// Used on one thread. libav keeps a bare pointer to this object, so it has to outlive the demuxer.
final class InputStream {
    /// What to hand to libav; freed with this object.
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// Bytes that may still be read. At 0 every read fails, which ends any search that a demuxer is in.
    var allowance: Int64

    /// The first failure of the input itself, which libav would turn into a bare number.
    private(set) var failure: PluginError?

    /// What is read.
    let input: any RandomAccessInput
    /// Bytes of it that there are to libav.
    private let end: Int64
    private var position: Int64 = 0

    /// Bytes that libav asks for at once.
    private static let blockSize = 1 << 16

    /// Wraps an input.
    /// - Parameters:
    ///   - input: read from its first byte on.
    ///   - end: where it is to end; at most its size.
    ///   - allowance: the most bytes to read.
    /// - Throws: `limitExceeded` when there is no memory.
    init(_ input: any RandomAccessInput, upTo end: Int64, allowance: Int64) throws(PluginError) {
        self.input = input
        self.end = end
        self.allowance = allowance
        guard let block = av_malloc(Self.blockSize) else { throw Self.noMemory }
        context = avio_alloc_context(
            block.assumingMemoryBound(to: UInt8.self), CInt(Self.blockSize), 0,
            Unmanaged.passUnretained(self).toOpaque(),
            { owner, buffer, count in InputStream.from(owner)?.read(buffer, count) ?? cav_error_io }, nil,
            { owner, offset, origin in InputStream.from(owner)?.seek(offset, origin) ?? Int64(cav_error_io) })
        if context == nil {
            av_free(block)
            throw Self.noMemory
        }
    }

    deinit {
        // libav may have exchanged the block that it was given.
        if let context { av_freep(&context.pointee.buffer) }
        avio_context_free(&context)
    }

    private static let noMemory = PluginError(.limitExceeded, "no memory to read the file")

    private static func from(_ owner: UnsafeMutableRawPointer?) -> InputStream? {
        owner.map { Unmanaged<InputStream>.fromOpaque($0).takeUnretainedValue() }
    }

    /// What the input is by its first bytes, where these leave no doubt.
    var signature: MediaSignature? { MediaSignature(peek) }

    /// Bytes of the index of a Matroska file; `nil` when there is none.
    var cuesLength: Int64? { MatroskaCues.length(peek) }

    /// Reads beside libav.
    func peek(_ offset: Int64, _ count: Int) -> [UInt8] {
        do throws(PluginError) { return try input.bytes(at: offset, count: count) } catch {
            failure = failure ?? error
            return []
        }
    }

    private func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> CInt {
        guard let buffer, count > 0 else { return cav_error_invalid_argument }
        guard allowance > 0 else { return cav_error_stopped }
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int(min(Int64(count), max(0, end - position))))
        do throws(PluginError) {
            let read = room.isEmpty ? 0 : try input.read(at: position, into: room)
            guard read > 0 else { return cav_error_end }
            position += Int64(read)
            allowance -= Int64(read)
            return CInt(read)
        } catch {
            failure = failure ?? error
            return cav_error_io
        }
    }

    private func seek(_ offset: Int64, _ origin: CInt) -> Int64 {
        if origin & AVSEEK_SIZE != 0 { return end }
        let base: Int64
        switch origin & ~AVSEEK_FORCE {
        case SEEK_SET: base = 0
        case SEEK_CUR: base = position
        case SEEK_END: base = end
        default: return Int64(cav_error_invalid_argument)
        }
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return Int64(cav_error_invalid_argument) }
        position = target
        return target
    }
}
