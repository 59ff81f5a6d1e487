internal import VitrineKit

/// A notebook, as far as one of its pages is to be drawn.
struct Notebook {
    /// How many pages it has.
    var pages = 0
    /// The page that is wanted; `nil` where it is not there, or has no usable size.
    var page: NotebookPage?
    /// A small picture of the first page in Base64; empty without one.
    var preview: [UInt8] = []
}

/// A page. Lengths are in points, from the upper left corner.
struct NotebookPage {
    var width: Double
    var height: Double
    var paper = NotebookColor.white
    /// What is printed on the paper: `lined`, `graph` …; empty for a plain one.
    var ruling = ""
    /// Whether a page of a PDF document or a picture lies below, which is a file of its own.
    var liesOnAnother = false
    /// From the lowest to the uppermost.
    var items: [NotebookItem] = []

    /// What is typed on it.
    var text: String {
        items.compactMap { if case .text(let text) = $0 { text.text } else { nil } }.joined(separator: "\n")
    }
}

/// What lies on a page.
enum NotebookItem {
    case stroke(NotebookStroke)
    case text(NotebookText)
    case picture(NotebookPicture)
}

/// A line that was drawn.
struct NotebookStroke {
    enum Tool { case pen, highlighter, eraser }

    var tool: Tool
    var color: NotebookColor
    /// Of the whole line.
    var width: Double
    /// Of each piece of it, where the pen was pressed more or less; else empty.
    var pressures: [Double]
    /// How much of its colour fills what it encloses, from 0 to 1.
    var filling: Double
    /// Lengths of dashes and of gaps in turn; empty for a line without.
    var dashes: [Double]
    /// Places that it goes through, across and down in turn.
    var points: [Double]
}

/// Words that were typed.
struct NotebookText {
    var x: Double
    var y: Double
    /// A family and perhaps a style, as pango describes them.
    var font: String
    var size: Double
    var color: NotebookColor
    var text: String
}

/// A picture that was put onto a page.
struct NotebookPicture {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double
    /// The file's bytes in Base64.
    var letters: [UInt8]
}

/// A colour; parts of 1.
struct NotebookColor: Equatable {
    var red: Double
    var green: Double
    var blue: Double
    var alpha = 1.0

    static let white = NotebookColor(red: 1, green: 1, blue: 1)
    static let black = NotebookColor(red: 0, green: 0, blue: 0)

    init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Reads `#rrggbbaa`, `#rrggbb`, or one of Xournal's names.
    /// - Parameter isPaper: whether it is the colour of paper, which has paler ones of the same names.
    init?(_ text: String?, isPaper: Bool = false) {
        guard let text else { return nil }
        guard text.hasPrefix("#") else {
            guard let value = (isPaper ? Self.papers[text] : nil) ?? Self.inks[text] else { return nil }
            self.init(value << 8 | 0xFF)
            return
        }
        guard let value = UInt32(hexadecimal: text.dropFirst().utf8) else { return nil }
        switch text.utf8.count {
        case 7: self.init(value << 8 | 0xFF)
        case 9: self.init(value)
        default: return nil
        }
    }

    private init(_ value: UInt32) {
        func part(_ shift: UInt32) -> Double { Double(value >> shift & 0xFF) / 255 }
        self.init(red: part(24), green: part(16), blue: part(8), alpha: part(0))
    }

    /// Xournal's manual, "The Xournal file format".
    private static let inks: [String: UInt32] = [
        "black": 0x000000, "blue": 0x3333CC, "red": 0xFF0000, "green": 0x008000, "gray": 0x808080,
        "lightblue": 0x00C0FF, "lightgreen": 0x00FF00, "magenta": 0xFF00FF, "orange": 0xFF8000, "yellow": 0xFFFF00,
        "white": 0xFFFFFF,
    ]
    private static let papers: [String: UInt32] = [
        "blue": 0xA0E8FF, "pink": 0xFFC0D4, "green": 0x80FFC0, "orange": 0xFFC080, "yellow": 0xFFFF80,
    ]
}
