import Glibc

extension WorkerProcess.Link {
    /// How a process ended.
    struct ProcessEnd: CustomStringConvertible {
        var signal: CInt = 0
        var status: CInt = 0
        /// Whether it hung up without ending, and was killed for that.
        var byHost = false

        var description: String {
            if byHost { return "it closed its connection and went on" }
            if signal == 0 { return "exit status \(status)" }
            return "signal \(signal), " + (strsignal(signal).map { String(cString: $0) } ?? "unknown")
        }
    }
}
