import Foundation
import ModelDrawing
import RendererFixtures
import TestSupport
import Testing
import VitrineKit
import VitrineTesting

@testable import CADRenderer

/// One after the other: the library keeps what it reads by in one place.
@Suite(.serialized) struct CADRendererTests {
    private static let types = [
        "step": "model/step", "igs": "model/iges", "brep": "application/x-extension-brep",
        "FCStd": "application/x-extension-fcstd",
    ]

    private static func bytes(_ ending: String) throws -> [UInt8] {
        ending == "FCStd" ? try document() : try Fixtures.bytes("model/part.\(ending)")
    }
    private static func text(_ ending: String) throws -> String { String(decoding: try bytes(ending), as: UTF8.self) }

    private func draw(_ bytes: [UInt8], as ending: String, box: Int = 128, page: Int = 0) throws -> Rendering {
        let folder = try TemporaryFolder()
        let renderer = try CADRenderer(RendererEnvironment(pluginFolder: "/", privateFolder: folder.path))
        defer { #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) == []) }
        let type = try #require(Self.types[ending])
        return try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: type, page: page))
    }

    private func picture(_ text: String, as ending: String) throws -> RGBAPicture {
        RGBAPicture(try draw(Array(text.utf8), as: ending).bitmap)
    }

    private func failure(_ bytes: [UInt8], as ending: String, page: Int = 0) throws -> PluginError.Code {
        try #require(#expect(throws: PluginError.self) { try draw(bytes, as: ending, page: page) }).code
    }

    private func failure(_ text: String, as ending: String) throws -> PluginError.Code {
        try failure(Array(text.utf8), as: ending)
    }

    /// The part as triangles, which it has in a file of numbers.
    private static func triangles() throws -> RGBAPicture {
        let bytes = try Fixtures.bytes("model/part.stl")
        var mesh = Mesh()
        mesh.kind = .apart
        for at in stride(from: 84, to: bytes.count - 49, by: 50) {
            for corner in 0..<3 {
                let place = SIMD3<Double>(
                    (0..<3).map { axis in
                        let first = at + 12 + 12 * corner + 4 * axis
                        return Double(
                            Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[first + $1]) << (8 * UInt32($1)) }))
                    })
                try mesh.add(place: place)
            }
        }
        return RGBAPicture(try ModelPicture(box: 128, maximumPixels: 64_000_000).rendering(of: mesh).bitmap)
    }

    @Test("It keeps the renderer's contract", arguments: types.keys.sorted())
    func conformance(ending: String) throws {
        let folder = try TemporaryFolder()
        let type = try #require(Self.types[ending])
        let sample = RendererSample("part." + ending, mimeType: type, bytes: try Self.bytes(ending))
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            var environment = environment
            environment.privateFolder = folder.path
            return try CADRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("A part is drawn as its triangles are", arguments: ["brep", "igs", "step"])
    func sameEverywhere(ending: String) throws {
        let plain = try Self.text(ending)
            .replacingOccurrences(of: "=STYLED_ITEM(", with: "=REPRESENTATION_ITEM_('',(),#1,")
            .replacingOccurrences(of: "     128       0       3", with: "     128       0       0")
        let (one, other) = (try Self.triangles(), try picture(plain, as: ending))
        let differing = zip(one.pixels, other.pixels).count { abs(Int($0) - Int($1)) > 8 }
        #expect(one.pixels.count == other.pixels.count)
        // Edges may lie a hair beside.
        #expect(differing < one.pixels.count / 500, "\(differing) of \(one.pixels.count)")
        #expect(try draw(Self.bytes(ending), as: ending).facts.details.values.contains(.number(24)))
    }

    @Test("A shape has the colour that its file names")
    func colours() throws {
        func seen(_ text: String, _ ending: String) throws -> (red: Int, green: Int, blue: Int) {
            let picture = try picture(text, as: ending)
            var pixels: [[Int]] = []
            for at in 0..<picture.width * picture.height {
                let pixel = picture.pixel(x: at % picture.width, y: at / picture.width)
                if pixel.alpha == 255 { pixels.append([Int(pixel.red), Int(pixel.green), Int(pixel.blue)]) }
            }
            func count(_ one: Int, over other: Int) -> Int { pixels.count { $0[one] > 3 * $0[other] } }
            return (count(0, over: 1), count(1, over: 0), count(2, over: 0))
        }
        let step = try Self.text("step")
        let red = try seen(step, "step")
        #expect(red.red > 200 && red.green == 0 && red.blue == 0)
        let blue = try seen(step.replacingOccurrences(of: "0.8,0.1,0.1", with: "0.1,0.1,0.8"), "step")
        #expect(blue.red == 0 && blue.blue > 200)
        let predefined = step.replacingOccurrences(
            of: "COLOUR_RGB('',0.8,0.1,0.1)", with: "DRAUGHTING_PRE_DEFINED_COLOUR('green')")
        let green = try seen(predefined, "step")
        #expect(green.red == 0 && green.green > 200)
        let front = try seen(try Self.text("igs"), "igs")
        #expect(front.red == 0 && 50..<red.red ~= front.green)
    }

    @Test("Black shows light and shade, too")
    func black() throws {
        let black = try Self.text("step").replacingOccurrences(of: "0.8,0.1,0.1", with: "0.,0.,0.")
        let picture = try picture(black, as: "step")
        var dark: [Int: Int] = [:]
        for at in 0..<picture.width * picture.height {
            let pixel = picture.pixel(x: at % picture.width, y: at / picture.width)
            if pixel.alpha == 255, pixel.red < 80 { dark[Int(pixel.red), default: 0] += 1 }
        }
        // The tower's three sides, and not what lies between them and the plate.
        let sides = dark.filter { $0.value >= 100 }.keys.sorted()
        #expect(sides.count == 3 && sides[0] > 10, "\(dark)")
    }

    @Test("What the file hides is not drawn")
    func hidden() throws {
        let step = try Self.text("step")
        let line = try #require(step.split(separator: "\n").first { $0.contains("=STYLED_ITEM(") })
        let item = try #require(line.split(separator: "=").first)
        let hiding = step.replacingOccurrences(of: "\(line)", with: "\(line)\n#9999=INVISIBILITY((\(item)));")
        let hidden = try draw(Array(hiding.utf8), as: "step")
        #expect(hidden.facts.details.values.contains(.number(12)))
    }

    @Test("What is said of the colours alone does not keep a shape from being drawn")
    func tornColours() throws {
        let step = try Self.text("step")
        for (one, other) in [
            ("SURFACE_STYLE_USAGE(.BOTH.,#", "SURFACE_STYLE_USAGE(.BOTH.,#9"),
            ("FILL_AREA_STYLE('',(#", "FILL_AREA_STYLE('',(#9"),
            ("COLOUR_RGB('',0.8,0.1,0.1)", "COLOUR_RGB('',0.8,0.1)"), ("=STYLED_ITEM('',(", "=STYLED_ITEM('',(#1,"),
            ("ENDSEC;\nEND-ISO", "#999=PLANE('',#998);\nENDSEC;\nEND-ISO"),
        ] {
            #expect(step.contains(one))
            let drawn = try draw(Array(step.replacingOccurrences(of: one, with: other).utf8), as: "step")
            #expect(drawn.facts.details.values.contains(.number(24)), "\(other)")
        }
    }

    @Test("Two uses of one part have colours of their own, and one of them may be hidden")
    func uses() throws {
        let text = try Self.assembly()
        let drawn = try draw(Array(text.utf8), as: "step")
        #expect(drawn.facts.details.values.contains(.number(48)))
        let picture = RGBAPicture(drawn.bitmap)
        var kinds: Set<Bool> = []
        for at in 0..<picture.width * picture.height {
            let pixel = picture.pixel(x: at % picture.width, y: at / picture.width)
            if pixel.alpha == 255 { kinds.insert(Int(pixel.blue) > 3 * Int(pixel.red)) }
        }
        // One of the two is blue, and the other as it is.
        #expect(kinds == [true, false])
        let hiding = text.replacingOccurrences(
            of: "ENDSEC;\nEND-ISO", with: "#9990=INVISIBILITY((#9020));\nENDSEC;\nEND-ISO")
        #expect(try draw(Array(hiding.utf8), as: "step").facts.details.values.contains(.number(24)))
    }

    /// Two uses of the part side by side, the second of which is blue.
    private static func assembly() throws -> String {
        let step = try text("step")
        func name(_ start: String) throws -> String {
            let line = try #require(step.split(separator: "\n").first { $0.contains(start) })
            return String(try #require(line.split(separator: "=").first))
        }
        let definition = try name("=PRODUCT_DEFINITION('"), shape = try name("=FACETED_BREP_SHAPE_REPRESENTATION")
        let units = try name("=(GEOMETRIC_REPRESENTATION_CONTEXT"), context = try name("=APPLICATION_CONTEXT")
        var more = """
            #9000=PRODUCT_CONTEXT('',\(context),'mechanical');
            #9001=PRODUCT('whole','whole','',(#9000));
            #9002=PRODUCT_DEFINITION_FORMATION('','',#9001);
            #9003=PRODUCT_DEFINITION_CONTEXT('part definition',\(context),'design');
            #9004=PRODUCT_DEFINITION('design','',#9002,#9003);
            #9005=PRODUCT_DEFINITION_SHAPE('','',#9004);
            #9006=CARTESIAN_POINT('',(0.,0.,0.));
            #9007=AXIS2_PLACEMENT_3D('',#9006,$,$);
            #9008=CARTESIAN_POINT('',(50.,0.,0.));
            #9009=AXIS2_PLACEMENT_3D('',#9008,$,$);
            #9010=SHAPE_REPRESENTATION('',(#9007,#9009),\(units));
            #9011=SHAPE_DEFINITION_REPRESENTATION(#9005,#9010);

            """
        for (first, place) in [(9100, 9007), (9200, 9009)] {
            more += """
                #\(first)=NEXT_ASSEMBLY_USAGE_OCCURRENCE('\(first)','','',#9004,\(definition),$);
                #\(first + 1)=PRODUCT_DEFINITION_SHAPE('','',#\(first));
                #\(first + 2)=ITEM_DEFINED_TRANSFORMATION('','',#9007,#\(place));
                #\(first + 3)=(REPRESENTATION_RELATIONSHIP('','',\(shape),#9010)\
                REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(#\(first + 2))SHAPE_REPRESENTATION_RELATIONSHIP());
                #\(first + 4)=CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(#\(first + 3),#\(first + 1));
                #\(first + 5)=SHAPE_REPRESENTATION('',(#\(place)),\(units));
                #\(first + 6)=SHAPE_DEFINITION_REPRESENTATION(#\(first + 1),#\(first + 5));

                """
        }
        more += """
            #9021=COLOUR_RGB('',0.1,0.1,0.8);
            #9022=FILL_AREA_STYLE_COLOUR('',#9021);
            #9023=FILL_AREA_STYLE('',(#9022));
            #9024=SURFACE_STYLE_FILL_AREA(#9023);
            #9025=SURFACE_SIDE_STYLE('',(#9024));
            #9026=SURFACE_STYLE_USAGE(.BOTH.,#9025);
            #9027=PRESENTATION_STYLE_BY_CONTEXT((#9026),#9205);
            #9020=STYLED_ITEM('',(#9027),#9009);
            #9028=MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',(#9020),\(units));

            """
        return step.replacingOccurrences(of: "=STYLED_ITEM(", with: "=REPRESENTATION_ITEM_('',(),#1,")
            .replacingOccurrences(of: "ENDSEC;\nEND-ISO", with: more + "ENDSEC;\nEND-ISO")
    }

    @Test("What is cut off, torn or of another kind is refused with what is known of it")
    func damaged() throws {
        let step = try Self.text("step")
        for share in [3, 2] {
            #expect(try failure(Array(step.utf8.prefix(step.utf8.count / share)), as: "step") == .corrupt)
        }
        // Names of what is not there, of what is something else, and records that lack a part: the library alone would end.
        for (one, other) in [
            ("=PLANE('',#", "=PLANE('',#9"), ("=AXIS2_PLACEMENT_3D('',#", "=AXIS2_PLACEMENT_3D('',#1,#"),
            ("=FACE_SURFACE('',(#", "=FACE_SURFACE('',(#1,#"), ("=CLOSED_SHELL('',(", "=CLOSED_SHELL('',(#2,"),
        ] {
            #expect(try failure(step.replacingOccurrences(of: one, with: other), as: "step") == .corrupt, "\(other)")
        }
        #expect(try failure(Array(try Self.bytes("brep").prefix(3000)), as: "brep") == .corrupt)
        let iges = try Self.bytes("igs")
        for count in [1400, 3000, iges.count - 81] {
            #expect(try failure(Array(iges.prefix(count)), as: "igs") == .corrupt)
        }
        for ending in Self.types.keys {
            #expect(try failure([UInt8](), as: ending) == .empty)
            #expect(try failure(try Self.bytes(ending), as: ending, page: 1) == .invalidArgument)
            for wrong in [try Fixtures.bytes("image/alpha.png"), [UInt8](repeating: 0x41, count: 4096)] {
                #expect(throws: PluginError.self, "\(ending)") { try draw(wrong, as: ending) }
            }
        }
    }

    @Test("A file without a shape is empty, and not damaged")
    func empty() throws {
        let lines = try Self.text("step").split(separator: "\n").filter {
            !$0.contains("SHAPE_DEFINITION_REPRESENTATION(") && !$0.contains("STYLED")
                && !$0.contains("MECHANICAL_DESIGN")
        }
        #expect(try failure(lines.joined(separator: "\n"), as: "step") == .empty)
    }

    @Test("Only so many triangles are made")
    func limit() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("part.step", try Self.bytes("step"))
        var mesh = Mesh()
        try Shapes.add(path: file.path, .step, Shapes.Use(most: 48), to: &mesh)
        #expect(mesh.triangles == 24)
        let error = #expect(throws: PluginError.self) {
            try Shapes.add(path: file.path, .step, Shapes.Use(most: 47), to: &mesh)
        }
        #expect(error?.code == .limitExceeded)
    }

    /// A document of FreeCAD with the part in red, once more where nobody sees it, and an object without a shape.
    /// - Parameters:
    ///   - types: of objects by their names.
    ///   - more: objects beside these.
    ///   - views: how they are shown; `nil` for no such list.
    private static func document(
        types: [String: String] = [:], more: String = "", views: String? = view("Pad", true) + view("Copy", false),
        files: [(name: String, bytes: [UInt8])] = []
    ) throws -> [UInt8] {
        let declared = types.sorted { $0.key < $1.key }.map { "<Object type=\"\($0.value)\" name=\"\($0.key)\"/>" }
        let objects = object("Pad", "PartShape.brp") + object("Copy", "PartShape1.brp") + object("Sketch", "") + more
        let list = """
            <Document><Objects>\(declared.joined())</Objects><ObjectData>\(objects)</ObjectData></Document>
            """
        let shape = try bytes("brep")
        var members = [
            (name: "Document.xml", bytes: Array(list.utf8)), (name: "PartShape.brp", bytes: shape),
            (name: "PartShape1.brp", bytes: shape),
        ]
        members += files
        if let views { members.append((name: "GuiDocument.xml", bytes: Array("<Document>\(views)</Document>".utf8))) }
        return zipFile(members, checksum: nil)
    }

    private static func object(_ name: String, _ file: String, _ more: String = "") -> String {
        """
        <Object name="\(name)"><Properties><Property name="Shape" type="Part::PropertyPartShape">\
        <Part file="\(file)"/></Property>\(more)</Properties></Object>
        """
    }

    private static func view(_ name: String, _ isShown: Bool, _ more: String = "") -> String {
        """
        <ViewProvider name="\(name)"><Properties><Property name="LineColor"><PropertyColor value="255"/></Property>\
        <Property name="ShapeColor"><PropertyColor value="\(0xCC19_1900 as UInt32)"/></Property>\
        <Property name="Selectable"><Bool value="\(!isShown)"/></Property>\(more)\
        <Property name="Visibility"><Bool value="\(isShown)"/></Property></Properties></ViewProvider>
        """
    }

    private func triangles(_ document: [UInt8]) throws -> Int {
        let details = try draw(document, as: "FCStd").facts.details.values
        return [12, 24, 48].first { details.contains(.number(Double($0))) } ?? 0
    }

    @Test("A document of FreeCAD shows what is visible of it, in its colours, and all of it where it does not say")
    func documents() throws {
        let drawn = try draw(try Self.document(), as: "FCStd")
        #expect(drawn.facts.details.values.contains(.number(24)))
        let picture = RGBAPicture(drawn.bitmap)
        for at in 0..<picture.width * picture.height {
            let pixel = picture.pixel(x: at % picture.width, y: at / picture.width)
            if pixel.alpha == 255 { #expect(Int(pixel.red) > 3 * Int(pixel.blue)) }
        }
        #expect(try triangles(Self.document(views: nil)) == 48)
        let hidden = Self.object(
            "Copy", "PartShape1.brp", "<Property name=\"Visibility\"><Bool value=\"false\"/></Property>")
        #expect(try triangles(Self.document(more: hidden, views: nil)) == 24)
        #expect(
            try failure(try Self.document(views: Self.view("Pad", false) + Self.view("Copy", false)), as: "FCStd")
                == .empty)
        let clear = "<Property name=\"Transparency\"><Integer value=\"60\"/></Property>"
        let glass = RGBAPicture(
            try draw(try Self.document(views: Self.view("Pad", true, clear) + Self.view("Copy", false)), as: "FCStd")
                .bitmap)
        let alphas = (0..<glass.width * glass.height).map {
            glass.pixel(x: $0 % glass.width, y: $0 / glass.width).alpha
        }
        #expect(alphas.contains { 60..<200 ~= $0 } && !alphas.contains(255))
    }

    @Test("What a body is made of is shown by the body, and parts stand where what they are in does")
    func containers() throws {
        let group = "<Property name=\"Group\"><LinkList count=\"1\"><Link value=\"Pad\"/></LinkList></Property>"
        let place = """
            <Property name="Placement"><PropertyPlacement Px="100" Py="0" Pz="0" Q0="0" Q1="0" Q2="0.7071067811865476" \
            Q3="0.7071067811865476"/></Property>
            """
        let whole = Self.object("Whole", "", group + place)
        let shown = Self.view("Pad", true) + Self.view("Copy", true)
        #expect(try triangles(Self.document(types: ["Whole": "PartDesign::Body"], more: whole, views: shown)) == 24)
        let moved = try Self.document(types: ["Whole": "App::Part"], more: whole, views: shown)
        let beside = try draw(moved, as: "FCStd"), alone = try draw(try Self.document(views: shown), as: "FCStd")
        #expect(try triangles(moved) == 48 && RGBAPicture(beside.bitmap) != RGBAPicture(alone.bitmap))
        let away = shown + Self.view("Whole", false)
        #expect(try triangles(Self.document(types: ["Whole": "App::Part"], more: whole, views: away)) == 24)
        // Groups are folders.
        #expect(
            try triangles(Self.document(types: ["Whole": "App::DocumentObjectGroup"], more: whole, views: away)) == 48)
        let folder =
            Self.object("Folder", "", group) + Self.object("Whole", "", place + group.replacing("Pad", with: "Folder"))
        let inFolder = try Self.document(
            types: ["Folder": "App::DocumentObjectGroup", "Whole": "App::Part"], more: folder, views: shown)
        #expect(RGBAPicture(try draw(inFolder, as: "FCStd").bitmap) == RGBAPicture(beside.bitmap))
        // In one another, without an end.
        let ring = Self.object("Whole", "", group) + Self.object("Pad", "PartShape.brp", group)
        #expect(try triangles(Self.document(types: ["Whole": "App::Part"], more: ring, views: shown)) == 24)
        let links = try Self.document(types: ["Link": "App::Link"], more: Self.object("Link", ""))
        #expect(try failure(links, as: "FCStd") == .unsupported)
    }

    @Test("Of a document of FreeCAD what is damaged is left out, if there is anything else")
    func damagedDocuments() throws {
        let more =
            Self.object("Bad", "Bad.brp") + Self.object("None", "None.brp") + Self.object("Again", "PartShape.brp")
        let files: [(name: String, bytes: [UInt8])] = [
            (name: "Bad.brp", bytes: Array(try Self.bytes("brep").prefix(2000))), (name: "None.brp", bytes: []),
        ]
        #expect(try triangles(Self.document(more: more, files: files)) == 24)
        let alone = try Self.document(
            more: more, views: Self.view("Pad", false) + Self.view("Copy", false) + Self.view("Again", false),
            files: files)
        #expect(try failure(alone, as: "FCStd") == .corrupt)
        let torn = zipFile([(name: "Document.xml", bytes: Array("<Document><ObjectData>".utf8))], checksum: nil)
        #expect(try failure(torn, as: "FCStd") == .corrupt)
        #expect(try failure(zipFile([(name: "a", bytes: [1])], checksum: nil), as: "FCStd") == .corrupt)
        // Names of objects that others have as well, and a text of any length in one that nobody asks for.
        let long = Self.object(
            "Script", "",
            "<Property name=\"Proxy\"><Python value=\"\(String(repeating: "a", count: 100_000))\"/></Property>")
        #expect(try triangles(Self.document(more: long)) == 24)
    }
}
