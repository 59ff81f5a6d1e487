/// The styles of a KML document: they have names, by which placemarks ask for them before or after they are said.
struct KMLStyles {
    private var named: [String: FeatureStyle] = [:]
    private var links: [String: String] = [:]
    private var numbers: [String: Int] = [:]
    /// What each number stands for: a name, or a style of a placemark's own.
    private var used: [(name: String?, style: FeatureStyle)] = [(nil, FeatureStyle())]
    /// The number for what is read now.
    private(set) var current = 0

    private static let most = 10_000

    /// Begins a placemark, which has no style yet.
    mutating func beginPlacemark() { current = 0 }

    /// Says what a name means.
    mutating func define(_ name: String, _ style: FeatureStyle) { if named.count < Self.most { named[name] = style } }

    /// Says that a name means what another one does.
    mutating func define(_ name: String, as other: String) { if links.count < Self.most { links[name] = other } }

    /// Gives what is read now a style that has a name.
    mutating func use(_ name: String) {
        if let known = numbers[name] {
            current = known
        } else if used.count < Self.most {
            current = used.count
            numbers[name] = current
            used.append((name, FeatureStyle()))
        }
    }

    /// Gives what is read now a style of its own.
    mutating func use(_ style: FeatureStyle) {
        guard style != FeatureStyle(), used.count < Self.most else { return }
        used.append((nil, style))
        current = used.count - 1
    }

    /// What the numbers mean, once the document was read.
    var resolved: [FeatureStyle] {
        used.map { use in
            guard let name = use.name else { return use.style }
            return named[name] ?? links[name].flatMap { named[$0] } ?? FeatureStyle()
        }
    }

    /// The name behind the number sign of a link. Styles in other documents are not fetched.
    static func name(_ link: UnsafeRawBufferPointer) -> String? {
        guard let sign = link.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        let name = link[link.index(after: sign)...].prefix(200).prefix { $0 > 0x20 }
        return String(decoding: name, as: UTF8.self)
    }
}
