import TestServers
import Testing
import VitrineKit
import VitrineTesting

@Suite(.serialized, .enabled(if: SSHServer.isInstalled, "openssh-server is not installed: 'make test' installs it"))
struct HostKeyTests {
    private func failure(_ server: SSHServer, _ values: [String: String]) async -> PluginError? {
        do throws(PluginError) {
            _ = try await connect(server, values)
            return nil
        } catch { return error }
    }

    @Test func onlyKnownServersAreTrusted() async throws {
        let server = try SSHServer()
        let (other, folder) = (try SSHServer(), server.process.folder.path)
        let key = TestFile.text("\(folder)/host.pub")
        let files: [(String, String, String?)] = [
            ("right", SSHServer.line(server.port, key), nil),
            ("missing", "", "is not known"),
            ("elsewhere", SSHServer.line(other.port, key), "is not known"),
            (
                "changed", SSHServer.line(server.port, TestFile.text("\(other.process.folder.path)/host.pub")),
                "has another key"
            ),
            ("revoked", SSHServer.line(server.port, key) + "\n@revoked * \(key)", "revoked"),
        ]
        for (name, text, expected) in files {
            let file = "\(folder)/\(name)"
            if !text.isEmpty { try TestFile.write(file, text) }
            let error = await failure(server, ["known-hosts": file])
            guard let expected else {
                #expect(error == nil, "\(name)")
                continue
            }
            #expect(error?.code == .forbidden && error?.message.contains(expected) == true, "\(name): \(error as Any)")
            #expect(error?.message.contains(file) == true && error?.message.contains("SHA256:") == true)
            #expect(TestFile.text(file) == text, "the file is left as it was")
        }
    }

    @Test func hashedNamesAreKnown() async throws {
        let server = try SSHServer()
        try ServerProcess.run(
            "/usr/bin/ssh-keygen", ["-H", "-f", server.knownHosts], in: server.process.folder)
        #expect(TestFile.text(server.knownHosts).hasPrefix("|1|"))
        #expect(await failure(server, [:]) == nil)
    }
}
