import Glibc
import Vitrine
import VitrineKit

/// `vitrine get`
enum GetCommand: Command {
    static let name = "get"
    static let summary = "Make a picture of one file or folder, and say where it lies."
    static let usage = "FILE|FOLDER|URI [OPTIONS]"
    static let details = """
        Prints the path of the picture in the cache, or writes a copy where -o says, without anything that tells of the
        file. Pictures are never enlarged. That of a folder shows up to four of its files, or the cover.jpg or folder.jpg in it.
        """
    static let options =
        [
            OptionSpecification(
                "--output", short: "-o", value: "FILE", "Write the picture to this file; - is standard output."),
            OptionSpecification("--json", "Print what is known about file and picture as one JSON object."),
        ] + PictureOptions.specifications + [
            OptionSpecification("--force", short: "-f", "Make it anew."), ReadLimitOption.specification,
            PasswordOptions.command, PasswordOptions.caching,
        ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let order = try PictureOptions.order(arguments)
        let output = arguments.bytes("--output")
        if arguments.has("--json"), output?.elementsEqual("-".utf8) == true {
            throw PluginError(.invalidArgument, "--json and -o - both write to standard output; give one of them")
        }
        let pipeline = try CommandContext.pipeline(jobs: 1) { settings throws(PluginError) in
            try PasswordOptions.apply(arguments, to: &settings)
        }
        let source = try CommandContext.file(arguments, pipeline)

        let work = Task { () -> Result<FinishedPreview, PluginError> in
            do throws(PluginError) { return .success(try await pipeline.picture(of: source, order)) } catch {
                return .failure(error)
            }
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
        let picture = try result.get()
        if picture.path == nil, output == nil, !arguments.has("--json") {
            Console.error(
                "vitrine get: \(ItemName.long(source.text)) is encrypted, and its picture was not kept; say with -o where "
                    + "it belongs, or add --cache-encrypted")
            return ExitCode.failed
        }
        if let output { try PictureFile.write(picture.bytes, to: output) }
        if arguments.has("--json") {
            try JSONText.show(PictureLine(picture, output: output))
        } else if output == nil, let path = picture.path {
            Console.print(path)
        }
        // Who asked has the answer and need not wait.
        await pipeline.tidy()
        return ExitCode.done
    }
}

/// A picture as `get --json` tells it; `docs/pictures.md` describes it.
private struct PictureLine: Encodable {
    var uri: String
    var bytes: Int64?
    var type: String?
    var pages: Int?
    var originalWidth: Int?
    var originalHeight: Int?
    var duration: Double?
    var size: Int
    var path: String?
    var output: String?
    var format: String
    var width: Int
    var height: Int
    var pictureBytes: Int
    var thumbhash: String?

    init(_ picture: FinishedPreview, output: [UInt8]?) {
        uri = picture.uri
        bytes = picture.itemSize
        type = picture.mimeType
        pages = picture.facts.pages
        originalWidth = picture.facts.size?.width
        originalHeight = picture.facts.size?.height
        duration = picture.facts.duration
        size = picture.size.pixels
        path = picture.path
        self.output = output.map { String(decoding: $0, as: UTF8.self) }
        format = picture.format.rawValue
        width = picture.pixels.width
        height = picture.pixels.height
        pictureBytes = picture.bytes.count
        thumbhash = picture.placeholder
    }
}
