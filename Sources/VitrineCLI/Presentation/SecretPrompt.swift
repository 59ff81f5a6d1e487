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
        // Keys that would end or stop the program come as bytes: it must not leave a terminal behind that shows nothing.
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        write(question)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        let answer = keys()
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
        write("\n")
        if case .interrupted = answer { raise(SIGINT) }
        guard case .line(let bytes) = answer else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private enum Answer {
        case line([UInt8])
        case interrupted
        case nothing
    }

    private static let limit = 64 << 10

    /// What is typed up to the end of the line, with the keys that take something back.
    private static func keys() -> Answer {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            guard let byte = byte() else { return .nothing }
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return .line(bytes)
            case 0x03, 0x1C: return .interrupted
            case 0x04: return bytes.isEmpty ? .nothing : .line(bytes)
            case 0x15: bytes = []
            case 0x08, 0x7F:
                // A whole character of UTF-8.
                while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
            case 0..<0x20: break
            default: bytes.append(byte)
            }
        }
        return .nothing
    }

    /// A line of a pipe or file.
    private static func line() -> String? {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            guard let byte = byte() else { return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(validating: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// One at a time: the next secret is not to be taken along.
    private static func byte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    private static func write(_ text: String) { _ = Console.write(text, to: STDERR_FILENO) }
}
