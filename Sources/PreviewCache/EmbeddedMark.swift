public import VitrineKit

/// That an entry shows a picture that lay ready inside the item, and under which rule it was taken.
public struct EmbeddedMark: Hashable, Sendable {
    /// The rule: what `prefer` took may be worse than what is drawn.
    public var use: EmbeddedUse
    /// What it is, such as "EXIF thumbnail".
    public var name: String

    /// Marks a picture.
    public init(use: EmbeddedUse, name: String) {
        self.use = use
        self.name = name
    }

    /// Reads what ``text`` wrote.
    /// - Returns: `nil` for what is no mark.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let use = EmbeddedUse(rawValue: String(parts[0])) else { return nil }
        self.init(use: use, name: String(parts[1]))
    }

    /// As a key's value.
    var text: String { "\(use.rawValue) \(name)" }

    /// Whether a picture with such a mark, or without any, is what a rule asks for. What was drawn is right for each: whether
    /// there is anything to be preferred is not known without a look into the item.
    static func satisfies(_ mark: EmbeddedMark?, _ use: EmbeddedUse) -> Bool {
        switch use {
        case .prefer: true
        case .auto: mark?.use != .prefer
        case .never: mark == nil
        }
    }
}
