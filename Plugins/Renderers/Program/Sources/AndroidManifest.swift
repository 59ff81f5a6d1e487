internal import CompoundFiles

/// What a package of Android says of its application: `AndroidManifest.xml` in the binary form of XML.
struct AndroidManifest {
    /// The icon, and where that is missing the round one.
    private(set) var icon: AndroidValue?
    /// What people call it.
    private(set) var label: AndroidValue?
    private let strings: AndroidStrings?

    /// Numbers of attributes (`android.R.attr`).
    private static let iconAttribute = 0x0101_0002, roundIconAttribute = 0x0101_052C, labelAttribute = 0x0101_0001
    private static let mostAttributes = 256

    /// Reads the attributes of the element `application`; of what is damaged, nothing.
    init(_ bytes: [UInt8]) {
        let chunks = AndroidChunk.whole(bytes, .document).map { AndroidChunk.chunks(bytes, in: $0.body) } ?? []
        strings = chunks.first { $0.kind == .strings }.flatMap { AndroidStrings(bytes, $0) }
        guard let names = chunks.first(where: { $0.kind == .names }),
            let element = chunks.first(where: { chunk in
                // Its name is that of the namespace and its own.
                chunk.kind == .element
                    && bytes.uint32(at: chunk.body.lowerBound + 4).flatMap { strings?[$0] } == "application"
            }), let first = bytes.uint16(at: element.body.lowerBound + 8),
            let length = bytes.uint16(at: element.body.lowerBound + 10), length >= 20,
            let count = bytes.uint16(at: element.body.lowerBound + 12)
        else { return }
        var roundIcon: AndroidValue?
        for index in 0..<min(count, Self.mostAttributes) {
            let at = element.body.lowerBound + first + index * length
            // The names of attributes have numbers, in the order of the strings.
            guard at + 20 <= element.range.upperBound, let name = bytes.uint32(at: at + 4),
                name < names.body.count / 4
            else { continue }
            let value = AndroidValue(bytes, at: at + 12)
            switch bytes.uint32(at: names.body.lowerBound + name * 4) {
            case Self.iconAttribute: icon = value
            case Self.roundIconAttribute: roundIcon = value
            case Self.labelAttribute: label = value
            default: break
            }
        }
        icon = icon ?? roundIcon
    }

    /// What a value says: for each kind of screen and language for which there is one.
    /// - Parameter table: the package's resources, where these could be read.
    func texts(of value: AndroidValue?, _ table: AndroidResources?) -> [AndroidResources.Text] {
        switch value {
        case .string(let number): strings?[number].map { [AndroidResources.Text(text: $0, density: 0)] } ?? []
        case .reference(let number): table?.texts(of: number) ?? []
        case nil: []
        }
    }
}
