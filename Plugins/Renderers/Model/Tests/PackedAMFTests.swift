import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ModelRenderer

/// Models of AMF in zip files.
@Suite struct PackedAMFTests {
    private func model() throws -> [UInt8] { WrittenModel(stl: try Fixtures.bytes("model/part.stl")).amf }

    private func failure(_ bytes: [UInt8]) -> PluginError.Code? {
        do {
            _ = try ModelRendererTests.draw(bytes, as: "part.amf")
            return nil
        } catch { return (error as? PluginError)?.code }
    }

    @Test("It looks as it does unpacked, whatever lies beside it", arguments: ["part.amf", "PART.AMF", "a/b.amf"])
    func sameAsUnpacked(name: String) throws {
        let plain = RGBAPicture(try ModelRendererTests.draw(try model(), as: "part.amf").bitmap)
        for others in [
            [], [("read.me", Array("no model".utf8)), ("x.amf.txt", [1])],
            [("__MACOSX/._part.amf", [0, 5, 0x16, 7]), ("__MACOSX/x.amf", [1]), ("a/._b.amf", [0, 5, 0x16, 7])],
        ] as [[(String, [UInt8])]] {
            let packed = zipFile(others.map { (name: $0.0, bytes: $0.1) } + [(name, try model())], checksum: nil)
            let rendering = try ModelRendererTests.draw(packed, as: "part.amf")
            #expect(RGBAPicture(rendering.bitmap).pixels == plain.pixels)
            #expect(rendering.facts.details.values.contains(.number(24)))
        }
    }

    @Test("It keeps the renderer's contract")
    func conformance() throws {
        let sample = RendererSample(
            "part.amf", mimeType: "application/x-amf", bytes: zipFile([("part.amf", try model())], checksum: nil))
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try ModelRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("What is damaged, empty or holds no model is refused with the reason")
    func refused() throws {
        let model = try model()
        #expect(failure(zipFile([("part.stl", model)])) == .unsupported)
        #expect(failure(zipFile([])) != nil)
        #expect(failure(zipFile([("part.amf", [])])) == .empty)
        #expect(failure(zipFile([("part.amf", Array("no XML".utf8))], checksum: nil)) == .corrupt)
        // A zip file in a zip file is no model.
        #expect(failure(zipFile([("part.amf", zipFile([("part.amf", model)]))], checksum: nil)) == .corrupt)
        let packed = zipFile([("part.amf", model)], checksum: nil)
        var refused = 0
        for at in stride(from: 0, to: packed.count, by: max(1, packed.count / 60)) {
            var other = packed
            other[at] ^= 0x5A
            for damaged in [Array(packed[..<at]), other] {
                guard let code = failure(damaged) else { continue }
                refused += 1
                #expect([.corrupt, .empty, .locked, .limitExceeded, .unsupported].contains(code), "at \(at)")
            }
        }
        #expect(refused > 0)
    }

    @Test("One that unpacks to more than a model may have is refused, whatever its list says")
    func large() throws {
        let model = try model()
        for claimed in [nil, 1 << 30] {
            let input = BytesInput(zipFile([("part.amf", model)], claimedSize: claimed, isPacked: true, checksum: nil))
            let pool = TexturePool(maximumPixels: 1 << 20, side: 128)
            let error = #expect(throws: PluginError.self) {
                try PackedAMF.mesh(input, pool, mostBytes: model.count - 1)
            }
            #expect(error?.code == .limitExceeded)
        }
    }
}
