public import PreviewCache
public import Settings

extension CacheSettings {
    /// What may be kept: what the user set, or the defaults.
    public var quota: CacheQuota {
        var quota = CacheQuota()
        switch self[.size] {
        case .unlimited: quota.bytes = nil
        case .value(.size(let mebibytes)): quota.bytes = Int64(mebibytes) << 20
        default: break
        }
        switch self[.age] {
        case .unlimited: quota.age = nil
        case .value(.time(let seconds)): quota.age = Int64(seconds)
        default: break
        }
        return quota
    }
}
