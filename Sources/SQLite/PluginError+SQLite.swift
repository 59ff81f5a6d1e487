import CSQLite
import VitrineKit

extension PluginError {
    /// What an SQLite result code means, see https://www.sqlite.org/rescode.html.
    /// - Parameters:
    ///   - status: a result code, extended or not.
    ///   - connection: where it came from, for SQLite's own words.
    ///   - clause: what failed, without a full stop.
    init(sqlite status: CInt, _ connection: OpaquePointer?, _ clause: String) {
        let words = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(status))
        switch status & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            self.init(.corrupt, "\(clause): it is damaged (\(words))")
        case SQLITE_FULL:
            self.init(.noSpace, "\(clause): no space is left on its disk")
        // The memory that processes share is a file, too, which is made before anything is read.
        case SQLITE_IOERR where status == SQLITE_IOERR | 19 << 8:
            self.init(.noSpace, "\(clause): no space is left on its disk")
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(
                .busy,
                "\(clause): another process, such as a run of Vitrine, is writing to it; try again when that has ended")
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            self.init(.forbidden, "\(clause): it cannot be written (\(words)); check who owns it and its folder")
        case SQLITE_CANTOPEN:
            self.init(.forbidden, "\(clause) (\(words)); check that its folder is there and can be written")
        default:
            self.init(.io, "\(clause): \(words)")
        }
    }
}
