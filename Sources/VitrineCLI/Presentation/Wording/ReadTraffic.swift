import Timing
import Vitrine
import VitrineKit

/// What was read of storages that are not on this machine, in words.
enum ReadTraffic {
    /// - Parameter size: bytes of the item, if it is one; `nil` for several.
    static func text(_ traffic: ItemTraffic, of size: Int64?) -> String {
        var text = Quantity.bytes(traffic.bytes) + (size.map { " of \(Quantity.bytes($0))" } ?? "")
        text += " in \(Quantity.count(traffic.requests, "request"))"
        if traffic.requests > 0 { text += ", \(Quantity.seconds(traffic.time.inSeconds))" }
        if traffic.cached > 0 { text += "; \(Quantity.bytes(traffic.cached)) were kept from before" }
        return text
    }

    /// What a storage was asked for, by the count of its backend: what came includes the heads of its answers.
    static func text(_ traffic: Traffic) -> String {
        var text = "\(Quantity.count(traffic.requests, "request")), \(Quantity.bytes(traffic.bytesReceived))"
        if traffic.requests > 0 { text += ", \(Quantity.seconds(traffic.time.inSeconds))" }
        if traffic.retries > 0 { text += "; \(traffic.retries) of them tried again" }
        return text
    }
}
