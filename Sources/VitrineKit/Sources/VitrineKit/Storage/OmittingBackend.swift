/// A backend that leaves something of its storage out of listings, for there is no path to it: an optional ability. Runs say
/// so of what they skip, and `vitrine explain` of the source.
public protocol OmittingBackend: StorageBackend {
    /// What was left out of listings since the source was connected, each thing once, and why, in whole sentences: the first of
    /// them, at most some hundred, and if there are more a sentence that says how many.
    var omissions: [PluginError] { get async }
}
