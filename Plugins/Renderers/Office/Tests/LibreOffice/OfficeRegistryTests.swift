import Testing

@testable import OfficeRenderer

@Suite struct OfficeRegistryTests {
    private func values(_ package: String, _ name: String) -> String {
        "<oor:component-data xmlns:x=\"urn:x\" oor:name=\"\(name)\" oor:package=\"org.openoffice.\(package)\">"
            + "<node oor:name=\"a\"><value>\(name)</value></node></oor:component-data>"
    }

    private func shortened(_ file: String) -> String {
        String(decoding: OfficeRegistry.shortened(Array(file.utf8)), as: UTF8.self)
    }

    @Test func leavesOutTheValuesOfWindows() {
        let schema = "<oor:component-schema oor:name=\"WriterCommands\" oor:package=\"org.openoffice.Office.UI\"/>"
        let kept = values("Office", "Common") + schema + values("TypeDetection", "UISort")
        let commands = values("Office.UI", "WriterCommands"), states = values("Office.UI", "CalcWindowState")
        let file = "<oor:data>\(commands)\(kept)\(states)\(values("Office", "Accelerators"))</oor:data>\n"
        #expect(shortened(file) == "<oor:data>\(kept)</oor:data>\n")
        // Names that mean others elsewhere.
        let others = values("Office", "Commands") + values("Office.UI", "Accelerators") + values("Office.UI", "Effects")
        #expect(shortened(others) == others)
    }

    @Test func leavesFilesThatAreNotUnderstood() {
        let values = values("Office.UI", "WriterCommands")
        for file in ["", "<oor:data/>", String(values.dropLast()), String(values.prefix(40)), "<oor:component-data >"] {
            #expect(shortened(file) == file)
        }
    }
}
