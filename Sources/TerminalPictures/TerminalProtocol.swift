/// How a terminal takes pictures.
public enum TerminalProtocol: String, Sendable, CaseIterable {
    /// https://sw.kovidgoyal.net/kitty/graphics-protocol/
    case kitty
    /// https://iterm2.com/documentation-images.html
    case iterm
    /// DEC's, as of the VT340 Graphics Programming manual, chapter 14.
    case sixel

    /// What the environment says about the terminal; `nil` when it says nothing.
    /// - Parameter environment: variables that terminals set.
    public init?(environment: [String: String]) {
        // A multiplexer stands between; what lies behind it is its business.
        if environment["TMUX"] != nil || environment["STY"] != nil { return nil }
        let program = environment["TERM_PROGRAM"] ?? ""
        let term = environment["TERM"] ?? ""
        if environment["KITTY_WINDOW_ID"] != nil || term == "xterm-kitty" || term == "xterm-ghostty"
            || program == "ghostty"
        {
            self = .kitty
        } else if program == "iTerm.app" || environment["LC_TERMINAL"] == "iTerm2" || program == "WezTerm"
            || program == "mintty"
        {
            self = .iterm
        } else {
            return nil
        }
    }

    /// Asks a terminal which pictures it takes, and, last, what it is, which every terminal answers: kitty's own query,
    /// then Primary Device Attributes (DA1).
    public static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

    /// Whether an answer is complete: it ends with that to DA1.
    public static func isComplete(_ answer: [UInt8]) -> Bool { attributes(in: answer) != nil }

    /// What the answer to ``question`` says; `nil` for a terminal without pictures.
    public init?(answer: [UInt8]) {
        if String(decoding: answer, as: UTF8.self).contains("_Gi=31;OK") {
            self = .kitty
        } else if Self.attributes(in: answer)?.contains("4") ?? false {
            self = .sixel
        } else {
            return nil
        }
    }

    /// The numbers of `ESC [ ? … c`.
    private static func attributes(in answer: [UInt8]) -> [Substring]? {
        let text = String(decoding: answer, as: UTF8.self)
        guard let start = text.range(of: "\u{1B}[?")?.upperBound, let end = text[start...].firstIndex(of: "c") else {
            return nil
        }
        return text[start..<end].split(separator: ";")
    }
}

extension String {
    fileprivate func range(of other: String) -> Range<String.Index>? { firstRange(of: other) }
}
