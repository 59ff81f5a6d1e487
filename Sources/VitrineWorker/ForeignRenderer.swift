import CPlatform
import Glibc
import Picture
import VitrineKit
import WorkerWire

/// Has a program of somebody else make a picture, and reads that.
///
/// Each item has a folder of its own in the worker's private one: a copy of the item, which the program may read by its
/// path, and the picture. It is the program's home and its folder for temporary files. A program may write anywhere in the
/// private folder, so that this is emptied before the next item.
final class ForeignRenderer: Renderer {
    private let program: ProgramSetup
    private let privateFolder: String
    /// Counted, since a program may leave something behind that cannot be removed.
    private var items = UInt64(0)
    private let maximumPixels: Int
    /// What the copy's name ends in, without a dot: many programs go by that. At most ten letters and digits.
    var suffix = ""

    /// Bytes of an item at most, which are copied; and of the picture.
    private static let inputLimit: Int64 = 256 << 20, outputLimit: Int64 = 128 << 20

    init(_ program: ProgramSetup, folder: String, maximumPixels: Int) {
        self.program = program
        privateFolder = folder
        self.maximumPixels = maximumPixels
    }

    init(_ environment: RendererEnvironment) throws(PluginError) {
        throw PluginError(.pluginUnavailable, "a worker for another program needs to be told which")
    }

    func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        guard request.page == 0 else {
            throw PluginError(.invalidArgument, "'\(name)' makes pictures of first pages only")
        }
        try request.refuseMoment(in: "what '\(name)' draws")
        _ = vp_empty_folder(privateFolder)
        var folder = ""
        var isMade = false
        // What could not be removed may have the next name.
        for _ in 0..<64 where !isMade {
            items += 1
            folder = "\(privateFolder)/item-\(items)"
            isMade = mkdir(folder, 0o700) == 0
        }
        guard isMade else {
            throw PluginError(errno: errno, "cannot make a folder for '\(name)'")
        }
        defer { _ = vp_remove_tree(folder) }
        let source = folder + "/input" + (suffix.isEmpty ? "" : "." + suffix)
        let output = folder + "/output.png"
        try copy(input, to: source)
        try start(source, output, size: request.box, in: folder)
        return Rendering(try picture(output))
    }

    private var name: String { program.path.split(separator: "/").last.map { DisplayText.of(String($0)) } ?? "?" }

    private func start(_ source: String, _ output: String, size: Int, in folder: String) throws(PluginError) {
        let words = [program.path] + program.arguments.map { Self.filled($0, source, output, size) }
        let environment = [
            "HOME=\(folder)", "TMPDIR=\(folder)", "XDG_CACHE_HOME=\(folder)", "XDG_CONFIG_HOME=\(folder)",
            "XDG_DATA_HOME=\(folder)", "XDG_RUNTIME_DIR=\(folder)", "LC_ALL=C.UTF-8",
            "PATH=/usr/local/bin:/usr/bin:/bin", "GIO_USE_VFS=local", "GSETTINGS_BACKEND=memory",
        ]
        var how = vp_exit()
        let failure = ProgramWords.lend(words) { words in
            ProgramWords.lend(environment) { vp_run(program.path, words, $0, folder, &how) }
        }
        guard failure == 0 else { throw PluginError(.unsupported, "the thumbnailer '\(name)' cannot be started") }
        guard how.signal == 0 else {
            throw PluginError(.unsupported, "the thumbnailer '\(name)' ended by signal \(how.signal) on it")
        }
        guard how.status == 0 else {
            throw PluginError(
                .unsupported, "the thumbnailer '\(name)' makes no picture of it (exit status \(how.status))")
        }
    }

    /// A word of the command line with its fields replaced. What is no field is left out.
    static func filled(_ word: String, _ source: String, _ output: String, _ size: Int) -> String {
        var text = ""
        var isField = false
        for character in word {
            guard isField else {
                if character == "%" { isField = true } else { text.append(character) }
                continue
            }
            isField = false
            switch character {
            case "i": text += source
            case "u": text += "file://" + PercentEncoding.encode(source.utf8)
            case "o": text += output
            case "s": text += String(size)
            case "%": text += "%"
            default: break
            }
        }
        return text
    }

    private func picture(_ path: String) throws(PluginError) -> Bitmap {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            throw PluginError(.unsupported, "the thumbnailer '\(name)' ended well, and yet made no picture")
        }
        let input = try DescriptorInput(fd: file)
        do throws(PluginError) {
            return try input.withContents(limit: Self.outputLimit) { bytes throws(PluginError) in
                try Bitmap(png: bytes, most: min(maximumPixels, 1 << 28))
            }
        } catch {
            if error.code == .limitExceeded {
                throw PluginError(
                    .limitExceeded, "what the thumbnailer '\(name)' made of it has too many bytes or pixels")
            }
            throw PluginError(.unsupported, "what the thumbnailer '\(name)' made of it is no PNG file")
        }
    }

    private func copy(_ input: any RandomAccessInput, to path: String) throws(PluginError) {
        guard input.size <= Self.inputLimit else {
            throw PluginError(
                .limitExceeded, "it has \(input.size) bytes; other thumbnailers get at most \(Self.inputLimit) (input)")
        }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PluginError(errno: errno, "cannot make a copy for '\(name)'") }
        defer { close(file) }
        var offset: Int64 = 0
        while offset < input.size {
            let block = try input.bytes(at: offset, count: 1 << 20)
            guard !block.isEmpty else { throw PluginError(.changed, "it became shorter while it was read") }
            guard write(file, block, block.count) == block.count else {
                throw PluginError(errno: errno, "cannot write the copy for '\(name)'")
            }
            offset += Int64(block.count)
        }
    }
}
