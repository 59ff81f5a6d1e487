import VitrineKit

/// The memory of the host process over a folder of many files, and a second run over it.
struct HostMemory {
    let first: MeasuredProcess.Usage
    let second: MeasuredProcess.Usage
    let count: Int

    /// - Parameters:
    ///   - files: taken again until there are enough.
    ///   - vitrine: path of the program.
    init(_ files: [String], vitrine: String, options: BenchOptions) throws(PluginError) {
        let scratch = try ScratchFolder(in: options.scratch)
        let folder = try scratch.folder("files")
        for number in 0..<options.memoryFiles {
            let file = files[number % files.count]
            try ScratchFolder.link(file, to: "\(folder)/\(number)\(FileName.suffix(of: file))")
        }
        let cache = try scratch.folder("cache")
        let process = VitrineRun.process(vitrine, over: folder, cache: cache, options, isForced: false)
        first = try process.run()
        second = try process.run()
        count = options.memoryFiles
    }
}
