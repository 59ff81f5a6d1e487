/// Finds the objects in the list of an answer such as `{"list":[{…},{…}]}` while it comes.
public struct JSONElements {
    private var depth = 0
    private var isText = false
    private var isEscaped = false
    private var element: [UInt8] = []

    /// Nothing has come yet.
    public init() {}

    /// Whether all that was opened is closed again.
    public private(set) var isComplete = false
    /// The most bytes of an object: far more than what is told of a file.
    public static let longest = 256 << 10

    /// Takes a part of the answer.
    /// - Returns: the objects that it completes; `nil` when one is too long.
    public mutating func take(_ part: [UInt8]) -> [[UInt8]]? {
        var found: [[UInt8]] = []
        for byte in part {
            if depth >= 3 || (depth == 2 && byte == UInt8(ascii: "{")) {
                element.append(byte)
                guard element.count <= Self.longest else { return nil }
            }
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isText = false
                }
                continue
            }
            switch byte {
            case 0x22: isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 2, !element.isEmpty {
                    found.append(element)
                    element = []
                }
                if depth == 0 { isComplete = true }
            default: continue
            }
        }
        return found
    }
}
