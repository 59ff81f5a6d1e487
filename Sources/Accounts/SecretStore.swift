import CSecret
import Glibc
import VitrineKit

/// Keeps secrets of accounts. Calls block: the keyring may ask the user.
protocol SecretStore: Sendable {
    /// Keeps a secret, in place of what was there.
    func set(_ secret: String, for key: String, of account: String) throws(PluginError)
    /// A secret; `nil` when there is none.
    func secret(for key: String, of account: String) throws(PluginError) -> String?
    /// Deletes a secret. Does nothing when there is none.
    func remove(_ key: String, of account: String) throws(PluginError)
}

/// The user's keyring: GNOME's, KDE's or another Secret Service.
struct SecretService: SecretStore {
    /// Whether there is one for this user.
    /// - Parameter environment: variables such as `DBUS_SESSION_BUS_ADDRESS`.
    static func isAvailable(_ environment: [String: String]) -> Bool {
        // Without a bus libraries would start one, which nobody asked for.
        guard environment["DBUS_SESSION_BUS_ADDRESS"] != nil || hasBus(environment) else { return false }
        var message: UnsafeMutablePointer<CChar>?
        let result = csecret_available(&message)
        csecret_free(message)
        return result == CSECRET_DONE
    }

    private static func hasBus(_ environment: [String: String]) -> Bool {
        environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
    }

    func set(_ secret: String, for key: String, of account: String) throws(PluginError) {
        var message: UnsafeMutablePointer<CChar>?
        let result = csecret_store(account, key, "Vitrine: \(key) of \(account)", secret, &message)
        try check(result, message, "does not keep the \(key) of account '\(account)'")
    }

    func secret(for key: String, of account: String) throws(PluginError) -> String? {
        var message: UnsafeMutablePointer<CChar>?
        var secret: UnsafeMutablePointer<CChar>?
        let result = csecret_lookup(account, key, &secret, &message)
        if result == CSECRET_MISSING { return nil }
        try check(result, message, "does not give the \(key) of account '\(account)'")
        guard let secret else { return nil }
        defer { csecret_free_secret(secret) }
        return String(cString: secret)
    }

    func remove(_ key: String, of account: String) throws(PluginError) {
        var message: UnsafeMutablePointer<CChar>?
        let result = csecret_clear(account, key, &message)
        if result == CSECRET_MISSING { return }
        try check(result, message, "does not delete the \(key) of account '\(account)'")
    }

    private func check(
        _ result: csecret_result, _ message: UnsafeMutablePointer<CChar>?, _ what: String
    ) throws(PluginError) {
        defer { csecret_free(message) }
        if result == CSECRET_DONE { return }
        let why = message.map { DisplayText.of(String(cString: $0)) } ?? "it did not say why"
        throw PluginError(.unauthorized, "the keyring \(what): \(why); unlock it and try again")
    }
}

/// A file that only the user can read, for machines without a keyring.
struct SecretFile: SecretStore {
    let path: String

    func set(_ secret: String, for key: String, of account: String) throws(PluginError) {
        let lock = try FileLock(beside: path)
        defer { withExtendedLifetime(lock) {} }
        var file = try KeyFile(reading: path)
        file[account, default: [:]][key] = secret
        try file.write()
    }

    func secret(for key: String, of account: String) throws(PluginError) -> String? {
        try KeyFile(reading: path)[account]?[key]
    }

    func remove(_ key: String, of account: String) throws(PluginError) {
        let lock = try FileLock(beside: path)
        defer { withExtendedLifetime(lock) {} }
        var file = try KeyFile(reading: path)
        guard var values = file[account], values.removeValue(forKey: key) != nil else { return }
        file[account] = values.isEmpty ? nil : values
        try file.write()
    }
}

extension KeyFile {
    fileprivate subscript(group: String, default values: [String: String]) -> [String: String] {
        get { self[group] ?? values }
        set { self[group] = newValue }
    }
}
