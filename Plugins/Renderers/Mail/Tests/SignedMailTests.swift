import Foundation
import Testing
import VitrineKit

@testable import MailRenderer

extension MailRendererTests {
    /// Mails whose signature lies around their text (RFC 8551, 3.5.2).
    @Suite struct SignedMailTests {
        /// gmime is started first, and only once at a time.
        init() throws { _ = try MailRenderer(RendererEnvironment(pluginFolder: "/")) }

        /// How a program writes lengths.
        enum Writing: CaseIterable { case whole, open, pieces }

        private static let identifier: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]

        private static func value(_ tag: UInt8, _ content: [UInt8], isOpen: Bool = false) -> [UInt8] {
            if isOpen { return [tag, 0x80] + content + [0, 0] }
            let length: [UInt8] =
                content.count < 128
                ? [UInt8(content.count)] : [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
            return [tag] + length + content
        }

        /// A content of S/MIME: 2 is signed, 3 enciphered.
        private static func content(_ text: String, kind: UInt8 = 2, _ writing: Writing) -> [UInt8] {
            let isOpen = writing != .whole
            let halves = [text.utf8.prefix(30), text.utf8.dropFirst(30)].flatMap { value(0x04, Array($0)) }
            let octets = writing == .pieces ? value(0x24, halves, isOpen: true) : value(0x04, Array(text.utf8))
            let inner = value(0x06, identifier + [1]) + value(0xA0, octets, isOpen: isOpen)
            let digests = value(0x31, value(0x30, value(0x06, [0x2A])), isOpen: isOpen)
            let signed = value(0x02, [1]) + digests + value(0x30, inner, isOpen: isOpen) + value(0x31, [])
            return value(
                0x30,
                value(0x06, identifier + [kind]) + value(0xA0, value(0x30, signed, isOpen: isOpen), isOpen: isOpen),
                isOpen: isOpen)
        }

        private static func letter(_ content: [UInt8]) throws -> Letter {
            let mail =
                """
                From: Jo <a@example.org>
                Subject: One
                Content-Type: application/pkcs7-mime; name=smime.p7m
                Content-Transfer-Encoding: base64
                Content-Disposition: attachment; filename=smime.p7m


                """ + Data(content).base64EncodedString(options: .lineLength64Characters) + "\n"
            return try MIMEMessage.letter(BytesInput(Array(mail.utf8)))
        }

        private static let text = "Content-Type: text/plain\r\n\r\nEverybody reads what is only signed.\r\n"

        @Test("What is only signed is read", arguments: Writing.allCases)
        func signed(writing: Writing) throws {
            let letter = try Self.letter(Self.content(Self.text, writing))
            #expect(letter.text == "Everybody reads what is only signed.")
            #expect(!letter.isEncrypted && letter.attachments == 0)
        }

        @Test("What is enciphered says so, also below a signature")
        func enciphered() throws {
            let enciphered = try Self.letter(Self.content(Self.text, kind: 3, .whole))
            #expect(enciphered.isEncrypted && enciphered.text.isEmpty)
            let inner =
                "Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + Data(Self.content(Self.text, kind: 3, .whole)).base64EncodedString()
            let both = try Self.letter(Self.content(inner, .pieces))
            #expect(both.isEncrypted && both.text.isEmpty)
        }

        @Test("Damaged signatures and ones in one another end", arguments: Writing.allCases)
        func damaged(writing: Writing) throws {
            let whole = Self.content(Self.text, writing)
            for count in 0..<whole.count { _ = SignedContent.bytes(of: Array(whole.prefix(count))) }
            for index in whole.indices {
                for byte: UInt8 in [0, 0x24, 0x7F, 0x80, 0x84, 0xFF] {
                    var bytes = whole
                    bytes[index] = byte
                    _ = SignedContent.bytes(of: bytes)
                }
            }
            #expect(SignedContent.bytes(of: [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
            #expect(SignedContent.bytes(of: Array(repeating: 0x24, count: 100_000)) == nil)
        }
    }
}
