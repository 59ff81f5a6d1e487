import Dispatch
import Synchronization
import VitrineKit

/// Asks for the passwords of encrypted items, one question after the other, since a person may have to answer them.
///
/// Answers are kept in memory, so that nobody is asked for each page of a document; at most ``mostAnswers`` of them, and
/// no longer than this lives.
final class PasswordDesk: Sendable {
    private let command: PasswordCommand
    private let queue = DispatchQueue(label: "vitrine.passwords")
    private let answers = Mutex<[(uri: String, password: Password)]>([])

    static let mostAnswers = 64

    init(_ command: PasswordCommand) { self.command = command }

    /// The password of an item: as it was told before, or as the command says now.
    /// - Throws: as ``PasswordCommand/password(for:while:)``.
    func password(for uri: String) async throws(PluginError) -> Password? {
        let isCancelled = Mutex(false)
        typealias Answer = CheckedContinuation<Result<Password?, PluginError>, Never>
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Answer) in
                queue.async { continuation.resume(returning: self.ask(uri) { !isCancelled.withLock { $0 } }) }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        return try result.get()
    }

    /// Forgets a password, which was wrong.
    func forget(_ uri: String) { answers.withLock { $0.removeAll { $0.uri == uri } } }

    /// Forgets all.
    func end() { answers.withLock { $0 = [] } }

    private func ask(_ uri: String, while isWanted: () -> Bool) -> Result<Password?, PluginError> {
        // Somebody else may have asked for the same item meanwhile.
        if let known = answers.withLock({ $0.first { $0.uri == uri }?.password }) { return .success(known) }
        do throws(PluginError) {
            let password = try command.password(for: uri, while: isWanted)
            if let password {
                answers.withLock { answers in
                    if answers.count >= Self.mostAnswers { answers.removeFirst() }
                    answers.append((uri, password))
                }
            }
            return .success(password)
        } catch { return .failure(error) }
    }
}
