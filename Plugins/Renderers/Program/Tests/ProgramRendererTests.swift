import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ProgramRenderer

@Suite struct ProgramRendererTests {
    static func draw(_ bytes: [UInt8], box: Int = 128, page: Int = 0, maximumPixels: Int = 64_000_000) throws
        -> Rendering
    {
        let renderer = try ProgramRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: maximumPixels))
        return try renderer.render(
            BytesInput(bytes), RenderRequest(box: box, mimeType: "application/x-dosexec", page: page))
    }

    static func failure(_ bytes: [UInt8], maximumPixels: Int = 64_000_000) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes, maximumPixels: maximumPixels) }
        return try #require(error).code
    }

    static func isUpright(_ rendering: Rendering) -> Bool {
        let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
        return check.arrangement == .upright && check.largestError < 0.06
    }

    static func fixture(_ name: String) throws -> [UInt8] { try Fixtures.bytes("program/\(name)") }

    @Test(
        "It keeps the renderer's contract",
        arguments: ["setup.exe", "library.dll", "old.exe", "vitrine.apk", "vitrine.AppImage"])
    func conformance(name: String) throws {
        let bytes = try Self.fixture(name)
        let sample = RendererSample(name, mimeType: "application/x-dosexec", bytes: bytes)
        let suite = RendererConformance(samples: [sample], scales: false) { environment throws(PluginError) in
            try ProgramRenderer(environment)
        }
        #expect(suite.violations() == [])
        #expect(Self.isUpright(try Self.draw(bytes)))
    }

    @Test("The smallest picture of an icon that is large enough is taken, else the largest")
    func choice() throws {
        let setup = try Self.fixture("setup.exe"), package = try Self.fixture("vitrine.apk")
        for (box, side) in [(16, 32), (32, 32), (33, 48), (49, 256), (1024, 256)] {
            #expect(try Self.draw(setup, box: box).bitmap.width == side)
        }
        // The smaller one stands upside down.
        let small = try Self.draw(package, box: 48)
        #expect(QuadrantCheck(RGBAPicture(small.bitmap)).arrangement == .upsideDown && small.bitmap.width == 48)
        #expect(try Self.draw(package, box: 49).bitmap.width == 192)
        #expect(try Self.draw(package, box: 1024).bitmap.width == 192)
    }

    @Test(
        "What programs call themselves is told",
        arguments: [
            ("setup.exe", "Vitrine Setup", "Example Works"), ("vitrine.apk", "Vitrine App", nil),
            ("vitrine.AppImage", "Vitrine Viewer", nil), ("library.dll", nil, nil), ("old.exe", nil, nil),
        ])
    func facts(name: String, title: String?, author: String?) throws {
        let facts = try Self.draw(try Self.fixture(name)).facts
        #expect(facts.title == title && facts.text(.author) == author)
    }

    @Test(
        "Of what else is in a program nothing is read",
        arguments: ["setup.exe", "library.dll", "old.exe", "tool.exe", "vitrine.AppImage"])
    func ranges(name: String) throws {
        let bytes = try Self.fixture(name)
        let renderer = try ProgramRenderer(RendererEnvironment(pluginFolder: "/"))
        let input = CountingInput(bytes + [UInt8](repeating: 0xA5, count: 8 << 20))
        _ = try? renderer.render(input, RenderRequest(box: 32, mimeType: "application/x-dosexec"))
        #expect(input.bytesRead < bytes.count + 4096 && input.reads < 60, "\(input.bytesRead), \(input.reads)")
        // The smallest picture does not need the others.
        if name == "setup.exe" { #expect(input.bytesRead < 4096) }
    }

    @Test("A program without an icon says so, and is no failure")
    func without() throws {
        var bytes = try Self.fixture("tool.exe")
        let error = #expect(throws: PluginError.self) { try Self.draw(bytes) }
        #expect(error?.code == .empty && error?.message.contains("no icon") == true)
        // For MS-DOS, and an object file.
        #expect(try Self.failure(Array(bytes.prefix(64))) == .empty)
        #expect(try Self.failure(Array("MZ".utf8)) == .empty)
        bytes.replaceSubrange(64 + 20..<64 + 22, with: [0, 0])
        #expect(try Self.failure(bytes) == .empty)
        #expect(try Self.failure(zipFile([(name: "classes.dex", bytes: [1])])) == .empty)
    }

    @Test("What is no program, or has no such page, is refused")
    func bad() throws {
        #expect(try Self.failure([]) == .empty)
        #expect(try Self.failure(try Fixtures.bytes("image/rgb-8.png")) == .corrupt)
        #expect(try Self.failure((0..<4096).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }) == .corrupt)
        #expect(throws: PluginError.self) { try Self.draw(try Self.fixture("setup.exe"), page: 1) }
    }

    @Test(
        "Damage anywhere, and every cut, ends in a picture or in a sentence",
        arguments: ["setup.exe", "old.exe", "vitrine.apk", "vitrine.AppImage"])
    func damage(name: String) throws {
        let bytes = try Self.fixture(name)
        var refused = 0
        for at in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 150)) {
            for value in [bytes[at] ^ 0xFF, 0xFF, 0x80] {
                var damaged = bytes
                damaged[at] = value
                refused += try Self.isRefused(damaged)
            }
            refused += try Self.isRefused(Array(bytes.prefix(at)))
        }
        #expect(refused > 0)
    }

    private static func isRefused(_ bytes: [UInt8]) throws -> Int {
        do { _ = try draw(bytes) } catch let error as PluginError {
            #expect([.corrupt, .empty, .unsupported, .limitExceeded, .encrypted].contains(error.code), "\(error)")
            return 1
        }
        return 0
    }
}
