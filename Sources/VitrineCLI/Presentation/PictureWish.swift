import Glibc
import PluginHost
import TerminalPictures
import VitrineKit

/// Whether previews are shown in the terminal, and how: the value of `--pictures`.
enum PictureWish {
    case auto, never
    case always(TerminalProtocol)

    /// - Throws: `invalidArgument` for another word than these.
    init(_ word: String) throws(PluginError) {
        switch word {
        case "auto": self = .auto
        case "never": self = .never
        default:
            guard let kind = TerminalProtocol(rawValue: word) else {
                throw PluginError(
                    .invalidArgument,
                    "'\(DisplayText.of(word))' is no way to show pictures; write auto, never, kitty, iterm or sixel")
            }
            self = .always(kind)
        }
    }

    /// What draws the pictures; `nil` for none. Nothing but a terminal is ever given pictures.
    func pictures() -> PictureColumn? {
        guard Console.isTerminal(STDOUT_FILENO) else { return nil }
        switch self {
        case .never: return nil
        case .always(let kind): return PictureColumn(kind)
        case .auto:
            let kind = TerminalProtocol(environment: PluginSearchPath.environment) ?? TerminalQuestion.ask()
            return kind.map { PictureColumn($0) }
        }
    }
}

/// Draws pictures at the left, and lines beside them.
struct PictureColumn {
    private let kind: TerminalProtocol
    private let room: TerminalPicture.Room

    init(_ kind: TerminalProtocol) {
        self.kind = kind
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        let cell =
            isKnown && size.ws_xpixel > 0 && size.ws_ypixel > 0
            ? (width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
            : (width: 10, height: 20)
        room = TerminalPicture.Room(columns: 10, rows: 4, cell: cell)
    }

    /// Writes a picture, if there is one, and lines beside it.
    func show(_ preview: String?, _ lines: [String]) {
        let rows = room.rows
        // Room first, so that nothing scrolls while the picture is drawn; then back to its corner.
        var text = String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7"
        if let png = preview.flatMap({ Self.read($0) }), let picture = TerminalPicture(png: png, room: room, as: kind) {
            text += picture.text
        }
        text += "\u{1B}8"
        for line in lines.prefix(rows) { text += "\u{1B}[\(room.columns + 1)C\(line)\n" }
        text += String(repeating: "\n", count: max(0, rows - lines.count))
        _ = Console.write(text, to: STDOUT_FILENO)
    }

    /// A preview's bytes; one that is larger than any preview is not read.
    private static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return try? TextFile.read(file, limit: 4 << 20, name: "the preview")
    }
}

/// Asks the terminal what it can do. Nobody waits longer than a moment for one that does not answer.
enum TerminalQuestion {
    private static let patience: CInt = 150

    static func ask() -> TerminalProtocol? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        // In the background the terminal is somebody else's.
        guard tcgetpgrp(terminal) == getpgrp() else { return nil }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return nil }
        var raw = before
        cfmakeraw(&raw)
        guard tcsetattr(terminal, TCSANOW, &raw) == 0 else { return nil }
        // What comes too late is thrown away rather than left to the shell.
        defer { tcsetattr(terminal, TCSAFLUSH, &before) }
        guard Console.write(TerminalProtocol.question, to: terminal) else { return nil }
        var answer: [UInt8] = []
        while answer.count < 1024, !TerminalProtocol.isComplete(answer) {
            var wait = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, patience) == 1 else { break }
            var room = [UInt8](repeating: 0, count: 256)
            let count = read(terminal, &room, room.count)
            guard count > 0 else { break }
            answer += room.prefix(count)
        }
        return TerminalProtocol(answer: answer)
    }
}
