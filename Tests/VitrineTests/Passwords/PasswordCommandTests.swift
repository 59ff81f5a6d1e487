import Foundation
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// The command that knows passwords, and the desk that asks it.
@Suite struct PasswordCommandTests {
    private func ask(_ command: String, _ uri: String = "file:///a.pdf", patience: Duration = .seconds(600))
        throws(PluginError) -> String?
    {
        let command = PasswordCommand(command: command, patience: patience)
        let password = try command.password(for: uri) { true }
        return password.map { Password.withCString($0) { $0.map { String(cString: $0) } ?? "" } }
    }

    private func code(_ command: String, patience: Duration = .seconds(600)) -> PluginError.Code? {
        do throws(PluginError) {
            _ = try ask(command, patience: patience)
            return nil
        } catch { return error.code }
    }

    @Test func theFirstLineIsThePassword() throws {
        #expect(try ask("printf 'one\\ntwo\\n'") == "one")
        #expect(try ask("printf 'no line feed'") == "no line feed")
        #expect(try ask("printf 'spaces kept \\n'") == "spaces kept ")
        // More than a pipe holds, behind the line.
        #expect(try ask("echo one; head -c 300000 /dev/zero") == "one")
    }

    @Test func theURIComesOnStandardInputAndNowhereElse() throws {
        #expect(try ask("cat", "file:///my%20letter.pdf") == "file:///my%20letter.pdf")
        #expect(try ask("read uri; echo \"$#$0\"") == "0sh")
    }

    @Test func whoFailsOrSaysNothingKnowsNone() throws {
        #expect(try ask("echo secret; exit 1") == nil)
        #expect(try ask("echo secret; kill -9 $$") == nil)
        #expect(try ask("true") == nil)
        #expect(try ask("echo") == nil)
        #expect(try ask("no-such-program-anywhere 2>&-") == nil)
    }

    @Test func whatIsNoPasswordIsSaid() {
        #expect(code("head -c 1025 /dev/zero | tr '\\0' a") == .unauthorized)
        #expect(code("printf 'a\\000b\\n'") == .unauthorized)
    }

    @Test func whoNeverAnswersIsEnded() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pid"
        // Which a busy machine may not have begun yet when the time is over.
        var (patience, pid): (Int, pid_t?) = (300, nil)
        while pid == nil, patience < 600_000 {
            let command = "echo $$ > '\(path)'; exec tail -f /dev/null"
            #expect(code(command, patience: .milliseconds(patience)) == .unauthorized)
            pid = (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { pid_t($0.dropLast()) }
            patience *= 4
        }
        let ended = try #require(pid)
        #expect(kill(ended, 0) == -1 && errno == ESRCH)
    }

    @Test func itIsEndedWithTheTaskThatAsks() async throws {
        let desk = PasswordDesk(PasswordCommand(command: "exec tail -f /dev/null"))
        let task = Task { () -> PluginError.Code? in
            do throws(PluginError) { _ = try await desk.password(for: "file:///a") } catch { return error.code }
            return nil
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    /// The command fails when it runs while another one does.
    @Test func oneIsAskedAfterTheOtherAndOnlyOnceForAnItem() async throws {
        let folder = try TemporaryFolder()
        let desk = PasswordDesk(
            PasswordCommand(
                command: "cd '\(folder.path)' && mkdir busy && cat >> asked && rmdir busy && echo secret"))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let password = try? await desk.password(for: "file:///\(number % 4)")
                    #expect(password == Password(Array("secret".utf8)))
                }
            }
        }
        let asked = try String(contentsOfFile: folder.path + "/asked", encoding: .utf8).split(separator: "\n")
        #expect(asked.sorted() == (0..<4).map { "file:///\($0)" })
        // What was wrong is asked again.
        desk.forget("file:///1")
        _ = try await desk.password(for: "file:///1")
        _ = try await desk.password(for: "file:///2")
        #expect(try String(contentsOfFile: folder.path + "/asked", encoding: .utf8).split(separator: "\n").count == 5)
    }
}
