import Finishing
import Glibc
import Picture
import VitrineKit

/// The encoders, in a library that is mapped by the worker that needs them only: `Sources/CEncoders`.
struct EncoderLibrary: PictureWriter {
    private typealias Encode = @convention(c) (
        CInt, UnsafePointer<UInt8>?, CInt, CInt, CInt, UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?
    ) -> CInt
    private typealias EncodeLoop = @convention(c) (
        UnsafePointer<UInt8>?, CInt, CInt, CInt, CInt, CInt, UnsafeMutablePointer<UInt8>?, Int,
        UnsafeMutablePointer<Int>?
    ) -> CInt

    private let picture: Encode
    private let loop: EncodeLoop

    /// Maps the library, with all that it needs.
    /// - Throws: `pluginUnavailable`, with a sentence.
    init(path: String) throws(PluginError) {
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE),
            let picture = dlsym(library, "vt_encode_v1"), let loop = dlsym(library, "vt_encode_loop_v1")
        else {
            let reason = dlerror().map { DisplayText.of(String(cString: $0)) } ?? "the loader gives no reason"
            throw PluginError(
                .pluginUnavailable,
                "the library of picture formats '\(DisplayText.of(path))' cannot be loaded: \(reason); install what is "
                    + "missing or build Vitrine again")
        }
        // POSIX gives functions as data pointers; there is no other way to call one.
        self.picture = unsafeBitCast(picture, to: Encode.self)
        self.loop = unsafeBitCast(loop, to: EncodeLoop.self)
    }

    func encode(
        _ frames: UnsafePointer<UInt8>, count: Int, _ size: PixelSize, _ finish: Finish,
        into memory: UnsafeMutableRawBufferPointer
    ) throws(PluginError) -> Int {
        let room = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let (width, height, quality) = (CInt(size.width), CInt(size.height), CInt(finish.effectiveQuality))
        var length = 0
        let status =
            if case .loop(let time) = finish.arrangement {
                loop(frames, CInt(count), width, height, quality, CInt(time), room, memory.count, &length)
            } else {
                picture(Self.number(finish.format), frames, width, height, quality, room, memory.count, &length)
            }
        // The numbers of vt_encoded.
        let name = "the picture of \(size.width) × \(size.height) pixels"
        switch status {
        case 0: return length
        case 1: throw PluginError(.limitExceeded, "\(name) cannot be made: no memory is left in the worker")
        case 2: throw PluginError(.limitExceeded, "\(name) does not fit into the \(memory.count) bytes set aside for it")
        default:
            throw PluginError(
                .limitExceeded, "\(name) cannot be written as \(finish.format.rawValue); ask for a smaller size")
        }
    }

    /// The numbers of CEncoders.h.
    private static func number(_ format: PictureFormat) -> CInt {
        switch format {
        case .png: 0
        case .jpeg: 1
        case .webp: 2
        case .avif: 3
        }
    }
}
