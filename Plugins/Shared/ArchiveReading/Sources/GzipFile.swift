package import VitrineKit

/// A file that gzip packed, which its programs read as they read the unpacked one.
///
/// Source: RFC 1952.
package enum GzipFile {
    /// Whether the file starts as gzip starts one.
    /// - Throws: what the input throws.
    package static func isPacked(_ input: any RandomAccessInput) throws(PluginError) -> Bool {
        try input.head(2) == [0x1F, 0x8B]
    }

    /// What is packed.
    /// - Parameters:
    ///   - name: what it is called in errors, such as "the notebook".
    ///   - limit: bytes that it may have once it is unpacked.
    /// - Throws: `corrupt`, `limitExceeded`; what the input throws.
    package static func contents(
        of input: any RandomAccessInput, named name: String, limit: Int
    ) throws(PluginError) -> [UInt8] {
        var limits = ArchiveLimits()
        limits.member = limit
        do throws(PluginError) {
            let archive = try Archive(input, limits: limits)
            guard let member = archive.members.first else {
                throw archive.failure ?? PluginError(.corrupt, "nothing is in it")
            }
            return try archive.contents(of: member)
        } catch {
            guard error.isOfMember else { throw error }
            throw PluginError(error.code, "\(name) cannot be unpacked: \(error.message)")
        }
    }
}
