import Glibc
import VitrineKit

extension SourceURI {
    /// Refuses files of other machines: without their host they would be taken for files of this one.
    /// - Throws: `invalidArgument` for a `file:` URI with a host that is not this one (RFC 8089, section 2): neither
    ///   `localhost` nor what the system calls itself, which is how some programs name what was dragged out of them.
    func checkHost() throws(PluginError) {
        guard scheme == "file", let authority, !authority.isEmpty else { return }
        let host = authority.lowercased()
        guard host != "localhost", host != Self.ownHost?.lowercased() else { return }
        throw PluginError(
            .invalidArgument, "'\(DisplayText.of(text))' is not on this machine: write file:///path for what is")
    }

    /// The URI of a file as file managers write it, without a host; those of other schemes as they are.
    /// - Parameter change: makes another path of the path.
    /// - Throws: as ``checkHost()``.
    func asHere(_ change: ([UInt8]) -> [UInt8]) throws(PluginError) -> SourceURI {
        try checkHost()
        return scheme == "file" ? SourceURI(file: change(path)) : self
    }

    /// What this machine calls itself; `nil` when it does not say.
    static var ownHost: String? {
        // Linux allows 64 bytes.
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
