import Finishing
import Vitrine
import VitrineKit

/// The options of `vitrine get` and `vitrine prebuild` that say what is made of a preview.
enum PictureOptions {
    static let specifications =
        [
            SizeOption.one,
            OptionSpecification(
                "--scale", value: "N", "N times the size, 1 to 4, for dense screens; -o name@2x.png does so too."),
            OptionSpecification(
                "--page", value: "N",
                "The page, sheet or slide, counted from 1. Default: the one that stands for the file, mostly the first."
            ),
            OptionSpecification(
                "--at", value: "TIME",
                "The moment in a video, from its start: seconds, 1:30 or 1:02:03. Default: one that shows something."),
            OptionSpecification("--pages", value: "N-M", "Several pages as a sheet, at most 64."),
            OptionSpecification(
                "--frames", value: "N", "So many moments of a video, at most 64, evenly over it, as a sheet."),
            OptionSpecification(
                "--sheet", value: "CxR",
                "Columns and rows for --pages and --frames, at most 16 each. Default: as square as can be.",
                isValue: looksLikeGrid),
            OptionSpecification("--numbers", "Write the numbers of pages, or moments, below the pictures of a sheet."),
            OptionSpecification("--animate", "A short silent loop over a video, as WebP only: 12 frames, or --frames."),
        ] + finishing("Default: by the name after -o, else png.")

    /// The options that say what becomes of one preview.
    /// - Parameter format: where the default of `--format` comes from, in a sentence.
    private static func finishing(_ format: String) -> [OptionSpecification] {
        [
            OptionSpecification(
                "--fit", value: "HOW", choices: .words(["contain", "cover"]),
                "contain: all of it in the square; cover: fill the square, and cut."),
            OptionSpecification(
                "--crop", value: "WHERE", choices: .words(["center", "attention", "entropy"]),
                "What to keep when it is cut: center, attention or entropy."),
            OptionSpecification(
                "--focus", value: "X,Y",
                "Keep what is around this point when it is cut: two numbers from 0 to 1, from the top left, such as 0.5,0.3."
            ),
            OptionSpecification(
                "--format", value: "FORMAT", choices: .words(PictureFormat.allCases.map(\.rawValue)),
                "png, jpeg, webp or avif. \(format)"),
            OptionSpecification(
                "--quality", value: "N", "1 (small) to 100; not for png. Default: jpeg 85, webp 80, avif 65."),
            OptionSpecification(
                "--background", value: "#RRGGBB",
                "The colour behind what is transparent, such as #ffffff. Default: none; for jpeg, white."),
        ]
    }

    /// The options of `vitrine prebuild` that say what is made of each preview.
    static let ofEach =
        [
            OptionSpecification(
                "--scale", value: "N,…", "N times the sizes, 1 to 4, for dense screens; 1,2 makes both.")
        ] + finishing("Default: png, where file managers look.")

    /// How many frames a loop has, and for how long each is seen, unless somebody says otherwise.
    private static let loopFrames = 12, loopTime = 400

    /// What was asked for.
    static func order(_ arguments: ParsedArguments) throws(PluginError) -> PictureOrder {
        let finish = try finish(arguments)
        let isSheet = if case .sheet = finish.arrangement { true } else { false }
        var size = try SizeOption.size(arguments, isSheet: isSheet)
        if let scale = try arguments.integer("--scale", in: 1...4) ?? scale(ofName: arguments.bytes("--output")) {
            size = try PreviewSize(pixels: size.pixels * scale)
        }
        let time = try arguments.text("--at").map { (text) throws(PluginError) in try moment(text) }
        let page = try arguments.integer("--page", in: 1...1_000_000)
        if finish.parts != .one, arguments.has("--page") || time != nil {
            throw PluginError(
                .invalidArgument,
                "--page and --at name one picture, --pages and --frames several; give one of them")
        }
        var variant = try Variant(page: page.map { $0 - 1 }, time: time)
        variant.finish = finish
        try finish.check()
        var order = PictureOrder(size: size, variant: variant)
        order.force = arguments.has("--force")
        order.embedded = try EmbeddedOption.use(arguments)
        order.limits = try ReadLimitOption.limits(arguments)
        return order
    }

    private static func finish(_ arguments: ParsedArguments) throws(PluginError) -> Finish {
        var finish = try finishOfEach(arguments, output: arguments.bytes("--output"))
        try arrange(&finish, arguments)
        return finish
    }

