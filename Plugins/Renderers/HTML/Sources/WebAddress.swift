/// Addresses of the web (RFC 3986), as far as parts of a saved page name each other by them.
enum WebAddress {
    /// Bytes of an address that is looked for; longer ones are of no file.
    static let longest = 4095

    /// What an address means on a page, without the part of the page that it may point at (RFC 3986, 5.2).
    /// - Parameter base: the page's own address; empty where it has none.
    static func resolved(_ address: String, on base: String) -> String {
        let plain = base.hasPrefix(HelpAddress.root) ? HelpAddress.plain(address) : address
        let address = plain.prefix { $0 != "#" }
        guard let page = Parts(base[...]), Self.scheme(of: address) == nil else { return String(address) }
        if address.isEmpty { return String(base.prefix { $0 != "#" }) }
        if address.hasPrefix("//") { return String(page.scheme + address) }
        if address.hasPrefix("/") { return page.host + path(address) }
        if address.hasPrefix("?") { return String(page.host + page.path + address) }
        let folder = page.path.lastIndex(of: "/").map { page.path[...$0] } ?? "/"
        return page.host + path(folder + address)
    }

    private struct Parts {
        /// With its colon.
        let scheme: Substring
        /// With its scheme.
        let host: Substring
        let path: Substring

        init?(_ address: Substring) {
            guard let scheme = WebAddress.scheme(of: address) else { return nil }
            self.scheme = scheme
            var rest = address[scheme.endIndex...]
            if rest.hasPrefix("//") { rest = rest.dropFirst(2).drop { $0 != "/" && $0 != "?" && $0 != "#" } }
            host = address[..<rest.startIndex]
            path = rest.prefix { $0 != "?" && $0 != "#" }
        }
    }

    private static func scheme(of address: Substring) -> Substring? {
        guard let first = address.first, first.isASCII, first.isLetter, let colon = address.firstIndex(of: ":"),
            address[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return address[...colon]
    }

    /// Goes through the folders that a path names (RFC 3986, 5.2.4); what follows a question mark is none.
    private static func path(_ path: some StringProtocol) -> String {
        let folders = path.prefix { $0 != "?" }
        var kept: [Substring] = []
        let names = folders.split(separator: "/", omittingEmptySubsequences: false).map { Substring($0) }
        for (index, name) in names.enumerated() {
            switch name {
            case "..": if kept.count > 1 { kept.removeLast() }
            case ".": break
            default: kept.append(name)
            }
            if index == names.count - 1, name == "." || name == ".." { kept.append("") }
        }
        return kept.joined(separator: "/") + path[folders.endIndex...]
    }
}
