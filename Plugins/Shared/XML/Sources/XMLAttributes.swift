import CExpat
import Glibc

/// The attributes of an element as the parser keeps them: there only while a listener is told of it.
public struct XMLAttributes {
    /// Names and values in turn, up to a null.
    private let pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    init(_ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?) { self.pairs = pairs }

    /// By local name; of two with one name the last counts.
    public var values: [String: String] {
        var values: [String: String] = [:]
        var next = pairs
        while let pair = next, let key = pair[0], let value = pair[1] {
            values[XMLName(spelling: key).local] = String(cString: value)
            next = pair + 2
        }
        return values
    }

    /// Hands over each local name with its value, in UTF-8 and there until `body` returns: for elements of which there are
    /// millions.
    public func forEach(_ body: (_ local: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        var next = pairs
        while let pair = next, let key = pair[0], let value = pair[1] {
            // Expat puts the URI of a namespace and a blank before it.
            let local = strrchr(key, 0x20).map { UnsafePointer($0) + 1 } ?? key
            body(
                UnsafeRawBufferPointer(start: local, count: strlen(local)),
                UnsafeRawBufferPointer(start: value, count: strlen(value)))
            next = pair + 2
        }
    }
}
