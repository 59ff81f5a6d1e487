import Glibc
import PreviewCache
import Vitrine
import VitrineKit

/// `vitrine get`
enum GetCommand: Command {
    static let name = "get"
    static let summary = "Make the preview of one file, and say where it lies."
    static let usage = "FILE|URI [OPTIONS]"
    static let details = "Prints the path of the preview in the cache, or writes a copy where -o says."
    static let options = [
        CommandContext.sizeOption,
        OptionSpecification("--page", value: "N", "The page, sheet or slide, counted from 1. Default: the first."),
        OptionSpecification(
            "--at", value: "SECONDS", "The moment in a video, from its start. Default: one that shows something."),
        OptionSpecification(
            "--output", short: "-o", value: "FILE", "Write the picture to this file; - is standard output."),
        OptionSpecification("--force", short: "-f", "Make it anew."),
        ReadLimitOption.specification,
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let page = try arguments.integer("--page", in: 1...1_000_000) ?? 1
        let time = try arguments.text("--at").map { (text) throws(PluginError) -> Double in
            guard let seconds = Double(text) else {
                throw PluginError(.invalidArgument, "'\(DisplayText.of(text))' is no value for --at: write seconds")
            }
            return seconds
        }
        let sizes = try CommandContext.sizes(arguments)
        guard let size = sizes.first, sizes.count == 1 else { throw PluginError(.invalidArgument, "name one size") }
        let variant = try Variant(page: page - 1, time: time)
        let limits = try ReadLimitOption.limits(arguments)
        let pipeline = try CommandContext.pipeline(jobs: 1)
        let source = try CommandContext.file(arguments, pipeline)

        let work = Task { () -> Result<Preview, PluginError> in
            do throws(PluginError) {
                return .success(
                    try await pipeline.preview(
                        of: source, size: size, variant: variant, force: arguments.has("--force"), limits: limits))
            } catch { return .failure(error) }
        }
        let interruption = Interruption(cancels: work)
        let result = await work.value
        withExtendedLifetime(interruption) {}
        await pipeline.end()
        await ContainmentNotice.show(pipeline)
        if case .failure(let error) = result {
            Console.error("vitrine get: \(ItemName.long(source.text)): \(DisplayText.of(error.message))")
            return error.code == .cancelled ? ExitCode.interrupted : ExitCode.failed
        }
        let preview = try result.get()
        if let output = arguments.bytes("--output") {
            try PictureFile.copy(preview.path, to: output)
        } else {
            Console.print(preview.path)
        }
        // Who asked has the answer and need not wait.
        await pipeline.tidy()
        return ExitCode.done
    }
}
