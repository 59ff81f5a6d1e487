/// Sets statements in curly brackets, those of JavaScript and CSS, that were written without ends of lines as people write them.
/// They need be neither whole nor right.
enum StatementIndenter {
    /// More than a page has.
    private static let lines = 60
    private static let deepest = 8

    static func indented(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var (depth, parentheses, count) = (0, 0, 0)
        var quote: Unicode.Scalar?
        var isEscaped = false
        var isStart = true
        var isRemark = false
        var (previous, beforeThat): (Unicode.Scalar, Unicode.Scalar) = ("\n", "\n")
        for scalar in text.unicodeScalars {
            if count > lines { break }
            if isRemark {
                result.append(scalar)
                if scalar == "\n" { count += 1 }
                isRemark = scalar != "/" || previous != "*"
                (beforeThat, previous) = (previous, scalar)
                continue
            }
            if isStart, scalar == " " || scalar == "\n" || scalar == "\t" { continue }
            if let open = quote {
                result.append(scalar)
                // A slash may begin what is no text but holds quotes: the end of the line ends all.
                if scalar == open && !isEscaped || scalar == "\n" { quote = nil }
                if scalar == "\n" { (isStart, count) = (true, count + 1) }
                isEscaped = scalar == "\\" && !isEscaped
                previous = scalar
                continue
            }
            if scalar == "}" { depth -= 1 }
            // A bracket stands on a line of its own, as it does when the line before has ended.
            if scalar == "}", !isStart { newLine(&result, &count) }
            if isStart || scalar == "}" {
                result.append(contentsOf: repeatElement(" ", count: 2 * min(max(0, depth), deepest)))
                isStart = false
            }
            result.append(scalar)
            // Behind another slash the rest of the line is a remark, and in a set of letters none begins.
            if scalar == "*", previous == "/", beforeThat != "/", beforeThat != "[", beforeThat != "\\" {
                isRemark = true
                // The slash that began it does not end it, nor does this star.
                (beforeThat, previous) = ("*", " ")
                continue
            }
            (beforeThat, previous) = (previous, scalar)
            switch scalar {
            case "\"", "'", "`": quote = scalar
            case "(": parentheses += 1
            case ")": parentheses = max(0, parentheses - 1)
            case "{":
                depth += 1
                // What functions hold that are parameters has lines of its own, too.
                parentheses = 0
            default: break
            }
            if scalar == "{" || scalar == "}" || scalar == "\n" || scalar == ";" && parentheses == 0 {
                if scalar != "\n" { newLine(&result, &count) } else { count += 1 }
                isStart = true
            }
        }
        return String(result)
    }

    private static func newLine(_ result: inout String.UnicodeScalarView, _ count: inout Int) {
        result.append("\n")
        count += 1
    }
}
