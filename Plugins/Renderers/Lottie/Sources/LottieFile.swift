internal import ArchiveReading
internal import JSON
internal import VitrineKit

/// Where the document of an animation lies in a file.
enum LottieFile {
    /// Bytes of a document, once it is unpacked. Animations have up to a few megabytes, of which pictures are most.
    private static let longest = 32 << 20
    /// Bytes of what says which of the animations in a zip file is the first.
    private static let longestManifest = 1 << 20

    /// The document, be it packed or not.
    /// - Throws: `corrupt`, `limitExceeded`, `locked`, and what reading throws.
    static func document(_ input: any RandomAccessInput) throws(PluginError) -> [UInt8] {
        if try GzipFile.isPacked(input) {
            return try GzipFile.contents(of: input, named: "the animation", limit: longest)
        }
        if try input.head(4) == [0x50, 0x4B, 3, 4] { return try member(input) }
        return try input.withContents(limit: Int64(longest)) { Array($0) }
    }

    /// The first animation of a zip file: the one that it says it shows first, or the first of its list, else the first that lies where
    /// animations do.
    ///
    /// Source: dotLottie 1.0 and 2.0 (dotlottie.io/spec).
    private static func member(_ input: any RandomAccessInput) throws(PluginError) -> [UInt8] {
        var limits = ArchiveLimits()
        limits.member = longest
        limits.ratio = 1000
        let archive = try Archive(input, limits: limits)
        func member(_ path: String) -> ArchiveMember? {
            archive.members.first { $0.isFile && $0.name.elementsEqual(path.utf8) }
        }
        var ids: [String] = []
        if let list = member("manifest.json"),
            let manifest = JSONValue(try archive.contents(of: list, limit: longestManifest))
        {
            ids = [manifest["initial"]?["animation"]?.text, manifest["activeAnimationId"]?.text].compactMap { $0 }
            ids += (manifest["animations"]?.list ?? []).prefix(1).compactMap { $0["id"]?.text }
        }
        let named = ids.lazy.flatMap { ["animations/\($0).json", "a/\($0).json"] }.compactMap(member).first
        let found =
            named
            ?? archive.members.first { one in
                one.isFile && one.name.suffix(5).elementsEqual(".json".utf8)
                    && ["animations/", "a/"].contains { one.name.starts(with: $0.utf8) }
            }
        guard let found else { throw PluginError(.corrupt, "the zip file has no animation of Lottie in it") }
        return try archive.contents(of: found)
    }
}
