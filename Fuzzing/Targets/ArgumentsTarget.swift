import Arguments
import VitrineKit

extension FuzzTarget {
    private static let options = [
        OptionSpecification("--size", short: "-s", value: "SIZE", "A size."),
        OptionSpecification("--output", short: "-o", value: "FILE", "A file."),
        OptionSpecification("--grid", value: "CxR", "May stand alone.", isValue: { $0.first == UInt8(ascii: "1") }),
        OptionSpecification("--json", "A switch."),
        OptionSpecification("--strict", short: "-S", "A switch."),
    ]

    /// The words of a command line; in an input they are separated by NUL bytes, which words cannot hold.
    static let arguments = FuzzTarget(
        name: "arguments", maximumLength: 2048,
        words: [
            "\0--\0", "\0--size=", "\0-o", "\0--size\0", "\0-", "=", "\0--help", "\u{301}", "\0--json\0", "12",
            "\0--grid\0",
        ],
        check: { bytes in
            let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
            let arguments: ParsedArguments
            do throws(PluginError) { arguments = try ParsedArguments(words, options: options) } catch {
                return try error.mustBe(.invalidArgument)
            }
            // Operands are words, in their order, byte for byte.
            var rest = words[...]
            for operand in arguments.operands {
                guard let place = rest.firstIndex(of: operand) else { throw BrokenRule("an operand was made up") }
                rest = rest[(place + 1)...]
            }
            // And no word gets lost: what is no operand is an option or the value of one.
            if let mark = words.firstIndex(of: Array("--".utf8)), !words[..<mark].contains(where: { $0.first == 0x2D })
            {
                try hold(arguments.operands == Array(words[..<mark] + words[(mark + 1)...]), "words around -- got lost")
            }
            if !words.contains(where: { $0.first == UInt8(ascii: "-") && $0.count > 1 }) {
                try hold(arguments.operands == words, "words that are no options got lost")
                try hold(!options.contains { arguments.has($0.name) }, "an option was made up")
            }
            // Written in full, the same command line means the same.
            var plain: [[UInt8]] = []
            for option in options where arguments.has(option.name) {
                let name = Array(option.name.utf8)
                if let value = arguments.bytes(option.name), option.value != nil,
                    option.isValue == nil || !value.isEmpty
                {
                    plain.append(name + [UInt8(ascii: "=")] + value)
                } else {
                    plain.append(name)
                }
            }
            let again = try ParsedArguments(
                plain + [Array("--".utf8)] + arguments.operands, options: options)
            try hold(again.operands == arguments.operands, "the operands are others when written in full")
            for option in options {
                try hold(again.bytes(option.name) == arguments.bytes(option.name), "\(option.name) has another value")
            }
            let number: Int?
            do throws(PluginError) { number = try arguments.integer("--size", in: 1...100) } catch {
                return try error.mustBe(.invalidArgument)
            }
            try hold(number.map { 1...100 ~= $0 } ?? true, "a number is out of range")
        })
}
