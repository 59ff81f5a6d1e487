/// The colours of a page; parts of 1.
package struct Ink {
    /// How much red.
    package var red: Double
    /// How much green.
    package var green: Double
    /// How much blue.
    package var blue: Double

    /// Mixes a colour.
    package init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// What is read first.
    package static let text = Ink(red: 0.11, green: 0.13, blue: 0.16)
    /// What is read last.
    package static let pale = Ink(red: 0.42, green: 0.47, blue: 0.53)
    /// Between parts.
    package static let line = Ink(red: 0.80, green: 0.83, blue: 0.86)
    /// Behind parts.
    package static let shade = Ink(red: 0.945, green: 0.953, blue: 0.965)
    /// Behind heads.
    package static let head = Ink(red: 0.88, green: 0.905, blue: 0.935)
    /// The one colour among the greys.
    package static let accent = Ink(red: 0.255, green: 0.322, blue: 0.404)
}
