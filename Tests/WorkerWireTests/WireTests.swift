import Containment
import Finishing
import Testing
import VitrineKit
import VitrineTesting
import WorkerWire

@Suite struct WireTests {
    static let setup = WorkerSetup(
        library: "/a/lib.so", pluginFolder: "/a", privateFolder: "/tmp/p", profile: .strictest,
        addressSpace: 1 << 31, maximumPixels: 5)
    static var wantingText: RenderJob {
        var wish = RenderWish(boxes: [256], mimeType: "application/pdf")
        (wish.wantsText, wish.wantsPageText, wish.wantsPlace, wish.embedded) = (true, true, true, .never)
        return RenderJob(number: 8, wish, seconds: 10)
    }
    static var momentOfPage: RenderJob {
        var wish = RenderWish(boxes: [128, 1024], mimeType: "application/pdf")
        (wish.page, wish.time) = (3, 1.5)
        var job = RenderJob(number: 7, wish, seconds: 10)
        job.outputSize = 4096
        return job
    }
    static var firstPage: RenderJob {
        var wish = RenderWish(boxes: [128], mimeType: "")
        wish.page = 0
        return RenderJob(number: 8, wish, seconds: 0)
    }
    static var ranged: RenderJob {
        var job = RenderJob(number: 9, RenderWish(boxes: [256], mimeType: "video/mp4"), seconds: 10)
        job.isRanged = true
        return job
    }
    static var finishing: FinishJob {
        var finish = Finish()
        (finish.format, finish.quality, finish.background) = (.avif, 40, PictureColor(1, 2, 3))
        finish.fit = .cover(.focus(x: 250, y: 1000))
        finish.arrangement = .sheet(columns: 3, rows: 2, isNumbered: true)
        return FinishJob(number: 4, lengths: [70, 71], box: 512, finish: finish, labels: ["0:01", "12"], seconds: 60)
    }
    static var loop: FinishJob {
        var finish = Finish()
        (finish.format, finish.quality, finish.arrangement) = (.webp, 80, .loop(milliseconds: 400))
        return FinishJob(number: 5, lengths: [1], box: 1, finish: finish, seconds: 1)
    }
    static let unlocking = Password(Array("geheim".utf8)).map { [HostMessage.unlock(number: 3, $0)] } ?? []
    static var mosaic: FinishJob {
        var finish = Finish()
        finish.arrangement = .mosaic
        return FinishJob(number: 6, lengths: [1, 2, 3], box: 256, finish: finish, seconds: 1)
    }
    static var running: WorkerSetup {
        var setup = setup
        setup.program = ProgramSetup(path: "/usr/bin/true", arguments: ["%i", "-o", "%o"])
        setup.profile = .running("/usr/bin/true")
        return setup
    }
    static var named: RenderJob {
        var wish = RenderWish(boxes: [256], mimeType: "video/mp4")
        wish.suffix = "Mp4"
        return RenderJob(number: 9, wish, seconds: 10)
    }
    static var template: WorkerSetup {
        var setup = setup
        setup.isTemplate = true
        setup.companions = [
            RendererSetup(library: "/b/lib.so", pluginFolder: "/b", addressSpace: 1 << 30, maximumPixels: 7)
        ]
        return setup
    }
    static let hostMessages: [HostMessage] =
        unlocking + [
            .fork, .start(template), .finish(finishing), .finish(loop), .finish(mosaic),
            .start(setup), .start(running), .render(named),
            .render(momentOfPage),
            .render(RenderJob(number: .max, RenderWish(boxes: [], mimeType: ""), seconds: 0)),
            .render(firstPage),
            .render(wantingText), .render(ranged), .provided(number: 9, .success(65_536..<131_072)),
            .provided(number: 9, .failure(PluginError(.overBudget, "no more may be read"))),
            .list(ListJob(number: 10, seconds: 60)),
            .unpack(
                UnpackJob(
                    number: 11, seconds: 60, parts: [.init(place: 0, limit: 5), .init(place: .max, limit: 0)],
                    wanted: 1)),
        ]
    static var facts: Facts {
        var facts = Facts(pages: 3, size: PixelSize(width: 100, height: 200), duration: 2.5, title: "Über")
        facts.text = "Zeilen\nund 東京 😀"
        facts.set(.author, "Ünal")
        facts.set(.frameRate, 23.976)
        facts.set(.codecs, ["h264", "aac"])
        facts.place = Place(latitude: -47.5, longitude: 8.26, altitude: 405)
        return facts
    }
    static let workerMessages: [WorkerMessage] = [
        .warm, .forked(4711),
        .ready(WorkerReadiness(layers: [LayerLine(name: "seccomp", state: .absent, reason: "no kernel support")])),
        .unavailable(PluginError(.pluginUnavailable, "no fonts")),
        .rendered(
            RenderAnswer(
                number: 1,
                pictures: [.init(offset: 0, length: 10, size: PixelSize(width: 3, height: 4))],
                facts: facts,
                renderTime: 5, encodeTime: 6)),
        .refused(number: 2, PluginError(.encrypted, "a password is needed")),
        .needs(number: 3, offset: 1 << 40, count: 65_536),
        .listed(
            ListAnswer(
                number: 4, length: 99,
                outline: ContainerOutline(isSequential: true, failure: PluginError(.corrupt, "cut off")))),
        .unpacked(
            UnpackAnswer(
                number: 5, parts: [.init(index: 1, length: 5)], failure: PluginError(.encrypted, "locked"))),
    ]

