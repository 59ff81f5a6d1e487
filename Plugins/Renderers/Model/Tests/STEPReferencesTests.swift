import Foundation
import RendererFixtures
import Testing
import VitrineKit

@testable import ModelRenderer

/// References in buildings to what is not in the file, which Assimp would follow.
@Suite struct STEPReferencesTests {
    private static func check(_ text: String) throws {
        try Array(text.utf8).withUnsafeBytes { try STEPReferences.check($0) }
    }

    private static func building() throws -> String {
        String(decoding: try Fixtures.bytes("model/part.ifc"), as: UTF8.self)
    }

    /// The part with further lines.
    private static func building(with lines: String) throws -> String {
        try building().replacing("ENDSEC;\nEND-ISO", with: lines + "\nENDSEC;\nEND-ISO")
    }

    @Test("A building of which an entity is missing is refused before Assimp, which crashes, and the reason names it")
    func missing() throws {
        let building = try Self.building()
        try Self.check(building)
        let bytes = Array(building.replacing("#6=IFCCARTESIANPOINT((0.0,0.0,0.0));\n", with: "").utf8)
        #expect(bytes.count < building.utf8.count)
        let error = try #require(
            #expect(throws: PluginError.self) { try ModelRendererTests.draw(bytes, as: "part.ifc") })
        #expect(error.code == .corrupt)
        #expect(error.message.contains("entity #7 refers to the entity #6,"), "\(error.message)")
    }

    @Test(
        "The first reference that leads nowhere is found, whatever stands around it",
        arguments: [
            ("#1=IFCFACE((#2,#3));\n#2=IFCFACEBOUND(#9,.T.);", "#1 refers to the entity #3,"),
            ("#1=IFCFACE((#2));\r\n#2 /* a */ =\nIFCFACEBOUND( # 9, #\n9,#9/**/);", "#2 refers to the entity #9,"),
            ("#1=IFCWALL('it''s #5, ''#6''',#7);", "#1 refers to the entity #7,"),
            ("#1=IFCWALL('0000000000000000000001',#5,'a',$,$,#7,$,$);", "#1 refers to the entity #7,"),
            ("#1=IFCWALL('it's',$,#7);\n#2=IFCWALL('a',#8,'b');", "#2 refers to the entity #8,"),
            ("#1=IFCWALL('it's',$,$);\n#2=IFCWALL('a',#8,'b');", "#2 refers to the entity #8,"),
            ("#1=(IFCA(#2)IFCB(#1));", "#1 refers to the entity #2,"),
            ("#1=IFCRELVOIDSELEMENT('0000000000000000000001',#5,$,$,#1,#7);", "#1 refers to the entity #7,"),
        ])
    func first(text: String, words: String) throws {
        let error = try #require(#expect(throws: PluginError.self) { try Self.check(text) })
        #expect(error.code == .corrupt && error.message.contains(words), "\(error.message)")
    }

    @Test(
        "What is no reference, or is not followed, is none that leads nowhere",
        arguments: [
            "#901=IFCPROPERTYSINGLEVALUE('see #999, it''s #998','#997',IFCLABEL('/*'),$); /* #996=IFCX(#995); ' */",
            "#901=IFCPROPERTYSINGLEVALUE('over\n#lines',$,IFCLABEL('a'),$);",
            "#901=IFCRELASSOCIATESMATERIAL('0000000000000000000091',#995,$,$,(#105),#999);",
            "#901=IFCMATERIALLAYERSET((#999),$);", "#901=ifcpersonandorganization(#999,#998,$);",
            "#901=IFCPRESENTATIONLAYERASSIGNMENT('a',$,(#100,#999),$);",
            "#901=IFCBUILDINGELEMENTPROXY('0000000000000000000091',#999,'a',$,$,$,$,$,$);",
            "#902 = IFCPOLYLOOP ( ( #901 ) ) ;\n #901 =\n ifccartesianpoint\n((0.,0.,0.)\n)\n;",
            "#901=IFCDIRECTION((1.E0,#));", "/", "/*", "'", "#", "#901", "#901=", "#901=IFCWALL(", "#901=IFCWALL('",
        ])
    func none(lines: String) throws {
        try Self.check(Self.building(with: lines))
        try Self.check(lines)
    }

