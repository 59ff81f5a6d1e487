/// Profiles that were met lately. The pictures of a camera or a program share one, and making the tables for it takes
/// longer than converting a preview.
public final class ColorProfileCache {
    private struct Key: Hashable {
        var kind: ColorProfile.Kind
        var order: ColorProfile.Order
        var bytes: [UInt8]
    }
    private var known: [Key: ColorProfile] = [:]

    /// The most profiles kept, each with tables of up to a few megabytes.
    private static let limit = 16

    /// Creates a cache of none.
    public init() {}

    /// The profile, made or remembered.
    /// - Returns: `nil` when it cannot be used.
    public func profile(
        _ bytes: UnsafeRawBufferPointer, for kind: ColorProfile.Kind, _ order: ColorProfile.Order = .redFirst
    ) -> ColorProfile? {
        guard bytes.count <= ColorProfile.longest else { return nil }
        let key = Key(kind: kind, order: order, bytes: Array(bytes))
        if let profile = known[key] { return profile }
        guard let profile = ColorProfile(bytes, for: kind, order) else { return nil }
        if known.count >= Self.limit { known.removeAll() }
        known[key] = profile
        return profile
    }
}
