/// What a mail server found out about a sender: a field `Authentication-Results` (RFC 8601).
struct AuthenticationResults {
    /// The name by which the server signs, in lower case.
    let server: String
    /// Each method with its result and properties, in lower case.
    private let methods: [[String: String]]

    private static let longest = 16 << 10

    /// Reads a field.
    init(_ field: String) {
        let text = Self.withoutComments(field.prefix(Self.longest).lowercased())
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        // A version may follow the name.
        server = parts.first?.split(separator: " ").first.map(String.init) ?? ""
        methods = parts.dropFirst().map { part in
            var pairs: [String: String] = [:]
            for word in part.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
                guard let sign = word.firstIndex(of: "=") else { continue }
                let name = String(word[..<sign])
                if pairs[name] == nil { pairs[name] = String(word[word.index(after: sign)...]) }
            }
            return pairs
        }
    }

    /// Whether it says that a message is from a domain: by DMARC, or signed by that very domain with DKIM.
    func prove(domain: String) -> Bool {
        methods.contains { method in
            if method["dmarc"] == "pass" { return (method["header.from"] ?? domain) == domain }
            return method["dkim"] == "pass" && method["header.d"] == domain
        }
    }

    /// Whether the first field of the server says so. Those below it came with the message.
    static func prove(_ fields: [String], by server: String, domain: String) -> Bool {
        fields.lazy.map { AuthenticationResults($0) }.first { $0.server == server }?.prove(domain: domain) ?? false
    }

    /// Comments, and what stands in quotes: neither may look like a result.
    private static func withoutComments(_ text: String) -> String {
        var out = ""
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"", depth == 0 {
                isQuoted.toggle()
            } else if scalar == "(", !isQuoted {
                depth += 1
            } else if scalar == ")", depth > 0 {
                depth -= 1
            } else if depth == 0, !isQuoted {
                out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
