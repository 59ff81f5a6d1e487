internal import ArchiveReading
internal import VitrineKit
internal import XML

/// A document of FreeCAD: a zip file with shapes as Open CASCADE writes them, and two lists in XML, which say of each object what
/// shape it has, and how it is shown.
struct FreeCADDocument {
    /// A shape that is shown.
    struct Part {
        let member: ArchiveMember
        /// Red, green, blue in sRGB's code and alpha, each 0 to 1; `nil` where nothing says it.
        let colour: SIMD4<Float>?
    }

    private let archive: Archive
    /// In the order of the document.
    let parts: [Part]

    /// Objects that are looked at, and bytes of a list.
    private static let mostParts = 2000, longestList = 64 << 20

    /// Reads the lists.
    /// - Throws: `corrupt`, `locked`, `limitExceeded`; what reading throws.
    init(_ input: any RandomAccessInput) throws(PluginError) {
        let archive = try Archive(input)
        let members = Dictionary(archive.members.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard let list = members[Array("Document.xml".utf8)] else {
            throw PluginError(.corrupt, "the list of objects is missing in the document of FreeCAD")
        }
        let objects = try Self.read(list, archive)
        var views: [String: Objects.Object] = [:]
        // Programs without windows write none: all is shown then.
        if let shown = members[Array("GuiDocument.xml".utf8)] {
            for view in try Self.read(shown, archive).objects { views[view.name] = view }
        }
        self.archive = archive
        parts = objects.objects.prefix(Self.mostParts).compactMap { object in
            guard let file = object.shape, let member = members[Array(file.utf8)] else { return nil }
            let view = views[object.name]
            guard view?.isVisible ?? true else { return nil }
            return Part(member: member, colour: view?.colour)
        }
    }

    private static func read(_ member: ArchiveMember, _ archive: Archive) throws(PluginError) -> Objects {
        let objects = Objects()
        let reader = XMLReader(
            "the document of FreeCAD", limits: XMLLimits(bytes: Int64(longestList)), listener: objects)
        try reader.read(archive.contents(of: member, limit: longestList), isLast: true)
        return objects
    }

    /// The shape of a part, as a file has it.
    /// - Throws: `corrupt`, `locked`, `limitExceeded`; what reading throws.
    func shape(of part: Part) throws(PluginError) -> [UInt8] { try archive.contents(of: part.member) }
}

/// What the lists say of each object; those of the one are not in the other.
private final class Objects: XMLListener {
    struct Object {
        var name: String
        /// The member with its shape.
        var shape: String?
        var isVisible: Bool?
        var colour: SIMD4<Float>?
    }
    private(set) var objects: [Object] = []
    /// The property that is open.
    private var property = ""

    private enum Element: Int { case other, object, property, part, bool, colour }

    func meaning(of name: XMLName) -> Int {
        let element: Element =
            switch name.local {
            case "Object", "ViewProvider": .object
            case "Property": .property
            case "Part": .part
            case "Bool": .bool
            case "PropertyColor": .colour
            default: .other
            }
        return element.rawValue
    }

    func start(_ meaning: Int, _ attributes: XMLAttributes) {
        let element = Element(rawValue: meaning)
        guard let element, element != .other else { return }
        let values = attributes.values
        switch (element, property) {
        case (.object, _): objects.append(Object(name: values["name"] ?? ""))
        case (.property, _): property = values["name"] ?? ""
        case (.part, "Shape"): change { $0.shape = values["file"] }
        case (.bool, "Visibility"): change { $0.isVisible = values["value"] == "true" }
        case (.colour, "ShapeColor"):
            // Red is the highest of four bytes; of the fourth, most files have zero, and all mean nothing by it.
            guard let code = values["value"].flatMap({ UInt32($0) }) else { return }
            let parts = SIMD4(code >> 24, code >> 16 & 255, code >> 8 & 255, 255)
            change { $0.colour = SIMD4<Float>(parts) / 255 }
        default: break
        }
    }

    private func change(_ change: (inout Object) -> Void) {
        if !objects.isEmpty { change(&objects[objects.count - 1]) }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

    func end(_ meaning: Int) { if meaning == Element.property.rawValue { property = "" } }
}
