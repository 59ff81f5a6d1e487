internal import MIME

/// Addresses of what lies in a help file, in the spellings that its pages and its compilers have for them.
enum HelpAddress {
    /// What stands before the path in the address of a file in it.
    static let root = "chm://help"
    /// What stands before the name of a help file in addresses of Windows. Two colons and a path follow.
    private static let schemes = ["its:", "ms-its:", "mk:@msitstore:"]

    /// The whole address of a file in it.
    /// - Parameter path: with the slash that it begins with.
    static func address(of path: String) -> String {
        let escapes: [Character: String] = ["%": "%25", "#": "%23", "?": "%3F"]
        return root + path.map { escapes[$0] ?? String($0) }.joined()
    }

    /// An address of a page as those of the web are written: with slashes, and without the name of the help file. Which file that is
    /// nobody knows here; pages hardly ever name another one than their own.
    static func plain(_ address: String) -> String {
        var rest = address[...]
        if let colons = rest.firstRange(of: "::") {
            let file = rest[..<colons.lowerBound].lowercased()
            if file.hasSuffix(".chm") || schemes.contains(where: file.hasPrefix) {
                rest = "/" + rest[colons.upperBound...].drop { $0 == "/" || $0 == "\\" }
            }
        }
        return String(rest.replacing("\\", with: "/"))
    }

    /// The paths that a file may have in the list: as its address has it, and with the letters for which `%XX` stands (RFC 3986, 2.1).
    /// - Parameter address: the whole one of a file, or one that is counted from the root.
    static func spellings(of address: String) -> [String] {
        var whole = address
        if !address.hasPrefix(root) {
            whole = WebAddress.resolved("/" + plain(address).drop { $0 == "/" }, on: root + "/")
        }
        let path = "/" + whole.dropFirst(root.count).prefix { $0 != "?" && $0 != "#" }.drop { $0 == "/" }
        return [path, String(decoding: Array(path.utf8)[...].withoutPercents, as: UTF8.self)]
    }

    /// The paths that a file may have in the list which a compiler wrote: as it stands there, in case that it has letters which mean
    /// something in addresses; else as in an address.
    static func spellings(ofTopic topic: String) -> [String] {
        ["/" + topic.drop { $0 == "/" || $0 == "\\" }.replacing("\\", with: "/")] + spellings(of: topic)
    }
}
