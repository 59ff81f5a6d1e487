/// Something that others call over D-Bus.
protocol BusObject: AnyObject, Sendable {
    /// The name under which it is known, and of its interface.
    static var name: String { get }
    /// Where it is.
    static var path: String { get }
    /// What can be called, as D-Bus describes interfaces: `<interface>…</interface>`.
    static var description: String { get }

    /// Answers a call. It comes on the bus's thread, one after the other, and must not wait.
    /// - Parameters:
    ///   - method: one of those that are described.
    ///   - arguments: as these describe them.
    ///   - client: the unique name of who calls.
    /// - Returns: `nil` for a call that makes no sense.
    func answer(_ method: String, _ arguments: BusArguments, from client: String) -> BusAnswer?
}

/// What a call comes to.
enum BusAnswer: Sendable {
    /// What is sent back, and what is to be done once that is on its way: signals that mean something only to who has it.
    case values([BusValue], then: (@Sendable () -> Void)? = nil)
    /// There is too much to do already; a sentence that says so.
    case tooMuch(String)
}
