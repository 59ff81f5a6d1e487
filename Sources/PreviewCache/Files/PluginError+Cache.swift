import Glibc
import VitrineKit

extension PluginError {
    /// Maps an `errno` value of work on the cache itself, the one place where that is done. Every code is a
    /// passing one: a cache that cannot be written says nothing about the item.
    init(cacheErrno errno: CInt, _ doing: String) {
        self.init(errno: errno, doing)
        switch errno {
        case EFBIG:
            // A limit of this process: the next file may well fit.
            code = .io
            message += "; it is larger than the limit for files, which 'ulimit -f' tells"
        case ENOSPC, EDQUOT:
            code = .noSpace
            message += "; free some space, or move the cache with XDG_CACHE_HOME"
        case EACCES, EPERM, EROFS:
            code = .forbidden
            message += "; make it writable, or move the cache with XDG_CACHE_HOME"
        case ENOTDIR:
            code = .io
            message += "; move away what is there, or move the cache with XDG_CACHE_HOME"
        default:
            if isPermanent { code = .io }
        }
    }
}
