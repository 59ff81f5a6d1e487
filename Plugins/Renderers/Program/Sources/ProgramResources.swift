internal import VitrineKit

/// What lies beside the code in a program of Windows, by kinds and numbers.
protocol ProgramResources {
    /// The first of a kind, in the program's order.
    /// - Returns: `nil` when there is none.
    /// - Throws: `limitExceeded` when it is too long, `corrupt` when it is cut off, or what the input throws.
    func first(of kind: ResourceKind) throws(PluginError) -> [UInt8]?

    /// The one with a number.
    /// - Returns: `nil` when there is none.
    /// - Throws: as ``first(of:)``.
    func resource(_ kind: ResourceKind, _ number: Int) throws(PluginError) -> [UInt8]?
}

/// The kinds of resources that are looked at, by their numbers (`winuser.h`).
enum ResourceKind: Int {
    /// One picture of an icon.
    case icon = 3
    /// The list of an icon's pictures.
    case iconGroup = 14
    /// What the program says of itself.
    case version = 16
}
