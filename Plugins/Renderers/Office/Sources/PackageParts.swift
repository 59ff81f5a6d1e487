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
        let name = main.dropFirst(folder.count)
        var targets: [String: String] = [:]
        for attributes in elements("Relationship", of: folder + "_rels/" + name + ".rels") {
            if let id = attributes["Id"], let target = attributes["Target"] {
                targets[id] = target.hasPrefix("/") ? String(target.dropFirst()) : folder + target
            }
        }
        // Slides have a number `id` as well, but the last attribute of a name counts, and `r:id` comes last.
        return elements(element, of: main).compactMap { $0["id"].flatMap { targets[$0] } }
    }

    private func elements(_ name: String, of part: String) -> [[String: String]] {
        guard let bytes = try? archive.unpacked(part, limit: Self.listLimit, in: input),
            let events = try? XMLReader("'\(part)'").events(from: bytes, isLast: true)
        else { return [] }
        return events.compactMap { event in
            if case .start(let element, let attributes) = event, element.local == name { return attributes }
            return nil
        }
    }
}