    @Test(
        "Where Assimp does not go, what is missing is no reason to refuse a building, which it draws",
        arguments: [
            "#901=IFCANNOTATION(ID,#5,'a',$,$,#999,#998);\n#902=IFCRELCONTAINEDINSPATIALSTRUCTURE(ID,#5,$,$,(#901),#13);",
            "#901=IFCWORKPLAN(ID,#5,'a',$,$,'1',#999,(#998),$,$,$,#997,$,$,$);\n#902=IFCRELNESTS(ID,#5,$,$,#105,(#901));",
            "#901=IFCCOSTSCHEDULE(ID,#5,'a',$,$,#999,#998,$,(#997),'a',.BUDGET.);",
            "#901=IFCCONSTRUCTIONMATERIALRESOURCE(ID,#5,'a',$,$,$,$,$,#999,(#998),$);",
            "#901=IFCSTRUCTURALANALYSISMODEL(ID,#5,'a',$,$,.NOTDEFINED.,#999,(#998),(#997));",
            "#901=IFCELEMENTQUANTITY(ID,#5,'a',$,$,(#999));\n#902=IFCRELDEFINESBYPROPERTIES(ID,#5,$,$,(#105),#901);",
            "#901=IFCCURVESTYLE('a',#999,$,#998);\n#902=IFCPRESENTATIONSTYLEASSIGNMENT((#901));\n#903=IFCSTYLEDITEM(#100,(#902),$);",
        ])
    func besides(lines: String) throws {
        let text = try Self.building(with: lines.replacing("ID", with: "'0000000000000000000091'"))
        try Self.check(text)
        #expect(try ModelRendererTests.draw(Array(text.utf8), as: "part.ifc").bitmap.width > 0)
    }

    @Test(
        "Where it goes, it is one",
        arguments: [
            "#901=IFCDISTRIBUTIONPORT(#5,#999);", "#901=IFCGRID(#5,#999);",
            "#901=IFCSTRUCTURALPOINTCONNECTION(#5,#999);",
            "#901=IFCPROPERTYSET(#5,(#999));", "#901=IFCSURFACESTYLE('a',.BOTH.,(#999));",
            "#901=IFCSTYLEDITEM(#100,(#999),$);",
        ])
    func followed(lines: String) throws {
        let text = try Self.building(with: lines)
        #expect(throws: PluginError.self) { try Self.check(text) }
    }

    /// The part with another line in the place of the one that its project refers to.
    private static func building(unit: String) throws -> String {
        try building().replacing("#10=IFCUNITASSIGNMENT((#9));", with: unit)
    }

    @Test(
        "What Assimp takes for no entity is missing",
        arguments: [
            "#10=XFCUNITASSIGNMENT((#9));", "#10=IFCUNITASSIG*NMENT((#9));", "#10=IFCUNITASSIGNMENT((#9))",
            "#10=IFCUNITASSIGNMENT((#9", "#10=IFCUNITASSIGNMENT(#9;", "#10=IFCUNITASSIGNMENT/* a */((#9));",
            "#10=/* a */IFCUNITASSIGNMENT((#9));", "#10=IFCUNITASSIGNMENT((#9)) /* a */;",
            "/* a */ #10=IFCUNITASSIGNMENT((#9));", "#10\n=IFCUNITASSIGNMENT((#9));",
            "#200=IFCLABEL('a'); #10=IFCUNITASSIGNMENT((#9));", "#10=IFCUNITASSIGNMENT('a\n#5=IFCLABEL(',(#9));",
        ])
    func untaken(line: String) throws {
        let error = try #require(
            #expect(throws: PluginError.self) { try Self.check(try Self.building(unit: line)) })
        #expect(error.code == .corrupt && error.message.contains("refers to the entity #10,"), "\(error.message)")
    }

    @Test(
        "However an entity is written that Assimp takes for one, it is one",
        arguments: [
            "#10=ifcunitassignment((#9));", "#10=IFCUNITASSIGNMENT\n((#9));", "#10=\nIFCUNITASSIGNMENT((#9));",
            " #10 = IFCUNITASSIGNMENT ( ( #9 ) ) ;", "#10=IFCUNITASSIGNMENT((\n#9)\n)\n;",
            "#10 /* a */=IFCUNITASSIGNMENT((#9));", "#10=IFCUNITASSIGNMENT((#9)); /* a */",
            "/* a\n */\n#10=IFCUNITASSIGNMENT((#9));", "#10=IFCUNITASSIGNMENT((#9));\r\n",
        ])
    func taken(line: String) throws {
        let text = try Self.building(unit: line)
        try Self.check(text)
        #expect(try ModelRendererTests.draw(Array(text.utf8), as: "part.ifc").bitmap.width > 0)
    }

    @Test("Numbers that no program gives out cost no memory, and confuse nothing")
    func numbers() throws {
        let texts = [
            "#134217727=IFCFACE((#134217727));", "#999999999999999999=IFCFACE((#999999999999999998));",
            "#99999999999999999999999=IFCFACE((#99999999999999999999998));", "#0=IFCFACE((#0));",
        ]
        for text in texts { try Self.check(text) }
        #expect(throws: PluginError.self) { try Self.check("#1=IFCFACE((#134217727));") }
    }

    @Test(
        "A text of many lines is read once", .timeLimit(.minutes(1)),
        arguments: ["\n", "\n \r\n", "\n#1", "\n#1 /*", "\n#1\n\n", "\n/*"])
    func lines(line: String) throws {
        let text = String(repeating: line, count: 500_000)
        try Self.check("#1=IFCWALL('" + text)
        // Where it ends, the rest is read on.
        let error = try #require(
            #expect(throws: PluginError.self) { try Self.check("#1=IFCWALL('" + text + "',#7);") })
        #expect(error.message.contains("#1 refers to the entity #7,"), "\(error.message)")
    }
}
