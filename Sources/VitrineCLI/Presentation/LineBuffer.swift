import Glibc

/// Lines for standard output that are written together: a call of the system for each would cost more than the rest.
///
/// A person on a terminal sees each line at once. Used by one task at a time; ``flush()`` is called at the end.
struct LineBuffer {
    private var text = ""
    private let limit: Int
    private let descriptor: CInt
    /// Whether the reader is gone, so that nothing that follows is wanted.
    private(set) var isClosed = false

    /// - Parameter descriptor: where lines go. Default: standard output.
    init(to descriptor: CInt = STDOUT_FILENO) {
        self.descriptor = descriptor
        limit = isatty(descriptor) == 1 ? 0 : 1 << 16
    }

    /// Adds a line.
    mutating func print(_ line: String) {
        text += line
        text += "\n"
        if text.utf8.count > limit { flush() }
    }

    /// Writes what is left.
    mutating func flush() {
        if !text.isEmpty, !isClosed { isClosed = !Console.write(text, to: descriptor) }
        text.removeAll(keepingCapacity: true)
    }
}
