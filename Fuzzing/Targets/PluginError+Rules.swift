import VitrineKit

extension PluginError {
    /// The rules for an error that code under test throws: a code that fits, and a sentence that may be shown.
    /// - Parameter codes: the codes that fit.
    func mustBe(_ codes: Code...) throws {
        try hold(codes.contains(code), "the error has the code '\(code.rawValue)', which does not fit: \(message)")
        try hold(!message.isEmpty && message.utf8.count <= 1 << 20, "the message has \(message.utf8.count) bytes")
        try message.mustBeShowable("the message of an error")
    }
}

extension String {
    /// Nothing in it can move a terminal's cursor or reorder text.
    func mustBeShowable(_ what: String) throws {
        try hold(DisplayText.of(self) == self, "\(what) holds control characters: \(debugDescription)")
    }
}
