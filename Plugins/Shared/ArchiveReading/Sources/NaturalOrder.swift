/// The order in which people expect names: numbers by their value, letters whatever their case, folders first.
package enum NaturalOrder {
    /// Whether one name comes before another.
    package static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
            if isDigit(a[i]), isDigit(b[j]) {
                let (x, y) = (number(a, &i), number(b, &j))
                if x.count != y.count { return x.count < y.count }
                if !x.elementsEqual(y) { return x.lexicographicallyPrecedes(y) }
                continue
            }
            let (x, y) = (weight(a[i]), weight(b[j]))
            if x != y { return x < y }
            i += 1
            j += 1
        }
        if a.count - i != b.count - j { return a.count - i < b.count - j }
        // Alike but for case or leading zeros: some order, always the same.
        return a.lexicographicallyPrecedes(b)
    }

    /// The first of some things in an order, without putting all of them in it.
    /// - Parameters:
    ///   - count: how many at most.
    ///   - precedes: the order.
    package static func first<Thing>(
        _ count: Int, of things: some Sequence<Thing>, by precedes: (Thing, Thing) -> Bool
    ) -> [Thing] {
        var found: [Thing] = []
        for thing in things {
            if found.count == count {
                guard let last = found.last, precedes(thing, last) else { continue }
                found.removeLast()
            }
            found.insert(thing, at: found.firstIndex { precedes(thing, $0) } ?? found.count)
        }
        return found
    }

    /// The digits of a number without leading zeros.
    private static func number(_ name: [UInt8], _ at: inout Int) -> ArraySlice<UInt8> {
        let start = at
        while at < name.count, isDigit(name[at]) { at += 1 }
        return name[start..<at].drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    private static func weight(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "\\"): 0
        case 0x41...0x5A: byte + 32
        default: byte
        }
    }
}
