internal import CProgram
internal import VitrineKit

/// A part of an input as libsquashfs reads it.
///
/// libsquashfs keeps bare pointers to this object, so it has to outlive what was made of it.
final class SquashSource {
    /// What libsquashfs is given.
    let file: UnsafeMutablePointer<sqfs_file_t>
    /// The beginning of the file, to which readers keep pointers.
    let head: UnsafeMutablePointer<sqfs_super_t>

    private let input: any RandomAccessInput
    private let start: Int64
    private let memory: UnsafeMutablePointer<cprogram_file>
    /// The first failure of the input itself, which libsquashfs would turn into a bare number.
    private var failure: PluginError?

    /// Wraps an input from a place on.
    init(_ input: any RandomAccessInput, from start: Int64) {
        (self.input, self.start) = (input, start)
        memory = .allocate(capacity: 1)
        memory.initialize(to: cprogram_file())
        file = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqfs_file_t.self)
        head = .allocate(capacity: 1)
        head.initialize(to: sqfs_super_t())
        memory.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
        memory.pointee.file.read_at = { file, offset, buffer, count in
            guard let source = SquashSource.of(file), let buffer else { return SQFS_ERROR_IO.rawValue }
            return source.read(offset, UnsafeMutableRawBufferPointer(start: buffer, count: count)).rawValue
        }
        memory.pointee.file.get_size = { file in
            SquashSource.of(file).map { UInt64(max(0, $0.input.size - $0.start)) } ?? 0
        }
        memory.pointee.file.write_at = { _, _, _, _ in SQFS_ERROR_UNSUPPORTED.rawValue }
        memory.pointee.file.truncate = { _, _ in SQFS_ERROR_UNSUPPORTED.rawValue }
    }

    deinit {
        head.deallocate()
        memory.deallocate()
    }

    private static func of(_ file: UnsafePointer<sqfs_file_t>?) -> SquashSource? {
        UnsafeRawPointer(file)?.assumingMemoryBound(to: cprogram_file.self).pointee.owner.map {
            Unmanaged<SquashSource>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private func read(_ offset: UInt64, _ buffer: UnsafeMutableRawBufferPointer) -> SQFS_ERROR {
        guard failure == nil else { return SQFS_ERROR_IO }
        let size = UInt64(max(0, input.size - start))
        guard offset <= size, UInt64(buffer.count) <= size - offset else { return SQFS_ERROR_OUT_OF_BOUNDS }
        var done = 0
        do throws(PluginError) {
            while done < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = try input.read(at: start + Int64(offset) + Int64(done), into: rest)
                guard count > 0 else { return SQFS_ERROR_OUT_OF_BOUNDS }
                done += count
            }
            return SQFS_ERROR(0)
        } catch {
            failure = error
            return SQFS_ERROR_IO
        }
    }

    static let noMemory = PluginError(
        .limitExceeded, "reading the AppImage's files needs more memory than the renderer may use")
    static let broken = PluginError(.corrupt, "the AppImage's files are damaged, or cut off; fetch the AppImage again")

    /// Translates libsquashfs's status, where what is not below zero is none of failure.
    /// - Throws: what the input threw, `limitExceeded`, `unsupported`, `corrupt`.
    func check(_ status: Int32) throws(PluginError) {
        if let failure { throw failure }
        guard status < 0 else { return }
        switch status {
        case SQFS_ERROR_ALLOC.rawValue: throw Self.noMemory
        case SQFS_ERROR_UNSUPPORTED.rawValue, SFQS_ERROR_SUPER_VERSION.rawValue:
            throw PluginError(.unsupported, "the AppImage's files are packed in a way that is not known")
        default:
            throw PluginError(
                .corrupt, "the AppImage's files are damaged, or cut off (libsquashfs: status \(status)); fetch it again"
            )
        }
    }
}
