import Testing
import VitrineKit

@Suite struct InputTests {
    @Test(
        "Bytes in memory are read up to their end, and nothing before or behind",
        arguments: [(0, [1, 2]), (1, [2, 3]), (2, [3]), (3, []), (-1, []), (.max, [])] as [(Int64, [UInt8])])
    func ranges(offset: Int64, expected: [UInt8]) throws {
        let input = BytesInput([1, 2, 3])
        #expect(input.size == 3 && input.fileDescriptor == nil)
        var room: [UInt8] = [0, 0]
        let count = try room.withUnsafeMutableBytes { try input.read(at: offset, into: $0) }
        #expect(Array(room.prefix(count)) == expected)
    }

    @Test("What has no bytes is refused by name") func empty() throws {
        #expect(throws: PluginError(.empty, "the toy is empty: it has no bytes")) {
            try BytesInput([]).checkNotEmpty("the toy")
        }
        try BytesInput([0]).checkNotEmpty("the toy")
    }

    @Test("What is one picture has no second page, and no moment") func singlePicture() throws {
        try RenderRequest(box: 1, mimeType: "a/b").checkSinglePicture(in: "the toy")
        #expect(throws: PluginError(.invalidArgument, "there is no page 2: the toy has only one")) {
            try RenderRequest(box: 1, mimeType: "a/b", page: 1).checkSinglePicture(in: "the toy")
        }
        let moment = RenderRequest(box: 1, mimeType: "a/b", time: 0)
        #expect(throws: PluginError.self) { try moment.checkSinglePicture(in: "the toy") }
    }
}
