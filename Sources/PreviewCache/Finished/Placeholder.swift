/// A ThumbHash as text.
public enum Placeholder {
    /// Base64 of it.
    public static func text(_ hash: [UInt8]) -> String { Base64.text(hash) }
}
