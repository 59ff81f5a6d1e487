import CPlatform
import Glibc
import Synchronization
public import VitrineKit

/// A list of files, as `find` and other programs write them: read as it is needed, so that it may be of any length, and may
/// still be written while work on its first files is under way.
///
/// Names are paths, as bytes. Where each is on a line of its own, it may be a URI with `://` behind its scheme instead. It is
/// read once, by one run.
public final class FileList: Sendable {
    /// What ends a name.
    public enum Separator: Sendable {
        /// A line feed, or a carriage return and a line feed.
        case lineFeed
        /// A NUL byte, which no path holds, as `find -print0` writes it: each name is a path.
        case null
    }

    /// What the list is called in sentences: its path, or "standard input".
    public let name: String
    /// What relative names start from.
    let workingFolder: [UInt8]
    private let descriptor: CInt
    private let separator: Separator
    private let splitter: Mutex<NameSplitter>

    /// Bytes that are read at once.
    private static let piece = 65_536

    /// Opens a list. Blocks where the file is a pipe that nobody writes to yet.
    /// - Parameters:
    ///   - path: of the file; `-` is standard input.
    ///   - separator: what ends a name. Default: a line feed.
    ///   - workingFolder: what relative names start from.
    /// - Throws: what the system says when it cannot be opened.
    public init(
        _ path: [UInt8], separatedBy separator: Separator = .lineFeed, workingFolder: [UInt8]
    ) throws(PluginError) {
        self.separator = separator
        self.workingFolder = workingFolder
        splitter = Mutex(NameSplitter(separator: separator == .null ? 0 : UInt8(ascii: "\n")))
        if path.elementsEqual("-".utf8) {
            (name, descriptor) = ("standard input", STDIN_FILENO)
            return
        }
        name = DisplayText.of(path)
        descriptor = open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw PluginError(errno: errno, "the list '\(name)' cannot be opened") }
    }

    deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

    /// What a name leads to. Names that programs write into lists are paths, which may begin with `file:` or `rclone:` by
    /// themselves; with two slashes behind that they begin with nothing but a URI.
    /// - Parameters:
    ///   - name: not empty, without NUL bytes.
    ///   - schemes: as ``ItemLocation/parse(_:workingFolder:schemes:)`` takes them.
    /// - Throws: `invalidArgument` for a broken URI, or a `file:` URI of another machine.
    func source(_ name: [UInt8], schemes: Set<String>) throws(PluginError) -> SourceURI {
        guard separator == .lineFeed, ItemLocation.isURIWithSlashes(name, schemes) else {
            return ItemLocation.file(name, workingFolder: workingFolder)
        }
        return try ItemLocation.parse(name, workingFolder: workingFolder, schemes: schemes)
    }

    /// A URI that was refused, to be told of: without its user and password.
    static func shown(_ name: [UInt8]) -> String {
        let text = String(decoding: name, as: UTF8.self)
        guard let host = text.lastIndex(of: "@"), let colon = text.firstIndex(of: ":"), colon < host else {
            return text
        }
        return text[...colon] + "//…" + text[host...]
    }

    /// The next names. Waits until there are some; cancelling the task ends that within a moment.
    /// - Returns: `nil` when there are no more, or the task is cancelled.
    /// - Throws: what the system says when it cannot be read; `invalidArgument` when names are not ended as was said.
    func next() async throws(PluginError) -> [NameSplitter.Part]? {
        let isWanted = Wish()
        return try await withTaskCancellationHandler {
            await AsideThread.run { [self] in
                Result { () throws(PluginError) in try read(while: isWanted) }
            }
        } onCancel: {
            isWanted.end()
        }.get()
    }

    private func read(while isWanted: Wish) throws(PluginError) -> [NameSplitter.Part]? {
        var bytes = [UInt8](repeating: 0, count: Self.piece)
        while isWanted.holds {
            // A pipe may stay empty for as long as it likes.
            let isReady = vp_wait_readable(descriptor, 100)
            if isReady == 0 || isReady == -EINTR { continue }
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw PluginError(errno: errno, "the list '\(name)' cannot be read any further") }
            if count == 0 { return splitter.withLock { $0.finish() }.map { [$0] } }
            let got = bytes[..<count]
            guard separator == .null || !got.contains(0) else {
                throw PluginError(
                    .invalidArgument,
                    "the list '\(name)' holds NUL bytes, which no path does: where they end its names, give --null")
            }
            let parts = splitter.withLock { $0.take(got) }
            if !parts.isEmpty { return parts }
        }
        return nil
    }
}

/// Whether somebody still waits.
private final class Wish: Sendable {
    private let isOver = Atomic(false)

    var holds: Bool { !isOver.load(ordering: .relaxed) }

    func end() { isOver.store(true, ordering: .relaxed) }
}
