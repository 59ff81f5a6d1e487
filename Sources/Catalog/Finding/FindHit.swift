/// An item that fits, before all of it is looked up.
struct FindHit {
    var id: Int64
    var match: FoundItem.Match
    var seconds: Int64
    var folder: Int64
    var name: [UInt8]
    var size: Int64?
    var nanoseconds: Int64
    var type: Int64?

    /// Best first.
    static func precedes(_ one: FindHit, _ other: FindHit) -> Bool {
        if one.match != other.match { return one.match < other.match }
        return (one.seconds, one.id) > (other.seconds, other.id)
    }
}
