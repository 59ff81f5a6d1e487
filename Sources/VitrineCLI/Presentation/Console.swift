import Dispatch
import Glibc

/// Writes to the two streams of the terminal. A stream that is closed takes nothing and is no error.
enum Console {
    /// A line on standard output.
    static func print(_ line: String) { _ = write(line + "\n", to: STDOUT_FILENO) }

    /// A line on standard error.
    static func error(_ line: String) { _ = write(line + "\n", to: STDERR_FILENO) }

    /// Text as it is.
    /// - Returns: whether all of it could be written.
    static func write(_ text: String, to fd: CInt) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(fd, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// Writes on a thread of its own: a reader that does not read holds up nobody else.
    static func writeAside(_ text: String, to fd: CInt) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: write(text, to: fd)) }
        }
    }

    private static let queue = DispatchQueue(label: "vitrine.output")

    /// Whether a person sees the stream, on a terminal that can move its cursor.
    static func isTerminal(_ fd: CInt) -> Bool {
        isatty(fd) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
    }

    /// Columns of the terminal that errors are written to.
    static var width: Int { width(STDERR_FILENO) }

    /// Columns of the terminal that results are written to.
    static var outputWidth: Int { width(STDOUT_FILENO) }

    private static func width(_ fd: CInt) -> Int {
        var size = winsize()
        return ioctl(fd, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
