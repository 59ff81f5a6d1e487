import Glibc

/// The names of a document's elements, numbered as they came: a document has few, thousands of times each.
struct XMLNames {
    struct Known {
        /// As expat spells it, with the null at its end.
        let spelling: [CChar]
        let name: XMLName
        /// What it is to a listener.
        let meaning: Int
        /// The name that came after it last time: records are like one another.
        var follower = 0
    }

    private var known: [Known] = []
    private var last = 0
    private static let most = 32

    subscript(number: Int) -> Known { _read { yield known[number] } }

    /// The number of a name.
    /// - Parameter meaning: asked for a name that is new.
    /// - Returns: `nil` for one too many to be remembered.
    mutating func number(of spelling: UnsafePointer<CChar>, _ meaning: (XMLName) -> Int) -> Int? {
        if known.isEmpty { return add(spelling, meaning) }
        let expected = known[last].follower
        let found = isSpelled(expected, spelling) ? expected : known.indices.first { isSpelled($0, spelling) }
        guard let number = found ?? add(spelling, meaning) else { return nil }
        if number != expected { known[last].follower = number }
        last = number
        return number
    }

    private mutating func add(_ spelling: UnsafePointer<CChar>, _ meaning: (XMLName) -> Int) -> Int? {
        guard known.count < Self.most else { return nil }
        let name = XMLName(spelling: spelling)
        let copy = Array(UnsafeBufferPointer(start: spelling, count: strlen(spelling) + 1))
        known.append(Known(spelling: copy, name: name, meaning: meaning(name)))
        return known.count - 1
    }

    private func isSpelled(_ number: Int, _ spelling: UnsafePointer<CChar>) -> Bool {
        known[number].spelling.withUnsafeBufferPointer { $0.baseAddress.map { strcmp($0, spelling) == 0 } ?? false }
    }
}
