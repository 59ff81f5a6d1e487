import Vitrine
import VitrineKit

/// `vitrine text`
enum TextCommand: Command {
    static let name = "text"
    static let summary = "Print the text of documents, by default of the page that stands for them, mostly the first."
    static let usage = "FILE|URI… [OPTIONS]"
    static let details = """
        PDF and office documents, books, letters, texts and lists of archives have text. It is found in a contained worker,
        and kept nowhere. At most 32 KiB of a page are printed. Pages are separated by form feeds, also those of different files.
        """
    static let options = [
        OptionSpecification("--pages", value: "N", "So many pages from the first one on, 1 to 1000. Default: 1."),
        JSONOption.lines,
        ReadLimitOption.specification, PasswordOptions.command,
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        guard !arguments.operands.isEmpty else { throw PluginError(.invalidArgument, "name the files") }
        let pages = try arguments.integer("--pages", in: 1...1000)
        let limits = try ReadLimitOption.limits(arguments)
        let pipeline = try CommandContext.pipeline(jobs: 1, mayLackCache: true) { settings throws(PluginError) in
            try PasswordOptions.apply(arguments, to: &settings)
        }
        var sources: [SourceURI] = []
        for operand in arguments.operands { sources.append(try CommandContext.file(operand, pipeline)) }
        let asJSON = JSONOption.isGiven(arguments)
        let work = InterruptibleWork { [sources] () -> CInt in
            var code = ExitCode.done
            var isFirst = true
            for source in sources {
                do throws(PluginError) {
                    let text = try await PageText.read(source, pages: pages, limits, pipeline)
                    if asJSON { try JSONText.show(text) } else { show(text, isFirst: isFirst) }
                    isFirst = false
                } catch {
                    Console.error(
                        "vitrine text: \(ItemName.reason(source.text, error))\(PasswordOptions.hint(of: error, pipeline))"
                    )
                    code = ExitCode.failed
                    if error.code == .cancelled { return ExitCode.interrupted }
                }
            }
            return code
        }
        let code = await work.value
        await pipeline.end()
        await WorkerNotice.show(pipeline)
        return code
    }

    /// - Parameter isFirst: whether nothing was printed before.
    private static func show(_ text: PageText, isFirst: Bool) {
        for (index, page) in text.text.enumerated() {
            if index > 0 || !isFirst { Console.print("\u{C}") }
            // What could steer a terminal is no text.
            let shown = page.text.unicodeScalars.filter {
                $0 == "\n" || $0 == "\t" || ($0.properties.generalCategory != .control && $0 != "\u{7F}")
            }
            Console.print(String(String.UnicodeScalarView(shown)).trimmedAtEnd)
        }
        if text.text.contains(where: \.isCut) {
            Console.error(
                "vitrine text: \(ItemName.long(text.uri)): a page is longer than 32 KiB; the rest is left out")
        }
    }
}

/// The text of one file, as `text --json` tells it; `docs/pictures.md` describes it.
private struct PageText: Encodable {
    struct Page: Encodable {
        var page: Int
        var text: String
        /// Whether the page has more.
        var isCut: Bool
    }

    var uri: String
    var type: String?
    var pages: Int?
    var title: String?
    var text: [Page] = []

    /// Asks for one page after the other, as far as there are so many. How many there are may be a guess where the first one
    /// alone was looked at; each further page tells anew.
    /// - Throws: `empty` when there is no text on any of them.
    static func read(
        _ source: SourceURI, pages: Int?, _ limits: ReadLimits, _ pipeline: PreviewPipeline
    ) async throws(PluginError) -> PageText {
        var found = PageText(uri: source.text)
        let most = pages ?? 1
        var last = most
        var page = 0
        while page < last {
            var inquiry = Inquiry()
            (inquiry.page, inquiry.wantsText, inquiry.limits) = (pages == nil ? nil : page, true, limits)
            let report: ItemReport
            do throws(PluginError) {
                report = try await pipeline.facts(of: source, inquiry)
            } catch {
                // There is no such page.
                guard page > 0, error.code == .invalidArgument else { throw error }
                (found.pages, last) = (page, page)
                break
            }
            if page == 0 {
                found.uri = report.uri
                found.type = report.type?.mimeType
                found.title = report.facts.title
            }
            found.pages = report.facts.pages ?? found.pages
            last = min(most, max(page + 1, found.pages ?? 1))
            if let text = report.facts.text, text.contains(where: { !$0.isWhitespace }) {
                let isCut = text.utf8.count > Facts.textLimit - 4
                found.text.append(Page(page: page + 1, text: text, isCut: isCut))
            }
            page += 1
        }
        guard !found.text.isEmpty else {
            let pages = last > 1 ? "its first \(last) pages" : "it, or on its first page"
            throw PluginError(.empty, "there is no text in \(pages)")
        }
        return found
    }
}

extension String {
    /// Without blanks and line ends behind the last letter.
    fileprivate var trimmedAtEnd: String {
        var rest = self[...]
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
