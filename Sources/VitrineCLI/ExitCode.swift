import Glibc

/// What a command leaves to the shell.
enum ExitCode {
    static let done: CInt = 0
    static let failed: CInt = 1
    static let usage: CInt = 2
    /// With `--strict`, when some item failed.
    static let itemsFailed: CInt = 3
    /// Ended by a signal, as shells count it: 130 for Ctrl-C, 143 for a polite kill (0 of `watch`), 129 when the terminal is closed,
    /// 141 when what a run says is read no further.
    static var interrupted: CInt { 128 + (Interruption.ofProcess.number ?? SIGINT) }

    /// What each of them means, for the overview and the manual page.
    static let meanings: [(codes: String, meaning: String)] = [
        ("\(done)", "done"), ("\(failed)", "the run failed"), ("\(usage)", "wrong usage"),
        ("\(itemsFailed)", "with --strict, some item failed"),
        ("130, 143, 129", "stopped by Ctrl-C, by kill (watch: 0), by the end of the terminal"),
        ("141", "stopped, since nobody read on what it said"),
    ]
}
