import VitrineKit

/// Broken rules, gathered on the way through a check.
struct Findings {
    private(set) var violations: [Violation] = []

    /// Notes a violation unless the condition holds.
    mutating func expect(_ condition: Bool, _ rule: String, _ explanation: @autoclosure () -> String) {
        if !condition { violations.append(Violation(rule, explanation())) }
    }

    /// Notes a violation when `body` throws.
    mutating func succeeds<T>(_ rule: String, _ body: () async throws(PluginError) -> T) async -> T? {
        do throws(PluginError) {
            return try await body()
        } catch {
            violations.append(
                Violation(rule, "it failed (\(error.code.rawValue)): \(error.message)"))
            return nil
        }
    }

    /// Notes a violation unless `body` throws this code.
    mutating func fails<T>(
        _ code: PluginError.Code, _ rule: String, _ body: () async throws(PluginError) -> T
    ) async {
        do throws(PluginError) {
            _ = try await body()
            violations.append(Violation(rule, "it succeeded instead of failing (\(code.rawValue))"))
        } catch {
            expect(
                error.code == code, rule, "the code was \(error.code.rawValue), not \(code.rawValue): \(error.message)")
            expect(!error.message.isEmpty, rule, "the error has no message")
        }
    }
}
