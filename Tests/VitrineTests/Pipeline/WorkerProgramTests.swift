import Foundation
import Settings
import TestSupport
import Testing
import Vitrine

/// Which program renders.
@Suite struct WorkerProgramTests {
    @Test func `a worker program that is named is taken, or refused by its name`() throws {
        let scratch = try TemporaryFolder()
        func worker(_ name: String) throws -> String {
            try PipelineConfiguration.standard(
                environment: ["VITRINE_WORKER": name, "HOME": scratch.path], settings: Settings()
            ).workerProgram
        }
        let program = Products.program("vitrine-worker")
        let link = scratch.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program)
        #expect(try worker(program) == program)
        #expect(try worker(link) == link)
        // Beside this program, which lies where all are built.
        #expect(try worker("") == program)
        let text = try scratch.write("text", Data())
        for name in [scratch.path + "/none", scratch.path, text.path] {
            #expect {
                _ = try worker(name)
            } throws: {
                "\($0)".contains("VITRINE_WORKER names '\(name)'")
            }
        }
    }
}
