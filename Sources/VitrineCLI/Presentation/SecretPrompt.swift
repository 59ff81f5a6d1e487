import Glibc

/// Asks for a secret: on the terminal without showing it, or from standard input, a line for each.
enum SecretPrompt {
    /// - Parameter question: shown on the terminal only.
    /// - Returns: the line without its end; `nil` when there is none.
    static func ask(_ question: String) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return line() }
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return line() }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        write(question)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            write("\n")
        }
        return line()
    }

    /// A byte at a time: the next secret is not to be taken along.
    private static func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 64 << 10 {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(validating: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