    /// What the options say that hold for one preview: format, quality, colour and square.
    /// - Parameter output: the name of the file that is written, whose end may tell the format.
    static func finishOfEach(
        _ arguments: ParsedArguments, output: [UInt8]? = nil
    ) throws(PluginError) -> Finish {
        var finish = Finish()
        if let text = arguments.text("--format") {
            guard let format = PictureFormat(suffix: text) else {
                throw PluginError(
                    .invalidArgument, "'\(DisplayText.of(text))' is no format: write png, jpeg, webp or avif")
            }
            finish.format = format
        } else if let format = try format(ofName: output) {
            finish.format = format
        } else if arguments.has("--animate") {
            finish.format = .webp
        }
        finish.quality = try arguments.integer("--quality", in: 1...100)
        if finish.quality != nil, finish.format == .png {
            throw PluginError(.invalidArgument, "PNG loses nothing and has no --quality; name another --format")
        }
        if let text = arguments.text("--background") {
            guard let colour = PictureColor(text) else {
                throw PluginError(.invalidArgument, "'\(DisplayText.of(text))' is no colour: write it as #ffffff")
            }
            finish.background = colour
        }
        finish.fit = try fit(arguments)
        return finish
    }

    /// The sizes of `vitrine prebuild`, each as often as `--scale` says.
    static func sizes(_ arguments: ParsedArguments) throws(PluginError) -> [PreviewSize] {
        let sizes = try SizeOption.sizes(arguments)
        guard let text = arguments.text("--scale") else { return sizes }
        var scaled: [PreviewSize] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let scale = Int(part), 1...4 ~= scale else {
                throw PluginError(
                    .invalidArgument, "'\(DisplayText.of(text))' is no scale: write 1 to 4, or several with commas")
            }
            for size in sizes {
                let size = try PreviewSize(pixels: size.pixels * scale)
                if !scaled.contains(size) { scaled.append(size) }
            }
        }
        try SizeOption.check(scaled)
        return scaled
    }

    private static func fit(_ arguments: ParsedArguments) throws(PluginError) -> Finish.Fit {
        let wantsCut = arguments.has("--crop") || arguments.has("--focus")
        switch arguments.text("--fit") ?? (wantsCut ? "cover" : "contain") {
        case "contain":
            guard !wantsCut else {
                throw PluginError(.invalidArgument, "--fit contain cuts nothing off; leave --crop and --focus out")
            }
            return .contain
        case "cover": break
        case let text:
            throw PluginError(.invalidArgument, "'\(DisplayText.of(text))' is no way to fit: write contain or cover")
        }
        if let text = arguments.text("--focus") {
            guard !arguments.has("--crop") else {
                throw PluginError(.invalidArgument, "--focus and --crop both say what to keep; give one of them")
            }
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard parts.count == 2, let x = parts[0], let y = parts[1], 0...1 ~= x, 0...1 ~= y else {
                throw PluginError(
                    .invalidArgument,
                    "'\(DisplayText.of(text))' is no point: write two numbers from 0 to 1, such as 0.5,0.3")
            }
            return .cover(.focus(x: Int((x * 1000).rounded()), y: Int((y * 1000).rounded())))
        }
        switch arguments.text("--crop") ?? "center" {
        case "center": return .cover(.center)
        case "attention": return .cover(.attention)
        case "entropy": return .cover(.entropy)
        case let text:
            throw PluginError(
                .invalidArgument, "'\(DisplayText.of(text))' is nothing to crop by: write center, attention or entropy")
        }
    }

    private static func arrange(_ finish: inout Finish, _ arguments: ParsedArguments) throws(PluginError) {
        let frames = try arguments.integer("--frames", in: 1...Finish.maximumParts)
        if let text = arguments.text("--pages") {
            guard frames == nil, !arguments.has("--animate") else {
                throw PluginError(
                    .invalidArgument,
                    "--pages are of documents, --frames and --animate of videos; give one of them")
            }
            finish.parts = .pages(try pages(text))
        } else if let count = frames ?? (arguments.has("--animate") ? loopFrames : nil) {
            finish.parts = .frames(count)
        }
        if arguments.has("--animate") {
            guard !arguments.has("--sheet"), !arguments.has("--numbers") else {
                throw PluginError(
                    .invalidArgument,
                    "--animate shows one frame after the other; leave --sheet and --numbers out")
            }
            finish.arrangement = .loop(milliseconds: loopTime)
            return
        }
        let count: Int
        switch finish.parts {
        case .one:
            guard !arguments.has("--sheet"), !arguments.has("--numbers") else {
                throw PluginError(.invalidArgument, "--sheet and --numbers need --pages or --frames")
            }
            return
        case .pages(let pages): count = pages.count
        case .frames(let number): count = number
        }
        var columns = 1
        while columns * columns < count { columns += 1 }
        var rows = (count + columns - 1) / columns
        if let text = arguments.text("--sheet"), !text.isEmpty { (columns, rows) = try grid(text) }
        finish.arrangement = .sheet(columns: columns, rows: rows, isNumbered: arguments.has("--numbers"))
    }
}
