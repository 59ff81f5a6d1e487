internal import CPicture
public import Finishing
public import VitrineKit

/// The encoders, in a library that is mapped by the worker that needs them only: `Sources/CEncoders`.
public struct EncoderLibrary: PictureWriter {
    /// Maps the library, with all that it needs.
    /// - Parameter path: of `libVitrineEncoders.so`, absolute.
    /// - Throws: `pluginUnavailable`, with a sentence.
    public init(path: String) throws(PluginError) {
        guard let reason = cpicture_load_encoders(path).map({ DisplayText.of(String(cString: $0)) }) else { return }
        throw PluginError(
            .pluginUnavailable,
            "the library of picture formats '\(DisplayText.of(path))' cannot be loaded: \(reason); install what is "
                + "missing or build Vitrine again")
    }

    /// Encodes; see ``PictureWriter``.
    public func encode(
        _ frames: UnsafePointer<UInt8>, count: Int, _ size: PixelSize, _ finish: Finish,
        into memory: UnsafeMutableRawBufferPointer
    ) throws(PluginError) -> Int {
        let room = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let (width, height, quality) = (CInt(size.width), CInt(size.height), CInt(finish.effectiveQuality))
        var length = 0
        let status =
            if case .loop(let time) = finish.arrangement {
                cpicture_encode_loop(
                    frames, CInt(count), width, height, quality, CInt(time), room, memory.count, &length)
            } else {
                cpicture_encode(
                    Self.number(finish.format), frames, width, height, quality, room, memory.count, &length)
            }
        // The numbers of cencoders_encoded.
        let name = "the picture of \(size.width) × \(size.height) pixels"
        switch status {
        case 0: return length
        case 1: throw PluginError(.limitExceeded, "\(name) cannot be made: no memory is left in the worker")
        case 2:
            throw PluginError(.limitExceeded, "\(name) does not fit into the \(memory.count) bytes set aside for it")
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
