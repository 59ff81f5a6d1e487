import Containment
import Doctor
import Glibc
import VitrineKit

/// `vitrine doctor`
enum DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Look whether everything that Vitrine needs is there, and contained."
    static let usage = "[FOLDER…] [OPTIONS]"
    static let details = """
        Starts a worker of each renderer, which tries what it must not be able to do; looks at libraries, fonts, cache,
        catalog, sources and notes, file managers and clock, and at the times of the files in FOLDER. Says what to do
        where something is amiss.
        Exits with 0 when all is well, and with 1 when there is a problem or a warning; notes (·) are neither.
        """
    static let options = [JSONOption.object]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        var folders: [String] = []
        for operand in arguments.operands { folders.append(try absolute(operand)) }
        let findings = await Doctor(folders: folders).examine()
        return try FindingReport.show(findings, json: JSONOption.isGiven(arguments))
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
}
