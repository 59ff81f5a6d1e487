import VitrineKit

/// What a run of the benchmark compares, from its command line.
struct BenchOptions {
    /// The folder of real files.
    var folder = "fixtures"
    /// Ids of the renderers to compare; empty: every one that has a loop.
    var renderers: Set<String> = []
    /// Pixels of the longest side.
    var box = 256
    /// Rounds of one side after the other.
    var rounds = 5
    /// Files at once, given on to `vitrine`; `nil`: its own choice.
    var jobs: Int?
    /// The files of one type are taken as often as it needs to have this many.
    var files = 300
    /// Files of the folder over which the host's memory is measured; 0: it is not.
    var memoryFiles = 10_000
    /// Files of each type that the command of others is run over; 0: it is not run.
    var peerFiles = 20
    /// Whether the tables are printed in Markdown.
    var isMarkdown = false
    /// Where work folders are made; a file system in memory, so that no disk is measured.
    var scratch = "/dev/shm"

    static let usage = """
        usage: vitrine-bench [FOLDER] [--only IDS] [--size N] [--rounds N] [--jobs N] [--files N] [--peer N] [--memory N] [--scratch FOLDER] [--markdown]
          FOLDER       real files, with all below it (default: fixtures)
          --only       renderers, separated by commas, such as pdf,image (default: all that have a loop)
          --size       pixels of the longest side (default: 256)
          --rounds     rounds of one side after the other (default: 5)
          --jobs       files that vitrine renders at once (default: its own)
          --files      the least files a type, by taking the folder's again (default: 300)
          --memory     files of the folder for the memory of the host, 0 for none (default: 10000)
          --peer       files of each type for the command of others, 0 for none (default: 20)
          --markdown   tables as they are written in Markdown
          --scratch    a folder in memory to work in (default: /dev/shm)
        """

    /// - Throws: `invalidArgument` for a word that is not understood.
    init(_ words: [String]) throws(PluginError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                folder = word
                continue
            }
            if word == "--markdown" {
                isMarkdown = true
                continue
            }
            guard let value = rest.popFirst() else {
                throw PluginError(.invalidArgument, "'\(word)' is no option, or lacks its value\n\(Self.usage)")
            }
            switch word {
            case "--only": renderers = Set(value.split(separator: ",").map(String.init))
            case "--size": box = try Self.number(value, 1...2048)
            case "--rounds": rounds = try Self.number(value, 1...100)
            case "--jobs": jobs = try Self.number(value, 1...256)
            case "--files": files = try Self.number(value, 2...100_000)
            case "--memory": memoryFiles = try Self.number(value, 0...1_000_000)
            case "--peer": peerFiles = try Self.number(value, 0...100_000)
            case "--scratch": scratch = value
            default: throw PluginError(.invalidArgument, "there is no option '\(word)'\n\(Self.usage)")
            }
        }
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) throws(PluginError) -> Int {
        guard let number = Int(text), range ~= number else {
            throw PluginError(
                .invalidArgument, "'\(text)' is no number from \(range.lowerBound) to \(range.upperBound)\n\(usage)")
        }
        return number
    }
}
