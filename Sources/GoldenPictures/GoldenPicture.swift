import Glibc
public import VitrineKit
public import VitrineTesting

/// A picture that a person has looked at and found right, in `fixtures/golden/`, to compare previews with.
///
///     try GoldenPicture("pdf/plain-256").match(png: bytes)
///
/// With `VITRINE_UPDATE_GOLDENS=1` in the environment (`make goldens`), those that are absent or do not match any more are
/// written; look at them before they are committed.
public struct GoldenPicture: Sendable {
    /// Where the expected picture lies.
    public let path: String
    /// Where actual, expected and difference are put when they do not match.
    public let failureFolder: String
    /// What still counts as equal.
    public var tolerance: Tolerance

    private let updating: Bool

    /// What still counts as equal, as distances in Oklab over a grid; see ``PictureDifference``.
    public struct Tolerance: Hashable, Sendable {
        /// The largest mean of all cells.
        public var mean: Double
        /// The largest single cell.
        public var cell: Double
        /// How many pixels each side may differ by.
        public var pixels: Int

        /// Creates a tolerance.
        public init(mean: Double, cell: Double, pixels: Int) {
            self.mean = mean
            self.cell = cell
            self.pixels = pixels
        }

        /// Survives another version of a codec or library: colours may be just noticeably off.
        public static let codec = Tolerance(mean: 0.01, cell: 0.08, pixels: 1)
        /// Survives another font set: lines of text may be longer, shorter or a little elsewhere.
        ///
        /// A page of text at 256 pixels is 0.009 (Times) to 0.016 (Courier) away from the same in Helvetica on
        /// average and up to 0.13 in one cell; from a blank page it is 0.031 away.
        public static let fonts = Tolerance(mean: 0.022, cell: 0.18, pixels: 1)
    }

    /// Names a picture.
    /// - Parameters:
    ///   - name: of the file below the golden folder, without `.png`; may hold `/`.
    ///   - tolerance: what still counts as equal.
    ///   - folder: the golden folder; by default that of the package which holds the calling file.
    ///   - failures: the folder for pictures that do not match; by default `$VITRINE_GOLDEN_FAILURES`, or
    ///     `.build/golden-failures` of that package.
    ///   - updating: whether to write what does not match; by default what `VITRINE_UPDATE_GOLDENS` says.
    ///   - file: the calling file.
    public init(
        _ name: String, tolerance: Tolerance = .codec, folder: String? = nil, failures: String? = nil,
        updating: Bool? = nil, file: String = #filePath
    ) {
        let root = Self.packageRoot(of: file)
        path = "\(folder ?? root + "/fixtures/golden")/\(name).png"
        let failures = failures ?? Self.environment("VITRINE_GOLDEN_FAILURES") ?? root + "/.build/golden-failures"
        failureFolder = "\(failures)/\(name)"
        self.tolerance = tolerance
        self.updating = updating ?? (Self.environment("VITRINE_UPDATE_GOLDENS") == "1")
    }

    /// Compares a preview with the golden picture, which is written anew when updating and it does not match.
    /// - Parameter png: the preview's whole file.
    /// - Throws: `PluginError` with a sentence that says how much differs and where to look; `notFound` when
    ///   there is no golden picture yet.
    public func match(png: [UInt8]) throws(PluginError) {
        try match(RGBAPicture(png: png))
    }

    /// Compares pixels with the golden picture, which is written anew when updating and it does not match.
    /// - Parameter actual: what was made.
    /// - Throws: as ``match(png:)``.
    public func match(_ actual: RGBAPicture) throws(PluginError) {
        guard access(path, F_OK) == 0 else {
            guard !updating else { return try update(actual) }
            throw PluginError(.notFound, "there is no golden picture '\(path)'; 'make goldens' writes it")
        }
        let expected: RGBAPicture
        do throws(PluginError) { expected = try RGBAPicture(png: path) } catch {
            guard !updating else { return try update(actual) }
            throw error
        }
        let difference = PictureDifference(actual, expected)
        guard let reason = reason(actual, expected, difference) else { return }
        guard !updating else { return try update(actual) }
        try keep(actual, expected, difference)
        throw PluginError(.invalidAnswer, "the picture does not match '\(path)': \(reason); see \(failureFolder)/")
    }

    private func update(_ actual: RGBAPicture) throws(PluginError) {
        try Self.makeFolder(Self.parent(of: path))
        try actual.write(png: path)
    }

    private func reason(_ actual: RGBAPicture, _ expected: RGBAPicture, _ difference: PictureDifference) -> String? {
        if max(abs(actual.width - expected.width), abs(actual.height - expected.height)) > tolerance.pixels {
            return "it has \(actual.width) × \(actual.height) pixels and not \(expected.width) × \(expected.height)"
        }
        if difference.mean > tolerance.mean {
            return "on average it is \(Self.rounded(difference.mean)) off, more than \(tolerance.mean)"
        }
        if difference.largest > tolerance.cell {
            return "in one place it is \(Self.rounded(difference.largest)) off, more than \(tolerance.cell)"
        }
        return nil
    }

    private func keep(
        _ actual: RGBAPicture, _ expected: RGBAPicture, _ difference: PictureDifference
    ) throws(PluginError) {
        try Self.makeFolder(failureFolder)
        try actual.write(png: failureFolder + "/actual.png")
        try expected.write(png: failureFolder + "/expected.png")
        try difference.heatMap()?.write(png: failureFolder + "/difference.png")
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// The nearest folder above the file that holds a Package.swift and fixtures; the file's own if none does.
    private static func packageRoot(of file: String) -> String {
        var folder = parent(of: file)
        while folder.count > 1 {
            if access(folder + "/Package.swift", F_OK) == 0, access(folder + "/fixtures", F_OK) == 0 { return folder }
            folder = parent(of: folder)
        }
        return parent(of: file)
    }

    private static func makeFolder(_ path: String) throws(PluginError) {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path.contains("/") else {
            throw PluginError(errno: errno, "cannot make the folder '\(path)'")
        }
        try makeFolder(parent(of: path))
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw PluginError(errno: errno, "cannot make the folder '\(path)'")
        }
    }
}
