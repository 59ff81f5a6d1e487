import Glibc
import Transfer

/// One section of the files that AWS's own tools keep: `~/.aws/credentials` and `~/.aws/config`.
struct AWSProfile: Sendable {
    private let values: [String: String]

    /// Reads both files where they are; the first counts more.
    /// - Parameter name: the section; `nil` for `$AWS_PROFILE`, else `default`.
    init(_ name: String?) {
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        let name = name ?? environment("AWS_PROFILE") ?? "default"
        let home = environment("HOME") ?? ""
        let config = environment("AWS_CONFIG_FILE") ?? home + "/.aws/config"
        let credentials = environment("AWS_SHARED_CREDENTIALS_FILE") ?? home + "/.aws/credentials"
        let section = name == "default" ? name : "profile " + name
        values = Self.section(section, of: config).merging(Self.section(name, of: credentials)) { $1 }
    }

    /// A value of the section.
    func value(_ name: String) -> String? { values[name] }

    private static func section(_ name: String, of path: String) -> [String: String] {
        var values: [String: String] = [:]
        var isInside = false
        for line in text(path).split(whereSeparator: \.isNewline).map({ String($0) }) {
            // What is set in stands for a table inside a value.
            let isIndented = line.hasPrefix(" ") || line.hasPrefix("\t")
            let line = line.trimmed
            if line.hasPrefix("["), line.hasSuffix("]") {
                isInside = String(line.dropFirst().dropLast()).trimmed == name
            } else if isInside, !isIndented, !line.hasPrefix("#"), !line.hasPrefix(";"),
                let mark = line.firstIndex(of: "=")
            {
                values[String(line[..<mark]).trimmed.lowercased()] = String(line[line.index(after: mark)...]).trimmed
            }
        }
        return values
    }

    /// A small regular file; nothing when there is none.
    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
