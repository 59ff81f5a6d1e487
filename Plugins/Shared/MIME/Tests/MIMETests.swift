import MIME
import TestServers
import Testing
import VitrineTesting

@Suite struct MIMETests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.replacing("\n", with: "\r\n").utf8) }

    private func scan(_ bytes: [UInt8], piece: Int = .max) -> [MIMEPart] {
        var scanner = MIMEScanner()
        var rest = bytes[...]
        while !rest.isEmpty {
            scanner.take(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        scanner.finish()
        return scanner.parts
    }

    @Test(
        "Words of other scripts are decoded",
        arguments: [
            ("plain", "plain"), ("=?utf-8?q?J=C3=B6rg_B.?=", "Jörg B."), ("=?UTF-8?B?SsO2cmc=?= <a@b>", "Jörg <a@b>"),
            ("=?utf-8?q?a?= =?utf-8?q?b?=", "ab"), ("=?utf-8?q?a?=  x y", "a  x y"),
            ("=?utf-8?q?=C3?=\r\n =?utf-8?q?=B6?=", "ö"), ("a =?x", "a =?x"),
            ("=?iso-8859-1?q?=E9?= x", "é x"), ("=?iso-2022-jp?b?GyRCSnM5cBsoQg==?=", "報告"), ("Jörg", "Jörg"),
            ("=?utf-8?z?a?=", "=?utf-8?z?a?="), ("=?nonsense?q?a?=", "a"), ("=?utf-8*de?q?a?=", "a"), ("", ""),
        ])
    func words(field: String, text: String) { #expect(EncodedWords.decode(Array(field.utf8)) == text) }

    @Test("Many blanks behind a word cost no more than other letters")
    func blanks() {
        let blanks = String(repeating: " ", count: 60_000)
        var text = ""
        let time = ProcessorTime.measure { text = EncodedWords.decode(Array("=?utf-8?q?a?=\(blanks)x".utf8)) }
        #expect(text == "a\(blanks)x" && time < .seconds(10))
    }

    @Test(
        "Parameters are read in all their spellings",
        arguments: [
            (#"attachment; filename="a b.pdf""#, "a b.pdf"), ("attachment; filename=a.pdf (comment)", "a.pdf"),
            ("attachment; filename*=utf-8'de'%C3%BC.pdf", "ü.pdf"), (#"x; filename="=?utf-8?q?=C3=BC?=.pdf""#, "ü.pdf"),
            (#"x; filename*0="long "; filename*1="name.pdf""#, "long name.pdf"),
            ("x; filename*1*=%C3%BC.pdf; filename*0*=utf-8''a", "aü.pdf"),
            (#"x; filename="a.pdf"; filename*=utf-8''b.pdf"#, "b.pdf"), (#"x; filename="a\"b""#, #"a"b"#),
        ])
    func parameters(field: String, name: String) { #expect(FieldValue(Array(field.utf8))["filename"] == name) }

    @Test("Parts are found with their places and sections, in pieces of any size", arguments: [1, 7, 64, Int.max])
    func parts(piece: Int) {
        let message = bytes(
            """
            From: a@example.org
            Content-Type: multipart/mixed; boundary="b"

            preamble
            --b
            Content-Type: multipart/alternative; boundary=inner

            --inner

            words
            --inner
            Content-Type: text/html

            <p>words
            --inner--
            --b
            Content-Type: message/rfc822

            Subject: within
            Content-Type: multipart/mixed; boundary=c

            --c
            Content-Type: image/png; name=x.png
            Content-Transfer-Encoding: base64

            AAAA
            --c--
            --b
            Content-Type: application/pdf
            Content-Disposition: attachment; filename=a.pdf

            %PDF
            --b--
            after
            """)
        let found = scan(message, piece: piece)
        #expect(found.map(\.section) == ["1.1", "1.2", "2", "2.1", "3"])
        #expect(found.map(\.isAttachment) == [false, false, true, true, true])
        #expect(found.map(\.isText) == [true, true, false, false, false])
        let texts = found.map {
            String(decoding: message[Int($0.offset)...].prefix(Int($0.encodedSize)), as: UTF8.self)
        }
        #expect(texts[0] == "words" && texts[1] == "<p>words" && texts[3] == "AAAA" && texts[4] == "%PDF")
        #expect(texts[2].hasPrefix("Subject: within") && texts[2].hasSuffix("--c--"))
    }

    @Test("A message without parts is one part, whole or cut")
    func single() {
        #expect(scan(bytes("Subject: a\n\nbody\n")).map(\.section) == ["1"])
        #expect(scan([]).count == 1 && scan(bytes("no head")).count == 1)
        let cut = scan(bytes("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png\n\nAA"))
        #expect(cut.count == 1 && cut[0].encodedSize == 2)
    }

    @Test(
        "A text is read in the encoding that it is said to be in if it can be, and else in a likely one",
        arguments: [
            ("us-ascii", Array("Grüße".utf8), "Grüße"), (nil, Array("Grüße".utf8), "Grüße"),
            ("nonsense", Array("Grüße".utf8), "Grüße"), ("", Array("Grüße".utf8), "Grüße"),
            ("shift_jis", Array("Grüße – 報告です。".utf8), "Grüße – 報告です。"),
            (nil, [0x47, 0x72, 0xFC, 0xDF, 0x65, 0x96], "Grüße–"), ("us-ascii", [0x47, 0x72, 0xFC, 0xDF], "Grüß"),
            ("utf-8", [0x47, 0x72, 0xFC, 0xDF], "Grüß"), ("iso-8859-1", [0x47, 0x80], "G€"),
            ("iso-8859-15", [0x47, 0xA4], "G€"), ("koi8-r", [0xF0, 0xD2], "Пр"),
            ("utf-8", Array("Grüße".utf8) + [0xC3], "Grüße\u{FFFD}"),
            ("euc-jp", [0xCA, 0xF3, 0xB9, 0xF0, 0xFF], "報告\u{FFFD}"),
            // Syllables that EUC-KR has, and that it lacks.
            ("euc-kr", [0x94, 0xEE, 0xB0, 0xA1], "뷁가"), ("windows-949", [0x94, 0xEE, 0xB0, 0xA1], "뷁가"),
            ("ks_c_5601-1987", [0x94, 0xEE, 0xB0, 0xA1], "뷁가"),
            (nil, [], ""), ("us-ascii", [0x81], "\u{FFFD}"),
        ] as [(String?, [UInt8], String)])
    func likely(charset: String?, bytes: [UInt8], text: String) {
        #expect(Charset.likelyText(bytes, charset: charset) == text)
    }

    @Test("Mails that are made to be hard end in no time, within their bounds")
    func bombs() {
        let deep = (0..<5000).map { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" }.joined()
        let many = "Content-Type: multipart/mixed; boundary=b\n\n" + String(repeating: "--b\n\na\n", count: 50_000)
        let nested = String(repeating: "Content-Type: message/rfc822\n\n", count: 20_000)
        let line = String(repeating: "a", count: 3_000_000)
        let names = "Content-Type: a/b; " + (0..<20_000).map { "p*\($0)=x;" }.joined() + "\n\n"
        for text in [deep, many, nested, line, "Subject: " + line + "\n\n", names] {
            let time = ProcessorTime.measure { #expect(scan(bytes(text)).count <= MIMEPart.most) }
            #expect(time < .seconds(8), "\(text.prefix(30)) took \(time)")
        }
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<200 {
            let noise = numbers.bytes(400)
            _ = scan(noise, piece: 33)
            _ = EncodedWords.decode(noise)
            _ = FieldValue(noise)
            _ = TransferCoding.quotedPrintable.decode(noise)
            _ = Base64Layout(head: noise, tail: noise, size: 400)
            for charset in ["iso-2022-jp", "utf-16", "gb2312", "shift_jis"] {
                _ = Charset.text(noise, charset: charset)
                _ = Charset.likelyText(noise, charset: charset)
            }
        }
    }

    @Test(
        "Quoted-printable is decoded, in pieces, too",
        arguments: [
            ("a=3Db=\r\nc", "a=bc"), ("trailing  \r\nx", "trailing\r\nx"), ("a=  \r\nb", "ab"), ("a=ZZ", "a=ZZ"),
            ("=", ""),
            ("a b", "a b"), ("=3", "=3"),
        ])
    func quoted(text: String, meaning: String) {
        #expect(String(decoding: TransferCoding.quotedPrintable.decode(Array(text.utf8)), as: UTF8.self) == meaning)
        var decoder = TransferDecoder(.quotedPrintable)
        let pieces = Array(text.utf8).flatMap { decoder.decode([$0]) } + decoder.finish()
        #expect(String(decoding: pieces, as: UTF8.self) == meaning)
    }

    @Test("A range of base64 is what the whole would give there", arguments: [(76, 2), (64, 1), (72, 2), (4, 1)])
    func layout(line: Int, end: Int) throws {
        for size in [1, 2, 3, 57, 58, 171, 1000, 5001] {
            let data = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 2) }
            let text = MailSample.base64(data, line: line, end: end == 2 ? [13, 10] : [10])
            #expect(TransferCoding.base64.decode(text) == data)
            guard
                let layout = Base64Layout(
                    head: Array(text.prefix(Base64Layout.sample)), tail: Array(text.suffix(Base64Layout.sample)),
                    size: Int64(text.count))
            else {
                // One line alone does not tell how long lines are.
                #expect(text.count <= line + end, "\(size)")
                continue
            }
            #expect(layout.size == size)
            for (first, count) in [(0, size), (0, 1), (size / 2, 1), (size / 3, size / 2), (size - 1, 1)]
            where count > 0 {
                let range = Int64(first)..<Int64(min(size, first + count))
                let place = layout.place(of: range)
                let part = Array(text[Int(place.lowerBound)..<Int(place.upperBound)])
                #expect(layout.decode(part, range) == Array(data[Int(range.lowerBound)..<Int(range.upperBound)]))
            }
        }
    }

    @Test("Lines of other lengths are noticed when they are read")
    func otherLines() throws {
        let data = (0..<20_000).map { UInt8(truncatingIfNeeded: $0) }
        var text = MailSample.base64(data, end: [10])
        // One line is longer than the others, and the next one shorter.
        text.swapAt(77 * 123 - 1, 77 * 123)
        let layout = try #require(
            Base64Layout(head: Array(text.prefix(2048)), tail: Array(text.suffix(2048)), size: Int64(text.count)))
        let place = layout.place(of: 7000..<9000)
        #expect(layout.decode(Array(text[Int(place.lowerBound)..<Int(place.upperBound)]), 7000..<9000) == nil)
    }

    @Test("Names of attachments are names of files, each once")
    func names() {
        var names = AttachmentNames()
        func name(_ text: String, _ type: String = "application/pdf") -> String {
            let type = FieldValue(type, [(name: Array("name".utf8), value: Array(text.utf8))])
            return names.name(for: MIMEPart(type: type, section: "1"))
        }
        #expect(name("a.pdf") == "a.pdf" && name("a.pdf") == "a (2).pdf" && name("a.pdf") == "a (3).pdf")
        #expect(name("../../etc/passwd") == "_._.._etc_passwd" && name("..") == "_.")
        #expect(name("a\u{0}b\u{202E}c") == "a b_c" && name("") == "attachment.pdf")
        #expect(name("", "message/rfc822") == "message.eml" && name("Re: x", "message/rfc822") == "Re: x.eml")
        #expect(name(String(repeating: "ü", count: 300) + ".pdf").utf8.count <= 255)
        #expect(AttachmentNames.safe(" .hidden ") == "_hidden")
    }

    @Test("An address is one and certain, or none")
    func addresses() {
        func address(_ text: String) -> String? {
            MailAddress(field: Array(text.utf8)).map { "\($0.user)@\($0.domain)" }
        }
        #expect(address("alice@Example.ORG") == "alice@example.org")
        #expect(address("\"Alice, A.\" <Alice@example.org>") == "Alice@example.org")
        #expect(address("Alice (at <home>) <alice@example.org>") == "alice@example.org")
        for bad in [
            "", "alice", "a@b@c", "alice@example.org, bob@example.org", "alice@example.org <mallory@example.com>",
            "<a@b> <c@d>", "a@", "@b", "\"alice@example.org", "group: a@b;", "a b@c",
        ] { #expect(address(bad) == nil, "\(bad)") }
    }
}
