/// A backend that counts what it asks of its storage: an optional ability, shown by `vitrine explain`.
public protocol MeteredBackend: StorageBackend {
    /// What was asked for since the source was connected. Costs nothing; may be read at any time.
    var traffic: Traffic { get }
}
