import Vitrine

/// What was read of storages that are not on this machine, in words.
enum ReadTraffic {
    /// - Parameter size: bytes of the item, if it is one; `nil` for several.
    static func text(_ traffic: ItemTraffic, of size: Int64?) -> String {
        let requests = "\(traffic.requests) request\(traffic.requests == 1 ? "" : "s")"
        var text = Quantity.bytes(traffic.bytes) + (size.map { " of \(Quantity.bytes($0))" } ?? "") + " in \(requests)"
        if traffic.requests > 0 { text += ", \(Quantity.seconds(traffic.time.inSeconds))" }
        if traffic.cached > 0 { text += "; \(Quantity.bytes(traffic.cached)) were kept from before" }
        return text
    }
}
