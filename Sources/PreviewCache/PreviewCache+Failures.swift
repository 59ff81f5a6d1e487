import Glibc
public import VitrineKit

extension PreviewCache {
    /// The failure that is remembered of an item in its present state; `nil` when there is none. Only failures
    /// met by this version of the program count. Whether the renderer is still the one that failed, with the same
    /// limits, is for the caller to compare.
    public func failure(of subject: Subject) -> RememberedFailure? {
        var isAbsent = false
        return failure(of: subject, isAbsent: &isAbsent)
    }

    /// The same.
    /// - Parameter isAbsent: gets whether there is none of any state of the item, so that there is nothing to forget.
    public func failure(of subject: Subject, isAbsent: inout Bool) -> RememberedFailure? {
        isAbsent = false
        guard var check = EntryCheck(uri: subject.uri, subject) else { return nil }
        var keys = FailureKeys()
        let outcome = PNGTextReader.read(standard.failPath(subject)) { key, value in
            check.see(key, value)
            keys.see(key, value)
        }
        if case .absent = outcome { isAbsent = true }
        guard case .complete = outcome, check.isValid else { return nil }
        return keys.failure
    }

    /// Remembers a failure, as a 1×1 picture in `fail/vitrine-<version>`, where the thumbnail standard has such
    /// entries. A passing failure is not remembered, nor one of an item whose time is not known.
    /// - Parameters:
    ///   - error: what went wrong.
    ///   - subject: the item, in the state in which it was read; one that the user may read.
    ///   - renderer: its id and version.
    ///   - limits: what it was allowed to use, in a short form that is the same for the same limits. Default: empty.
    /// - Returns: whether it is remembered. Met again by the same renderer with the same limits, it is counted.
    /// - Throws: `noSpace`, `forbidden` or `io` when it cannot be written.
    @discardableResult
    public func rememberFailure(
        _ error: PluginError, of subject: Subject, renderer: String, limits: String = ""
    ) throws(PluginError) -> Bool {
        guard error.isPermanent, subject.modified != nil else { return false }
        var failure = RememberedFailure(code: error.code, message: error.message, renderer: renderer, limits: limits)
        if let before = self.failure(of: subject), before.renderer == renderer, before.limits == limits,
            before.code == error.code
        {
            failure.count = min(before.count + 1, 999)
        }
        try remember(failure, of: subject)
        return true
    }

    /// Lets the failure of an item follow it to its new place, where it would fail in the same way. Does nothing when none is
    /// remembered of the state that the item is in.
    /// - Parameters:
    ///   - subject: the item at its old place, where nothing is remembered afterwards.
    ///   - new: the item at its new place, with the same content and under the same name.
    public func moveFailure(of subject: Subject, to new: Subject) {
        var isAbsent = false
        // Where it cannot be written, it is met once more.
        if let failure = failure(of: subject, isAbsent: &isAbsent) { try? remember(failure, of: new) }
        if !isAbsent { forgetFailure(of: subject) }
    }

    private func remember(_ failure: RememberedFailure, of subject: Subject) throws(PluginError) {
        var keys = try EntryKeys(subject, software: software)
        keys.addText(EntryKeys.code, failure.code.rawValue)
        keys.addText(EntryKeys.reason, failure.message)
        keys.addText(EntryKeys.renderer, failure.renderer)
        keys.addText(EntryKeys.limits, failure.limits)
        keys.add(EntryKeys.count, String(failure.count))
        let path = standard.failPath(subject)
        try write(PNG.pixel, with: keys, to: path, by: standard.workFolder(path))
    }

    /// The folder in which failures are remembered.
    public var failureFolder: String { standard.failFolder }

    /// Whether a failure of an item is remembered, of whatever state of it. Looks for a file and reads nothing.
    public func remembersFailure(of uri: String) -> Bool { access(standard.failPath(uri), F_OK) == 0 }

    /// Forgets the failure of an item, after it was rendered after all. Does nothing when none is remembered.
    public func forgetFailure(of subject: Subject) {
        forgetFailure(at: standard.failPath(subject))
    }
}
