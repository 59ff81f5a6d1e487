/// Where an item lies inside its source: bytes, relative to the source's root, separated by `/`.
///
/// Names are bytes because file systems say so: not every name is UTF-8, and two spellings of one
/// character are two names. A path never holds an empty component, `.`, `..` or a NUL byte, so it cannot
/// climb out of its source, whatever a backend answers.
@frozen
public struct ItemPath: Hashable, Sendable {
    /// The bytes of the path, without a leading or trailing `/`; empty for the source's root.
    public let bytes: [UInt8]

    /// The source itself.
    public static let root = ItemPath(unchecked: [])

    /// Checks and takes a path.
    /// - Parameter bytes: relative, separated by `/`. Empty for the root.
    /// - Throws: `invalidArgument` when a component is empty, `.`, `..` or holds a NUL byte.
    public init(_ bytes: some Sequence<UInt8>) throws(PluginError) {
        let bytes = Array(bytes)
        if !bytes.isEmpty {
            for component in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                try Self.check(component)
            }
        }
        self.bytes = bytes
    }

    /// Checks and takes a path that is text.
    /// - Parameter text: relative, separated by `/`.
    /// - Throws: `invalidArgument` as ``init(_:)-(Sequence<UInt8>)``.
    public init(_ text: String) throws(PluginError) {
        try self.init(text.utf8)
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// The path of a child.
    /// - Parameter name: one component; it may not hold a `/`.
    /// - Throws: `invalidArgument` when the name is empty, `.`, `..` or holds `/` or a NUL byte.
    public func appending(_ name: some Collection<UInt8>) throws(PluginError) -> ItemPath {
        // A walk comes here for every file: bytes in a row are looked at without going through a collection.
        let name = Array(name)
        try Self.check(name[...])
        let hasSlash = name.withUnsafeBufferPointer { $0.contains(UInt8(ascii: "/")) }
        guard !hasSlash else {
            throw PluginError(.invalidArgument, "the name '\(DisplayText.of(name))' holds a '/'")
        }
        if bytes.isEmpty { return ItemPath(unchecked: name) }
        var path: [UInt8] = []
        path.reserveCapacity(bytes.count + 1 + name.count)
        path.append(contentsOf: bytes)
        path.append(UInt8(ascii: "/"))
        path.append(contentsOf: name)
        return ItemPath(unchecked: path)
    }

    /// The last component; empty for the root.
    public var name: [UInt8] { Array(bytes[nameStart...]) }

    /// The folder that holds it; `nil` for the root.
    public var parent: ItemPath? {
        bytes.isEmpty ? nil : ItemPath(unchecked: Array(bytes[..<max(0, nameStart - 1)]))
    }

    /// The same place as it is seen from a folder above it; `nil` when it does not lie in that folder.
    /// - Parameter folder: the folder; the path itself gives the root.
    public func below(_ folder: ItemPath) -> ItemPath? {
        if folder.isRoot { return self }
        guard bytes.starts(with: folder.bytes) else { return nil }
        if bytes.count == folder.bytes.count { return .root }
        guard bytes[folder.bytes.count] == UInt8(ascii: "/") else { return nil }
        return ItemPath(unchecked: Array(bytes[(folder.bytes.count + 1)...]))
    }

    /// Whether it is the source itself.
    public var isRoot: Bool { bytes.isEmpty }

    private var nameStart: Int { bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0 }

    private static func check(_ component: ArraySlice<UInt8>) throws(PluginError) {
        let isName = component.withUnsafeBufferPointer { bytes in
            let dot = UInt8(ascii: ".")
            let isDots = bytes.count <= 2 && bytes.allSatisfy { $0 == dot }
            return !isDots && !bytes.contains(0)
        }
        guard isName else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(component))' is no name of a file: it may not be empty, '.', '..' or hold a NUL byte"
            )
        }
    }
}

extension ItemPath: CustomStringConvertible {
    /// The path as text for people: bytes that are not UTF-8 are replaced, control characters escaped.
    public var description: String { DisplayText.of(bytes) }

    /// What it is called in sentences: its text in quotes, or "the source" for the root, which has no name of its own.
    public var shown: String { isRoot ? "the source" : "'\(self)'" }
}
