/// Something that stands in a document.
public enum XMLEvent: Hashable, Sendable {
    /// An element begins. Attributes are by local name; of two with one name the last counts.
    case start(XMLName, attributes: [String: String])
    /// An element ends.
    case end(XMLName)
    /// Text between tags, blanks included, as it is with entities replaced; parts that follow one another are one text.
    case text(String)
}
