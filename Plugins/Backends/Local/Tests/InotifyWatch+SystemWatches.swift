import Glibc
import Synchronization

@testable import LocalBackend

extension InotifyWatch {
    /// How many folders the system watches for it: its own count (proc_pid_fdinfo(5)).
    var systemWatches: Int {
        queue.state.withLock { state in
            guard state.notices >= 0, let file = fopen("/proc/self/fdinfo/\(state.notices)", "re") else { return 0 }
            defer { fclose(file) }
            let word = "inotify "
            var (line, count) = ([CChar](repeating: 0, count: 512), 0)
            while fgets(&line, CInt(line.count), file) != nil {
                if strncmp(line, word, word.utf8.count) == 0 { count += 1 }
            }
            return count
        }
    }
}
