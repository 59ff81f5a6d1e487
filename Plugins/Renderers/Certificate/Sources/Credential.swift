internal import VitrineKit

/// One of the things that a file holds: a certificate, a request for one, a list, a key.
struct Credential {
    /// Such as `Certificate` or `Private key`.
    var kind: String
    /// Whose it is; keys do not say it.
    var name: String?
    /// What it says, in the order in which it is drawn.
    private(set) var details: [Detail] = []
    /// The same for programs.
    private(set) var facts = Facts()
    var isPrivate = false

    struct Detail {
        var label: String
        var value: String
        /// Whether it is a row of digits that are compared one by one.
        var isCode = false
    }

    /// What it is told apart by from others of its kind.
    var summary: String { name ?? details.first?.value ?? "" }

    /// Adds a line to the page, where there is something to be said.
    /// - Parameter fact: what the value is called in JSON.
    mutating func add(_ label: String, _ value: String?, fact: String? = nil, isCode: Bool = false) {
        guard let value = value.flatMap({ Facts.line($0) }) else { return }
        details.append(Detail(label: label, value: value, isCode: isCode))
        if let fact { set(fact, value) }
    }

    /// Tells programs something.
    mutating func set(_ fact: String, _ value: String?) {
        if let name = FactName(rawValue: fact) { facts.set(name, value) }
    }
}