    @Test(arguments: hostMessages) func `what the host says arrives`(message: HostMessage) throws {
        #expect(try HostMessage(decoding: message.encoded()) == message)
    }

    @Test(arguments: workerMessages) func `what a worker says arrives`(message: WorkerMessage) throws {
        #expect(try WorkerMessage(decoding: message.encoded()) == message)
    }

    @Test func `a title is one line that can be shown, whatever a worker says`() throws {
        let title = "a\u{1B}[2J\n\u{9B}31m \u{202E}b" + String(repeating: "c", count: 900)
        let facts = Facts(title: title)
        let answer = RenderAnswer(number: 1, pictures: [], facts: facts, renderTime: 0, encodeTime: 0)
        guard case .rendered(let read) = try WorkerMessage(decoding: WorkerMessage.rendered(answer).encoded()) else {
            throw PluginError(.invalidAnswer, "another message arrived")
        }
        #expect(read.facts.title?.hasPrefix("a [2J 31m bccc") == true)
        #expect(read.facts.title?.utf8.count == FactValue.textLimit)
    }

    @Test(arguments: workerMessages) func `a message cut anywhere is refused`(message: WorkerMessage) {
        let bytes = message.encoded()
        for count in 0..<bytes.count {
            #expect(throws: PluginError.self) { try WorkerMessage(decoding: bytes.prefix(count)) }
        }
        #expect(throws: PluginError.self) { try WorkerMessage(decoding: bytes + [0]) }
    }

