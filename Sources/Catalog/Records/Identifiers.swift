/// A source's number in one catalog.
public struct SourceID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int64
    /// Wraps a number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A folder's number in one catalog.
public struct FolderID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int64
    /// Wraps a number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// An item's number in one catalog. It stays when the item is renamed or moved.
public struct ItemID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int64
    /// Wraps a number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The number of a plan: what a run wanted of its items.
public struct PlanID: RawRepresentable, Hashable, Sendable {
    /// The number; 0 is no plan.
    public let rawValue: Int64
    /// Wraps a number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Nothing was wanted yet.
    public static let none = PlanID(rawValue: 0)
}

/// A renderer's number in one catalog.
public struct RendererID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int64
    /// Wraps a number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
}
