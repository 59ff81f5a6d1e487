import Finishing

/// Vitrine's own layout, for every size, page, moment and finish: `ab/cd/<MD5 of URI, size and variant>.png`, or with the
/// suffix of another format. Two levels of folders keep each one small with millions of entries.
struct OwnLayout: CacheLayout {
    let root: String
    let saysVariant = true

    func path(_ subject: Subject, _ size: PreviewSize, _ variant: Variant) -> String? { place(subject, size, variant) }

    /// The path of an entry; there is one for every preview.
    func place(_ subject: Subject, _ size: PreviewSize, _ variant: Variant) -> String {
        let key = CacheKey.own(subject.uri, size, variant)
        return "\(root)/\(key.prefix(2))/\(key.dropFirst(2).prefix(2))/\(key).\(variant.finish.format.suffix)"
    }

    /// One folder for all, so that what a dead process left is found without a walk over 65,536 folders.
    func workFolder(_ path: String) -> String { root + "/tmp" }

    var workFolders: [String] { [root + "/tmp"] }
}
