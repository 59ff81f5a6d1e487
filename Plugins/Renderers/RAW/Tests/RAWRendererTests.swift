import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import RAWRenderer

@Suite(.serialized) struct RAWRendererTests {
    private static func draw(_ input: any RandomAccessInput, box: Int = 256) throws -> Rendering {
        let renderer = try RAWRenderer(RendererEnvironment(pluginFolder: "/"))
        return try renderer.render(input, RenderRequest(box: box, mimeType: "image/x-adobe-dng"))
    }

    private static func failure(_ bytes: [UInt8]) -> PluginError.Code? {
        RendererFixtures.failure { try draw(BytesInput(bytes)) }
    }

    @Test(
        "It keeps the renderer's contract",
        arguments: ["preview.dng", "turned.dng", "bare.dng", "outline.raf", "outline.cr3"])
    func conformance(name: String) throws {
        let sample = RendererSample(name, mimeType: "image/x-adobe-dng", bytes: try Fixtures.bytes("raw/\(name)"))
        let suite = RendererConformance(samples: [sample], scales: false) { environment throws(PluginError) in
            try RAWRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "Previews are upright, and the photograph's size is told upright",
        arguments: [
            ("preview.dng", 640), ("turned.dng", 640), ("outline.raf", 640), ("outline.cr3", 640), ("bare.dng", 128),
        ])
    func upright(name: String, width: Int) throws {
        let rendering = try Self.draw(BytesInput(try Fixtures.bytes("raw/\(name)")))
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
        #expect(rendering.facts.size == PixelSize(width: width, height: width * 3 / 4))
    }

    @Test("Only the directories and the preview are read")
    func reads() throws {
        var bytes = try Fixtures.bytes("raw/preview.dng")
        let small = bytes.count
        bytes += [UInt8](repeating: 0, count: 32 << 20)
        let input = CountingInput(bytes)
        #expect(QuadrantCheck(RGBAPicture(try Self.draw(input).bitmap)).arrangement == .upright)
        #expect(input.reads < 20 && input.bytesRead < small * 3, "\(input.reads) reads, \(input.bytesRead) bytes")
    }

    @Test("The smallest preview that is large enough is taken, and none of what is no preview")
    func choice() throws {
        func preview(_ side: Int?, _ count: Int) throws -> EmbeddedPreview {
            var one = try #require(try EmbeddedPreview(BytesInput(Self.jpeg(marker: 0xC0)), offset: 8, count: 600))
            one.side = side
            one.count = count
            return one
        }
        let previews = [try preview(160, 9000), try preview(6000, 3_000_000), try preview(1600, 400_000)]
        #expect(EmbeddedPreview.best(previews, box: 256)?.side == 1600)
        #expect(EmbeddedPreview.best(previews, box: 2000)?.side == 6000)
        #expect(EmbeddedPreview.best(previews, box: 9000)?.side == 6000 && EmbeddedPreview.best([], box: 1) == nil)
        // The sensor's data in lossless JPEG.
        #expect(try EmbeddedPreview(BytesInput(Self.jpeg(marker: 0xC3)), offset: 8, count: 600) == nil)
        #expect(try EmbeddedPreview(BytesInput(Self.jpeg(marker: 0xC0)), offset: 9, count: 600) == nil)
        #expect(try EmbeddedPreview(BytesInput(Self.jpeg(marker: 0xC0)), offset: .max, count: 600) == nil)
    }

    /// Eight bytes, then the head of a JPEG file.
    private static func jpeg(marker: UInt8) -> [UInt8] {
        [UInt8](repeating: 0, count: 8) + [0xFF, 0xD8, 0xFF, marker, 0, 17, 8, 0, 120, 0, 160, 3]
            + [UInt8](repeating: 0, count: 1000)
    }

    @Test("Files that are broken say so, and loops and absurd counts end")
    func bad() throws {
        #expect(Self.failure([]) == .empty && Self.failure(Array("words and words".utf8)) == .corrupt)
        let good = try Fixtures.bytes("raw/preview.dng")
        // The first directory is its own successor, and an inner directory is the first one.
        let loop: [UInt8] =
            [0x49, 0x49, 0x2A, 0] + little(8, 4) + little(1, 2) + little(0x14A, 2) + little(4, 2)
            + little(1, 4) + little(8, 4) + little(8, 4) + [UInt8](repeating: 0, count: 2000)
        #expect(Self.failure(loop) != nil)
        for count in [0xFFFF, 513, 0] {
            var bytes = good
            bytes.replaceSubrange(8..<10, with: little(count, 2))
            #expect(Self.failure(bytes) != nil || count == 513)
        }
        // Every entry's count and value in turn is as large as can be.
        let entries = Int(good[8])
        for entry in 0..<entries {
            for part in [4, 8] {
                var bytes = good
                let at = 10 + entry * 12 + part
                bytes.replaceSubrange(at..<(at + 4), with: [0xFF, 0xFF, 0xFF, 0x7F])
                let code = Self.failure(bytes)
                #expect(
                    code == nil || [.corrupt, .unsupported, .limitExceeded].contains(code), "\(entry): \(code as Any)")
            }
        }
        // Boxes without an end, and of no size.
        let crx = big(0x18, 4) + Array("ftypcrx ".utf8) + [UInt8](repeating: 0, count: 12)
        #expect(Self.failure(crx + [UInt8](repeating: 0xFF, count: 200)) != nil)
        #expect(Self.failure(crx + [UInt8](repeating: 0, count: 200)) != nil)
    }

