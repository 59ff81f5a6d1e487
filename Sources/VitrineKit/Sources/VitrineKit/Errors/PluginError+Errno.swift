#if canImport(Glibc)
    import Glibc
#endif

extension PluginError {
    /// Maps an `errno` value, the one place where that is done.
    /// - Parameters:
    ///   - errno: the value that the system call left.
    ///   - doing: what was tried, as the start of a sentence: `"cannot open 'a.pdf'"`.
    public init(errno: CInt, _ doing: String) {
        let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        self.init(Code(errno: errno), "\(doing): \(reason)")
    }
}

extension PluginError.Code {
    /// The code for an `errno` value; `io` for those that say nothing more precise.
    public init(errno: CInt) {
        switch errno {
        case ENOENT, ESTALE: self = .notFound
        case ENOTDIR, EISDIR, ELOOP, ENXIO: self = .notAFile
        case EACCES, EPERM, EROFS: self = .forbidden
        case EEXIST, ENOTEMPTY: self = .exists
        case ENOSPC, EDQUOT, EFBIG: self = .noSpace
        case EINTR, ECANCELED: self = .cancelled
        case EINVAL, ENAMETOOLONG: self = .invalidArgument
        // Not `timeout` nor `limitExceeded`: those are a renderer's, and are remembered of the item.
        case ETIMEDOUT, ENOTCONN, EHOSTDOWN, EHOSTUNREACH, ENETUNREACH, ECONNREFUSED, ENODEV, ENOMEDIUM: self = .offline
        default: self = .io
        }
    }
}
