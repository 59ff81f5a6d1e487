import DesktopService
import Glibc
import Vitrine
import VitrineKit

/// `vitrine serve`
enum ServeCommand: Command {
    static let name = "serve"
    static let summary = "Make the previews that file managers ask for, in place of Tumbler."
    static let usage = "[OPTIONS]"
    static let details = """
        Answers on the session bus as org.freedesktop.thumbnails.Thumbnailer1, which Thunar and other programs of Xfce ask
        for the pictures of a folder that somebody opens: what is looked at goes first, and the last folder before those that
        were left. As org.freedesktop.thumbnails.Cache1 it hears what they move, copy and delete, and lets previews go with
        their files. Installed, it is started by the bus when somebody asks, and ends when nobody has for a while.
        """
    static let options = [
        OptionSpecification(
            "--idle", value: "SECONDS",
            "End when nobody asked for anything for so long, 1 to 86400. Default: run until it is stopped."),
        JobsOption.rendering.specification,
        OptionSpecification("--replace", "Take over from a program that answers already, if it lets go."),
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        guard arguments.operands.isEmpty else {
            throw PluginError(.invalidArgument, "it takes no files: file managers name them on the session bus")
        }
        let idle = try arguments.integer("--idle", in: 1...86_400).map { Duration.seconds($0) }
        let pipeline = try CommandContext.pipeline(jobs: try JobsOption.rendering.count(arguments))
        // Whoever finds it on the bus can stop it.
        let work = InterruptibleWork {
            await Self.serve(pipeline, idle: idle, replaces: arguments.has("--replace"))
        }
        let result = await work.value
        await pipeline.tidy()
        await pipeline.end()
        await WorkerNotice.show(pipeline, namesPlugins: true)
        switch try result.get() {
        case .idle: return ExitCode.done
        // A service that is told to stop has done what it was told.
        case .cancelled: return work.signal == SIGTERM ? ExitCode.done : ExitCode.interrupted
        case .lost(let reason):
            Console.error("vitrine serve: \(reason)")
            return ExitCode.done
        }
    }

    private static func serve(
        _ pipeline: PreviewPipeline, idle: Duration?, replaces: Bool
    ) async -> Result<DesktopService.Ending, PluginError> {
        do throws(PluginError) {
            return .success(
                try await DesktopService(pipeline, replaces: replaces).run(idle: idle) {
                    ServiceNotice.standard?.stopping()
                })
        } catch { return .failure(error) }
    }
}
