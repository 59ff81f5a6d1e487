import Glibc

/// How a program ended, and what it said.
struct FinishedRun: Sendable {
    var pid: pid_t
    /// `nil` when a signal ended it.
    var exitCode: CInt?
    /// Standard output, as bytes.
    var output: [UInt8]
    /// Standard error.
    var errors: String

    /// Standard output as text.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// Standard output as lines of `--progress json`.
    func progress() throws -> [ProgressLine] {
        try text.split(separator: "\n").map { try ProgressLine(String($0)) }
    }

    /// The lines about items.
    func items() throws -> [ProgressLine] { try progress().filter { $0.event == "item" } }

    /// The last line, which must be `finished`.
    func summary() throws -> ProgressLine {
        guard let last = try progress().last, last.event == "finished" else {
            throw ProgressLine.Malformed(line: text.suffix(200) + errors.suffix(200))
        }
        return last
    }
}
