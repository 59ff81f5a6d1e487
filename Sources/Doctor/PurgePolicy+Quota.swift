extension PurgePolicy {
    /// The limits in words.
    public var limits: String {
        let age = maximumAge < 0 ? "any age" : "\(maximumAge) days"
        let size = maximumSize < 0 ? "any size" : "\(maximumSize) MB"
        let force = isInForce ? "" : " (its housekeeping is not installed here)"
        return "keeps thumbnails up to \(age) and \(size) in all\(force)"
    }

    /// What to do when GNOME would delete more than Vitrine's own quota does; `nil` when there is nothing to do.
    /// - Parameters:
    ///   - quota: Vitrine's, in bytes; `nil` for none.
    ///   - sharedBytes: what the shared store holds, whoever made it.
    public func hint(quota: Int64?, sharedBytes: Int64) -> String? {
        guard isInForce, maximumSize >= 0 else { return nil }
        let (limit, overflow) = Int64(maximumSize).multipliedReportingOverflow(by: 1 << 20)
        guard !overflow, quota.map({ $0 > limit }) ?? true else { return nil }
        let when = sharedBytes > limit ? "it deletes the oldest now" : "it deletes before Vitrine's quota does"
        let wanted = quota.map { String(($0 + (1 << 20) - 1) >> 20) } ?? "-1"
        return "\(when): gsettings set \(Self.schema) maximum-size \(wanted)"
    }
}
