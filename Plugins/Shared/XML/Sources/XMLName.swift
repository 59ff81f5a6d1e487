/// The name of an element.
public struct XMLName: Hashable, Sendable {
    /// The URI of its namespace; empty without one.
    public var namespace: String
    /// The name without a prefix.
    public var local: String

    /// Creates a name.
    public init(_ namespace: String, _ local: String) {
        self.namespace = namespace
        self.local = local
    }

    /// Takes expat's `namespace name` apart.
    init(spelling: UnsafePointer<CChar>) {
        let whole = String(cString: spelling)
        guard let blank = whole.utf8.lastIndex(of: 0x20) else {
            // A colon is left only where prefixes have no meaning.
            self.init("", whole.utf8.lastIndex(of: 0x3A).map { String(whole[whole.utf8.index(after: $0)...]) } ?? whole)
            return
        }
        self.init(String(whole[..<blank]), String(whole[whole.utf8.index(after: blank)...]))
    }
}
