internal import CompoundFiles
internal import VitrineKit

/// Filters of workbooks as Excel had them until 2003 ([MS-XLS]), which ``FilterButtons`` are for in packages.
///
/// Not for those so small that other programs than Excel write them as short streams.
enum FilterRecords {
    /// `BoundSheet8` (2.4.28), `EOF` (2.4.103), `AutoFilterInfo` (2.4.8) and `Dimensions` (2.4.90), behind which there is no filter.
    private static let sheet = 0x85, end = 0x0A, filter = 0x9D, dimensions = 0x200
    /// The higher byte of a record's type that nobody knows.
    static let unknown: UInt8 = 0x7F
    /// Records and sheets that are looked at.
    private static let mostRecords = 20_000, mostSheets = 256

    /// Where in the file the higher bytes of the types of filters lie.
    /// - Throws: what the input throws.
    static func places(in input: any RandomAccessInput) throws(PluginError) -> [Int64] {
        guard let file = try? CompoundFile(input),
            let stream = CompoundStream("Workbook", of: file) ?? CompoundStream("Book", of: file)
        else { return [] }
        var left = mostRecords
        var sheets: [Int] = []
        try walk(stream, from: 0, &left) { (type, content) throws(PluginError) in
            if type == sheet, let start = try stream.bytes(at: content, count: 4)?.uint32(at: 0) {
                sheets.append(start)
            }
            return type != end && sheets.count < mostSheets
        }
        var places: [Int64] = []
        for start in sheets {
            try walk(stream, from: start, &left) { (type, content) throws(PluginError) in
                if type == filter, let place = try stream.place(of: content - 3) { places.append(place) }
                return type != filter && type != dimensions && type != end
            }
        }
        return places
    }

    /// Goes through records.
    /// - Parameter take: gets a type and where the content begins; says whether to go on.
    private static func walk(
        _ stream: CompoundStream, from start: Int, _ left: inout Int,
        _ take: (_ type: Int, _ content: Int) throws(PluginError) -> Bool
    ) throws(PluginError) {
        var at = start
        while left > 0, let head = try stream.bytes(at: at, count: 4), let type = head.uint16(at: 0),
            let length = head.uint16(at: 2)
        {
            left -= 1
            guard try take(type, at + 4) else { return }
            at += 4 + length
        }
    }
}
