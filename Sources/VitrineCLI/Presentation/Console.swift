import Dispatch
import FileBytes
import Glibc
import Synchronization

/// Writes to the two streams of the terminal. A stream that is closed takes nothing and is no error.
enum Console {
    /// A line on standard output.
    static func print(_ line: String) { _ = write(line + "\n", to: STDOUT_FILENO) }

    /// A line on standard error.
    static func error(_ line: String) { _ = write(line + "\n", to: STDERR_FILENO) }

    /// Text as it is. Why standard output does not take it is kept for ``outputFailure``.
    /// - Returns: whether all of it could be written.
    static func write(_ text: String, to fd: CInt) -> Bool {
        guard let reason = FileBytes.write(Array(text.utf8), to: fd) else { return true }
        // Who reads no more has what was wanted.
        if fd == STDOUT_FILENO, reason != EPIPE { failure.store(reason, ordering: .relaxed) }
        return false
    }

    /// Writes on a thread of its own: a reader that does not read holds up nobody else.
    static func writeAside(_ text: String, to fd: CInt) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: write(text, to: fd)) }
        }
    }

    /// Why something that was printed did not arrive, such as on a full disk; `nil` when all did, or nobody reads.
    static var outputFailure: String? {
        let number = failure.load(ordering: .relaxed)
        return number == 0 ? nil : strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }

    private static let failure = Atomic<CInt>(0)
    private static let queue = DispatchQueue(label: "vitrine.output")

    /// Whether a person sees the stream, on a terminal that can move its cursor.
    static func isTerminal(_ fd: CInt) -> Bool {
        isatty(fd) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
    }

    /// Columns of the terminal that errors are written to.
    static var width: Int { width(STDERR_FILENO) }

    /// Columns of the terminal that results are written to.
    static var outputWidth: Int { width(STDOUT_FILENO) }

    /// Columns of helps: those of the terminal, but lines that are too long are hard to read.
    static var helpWidth: Int { min(max(40, outputWidth), 100) }

    private static func width(_ fd: CInt) -> Int {
        var size = winsize()
        return ioctl(fd, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
