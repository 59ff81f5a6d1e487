public import VitrineKit

/// Where the list of members lies.
public struct ListAnswer: Hashable, Sendable {
    /// The job's number.
    public var number: UInt32
    /// Bytes of the list, from the beginning of the output memory on.
    public var length: Int
    /// What the reader said besides.
    public var outline: ContainerOutline

    /// Creates an answer.
    public init(number: UInt32, length: Int, outline: ContainerOutline) {
        self.number = number
        self.length = length
        self.outline = outline
    }

    func write(to out: inout WireWriter) {
        out.put(number)
        out.put(UInt32(clamping: length))
        out.put(outline.isSequential)
        out.put(outline.failure) { $0.put($1) }
    }

    init(from input: inout WireReader) throws(PluginError) {
        number = try input.uint32()
        length = Int(try input.uint32())
        outline = ContainerOutline(isSequential: try input.bool())
        outline.failure = try input.optional { (input) throws(PluginError) in try input.error() }
        guard length <= MemberTable.sizeLimit else { throw WireReader.nonsense("a list is too long") }
    }
}
