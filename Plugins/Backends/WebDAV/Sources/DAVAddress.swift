import Transfer
import VitrineKit

/// Where a source lies on its server, and where what the server names lies in the source.
struct DAVAddress: Sendable {
    /// The root of the source, with a slash at its end.
    let base: TransferURL
    /// Its path, decoded, without a slash at its end.
    private let path: [UInt8]

    /// What a server's name of something means for a folder.
    enum Place: Equatable {
        /// The folder that was asked for.
        case itself
        /// What lies in it, by its name.
        case child([UInt8])
    }

    init(_ source: SourceURI) throws(PluginError) {
        guard let authority = source.authority, !authority.isEmpty else {
            throw PluginError(
                .invalidArgument, "'\(source.scheme):' names no server: write \(source.scheme)://host/path")
        }
        try source.checkNoQuery()
        var path = source.path
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        // Where a server takes '..' away, another folder would be meant.
        _ = try ItemPath(path.drop { $0 == UInt8(ascii: "/") })
        self.path = path
        base = try TransferURL(
            (source.scheme == "davs" ? "https://" : "http://") + authority + PercentEncoding.encode(path) + "/")
    }

    /// The address of an item.
    func url(of item: ItemPath, isFolder: Bool) throws(PluginError) -> TransferURL {
        let end = isFolder && !item.isRoot ? "/" : ""
        return try TransferURL(base.text + PercentEncoding.encode(item.bytes) + end)
    }

    /// Finds what a server means.
    /// - Throws: `io` when it lies on another host, outside of the folder, or deeper in it.
    func name(of response: DAVResponse, in folder: ItemPath) throws(PluginError) -> Place {
        var whole = path
        if !folder.isRoot { whole += [UInt8(ascii: "/")] + folder.bytes }
        let href = response.href
        guard var named = Self.decodedPath(href, on: base) else { throw strange(href, folder) }
        if named.last == UInt8(ascii: "/") { named.removeLast() }
        if named == whole { return .itself }
        guard named.starts(with: whole), named.count > whole.count + 1, named[whole.count] == UInt8(ascii: "/") else {
            throw strange(href, folder)
        }
        let name = Array(named[(whole.count + 1)...])
        guard (try? folder.appending(name)) != nil else { throw strange(href, folder) }
        return .child(name)
    }

    private func strange(_ href: String, _ folder: ItemPath) -> PluginError {
        let shown = DisplayText.of(String(href.prefix(200)))
        return PluginError(
            .io,
            "'\(base.server)' lists '\(shown)' in \(folder.shown), where it does not lie: the server cannot be trusted, or "
                + "writes paths in another way than it is asked")
    }

    /// The bytes of a path that stands alone, or behind this host; other schemes and ports of it are of no account, since
    /// nothing is asked there.
    private static func decodedPath(_ href: String, on base: TransferURL) -> [UInt8]? {
        var text = href[...]
        if !href.hasPrefix("/") || href.hasPrefix("//") {
            guard let url = try? TransferURL(href, relativeTo: href.hasPrefix("//") ? base : nil), url.host == base.host
            else { return nil }
            text = url.path[...]
        }
        return PercentEncoding.decode(text.prefix { $0 != "?" && $0 != "#" })
    }
}
