import Glibc
import PluginHost
import VitrineKit

/// The program: asks both sides what they can draw, measures what both can, prints tables.
@main
struct Bench {
    static func main() async {
        if CommandLine.arguments.contains("--help") {
            say(BenchOptions.usage)
            return
        }
        do throws(PluginError) {
            try await run(BenchOptions(Array(CommandLine.arguments.dropFirst())))
        } catch {
            say("vitrine-bench: \(error.message)", on: STDERR_FILENO)
            exit(error.code == .invalidArgument ? 2 : 1)
        }
    }

    private static func run(_ options: BenchOptions) async throws(PluginError) {
        func table(_ rows: [[String]]) -> String {
            options.isMarkdown ? Figures.markdown(rows) : Figures.table(rows)
        }
        let programs = PluginSearchPath.executableFolder ?? "."
        let vitrine = "\(programs)/vitrine"
        guard access(vitrine, X_OK) == 0 else {
            throw PluginError(.pluginUnavailable, "'\(vitrine)' is missing; run 'make release'")
        }
        let scratch = try ScratchFolder(in: options.scratch)
        let folder = try scratch.folder("files")
        let found = try ScratchFolder.files(below: options.folder)
        for (number, file) in found.enumerated() {
            try ScratchFolder.copy(file, to: "\(folder)/\(number)\(FileName.suffix(of: file))")
        }
        say("\(found.count) files below '\(options.folder)', previews of \(options.box) pixels\n")
        let survey = try await Survey(folder, cache: try scratch.folder("survey"), options: options)

        let chosen = survey.results.filter { options.renderers.isEmpty || options.renderers.contains($0.key) }
        var comparisons: [Comparison] = []
        var coverage = [["", "vitrine made", "failed", "loop made", "failed", "both"]]
        for (renderer, result) in chosen.sorted(by: { $0.key < $1.key }) {
            guard
                let loop = LoopProgram(
                    for: renderer, in: programs, box: options.box, scratch: try scratch.folder(renderer))
            else { continue }
            let files = result.made + result.failed
            let drawable = try loop.drawable(files)
            let both = Set(result.made).intersection(drawable).sorted()
            coverage.append(
                [renderer] + [result.made, result.failed, drawable].map { "\($0.count)" }
                    + ["\(files.count - drawable.count)", "\(both.count)"])
            if both.isEmpty { continue }
            comparisons.append(try Comparison(renderer, both, loop, vitrine: vitrine, options: options))
        }
        say("Files\n\(table(coverage))\n")
        say("Milliseconds of each stage of one file, mean, by the clock, with other files beside it")
        let heads = ["", "lookup", "sniff", "wait", "start", "render", "encode", "store", "total"]
        let stages = chosen.sorted { $0.key < $1.key }.map { [$0.key] + Figures.stages($0.value.times) }
        say("\(table([heads] + stages))\n")

        for round in 0..<options.rounds {
            for index in comparisons.indices { try comparisons[index].measure(round: round) }
        }
        for index in comparisons.indices { try comparisons[index].measurePeer() }
        say("CPU milliseconds a file, all processes, start-up apart: median (least–most) of \(options.rounds) rounds")
        say("\(table(rows(comparisons)))\n")
        say("What a file costs, warm, and what it costs others, who start a process for it: CPU milliseconds, medians")
        say("\(table(summary(comparisons)))\n")

        let small = chosen.filter { $0.key != "office" }.values.flatMap(\.made).sorted()
        if options.memoryFiles > 0, !small.isEmpty {
            let memory = try HostMemory(small, vitrine: vitrine, options: options)
            say("\(memory.count) files, office left out: the host's peak is \(memory.first.peakMemory / 1024) MiB;")
            say(
                "\(Figures.fixed(memory.first.wall, 1)) s and \(Figures.fixed(memory.first.cpu, 1)) s of CPU; when all "
                    + "previews are there \(Figures.fixed(memory.second.wall, 2)) s, "
                    + "\(memory.second.peakMemory / 1024) MiB")
        }
    }

    /// Writes a line at once, so that a pipe sees how far it has come.
    private static func say(_ line: String, on output: CInt = STDOUT_FILENO) {
        let bytes = Array((line + "\n").utf8)
        _ = write(output, bytes, bytes.count)
    }

    private static func summary(_ comparisons: [Comparison]) -> [[String]] {
        var rows = [["", "files", "loop", "vitrine", "ratio", "peer", "its command"]]
        for each in comparisons {
            let ratios = zip(each.ours, each.loop).map { $0.perFile / $1.perFile }
            rows.append([
                each.renderer, "\(each.files.count)", Figures.fixed(Figures.median(each.loop.map(\.perFile)), 2),
                Figures.fixed(Figures.median(each.ours.map(\.perFile)), 2), Figures.fixed(Figures.median(ratios), 2),
                each.peer.map { Figures.fixed($0.perFile, 1) } ?? "–", each.peer?.name ?? "–",
            ])
        }
        return rows
    }

    private static func rows(_ comparisons: [Comparison]) -> [[String]] {
        var rows = [["", "runs over", "vitrine", "of it host", "loop", "ratio", "start vitrine", "start loop"]]
        for each in comparisons {
            let ratios = zip(each.ours, each.loop).map { $0.perFile / $1.perFile }
            rows.append([
                each.renderer, "\(each.files.count) and \(each.files.count * each.copies)",
                Figures.spread(each.ours.map(\.perFile)), Figures.fixed(Figures.median(each.ours.map(\.ownPerFile)), 2),
                Figures.spread(each.loop.map(\.perFile)), Figures.spread(ratios),
                Figures.fixed(Figures.median(each.ours.map(\.startUp)), 0),
                Figures.fixed(Figures.median(each.loop.map(\.startUp)), 0),
            ])
        }
        return rows
    }
}