    @Test func `bytes that were changed are refused or read, and never trap`() {
        var random = SeededNumbers(seed: 3)
        for message in Self.workerMessages {
            for _ in 0..<2000 {
                var bytes = message.encoded()
                for _ in 0..<3 {
                    bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                _ = try? WorkerMessage(decoding: bytes)
                _ = try? HostMessage(decoding: bytes)
            }
        }
    }

    private static func answer(_ facts: Facts) -> RenderAnswer {
        RenderAnswer(number: 1, pictures: [], facts: facts, renderTime: 5, encodeTime: 6)
    }

    @Test func `facts that cannot be are left out, and cost nothing else`() throws {
        func arrived(_ change: (inout Facts) -> Void) throws -> Facts? {
            var facts = Self.facts
            change(&facts)
            let message = try WorkerMessage(decoding: WorkerMessage.rendered(Self.answer(facts)).encoded())
            guard case .rendered(let answer) = message else { return nil }
            return answer.facts
        }
        for pages in [-1, .max, .min, 1 << 32] { #expect(try arrived { $0.pages = pages } == with { $0.pages = nil }) }
        for duration in [.infinity, -.infinity, .nan, -0.1] {
            #expect(try arrived { $0.duration = duration } == with { $0.duration = nil })
        }
        for (width, height) in [(0, 5), (5, -1), (.max, 5), (5, 1 << 32)] {
            #expect(
                try arrived { $0.size = PixelSize(width: width, height: height) } == with { $0.size = nil })
        }
        #expect(try arrived { $0.place?.latitude = .nan } == with { $0.place = nil })
        #expect(try arrived { $0.place?.altitude = .infinity } == with { $0.place?.altitude = nil })
        func with(_ change: (inout Facts) -> Void) -> Facts {
            var facts = Self.facts
            change(&facts)
            return facts
        }
    }

    /// A worker that a file took over leaves nothing out.
    @Test func `facts that cannot be are not believed`() throws {
        let bytes = WorkerMessage.rendered(Self.answer(Facts(duration: 2.5))).encoded()
        func with(_ duration: Double) throws -> [UInt8] {
            func raw(_ value: Double) -> [UInt8] { withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
            let start = try #require(bytes.firstRange(of: raw(2.5)))
            return Array(bytes[..<start.lowerBound]) + raw(duration) + Array(bytes[start.upperBound...])
        }
        _ = try WorkerMessage(decoding: with(3))
        for duration in [.infinity, .nan, -1] {
            #expect(throws: PluginError.self) { try WorkerMessage(decoding: with(duration)) }
        }
    }

    @Test(arguments: ["é", "東", "😀", "a"]) func `the text of an item is cut at a character, and fits`(letter: String)
        throws
    {
        var facts = Self.facts
        facts.text = String(repeating: letter, count: 100_000)
        let pictures = Array(
            repeating: RenderAnswer.Picture(offset: 0, length: 10, size: PixelSize(width: 3, height: 4)), count: 8)
        let bytes = WorkerMessage.rendered(
            RenderAnswer(number: 1, pictures: pictures, facts: facts, renderTime: 5, encodeTime: 6)
        ).encoded()
        #expect(bytes.count <= WireMessage.sizeLimit)
        guard case .rendered(let answer) = try WorkerMessage(decoding: bytes), let text = answer.facts.text else {
            Issue.record("there is no text")
            return
        }
        #expect(Facts.textLimit - 3...Facts.textLimit ~= text.utf8.count)
        #expect(text.allSatisfy { String($0) == letter })
    }

    @Test func `a text that is longer than allowed, or no UTF-8, does not grow past its bound`() throws {
        let answer = RenderAnswer(number: 1, pictures: [], facts: Facts(), renderTime: 5, encodeTime: 6)
        // Behind the absent text: no details, no place, two times, no placeholder, a flag, nothing embedded.
        let empty = WorkerMessage.rendered(answer).encoded()
        func with(_ count: Int) -> [UInt8] {
            var bytes = Array(empty.dropLast(28)) + [1]
            withUnsafeBytes(of: UInt32(count).littleEndian) { bytes += $0 }
            return bytes + Array(repeating: 0xFF, count: count) + Array(empty.suffix(27))
        }
        #expect(throws: PluginError.self) { try WorkerMessage(decoding: with(Facts.textLimit + 1)) }
        guard case .rendered(let mended) = try WorkerMessage(decoding: with(Facts.textLimit)) else {
            Issue.record("it is another message")
            return
        }
        #expect((mended.facts.text?.utf8.count ?? .max) <= Facts.textLimit)
    }

    @Test func `facts beyond all bounds are cleaned and fit`() throws {
        var facts = Self.facts
        facts.text = String(repeating: "x", count: 100_000)
        for number in 0..<100 {
            guard let name = FactName(rawValue: "fact\(number)") else { continue }
            // Past the setters, as a worker may that is not to be trusted.
            facts.details[name] = .list(Array(repeating: String(repeating: "a\u{1B}[2J", count: 100), count: 1000))
        }
        facts.details[.author] = .text("a\u{1B}]0;b\u{7}\nc")
        let bytes = WorkerMessage.rendered(
            RenderAnswer(number: 1, pictures: [], facts: facts, renderTime: 5, encodeTime: 6)
        ).encoded()
        #expect(bytes.count <= WireMessage.sizeLimit)
        guard case .rendered(let answer) = try WorkerMessage(decoding: bytes) else {
            Issue.record("it is another message")
            return
        }
        #expect(answer.facts.details.count <= Facts.detailLimit)
        #expect(answer.facts.text(.author) == "a ]0;b c")
        for case .list(let list) in answer.facts.details.values {
            #expect(list.count <= FactValue.listLimit)
            #expect(list.allSatisfy { !$0.unicodeScalars.contains("\u{1B}") })
        }
    }

    @Test func `long texts are cut at a character`() throws {
        let message = WorkerMessage.refused(
            number: 1, PluginError(.corrupt, String(repeating: "é", count: 100_000)))
        let bytes = message.encoded()
        #expect(bytes.count < WireMessage.sizeLimit)
        guard case .refused(_, let error) = try WorkerMessage(decoding: bytes) else {
            Issue.record("it is another message")
            return
        }
        #expect(error.message.allSatisfy { $0 == "é" })
        #expect(error.message.utf8.count > 1000)
    }

    @Test func `control characters of a worker do not reach the terminal`() throws {
        let message = WorkerMessage.refused(number: 1, PluginError(.corrupt, "bad\u{1B}[2J\nfile"))
        guard case .refused(_, let error) = try WorkerMessage(decoding: message.encoded()) else {
            Issue.record("it is another message")
            return
        }
        #expect(error.message == "bad\\u{1B}[2J\\nfile")
    }
}
