/// Comparing URIs of items and folders.
package enum CacheURI {
    /// Whether a URI is a place or lies below it. A query says which server it is, so that both have the same one or none.
    /// - Parameter ignoresQuery: whether any query will do. Default: no.
    package static func `is`(_ uri: String, atOrBelow place: String, ignoresQuery: Bool = false) -> Bool {
        if uri == place { return true }
        let mark = UInt8(ascii: "?"), slash = UInt8(ascii: "/")
        let (item, folder) = (uri.utf8.prefix { $0 != mark }, place.utf8.prefix { $0 != mark })
        guard item.starts(with: folder),
            ignoresQuery || uri.utf8[item.endIndex...].elementsEqual(place.utf8[folder.endIndex...])
        else { return false }
        let rest = item.dropFirst(folder.count)
        return rest.isEmpty || folder.last == slash || folder.last == UInt8(ascii: ":") || rest.first == slash
    }
}
