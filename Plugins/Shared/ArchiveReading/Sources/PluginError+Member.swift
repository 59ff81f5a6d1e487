package import VitrineKit

extension PluginError {
    /// Whether it says something of one member only: another one of the same archive may do better.
    package var isOfMember: Bool { [.corrupt, .locked, .limitExceeded, .unsupported].contains(code) }
}
