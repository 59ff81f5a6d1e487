import PictureDecoding
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import MailRenderer

/// Pictures in mails and attached to them.
@Suite(.serialized) struct MailPictureTests {
    private let decoder = PictureDecoder(maximumPixels: 1_000_000)

    /// A mail with a line of text and parts, each of a type and with bytes, the last of which has a megabyte of nothing at its end
    /// so many times.
    private static func mail(_ parts: [(type: String, bytes: [UInt8])], padding: Int = 0) -> [UInt8] {
        var mail = "From: Jo <a@example.org>\nSubject: One\nContent-Type: multipart/related; boundary=b\n\n"
        mail += "--b\nContent-Type: text/html\n\n<p>Look.</p><img src='cid:x'>\n"
        for part in parts {
            mail += "--b\nContent-Type: \(part.type)\nContent-ID: <x>\nContent-Transfer-Encoding: base64\n\n"
            mail += base64(part.bytes) + "\n"
        }
        let nothing = String(repeating: String(repeating: "A", count: 1024) + "\n", count: padding << 10)
        return Array((mail + nothing + "--b--\n").utf8)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for at in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[at..<min(at + 3, bytes.count)]
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < part.count ? Int(part[part.startIndex + $1]) : 0) }
            for index in 0..<4 {
                text.append(index <= part.count ? letters[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
            if at % 57 == 54 { text.append(10) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// How the picture of 160 × 120 pixels is drawn in a mail with one line of text above it.
    private static func arrangement(_ bytes: [UInt8], type: String = "message/rfc822") throws -> QuadrantCheck {
        let renderer = try MailRenderer(RendererEnvironment(pluginFolder: "/"))
        let rendering = try renderer.render(BytesInput(bytes), RenderRequest(box: 512, mimeType: type))
        return QuadrantCheck(
            RGBAPicture(rendering.bitmap), columns: 13 / 170...93 / 170, rows: 65 / 170...125 / 170)
    }

    @Test(
        "The first good picture is drawn below the text",
        arguments: ["image/png", "image/jpeg", "application/octet-stream"])
    func drawn(type: String) throws {
        let picture = try Fixtures.bytes(type == "image/jpeg" ? "image/plain.jpg" : "image/rgb-8.png")
        let pixel = ("image/png", try Fixtures.bytes("image/one-pixel.png"))
        #expect(try Self.arrangement(Self.mail([pixel, (type, picture)])).arrangement == .upright)
        #expect(try Self.arrangement(Self.mail([pixel])).arrangement != .upright)
    }

    @Test("Small ones and flat ones are drawn where there is no text, and what counts readers nowhere")
    func chosen() {
        /// A picture in GIF of one colour.
        func gif(_ width: Int, _ height: Int) -> [UInt8] {
            // Its only frame has one pixel, wherever the picture ends.
            Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x80, 0, 0, 200, 0, 0, 0, 0, 0]
                + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        }
        func isDrawn(_ width: Int, _ height: Int, isSole: Bool) -> Bool {
            var pictures = MailPictures()
            pictures.append(gif(width, height))
            return pictures.first(decoder, isSole: isSole, box: 256) != nil
        }
        #expect(isDrawn(200, 150, isSole: false) && isDrawn(200, 150, isSole: true))
        for (width, height) in [(220, 60), (90, 90), (600, 120)] {
            #expect(!isDrawn(width, height, isSole: false) && isDrawn(width, height, isSole: true))
        }
        #expect(!isDrawn(1, 1, isSole: true) && !isDrawn(600, 2, isSole: true))
    }

    @Test("No more than a few damaged pictures are tried, and no more than some are kept")
    func bounded() throws {
        let damaged = Array(try Fixtures.bytes("image/rgb-8.png").prefix(40))
        let good = try Fixtures.bytes("image/rgb-8.png")
        for (count, isFound) in [(2, true), (3, false)] {
            var pictures = MailPictures()
            for _ in 0..<count { pictures.append(damaged) }
            pictures.append(good)
            #expect((pictures.first(decoder, isSole: false, box: 256) != nil) == isFound)
        }
        var pictures = MailPictures()
        for _ in 0..<100 { pictures.append(good) }
        pictures.append(Array("no picture".utf8))
        #expect(pictures.files.count == 16 && pictures.isFull)
        var large = MailPictures()
        large.append(good + [UInt8](repeating: 0, count: MailPictures.longest))
        #expect(large.files.isEmpty)
    }

    @Test("Of a mail whose beginning ends in a picture more is read, and a picture that is cut off is none")
    func long() throws {
        // What stands behind the end of a picture is passed over.
        let picture = try Fixtures.bytes("image/plain.jpg")
        let whole = picture + [UInt8](repeating: 0, count: 3 - picture.count % 3)
        let parts = [("image/jpeg", whole), ("image/jpeg", whole)]
        let long = try MIMEMessage.letter(BytesInput(Self.mail(parts, padding: 4)))
        #expect(long.pictures.files.map(\.count) == [whole.count, whole.count + (3 << 20)])
        let tooLong = try MIMEMessage.letter(BytesInput(Self.mail(parts, padding: 17)))
        #expect(tooLong.pictures.files.map(\.count) == [whole.count] && tooLong.hasPicture)
    }

    @Test("For what is attached and no picture, no more is read")
    func longFile() throws {
        for (content, isPicture) in [(try Fixtures.bytes("image/plain.jpg"), true), (Array("%PDF-1.7".utf8), false)] {
            let input = CountingInput(Self.mail([("application/octet-stream", content)], padding: 6))
            _ = try MIMEMessage.letter(input)
            #expect((input.bytesRead > 6 << 20) == isPicture, "\(input.bytesRead)")
        }
    }

    @Test("Pictures that are attached to mails of Outlook are drawn, too")
    func outlook() throws {
        let picture = try Fixtures.bytes("image/rgb-8.png")
        let properties = [UInt8](repeating: 0, count: 32)
        let file = compoundFile([
            ("__properties_version1.0", properties), ("__substg1.0_1000001E", Array("Look.".utf8)),
            ("__attach_version1.0_#00000000/__substg1.0_3701000D", []),
            ("__attach_version1.0_#00000001/__substg1.0_37010102", picture),
        ])
        let letter = try OutlookMessage.letter(BytesInput(file))
        #expect(letter.attachments == 2 && letter.pictures.files.count == 1)
        #expect(try Self.arrangement(file, type: "application/vnd.ms-outlook").arrangement == .upright)
        for seed in 0..<20 {
            let code = RendererFixtures.failure {
                try Self.arrangement(damaged(file, seed: seed, changes: 30, from: 8))
            }
            #expect([nil, .corrupt, .empty, .unsupported].contains(code))
        }
    }

    @Test("So are those of mails in the form that others get")
    func transport() throws {
        func attribute(_ kind: Int, _ content: [UInt8], _ level: UInt8) -> [UInt8] {
            [level] + little(kind, 4) + little(content.count, 4) + content + [0, 0]
        }
        let picture = try Fixtures.bytes("image/rgb-8.png")
        let file =
            [0x78, 0x9F, 0x3E, 0x22, 1, 0] + attribute(0x0001_8004, Array("One\0".utf8), 1)
            + attribute(0x0002_800C, Array("Look.\0".utf8), 1)
            + attribute(0x0006_9002, [UInt8](repeating: 0, count: 14), 2) + attribute(0x0006_800F, picture, 2)
        #expect(try Self.arrangement(file, type: "application/vnd.ms-tnef").arrangement == .upright)
        // One that the file ends in is not kept.
        #expect(try TransportMessage.letter(BytesInput(Array(file.dropLast(10)))).pictures.files.isEmpty)
    }
}