    @Test("A photograph whose preview is cut off is developed, and one whose data are says so")
    func cut() throws {
        let whole = try Fixtures.bytes("raw/preview.dng")
        let start = try #require(whole.indices.last { whole[$0...].starts(with: [0xFF, 0xD8, 0xFF]) })
        let rendering = try Self.draw(BytesInput(Array(whole.prefix(start))))
        #expect(rendering.embedded == nil)
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
        let bare = try Fixtures.bytes("raw/bare.dng")
        let error = #expect(throws: PluginError.self) { try Self.draw(BytesInput(Array(bare.prefix(1100)))) }
        #expect(error?.code == .corrupt && error?.message.contains("is cut off") == true, "\(error as Any)")
        // What libraw fills up with zeroes.
        let empty = Array(bare.prefix(1024)) + [UInt8](repeating: 0, count: bare.count - 1024)
        #expect(Self.failure(empty) == .corrupt)
    }

    @Test("What is nearly all of one colour was not seen by a sensor")
    func blank() throws {
        let bitmap = try Bitmap(width: 100, height: 10, format: .rgbx)
        bitmap.withUnsafeMutableBytes { bytes in
            for at in bytes.indices { bytes[at] = at < 20 * 4 ? 0 : 0xFF }
        }
        #expect(RawLibrary.isBlank(bitmap))
        bitmap.withUnsafeMutableBytes { $0[20 * 4] = 0 }
        #expect(!RawLibrary.isBlank(bitmap))
    }

    @Test(
        "The camera is known where makers have a number of their own in place of TIFF's",
        arguments: [[0x55, 0], [0x52, 0x4F], [0x52, 0x53]] as [[UInt8]])
    func numbers(_ number: [UInt8]) throws {
        var bytes = try Fixtures.bytes("raw/preview.dng")
        bytes.replaceSubrange(2..<4, with: number)
        #expect(try Self.draw(BytesInput(bytes)).facts.text(.camera) == "Vitrine")
    }

    @Test("Of Fuji's format the camera is known by the picture in it")
    func fuji() throws {
        let bytes = try Fixtures.bytes("raw/outline.raf")
        let picture = CameraBlock.insert(CameraBlock.sample, into: Array(bytes[160...]))
        let file = bytes[..<88] + big(picture.count, 4) + bytes[92..<160] + picture
        let facts = try Self.draw(BytesInput(Array(file))).facts
        #expect(facts.text(.camera) == "Example Works E-1" && facts.text(.created) == "2024-05-03T14:02:11+02:00")
        // A segment that is longer than the file.
        let cut = bytes[..<88] + big(4096, 4) + bytes[92..<160] + picture.prefix(40)
        #expect(Self.failure(Array(cut)) != nil)
    }

    @Test("Canon's third format tells how large the photograph is")
    func canon() throws {
        let picture = try Fixtures.bytes("raw/outline.raf").dropFirst(160)
        let sides = [(0x100, 5472), (0x101, 3648)].map {
            little($0.0, 2) + little(4, 2) + little(1, 4) + little($0.1, 4)
        }
        let camera = [0x49, 0x49, 42, 0] + little(8, 4) + little(2, 2) + sides.joined() + little(0, 4)
        let preview = [UInt8](repeating: 0, count: 12) + big(picture.count, 4) + picture
        let identifier = [UInt8](repeating: 1, count: 16)
        let boxes = [
            box("ftyp", Array("crx ".utf8) + big(0, 4) + Array("crx isom".utf8)),
            box("moov", box("uuid", identifier + box("CMT1", camera))),
            box("uuid", identifier + [UInt8](repeating: 0, count: 8) + box("PRVW", preview)),
        ]
        let rendering = try Self.draw(BytesInput(Array(boxes.joined())))
        #expect(rendering.facts.size == PixelSize(width: 5472, height: 3648))
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
    }

    @Test("Where nothing else tells of the camera, libraw does")
    func library() throws {
        var bytes = try Fixtures.bytes("raw/bare.dng")
        // Its maker and its model become descriptions; DNG's own name for a camera stays.
        for at in stride(from: 10, to: 10 + 12 * Int(bytes[8]), by: 12) where [0x0F, 0x10].contains(bytes[at]) {
            if bytes[at + 1] == 1 { bytes[at] = 0x0E }
        }
        #expect(try Self.draw(BytesInput(bytes)).facts.text(.camera) == "Vitrine")
    }

    private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(name.utf8) + content
    }

    @Test("The camera's preview is said to be one, and left alone when it must be")
    func embedded() throws {
        let preview = BytesInput(try Fixtures.bytes("raw/preview.dng"))
        #expect(try Self.draw(preview).embedded == "camera's preview")
        #expect(try Self.draw(BytesInput(try Fixtures.bytes("raw/bare.dng"))).embedded == nil)
        var request = RenderRequest(box: 64, mimeType: "image/x-adobe-dng")
        request.embedded = .never
        let renderer = try RAWRenderer(RendererEnvironment(pluginFolder: "/"))
        let developed = try renderer.render(BytesInput(try Fixtures.bytes("raw/bare.dng")), request)
        #expect(developed.embedded == nil)
        #expect(QuadrantCheck(RGBAPicture(developed.bitmap)).arrangement == .upright)
    }
}
