import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ModelRenderer

/// What Assimp reads, and what is like it.
@Suite struct AssimpTests {
    private static let endings = ["off", "amf", "x3d", "dae", "fbx", "3ds", "lwo"]

    private static func model(_ ending: String) throws -> [UInt8] {
        let model = WrittenModel(stl: try Fixtures.bytes("model/part.stl"))
        return switch ending {
        case "off": model.off
        case "amf": model.amf
        case "x3d": model.x3d
        case "dae": model.collada()
        case "fbx": model.fbx
        case "lwo": model.lightWave
        default: model.studio
        }
    }

    @Test("One part looks the same in each of its formats, wherever y or z points up", arguments: endings)
    func sameEverywhere(ending: String) throws {
        let one = RGBAPicture(try ModelRendererTests.draw(try Fixtures.bytes("model/part.stl"), as: "part.stl").bitmap)
        let other = try ModelRendererTests.draw(try Self.model(ending), as: "part." + ending)
        let pixels = RGBAPicture(other.bitmap).pixels
        let differing = zip(one.pixels, pixels).count { abs(Int($0) - Int($1)) > 8 }
        #expect(pixels.count == one.pixels.count)
        #expect(differing < one.pixels.count / 500, "\(differing) of \(one.pixels.count)")
        #expect(other.facts.details.values.contains(.number(24)))
    }

    @Test("It keeps the renderer's contract", arguments: endings)
    func conformance(ending: String) throws {
        let name = "part." + ending
        let sample = RendererSample(name, mimeType: ModelRendererTests.type(of: name), bytes: try Self.model(ending))
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try ModelRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("A surface has the colour of its material")
    func colour() throws {
        let model = WrittenModel(stl: try Fixtures.bytes("model/part.stl")).collada(colour: "1 0.1 0.1")
        let picture = RGBAPicture(try ModelRendererTests.draw(model, as: "part.dae").bitmap)
        let seen = (0..<picture.width * picture.height).map {
            picture.pixel(x: $0 % picture.width, y: $0 / picture.width)
        }
        .filter { $0.alpha == 255 }
        #expect(!seen.isEmpty && seen.allSatisfy { $0.red > 3 * max($0.green, $0.blue) })
    }

    @Test("What is damaged, cut off or claims what it has not is refused or drawn in part", arguments: endings)
    func damaged(ending: String) throws {
        let bytes = try Self.model(ending)
        var refused = 0
        for at in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
            var other = bytes
            other[at] ^= 0x5A
            // A number of COLLADA's that is not one is taken for gigabytes, which only a worker's limits refuse: a test here,
            // which has none, cannot try that.
            for damaged in ending == "dae" ? [Array(bytes[..<at])] : [Array(bytes[..<at]), other] {
                do {
                    _ = try ModelRendererTests.draw(damaged, as: "part." + ending)
                } catch let error as PluginError {
                    refused += 1
                    #expect([.corrupt, .empty, .limitExceeded, .unsupported].contains(error.code), "\(error) at \(at)")
                }
            }
        }
        #expect(refused > 0)
        // Of another kind than its name says.
        for wrong in [try Fixtures.bytes("image/alpha.png"), [UInt8](repeating: 0x41, count: 4096)] {
            #expect(throws: PluginError.self) { try ModelRendererTests.draw(wrong, as: "part." + ending) }
        }
    }
}
