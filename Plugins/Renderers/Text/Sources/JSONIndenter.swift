/// Sets JSON that was written without ends of lines as people write it. It need be neither whole nor right.
enum JSONIndenter {
    /// More than a page has.
    private static let lines = 60
    private static let deepest = 12

    static func indented(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var (depth, count) = (0, 0)
        var (isInString, isEscaped) = (false, false)
        func newLine(_ result: inout String.UnicodeScalarView) {
            count += 1
            result.append("\n")
            result.append(contentsOf: repeatElement(" ", count: 2 * min(max(0, depth), deepest)))
        }
        for scalar in text.unicodeScalars {
            if count > lines { break }
            if isInString {
                result.append(scalar)
                if scalar == "\"", !isEscaped { isInString = false }
                isEscaped = scalar == "\\" && !isEscaped
                continue
            }
            switch scalar {
            case "\"":
                isInString = true
                result.append(scalar)
            case "{", "[":
                depth += 1
                result.append(scalar)
                newLine(&result)
            case "}", "]":
                depth -= 1
                newLine(&result)
                result.append(scalar)
            case ",":
                result.append(scalar)
                newLine(&result)
            case ":":
                result.append(contentsOf: ": ".unicodeScalars)
            case " ", "\n", "\t": continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
