import IgnoreRules
import VitrineKit

extension Settings {
    /// What is understood, and hardly means what was meant: patterns that look like a list or a path of the whole machine, and
    /// lists by which no file is taken.
    /// - Parameter roots: paths of folders that are walked, which no pattern begins with. Default: none but those of groups.
    /// - Returns: clauses that name group, key and pattern, and say what to write.
    public func doubts(roots: [[UInt8]] = []) -> [String] {
        let own = sources.sorted { $0.key.text < $1.key.text }
        let named = own.compactMap { source, _ in Self.folder(of: source) }
        let groups = [(SettingsParser.index, index)] + own.map { (SettingsParser.sourcePrefix + $0.key.text, $0.value) }
        return groups.flatMap { name, settings in
            settings.doubts(roots: roots + named).map { "in [\(DisplayText.of(name))] \($0)" }
        }
    }

    private static func folder(of source: SourceKey) -> [UInt8]? {
        guard case .uri(let text) = source, let uri = try? SourceURI(text), uri.scheme == "file" else { return nil }
        return Array(uri.path)
    }
}

extension IndexSettings {
    /// Clauses that begin with the key.
    fileprivate func doubts(roots: [[UInt8]]) -> [String] {
        var doubts: [String] = []
        for (key, patterns) in [(Key.exclude, exclude), (.include, include)] {
            guard let patterns else { continue }
            for pattern in patterns {
                guard let doubt = pattern.doubt ?? Self.doubt(pattern, below: roots) else { continue }
                doubts.append("\(key.rawValue) the pattern '\(pattern)': \(doubt)")
            }
            if key == .include, !patterns.isEmpty, patterns.allSatisfy(\.isNegated) {
                doubts.append(
                    "include only patterns that begin with '!', by which no file is taken; write what is taken first")
            }
        }
        return doubts
    }

    /// A path of the machine instead of one in a source.
    private static func doubt(_ pattern: IgnorePattern, below roots: [[UInt8]]) -> String? {
        let text = pattern.isNegated ? pattern.text.dropFirst() : pattern.text[...]
        let slash = UInt8(ascii: "/")
        // Where the root itself is a source, every path is one in it.
        guard !roots.contains([slash]),
            roots.contains(where: { text.starts(with: $0) && [nil, slash].contains(text.dropFirst($0.count).first) })
        else { return nil }
        return "patterns are relative to the source; write the path below its folder"
    }
}
