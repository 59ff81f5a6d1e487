import Containment
import Doctor
import Glibc
import Vitrine
import VitrineKit

/// `vitrine doctor`
enum DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Look whether everything that Vitrine needs is there, and contained."
    static let usage = "[FOLDER…] [OPTIONS]"
    static let details = """
        Starts a worker of each renderer, which tries what it must not be able to do; looks at libraries, fonts, cache,
        file managers and clock, and at the times of the files in FOLDER. Says what to do where something is amiss.
        Exits with 0 when all is well, and with 1 when there is a problem or a warning; notes (·) are neither.
        """
    static let options = [OptionSpecification("--json", "Print one JSON object, for programs.")]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        var folders: [String] = []
        for operand in arguments.operands { folders.append(try absolute(operand)) }
        let findings = await Doctor(folders: folders).examine()
        let problems = findings.count { $0.state == .problem }
        let warnings = findings.count { $0.state == .warning }
        if arguments.has("--json") {
            try JSONText.show(
                Report(
                    version: VitrineVersion.text, problems: problems, warnings: warnings,
                    findings: findings.map(Report.Line.init)))
        } else {
            for line in DoctorPage.fitting(findings).lines { Console.print(line) }
        }
        return DoctorPage.isWell(findings) ? ExitCode.done : ExitCode.failed
    }

    /// A folder that an operand names, links resolved.
    static func absolute(_ operand: [UInt8]) throws(PluginError) -> String {
        guard let text = String(validating: operand, as: UTF8.self), !operand.contains(0) else {
            throw PluginError(.invalidArgument, "'\(DisplayText.of(operand))' is not UTF-8; name a folder above it")
        }
        guard let real = realpath(text, nil) else {
            throw PluginError(.io, PluginError(errno: errno, "'\(DisplayText.of(text))' cannot be reached").message)
        }
        defer { free(real) }
        return String(cString: real)
    }

    private struct Report: Encodable {
        var version: String
        var problems: Int
        var warnings: Int
        var findings: [Line]

        struct Line: Encodable {
            var area: String
            var subject: String
            var layer: String?
            var state: String
            var text: String
            var advice: String?
            var command: String?

            init(_ finding: Finding) {
                area = finding.area.rawValue
                subject = finding.subject
                layer = finding.layer?.rawValue
                state = finding.state.rawValue
                text = finding.text
                advice = finding.advice
                command = finding.command
            }
        }
    }
}
