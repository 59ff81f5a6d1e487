import CGIO
import VitrineKit

/// Computes checksums of bytes as they come, by GLib. Used by one task.
final class ContentDigest {
    private var sums: [(algorithm: Checksum.Algorithm, state: OpaquePointer)] = []

    /// - Parameter algorithms: which are wanted; those that are not known are passed over.
    init(_ algorithms: Set<Checksum.Algorithm>) {
        for algorithm in algorithms {
            guard let type = Self.type(of: algorithm), let state = g_checksum_new(type) else { continue }
            sums.append((algorithm, state))
        }
    }

    deinit { for sum in sums { g_checksum_free(sum.state) } }

    func add(_ bytes: [UInt8]) {
        for sum in sums { g_checksum_update(sum.state, bytes, bytes.count) }
    }

    /// The checksums of all that came. Nothing is added any more.
    func checksums() -> [Checksum] {
        sums.compactMap { sum in
            g_checksum_get_string(sum.state).flatMap { Checksum(sum.algorithm, hexadecimal: String(cString: $0)) }
        }
    }

    private static func type(of algorithm: Checksum.Algorithm) -> GChecksumType? {
        switch algorithm {
        case .md5: G_CHECKSUM_MD5
        case .sha1: G_CHECKSUM_SHA1
        case .sha256: G_CHECKSUM_SHA256
        default: nil
        }
    }
}
