import Glibc
import VitrineKit

/// Vitrine against a library's own loop, over the same files of one type.
///
/// Each side runs over the files once, and over the same files several times; the difference is what the further
/// files cost, and the start-up is what remains of the short run.
struct Comparison {
    /// What one side used in one round.
    struct Sample {
        /// CPU milliseconds of one more file.
        var perFile: Double
        /// CPU milliseconds that are spent once.
        var startUp: Double
        /// Of `perFile`, what the first process itself used. For Vitrine that is the host.
        var ownPerFile: Double

        init(short: MeasuredProcess.Usage, long: MeasuredProcess.Usage, files: Int, copies: Int) {
            let more = Double(files * (copies - 1))
            perFile = (long.cpu - short.cpu) / more * 1000
            ownPerFile = (long.ownCPU - short.ownCPU) / more * 1000
            startUp = short.cpu * 1000 - perFile * Double(files)
        }
    }

    let renderer: String
    let files: [String]
    let copies: Int
    private(set) var ours: [Sample] = []
    private(set) var loop: [Sample] = []
    /// The command of others, and its CPU milliseconds a file.
    private(set) var peer: (name: String, perFile: Double)?

    private let scratch: ScratchFolder
    private let options: BenchOptions
    private let program: LoopProgram
    private let vitrine: String

    /// - Parameters:
    ///   - files: what both sides can draw.
    ///   - vitrine: path of the program.
    init(_ renderer: String, _ files: [String], _ program: LoopProgram, vitrine: String, options: BenchOptions)
        throws(PluginError)
    {
        self.renderer = renderer
        self.files = files
        self.program = program
        self.vitrine = vitrine
        self.options = options
        copies = max(2, (options.files + files.count - 1) / files.count)
        scratch = try ScratchFolder(in: options.scratch)
        for copy in 0..<copies + 1 {
            // The copies are one folder, and a further one is the short run's.
            let folder = copy == copies ? try scratch.folder("short") : try scratch.folder("long")
            for (number, file) in files.enumerated() {
                try ScratchFolder.link(file, to: "\(folder)/\(copy)-\(number)\(FileName.suffix(of: file))")
            }
        }
    }

    /// One round: either side once, in an order that alternates.
    mutating func measure(round: Int) throws(PluginError) {
        for side in 0..<2 {
            if (side + round) % 2 == 0 {
                ours.append(
                    Sample(short: try ours("short"), long: try ours("long"), files: files.count, copies: copies))
            } else {
                loop.append(
                    Sample(short: try loop("short"), long: try loop("long"), files: files.count, copies: copies))
            }
        }
    }

    /// Runs the command of others over some of the files, spread over all.
    mutating func measurePeer() throws(PluginError) {
        guard options.peerFiles > 0, let command = PeerCommand(for: renderer) else { return }
        let step = max(1, files.count / options.peerFiles)
        let some = stride(from: 0, to: files.count, by: step).prefix(options.peerFiles).map { files[$0] }
        peer = (
            command.name, try command.perFile(some, box: options.box, folder: try scratch.folder("peer"))
        )
    }

    private func ours(_ name: String) throws(PluginError) -> MeasuredProcess.Usage {
        let cache = try scratch.folder("cache")
        defer { ScratchFolder.remove(cache) }
        return try VitrineRun.process(vitrine, over: "\(scratch.path)/\(name)", cache: cache, options, isForced: true)
            .run()
    }

    private func loop(_ name: String) throws(PluginError) -> MeasuredProcess.Usage {
        try program.run(try ScratchFolder.files(below: "\(scratch.path)/\(name)"))
    }
}

/// `vitrine prebuild` as it is measured.
enum VitrineRun {
    /// - Parameters:
    ///   - isForced: whether files that are the same as others are rendered all the same, as copies must be.
    static func process(
        _ vitrine: String, over folder: String, cache: String, _ options: BenchOptions, isForced: Bool
    ) -> MeasuredProcess {
        var arguments = ["prebuild", folder, "--size", "\(options.box)", "--progress", "none"]
        if isForced { arguments.append("--force") }
        if let jobs = options.jobs { arguments += ["--jobs", "\(jobs)"] }
        return MeasuredProcess(
            program: vitrine, arguments: arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOME": cache, "XDG_CACHE_HOME": cache, "LC_ALL": "C.UTF-8"])
    }
}

/// Names of copies.
enum FileName {
    /// What follows the last dot of a name, with the dot; empty when there is none or it is unusual.
    static func suffix(of path: String) -> String {
        let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
        guard parts.count > 1, let last = parts.last, last.utf8.count <= 5,
            last.utf8.allSatisfy({ isalnum(CInt($0)) != 0 })
        else { return "" }
        return "." + last
    }
}
