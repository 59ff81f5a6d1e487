import Containment
import Doctor
import Vitrine
import VitrineKit

/// Findings as one JSON object, which `docs/json.md` describes.
struct FindingReport: Encodable {
    var version: String
    var problems: Int
    var warnings: Int
    var findings: [Line]

    init(_ findings: [Finding]) {
        version = VitrineVersion.text
        problems = findings.count { $0.state == .problem }
        warnings = findings.count { $0.state == .warning }
        self.findings = findings.map(Line.init)
    }

    /// Shows findings: as a page for people, or as this object.
    /// - Returns: the exit code that they mean.
    static func show(_ findings: [Finding], json: Bool) throws(PluginError) -> CInt {
        if json {
            try JSONText.show(FindingReport(findings))
        } else {
            for line in DoctorPage.fitting(findings).lines { Console.print(line) }
        }
        return DoctorPage.isWell(findings) ? ExitCode.done : ExitCode.failed
    }

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
