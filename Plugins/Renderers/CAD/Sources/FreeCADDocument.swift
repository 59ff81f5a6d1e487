internal import ArchiveReading
internal import VitrineKit
internal import XML

/// A document of FreeCAD: a zip file with shapes as Open CASCADE writes them, and two lists in XML, which say of each object what
/// it is and what shape it has, and how it is shown.
struct FreeCADDocument {
    /// A shape that is shown.
    struct Part {
        let member: ArchiveMember
        /// Red, green, blue in sRGB's code and alpha, each 0 to 1; `nil` where nothing says it.
        let colour: SIMD4<Float>?
        /// Where what it is in stands, the innermost first; where it stands in that, its file says.
        let poses: [Pose]
    }

    private let archive: Archive
    /// The largest files first.
    let parts: [Part]

    /// Shapes of a document, bytes of a list and of one of its texts, and containers in one another.
    private static let mostParts = 2000, longestList = 64 << 20, longestText = 8 << 20, deepest = 64

    /// Reads the lists.
    /// - Throws: `corrupt`, `locked`, `limitExceeded`, `unsupported` for one that shows what is in other documents; what reading
    ///   throws.
    init(_ input: any RandomAccessInput) throws(PluginError) {
        let archive = try Archive(input)
        let members = Dictionary(archive.members.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard let list = members[Array("Document.xml".utf8)] else {
            throw archive.lacks(PluginError(.corrupt, "the list of objects is missing in the document of FreeCAD"))
        }
        let document = FreeCADObjects()
        try Self.read(list, archive, document)
        // Programs without windows write none.
        if let views = members[Array("GuiDocument.xml".utf8)] { try Self.read(views, archive, document) }
        let containers = document.containers
        var named: Set<[UInt8]> = []
        var parts: [Part] = []
        for object in document.objects {
            guard let poses = Self.poses(of: object, containers, document) else { continue }
            if object.type.hasPrefix("App::Link") {
                throw PluginError(.unsupported, "the document of FreeCAD shows parts by links, which are not followed")
            }
            guard let file = object.shape.map({ Array($0.utf8) }), let member = members[file] else { continue }
            guard member.size != 0, named.insert(file).inserted else { continue }
            guard parts.count < Self.mostParts else {
                throw PluginError(.limitExceeded, "the document of FreeCAD shows more than \(Self.mostParts) shapes")
            }
            parts.append(Part(member: member, colour: object.colour, poses: poses))
        }
        self.archive = archive
        self.parts = parts.sorted { ($0.member.size ?? 0) > ($1.member.size ?? 0) }
    }

    private static func read(
        _ member: ArchiveMember, _ archive: Archive, _ document: FreeCADObjects
    ) throws(PluginError) {
        let limits = XMLLimits(bytes: Int64(longestList), text: longestText)
        let reader = XMLReader("the document of FreeCAD", limits: limits, listener: document)
        try reader.read(archive.contents(of: member, limit: longestList), isLast: true)
    }

    /// Where what an object stands in is; `nil` where it is not shown. What a body is made of is shown by the body.
    private static func poses(
        of object: FreeCADObjects.Object, _ containers: [String: Int], _ document: FreeCADObjects
    ) -> [Pose]? {
        guard object.isVisible ?? true else { return nil }
        var poses: [Pose] = []
        var name = object.name
        for _ in 0..<deepest {
            guard let index = containers[name] else { return poses }
            let container = document.objects[index]
            switch container.type {
            case "PartDesign::Body": return nil
            case "App::Part", "Assembly::AssemblyObject":
                guard container.isVisible ?? true else { return nil }
                if let pose = container.pose { poses.append(pose) }
            // Folders: who hides one hides each object in it.
            default: break
            }
            name = container.name
        }
        return nil
    }

    /// The shape of a part, as a file has it.
    /// - Throws: `corrupt`, `locked`, `limitExceeded`; what reading throws.
    func shape(of part: Part) throws(PluginError) -> [UInt8] { try archive.contents(of: part.member) }
}
