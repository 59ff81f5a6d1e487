public import Testing

/// What every renderer of PDF is expected to do alike, whichever library it asks.
public enum PDFExpectation: CaseIterable, Sendable, CustomTestStringConvertible {
    case contract
    case colours
    case rotation
    case cropBox
    case transparency
    case facts
    case text
    case sheets
    case noPages

    /// The sentence that a test of it stands under.
    public var testDescription: String {
        switch self {
        case .contract: "It keeps the renderer's contract"
        case .colours: "Colours lie where the page has them, on white"
        case .rotation: "A page that says it is turned by a quarter is drawn so"
        case .cropBox: "What lies outside the crop box is not shown"
        case .transparency: "Half transparent red on nothing is pink, as on paper"
        case .facts: "The page asked for is drawn, and the document's facts are told"
        case .text: "The text of the first pages is told when it is asked for, and up to its bound"
        case .sheets: "Sheets of any size fit the box"
        case .noPages: "A document without a page is empty"
        }
    }
}
