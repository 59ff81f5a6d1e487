import Settings
import Vitrine
import VitrineKit

/// `--password-command` and `--cache-encrypted`: how encrypted files are opened.
enum PasswordOptions {
    static let command = OptionSpecification(
        "--password-command", value: "COMMAND",
        "Ask this command, run by the shell, for the passwords of encrypted files: it reads a file's URI from standard input, "
            + "and prints the password.")
    static let caching = OptionSpecification(
        "--cache-encrypted", "Keep previews of encrypted files in the cache, where every program finds them.")

    /// Puts what was asked for in place of the settings.
    /// - Parameter isBatch: whether previews are made for the cache alone, so that a command without it is a mistake.
    static func apply(
        _ arguments: ParsedArguments, to settings: inout Settings, isBatch: Bool = false
    ) throws(PluginError) {
        if arguments.has("--cache-encrypted") { settings.passwords.cachesEncrypted = true }
        guard let text = arguments.text("--password-command") else { return }
        guard settings.passwords.set(.command, to: text) else {
            throw PluginError(
                .invalidArgument, "--password-command wants \(PasswordSettings.wanted(.command))")
        }
        guard !isBatch || settings.passwords.cachesEncrypted == true else {
            throw PluginError(
                .invalidArgument,
                "--password-command makes previews of encrypted files, which are kept only with --cache-encrypted; add "
                    + "it, or make single ones with 'vitrine get'")
        }
    }

    /// Which options open a file that there is no preview of, or that the command that was asked knows no password, as the end
    /// of a sentence; empty when the file is not encrypted.
    /// - Parameters:
    ///   - pipeline: that was asked for it.
    ///   - isBatch: as in ``apply(_:to:isBatch:)``.
    static func hint(of error: PluginError, _ pipeline: PreviewPipeline, isBatch: Bool = false) -> String {
        guard error.code == .encrypted else { return "" }
        let options =
            (pipeline.hasPasswordCommand ? [] : [command.name])
            + (isBatch && !pipeline.cachesEncrypted ? [caching.name] : [])
        if options.isEmpty { return "; the password command knows none" }
        return "; \(options.joined(separator: " with ")) opens it"
    }
}
