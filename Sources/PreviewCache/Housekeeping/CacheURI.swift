/// Comparing URIs of items and folders.
enum CacheURI {
    /// Whether a URI is a place or lies below it.
    static func `is`(_ uri: String, atOrBelow place: String) -> Bool {
        if uri == place { return true }
        return uri.hasPrefix(place)
            && (place.hasSuffix("/") || place.hasSuffix(":") || uri.dropFirst(place.count).first == "/")
    }
}
