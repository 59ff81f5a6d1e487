/// The layout of the freedesktop Thumbnail Managing Standard, which file managers read:
/// `<size>/<MD5 of the URI>.png`.
struct FreedesktopLayout: CacheLayout {
    let root: String
    let saysVariant = false
    /// Where this program remembers what cannot be rendered; the version in its name lets an upgrade try again.
    let failFolder: String

    init(root: String, version: String) {
        self.root = root
        failFolder = "\(root)/fail/vitrine-\(version)"
    }

    func path(_ subject: Subject, _ size: PreviewSize, _ variant: Variant) -> String? {
        guard let folder = size.standardName, variant == .standard else { return nil }
        return "\(root)/\(folder)/\(subject.key).png"
    }

    func failPath(_ subject: Subject) -> String { failPath(key: subject.key) }

    func failPath(_ uri: String) -> String { failPath(key: CacheKey.standard(uri)) }

    private func failPath(key: String) -> String { "\(failFolder)/\(key).png" }

    /// The standard wants the temporary file in the entry's own folder.
    func workFolder(_ path: String) -> String { Path.parent(path) }

    var workFolders: [String] {
        PreviewSize.standard.compactMap { size in size.standardName.map { "\(root)/\($0)" } } + [failFolder]
    }
}
