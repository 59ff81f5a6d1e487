import Glibc
import Settings
import VitrineKit

/// A thumbnailer of another project, which stands among the renderers as one that is tried last.
public struct ForeignThumbnailer: Hashable, Sendable {
    /// Its program, absolute, links resolved.
    public let program: String
    /// What the program gets after its name, with the fields of its `.thumbnailer` file.
    public let arguments: [String]

    /// What the ids of such renderers begin with.
    public static let prefix = "foreign."
}

/// Looks for `.thumbnailer` files.
struct ForeignScan {
    /// What was found, in the order of the search.
    private(set) var listings: [PluginListing] = []
    private(set) var usable: [InstalledPlugin] = []
    private var names: Set<String> = []
    private let disabled: Set<String>
    private let limits: [String: PluginSettings]

    /// The most files in one folder.
    private static let mostFiles = 1024

    /// - Parameters:
    ///   - folders: where to look; of files with the same name the first counts.
    ///   - disabled: ids that the user switched off.
    ///   - limits: the user's limits by id.
    init(_ folders: [String], disabled: Set<String>, limits: [String: PluginSettings]) {
        self.disabled = disabled
        self.limits = limits
        for folder in folders { search(folder) }
    }

    private mutating func search(_ folder: String) {
        guard let all = try? FolderNames.read(folder) else { return }
        let texts = all.prefix(Self.mostFiles).map { String(decoding: $0, as: UTF8.self) }
        for name in texts where name.hasSuffix(Self.suffix) && names.insert(name).inserted {
            take("\(folder)/\(name)", name, in: folder)
        }
    }

    private static let suffix = ".thumbnailer"

    private mutating func take(_ path: String, _ name: String, in folder: String) {
        do throws(PluginError) {
            guard let file = try ThumbnailerFile(reading: path), let word = file.command.first else { return }
            // Vitrine's own, by which file managers call it.
            if word.split(separator: "/").last == "vitrine" || name == "vitrine" + Self.suffix { return }
            guard let program = ProgramPath.find(word) else { throw ProgramPath.absence(of: word, inExecOf: path) }
            let thumbnailer = ForeignThumbnailer(program: program, arguments: Array(file.command.dropFirst()))
            var manifest = PluginManifest(
                foreign: Self.id(name), name: "Files for \(DisplayText.of(String(name.dropLast(Self.suffix.count))))",
                version: Self.version(of: program, file), types: file.types)
            if let settings = limits[manifest.id] { manifest.limits.apply(settings) }
            let isDisabled = disabled.contains(manifest.id)
            list(folder, manifest, program, isDisabled ? .disabled : .ready)
            guard !isDisabled, !usable.contains(where: { $0.manifest.id == manifest.id }) else { return }
            usable.append(
                InstalledPlugin(manifest: manifest, folder: folder, libraryPath: program, foreign: thumbnailer))
        } catch {
            list(folder, nil, nil, .refused(error))
        }
    }

    private mutating func list(
        _ folder: String, _ manifest: PluginManifest?, _ program: String?, _ state: PluginListing.State
    ) {
        var listing = PluginListing(folder: folder, manifest: manifest, libraryPath: program, state: state)
        listing.isForeign = true
        listings.append(listing)
    }

    /// `foreign.` and the file's name, of which only what an id may have is left.
    private static func id(_ name: String) -> String {
        let letters = name.dropLast(suffix.count).lowercased().map { character -> Character in
            character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
                ? character : "-"
        }
        return String((ForeignThumbnailer.prefix + letters).prefix(64))
    }

    /// Changes when the program or the way it is called does: what failed before is tried again then.
    private static func version(of program: String, _ file: ThumbnailerFile) -> String {
        var status = stat()
        _ = stat(program, &status)
        // FNV-1a, 64 bits.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let text = file.command.joined(separator: "\0") + "\0\(status.st_size) \(status.st_mtim.tv_sec)"
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "0-" + String(hash, radix: 16)
    }
}
