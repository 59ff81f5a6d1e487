import Foundation
import Testing
import VitrineKit
import VitrineTesting

@testable import HTMLRenderer

@Suite struct HelpAddressTests {
    private static let page = "chm://help/pages/start.htm"

    @Test(
        "What a page names in its help file is found, however Windows lets it be written",
        arguments: [
            ("..\\img\\pic.png", "/img/pic.png"), ("img\\pic.png", "/pages/img/pic.png"),
            ("ms-its:manual.chm::/img/pic.png", "/img/pic.png"), ("its:manual.chm::/img/pic.png", "/img/pic.png"),
            ("MK:@MSITStore:C:\\Help #1\\manual.chm::/img/a\\pic.png#part", "/img/a/pic.png"),
            ("mk:@MSITStore:manual.chm::img/pic.png", "/img/pic.png"), ("manual.chm::\\pic.png", "/pic.png"),
            ("/img/../pic.png", "/pic.png"),
        ])
    func onPages(address: String, path: String) {
        #expect(WebAddress.resolved(address, on: Self.page) == HelpAddress.root + path)
    }

    @Test("Addresses of the web stay what they are, in help files and on other pages")
    func elsewhere() {
        for address in ["https://example.org/a::/b.png", "//example.org/b.png", "its:b.png"] {
            #expect(!WebAddress.resolved(address, on: Self.page).hasPrefix(HelpAddress.root), "\(address)")
        }
        for address in ["a\\b.png", "x/y.chm::/b.png"] {
            #expect(WebAddress.resolved(address, on: "https://example.org/") == "https://example.org/\(address)")
        }
        #expect(WebAddress.resolved("its:x.chm::/b.png", on: "") == "its:x.chm::/b.png")
    }

    @Test("A path with letters that mean something in addresses is found by its own address")
    func ownAddress() {
        for path in ["/c#/a?b.htm", "/100%25.htm", "/a b.htm", "/Ж.htm"] {
            #expect(HelpAddress.spellings(of: HelpAddress.address(of: path)).contains(path), "\(path)")
        }
        #expect(HelpAddress.spellings(of: HelpAddress.root + "/a%20b%.htm").contains("/a b%.htm"))
    }

    /// 8 × 8 red points, as PNG in base64.
    private static let dot =
        "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4z8CAFTEMLQkAKP8/wc53yE8AAAAASUVORK5CYII="

    @Test(
        "Pictures and style sheets are found by backslashes and by addresses of Windows",
        arguments: ["..\\", "ms-its:x.chm::/", "mk:@MSITStore:c:\\a\\x.chm::/", "/"])
    func drawn(root: String) throws {
        let head = "<link rel=stylesheet href=\"\(root)s\\one.css\"><style>body { margin: 0 }</style>"
        let start = head + "<div>a</div><img src='\(root)img\\dot.png' style='width: 640px; height: 300px'>"
        var file = WrittenHelpFile(
            [
                ("/p/start.htm", start), ("/s/one.css", "@import '..\\two.css'; div { height: 300px }"),
                ("/two.css", "div { background: #0000ff }"),
            ], topic: "p/start.htm")
        file.files.append(("/img/dot.png", Array(try #require(Data(base64Encoded: Self.dot)))))
        let drawn = RGBAPicture(try draw(file.bytes) { $0.mimeType = HelpFile.type }.bitmap)
        #expect(drawn.has(0, 0, 255, x: 500, y: 150) && drawn.has(255, 0, 0, x: 500, y: 450), "\(root)")
    }
}
