/// Messages as people send them, made by code.
public enum MailSample {
    /// A file that is attached.
    public struct File: Sendable {
        /// Its name in bytes of UTF-8.
        public var name: [UInt8]
        /// What it holds.
        public var content: [UInt8]
        /// Its MIME type.
        public var type: String

        /// Describes a file.
        public init(_ name: [UInt8], _ content: [UInt8], type: String = "application/octet-stream") {
            self.name = name
            self.content = content
            self.type = type
        }
    }

    /// A message with a text and files.
    /// - Parameters:
    ///   - fields: further lines of its head.
    ///   - end: what ends a line.
    public static func message(
        from sender: String = "Alice <alice@example.org>", subject: String, text: String = "Hello.\n",
        fields: [String] = [], files: [File] = [], end: String = "\n"
    ) -> [UInt8] {
        var lines =
            fields + [
                "From: \(sender)", "To: bob@example.org", "Subject: \(subject)",
                "Date: Wed, 31 Jan 2024 12:00:00 +0000",
                "Message-ID: <\(subject.utf8.count)@example.org>", "MIME-Version: 1.0",
            ]
        let body = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard !files.isEmpty else {
            lines += ["Content-Type: text/plain; charset=utf-8", ""] + body
            return Array(lines.joined(separator: end).utf8)
        }
        lines += ["Content-Type: multipart/mixed; boundary=\"edge\"", "", "--edge"]
        lines += ["Content-Type: text/plain; charset=utf-8", ""] + body
        var bytes = Array(lines.joined(separator: end).utf8)
        for file in files {
            let name = file.name.map { byte in
                let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2E
                return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
            bytes += Array(
                [
                    "", "--edge", "Content-Type: \(file.type)",
                    "Content-Disposition: attachment; filename*=utf-8''\(name)", "Content-Transfer-Encoding: base64",
                    "", "",
                ].joined(separator: end).utf8)
            bytes += base64(file.content, end: Array(end.utf8))
        }
        return bytes + Array([end + "--edge--", ""].joined(separator: end).utf8)
    }

    /// Base64 in lines.
    /// - Parameters:
    ///   - line: letters of each, a multiple of four. Default: 76.
    ///   - end: what ends a line; the last one has no end.
    public static func base64(_ data: [UInt8], line: Int = 76, end: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var out: [UInt8] = []
        out.reserveCapacity(data.count / 3 * 4 + data.count / line * 4 + 100)
        for start in stride(from: 0, to: data.count, by: 3) {
            if start > 0, start % (line / 4 * 3) == 0 { out += end }
            let group = data[start..<min(data.count, start + 3)]
            let bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for place in 0..<4 {
                out.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : 0x3D)
            }
        }
        return out
    }
}
