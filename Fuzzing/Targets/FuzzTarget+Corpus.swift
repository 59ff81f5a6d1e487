import Foundation

extension FuzzTarget {
    /// The root of the checkout.
    static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Inputs that are kept: seeds, and each that once broke something.
    var corpusFolder: URL { Self.checkout.appending(path: "Fuzzing/Corpus/\(name)") }

    /// The inputs that are kept.
    func corpus() throws -> [(name: String, bytes: [UInt8])] {
        guard FileManager.default.fileExists(atPath: corpusFolder.path) else { return [] }
        return try Self.files(corpusFolder).map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
    }

    /// Everything to begin with: what is kept, the target's own seeds, and fixtures cut to its length.
    func beginnings() throws -> [[UInt8]] {
        let fixtures = try fixtures.flatMap { try Self.files(Self.checkout.appending(path: "fixtures/\($0)")) }
            .map { fixturePrefix + Array(try Data(contentsOf: $0)) }
        return (try corpus().map(\.bytes) + seeds() + fixtures).map { Array($0.prefix(maximumLength)) }
    }

    /// A file, or the files in a folder by name.
    static func files(_ place: URL) throws -> [URL] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder), isFolder.boolValue else {
            return [place]
        }
        return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
            .filter { !$0.lastPathComponent.hasPrefix(".") && !$0.hasDirectoryPath }
            .sorted { $0.path < $1.path }
    }
}
