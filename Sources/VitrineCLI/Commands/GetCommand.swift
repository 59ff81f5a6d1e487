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
            OptionSpecification(JSONOption.name, "Print what is known about file and picture as one JSON object."),
            OptionSpecification("--place", "With --json, also where a picture was taken. This is kept nowhere."),
        ] + PictureOptions.specifications + [
            OptionSpecification("--force", short: "-f", "Make it anew, though it is in the cache."),
            EmbeddedOption.specification,
            ReadLimitOption.specification, PasswordOptions.command, PasswordOptions.caching,
        ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        var order = try PictureOptions.order(arguments)
        let output = arguments.bytes("--output")
        // Who has the picture needs no entry in the cache.
        order.mayBeUnkept = output != nil
        try checkTogether(arguments, output)
        // One picture is one job, but for moments of a film, which are decoded each for itself.
        var jobs: Int? = 1
        if case .frames = order.variant.finish.parts { jobs = nil }
        let pipeline = try CommandContext.pipeline(jobs: jobs, mayLackCache: order.mayBeUnkept) {
            settings throws(PluginError) in
            try PasswordOptions.apply(arguments, to: &settings)
        }
        let source = try CommandContext.file(arguments, pipeline)
        if let output, source.scheme == "file", PictureFile.isSame(source.path, output) {
            throw PluginError(
                .invalidArgument, "-o names '\(DisplayText.of(output))', the file itself, which would be lost")
        }

        let work = InterruptibleWork { [order] in await picture(of: source, order, pipeline, arguments) }
        let result = await work.value
        await pipeline.end()
        await WorkerNotice.show(pipeline)
        let code: CInt
        switch result {
        case .success(let picture): code = try deliver(picture, of: source, to: output, arguments)
        case .failure(let error):
            Console.error(
                "vitrine get: \(ItemName.reason(source.text, error))\(PasswordOptions.hint(of: error, pipeline))")
            if let hint = AccountCommand.hint(of: error, at: source.text) { Console.error(hint) }
            code = error.code == .cancelled ? ExitCode.interrupted : ExitCode.failed
        }
        // Who asked has the answer and need not wait.
        if code == ExitCode.done { await pipeline.tidy() }
        return code
    }

    /// Refuses options that do not go together.
    private static func checkTogether(_ arguments: ParsedArguments, _ output: [UInt8]?) throws(PluginError) {
        if JSONOption.isGiven(arguments), output?.elementsEqual("-".utf8) == true {
            throw PluginError(.invalidArgument, "--json and -o - both write to standard output; give one of them")
        }
        guard JSONOption.isGiven(arguments) || !arguments.has("--place") else {
            throw PluginError(
                .invalidArgument, "--place says where a picture was taken, in the object of --json; give both")
        }
    }

    /// Makes the picture, and finds out what is to be told of its file.
    private static func picture(
        of source: SourceURI, _ order: PictureOrder, _ pipeline: PreviewPipeline, _ arguments: ParsedArguments
    ) async -> Result<FinishedPreview, PluginError> {
        do throws(PluginError) {
            var picture = try await pipeline.picture(of: source, order)
            if JSONOption.isGiven(arguments) {
                try await complete(&picture, of: source, order, pipeline, arguments)
            }
            return .success(picture)
        } catch {
            return .failure(error)
        }
    }

    /// Writes the picture where it belongs, and prints what was asked for.
    private static func deliver(
        _ picture: FinishedPreview, of source: SourceURI, to output: [UInt8]?, _ arguments: ParsedArguments
    ) throws(PluginError) -> CInt {
        if let output { try PictureFile.write(picture.bytes, to: output) }
        if JSONOption.isGiven(arguments) {
            try JSONText.show(
                DetailedObject(PictureLine(picture, output: output), keys: PictureLine.CodingKeys.self, picture.facts))
        } else if output == nil {
            guard let path = picture.path else {
                Console.error(
                    "vitrine get: \(ItemName.long(source.text)): its picture was not kept, since it is encrypted or its "
                        + "storage does not say when it changed; say with -o where it belongs (--cache-encrypted keeps "
                        + "pictures of encrypted files)")
                return ExitCode.failed
            }
            Console.print(path)
        }
        return ExitCode.done
    }

    /// Asks a renderer for what the entry in the cache does not say.
    private static func complete(
        _ picture: inout FinishedPreview, of source: SourceURI, _ order: PictureOrder, _ pipeline: PreviewPipeline,
        _ arguments: ParsedArguments
    ) async throws(PluginError) {
        guard !picture.areFactsComplete || arguments.has("--place") else { return }
        var inquiry = Inquiry()
        inquiry.page = order.variant.askedPage
        inquiry.wantsPlace = arguments.has("--place")
        inquiry.limits = order.limits
        let report = try await pipeline.facts(of: source, inquiry)
        picture.facts = report.facts
        picture.itemSize = picture.itemSize ?? report.bytes
        picture.mimeType = picture.mimeType ?? report.type?.mimeType
    }
}

/// A picture as `get --json` tells it, without the details of its item; `docs/pictures.md` describes it.
private struct PictureLine: Encodable {
    var uri: String
    var bytes: Int64?
    var type: String?
    var pages: Int?
    var originalWidth: Int?
    var originalHeight: Int?
    var duration: Double?
    var title: String?
    var place: PlaceObject?
    var size: Int
    var path: String?
    var output: String?
    var format: String
    var width: Int
    var height: Int
    var pictureBytes: Int
    var thumbhash: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case uri, bytes, type, pages, originalWidth, originalHeight, duration, title, place, size, path, output, format
        case width, height, pictureBytes, thumbhash
    }

    init(_ picture: FinishedPreview, output: [UInt8]?) {
        uri = picture.uri
        bytes = picture.itemSize
        type = picture.mimeType
        pages = picture.facts.pages
        originalWidth = picture.facts.size?.width
        originalHeight = picture.facts.size?.height
        duration = picture.facts.duration
        title = picture.facts.title
        place = picture.facts.place.map(PlaceObject.init)
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
