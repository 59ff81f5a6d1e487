internal import VitrineKit
internal import XML

/// Finds the parts of a package of Office Open XML by the relations that its main part names (ISO/IEC 29500-2, 9.3).
struct PackageParts {
    let archive: ZipDirectory
    let input: any RandomAccessInput

    /// Bytes of a list of parts at most.
    private static let listLimit = 1 << 20

    /// Sheets or slides in their order.
    /// - Parameters:
    ///   - main: the part that lists them, such as `ppt/presentation.xml`.
    ///   - element: what it names each of them in.
    ///   - folder: that it lies in, with a slash.
    func listed(in main: String, _ element: String, folder: String) -> [String] {
        entries(in: main, element, folder: folder).map(\.part)
    }

    /// How many of them the main part lists; `nil` when it cannot be read.
    func count(in main: String, _ element: String) -> Int? { readElements(element, of: main)?.count }

    /// The same, with what the main part says of each.
    func entries(
        in main: String, _ element: String, folder: String
    ) -> [(part: String, attributes: [String: String])] {
        var targets: [String: String] = [:]
        for relation in relations(of: main, folder: folder) {
            if let id = relation["Id"], let target = relation["Target"] { targets[id] = target }
        }
        // Slides have a number `id` as well, but the last attribute of a name counts, and `r:id` comes last.
        return elements(element, of: main).compactMap { attributes in
            attributes["id"].flatMap { targets[$0] }.map { ($0, attributes) }
        }
    }

    /// The first part that the main part has a relation of a kind to.
    /// - Parameter kind: how the type of the relation ends, such as `/sharedStrings`.
    func part(relatedTo main: String, as kind: String, folder: String) -> String? {
        relations(of: main, folder: folder).first { $0["Type"]?.hasSuffix(kind) == true }?["Target"]
    }

    /// The parts that a part has relations of some kinds to, with what it calls each of them.
    /// - Parameter kinds: how the types of the relations end, such as `/chart`.
    func parts(relatedTo part: String, as kinds: [String]) -> [(name: String, part: String)] {
        let folder = String(part[..<(part.lastIndex(of: "/").map(part.index(after:)) ?? part.startIndex)])
        return relations(of: part, folder: folder).compactMap { relation in
            guard let name = relation["Id"], let target = relation["Target"], let type = relation["Type"],
                kinds.contains(where: type.hasSuffix)
            else { return nil }
            return (name, target)
        }
    }

    /// What the main part's relations say of themselves, their targets as names of parts.
    private func relations(of main: String, folder: String) -> [[String: String]] {
        elements("Relationship", of: folder + "_rels/" + main.dropFirst(folder.count) + ".rels").map { relation in
            var relation = relation
            relation["Target"] = relation["Target"].map {
                $0.hasPrefix("/") ? String($0.dropFirst()) : Self.path($0, in: folder)
            }
            return relation
        }
    }

    /// Where a target lies, which may begin outside of the folder: `../charts/chart1.xml`.
    private static func path(_ target: String, in folder: String) -> String {
        var (rest, folders) = (target[...], folder.split(separator: "/"))
        while rest.hasPrefix("../") {
            rest = rest.dropFirst(3)
            _ = folders.popLast()
        }
        return (folders + [rest]).joined(separator: "/")
    }

    /// Whether a part has a relation to one of a kind (ISO/IEC 29500-2, 9.3).
    /// - Parameter kind: how the type of the relation ends, such as `/pivotTable`.
    /// - Returns: also `true` when its relations cannot be read.
    func mayRelate(_ part: String, to kind: String) -> Bool {
        let name = part.split(separator: "/").last.map(String.init) ?? part
        let list = part.dropLast(name.count) + "_rels/" + name + ".rels"
        guard archive.contains(list) else { return false }
        guard let relations = readElements("Relationship", of: list) else { return true }
        return relations.contains { $0["Type"]?.hasSuffix(kind) ?? true }
    }

    private func elements(_ name: String, of part: String) -> [[String: String]] { readElements(name, of: part) ?? [] }

    /// - Returns: the attributes of each; `nil` when the part is not there or cannot be read.
    private func readElements(_ name: String, of part: String) -> [[String: String]]? {
        guard let bytes = try? archive.unpacked(part, limit: Self.listLimit, in: input),
            let events = try? XMLReader("'\(part)'").events(from: bytes, isLast: true)
        else { return nil }
        return events.compactMap { event in
            if case .start(let element, let attributes) = event, element.local == name { return attributes }
            return nil
        }
    }
}
