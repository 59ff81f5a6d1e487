import Foundation
import PluginHost
import TestSupport
import Testing

/// Documents that Word and Excel wrote in one file of XML are told by the namespace of its first element.
@Suite struct OfficeTypeTests {
    private static let word = "http://schemas.microsoft.com/office/word/2003/wordml"
    private static let excel = "urn:schemas-microsoft-com:office:spreadsheet"

    private func type(_ text: String, _ name: String) throws -> String {
        let file = Products.checkout.appending(path: "Plugins/Renderers/Office/plugin.json")
        let magic = try PluginManifest(json: Array(Data(contentsOf: file)), file: file.path).magic
        return TypeSniffer(magic: magic).type(
            head: Array(text.utf8), name: Array(name.utf8), size: Int64(text.utf8.count)
        ).mimeType
    }

    @Test(
        "The namespace is believed, under whatever prefix",
        arguments: [
            ("<?mso-application progid=\"Excel.Sheet\"?>\n<Workbook xmlns=\"\(excel)\">", "vnd.ms-excel"),
            ("<ss:Workbook xmlns:o='urn:o' xmlns:ss = '\(excel)'/>", "vnd.ms-excel"),
            ("<w:wordDocument w:a=\"b > c\"\n xmlns:w=\"\(word)\">", "msword"),
        ])
    func namespace(text: String, expected: String) throws {
        for name in ["", "a.xml", "a.xls", "a.doc", "a.txt"] {
            #expect(try type("<?xml version=\"1.0\"?>\n" + text, name) == "application/" + expected, "\(name)")
        }
    }

    @Test(
        "Others have elements of these names, too",
        arguments: [
            "<Workbook>", "<Workbook xmlns='http://www.gnumeric.org/v10.dtd'>", "<Workbook xmlns:a='\(excel)'>",
            "<a:Workbook xmlns='\(excel)'>", "<Workbook xmlns=\(excel)>", "<Workbook a='\(excel)'>", "<Workbook xmlns",
            "<Workbook><a xmlns='\(excel)'/></Workbook>", "<Workbooks xmlns='\(excel)'>", "<Workbook xmlns='\(excel)",
        ])
    func others(text: String) throws {
        #expect(try type("<?xml version=\"1.0\"?>" + text, "a.xml") == "application/xml")
    }
}
