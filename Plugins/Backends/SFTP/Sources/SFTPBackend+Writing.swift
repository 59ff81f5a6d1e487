import Transfer
public import VitrineKit

extension SFTPBackend: WritableBackend {
    /// Files are resumed and keep their times to the second. A file that is replaced is set aside for a moment.
    /// Whether a name is taken is looked up just before: not every rename of this protocol refuses to replace.
    public var writing: WritingAbilities {
        var abilities = WritingAbilities()
        abilities.resumes = true
        abilities.keepsTimes = true
        abilities.decidesAbsence = false
        abilities.replacesAtOnce = false
        return abilities
    }

    /// Makes a folder with the permissions that the server gives.
    public func makeFolder(_ path: ItemPath) async throws(PluginError) {
        guard !path.isRoot else { throw PluginError(.exists, "the root of a source is there already") }
        let place = place(of: path)
        let doing = "cannot make the folder \(path.shown)"
        try await pool.run(doing) { link throws(TransferFailure) in
            // Not every server says that something is there.
            if try link.kind(of: place, doing) != nil {
                throw TransferFailure(PluginError(.exists, "\(doing): something has that name already"))
            }
            try link.makeFolder(place, doing)
        }
    }

    /// Begins a file under a hidden name in its folder, or finds what is there of it.
    public func write(_ path: ItemPath, _ draft: FileDraft) async throws(PluginError) -> any WriteTransaction {
        try await SFTPDraft(self, path, draft)
    }
}
