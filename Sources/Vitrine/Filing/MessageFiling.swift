import Library
import Settings
import VitrineKit

/// Puts messages of one source into collections: those whose subjects begin with `[Name]`, from known senders only.
///
/// Attachments are copied into the collection's folder, and the text becomes a note of the collection. A message is written
/// down as filed together with its note, after its files; a run that is stopped in between goes on with the next one, and
/// finds the files there.
struct MessageFiling {
    let user: UserLibrary
    let storage: Storage
    let settings: FilingSettings

    /// Looks through the source.
    func run() async -> FilingSummary {
        var summary = FilingSummary(source: storage.source.text)
        guard let backend = storage.current as? any MessageBackend, let senders = settings.knownSenders,
            !senders.isEmpty
        else { return summary }
        do throws(PluginError) {
            try await each(backend.messages(from: senders)) { page async throws(PluginError) in
                summary.strangers += page.others
                for message in page.messages { try await take(message, of: backend, &summary) }
            }
        } catch { summary.fail(storage.source.text, error) }
        return summary
    }

    /// Files one message, if it is to be filed and was not.
    private func take(
        _ message: SentMessage, of backend: any MessageBackend, _ summary: inout FilingSummary
    ) async throws(PluginError) {
        guard let subject = FiledSubject(message.subject), senders.contains(message.sender),
            try !user.library.isFiled(message.identity)
        else { return }
        if let server = settings.authenticatedBy {
            let domain = message.sender.split(separator: "@").last.map(String.init) ?? ""
            guard AuthenticationResults.prove(message.authentication, by: server, domain: domain) else {
                summary.unproven += 1
                return
            }
        }
        let uri = storage.source.appending(message.path)
        do throws(PluginError) {
            try await file(message, subject, uri, of: backend, &summary)
        } catch {
            // What fails in passing is tried by the next run, which finds the message unfiled.
            summary.fail(uri, error)
            if error.code == .cancelled || error.code == .offline || error.code == .noSpace { throw error }
        }
    }

    private var senders: Set<String> { Set(settings.knownSenders ?? []) }

    private func file(
        _ message: SentMessage, _ subject: FiledSubject, _ uri: String, of backend: any MessageBackend,
        _ summary: inout FilingSummary
    ) async throws(PluginError) {
        let content = try await backend.content(of: message)
        try makeCollection(subject.collection)
        var files = 0
        for attachment in content.attachments {
            do throws(PluginError) {
                _ = try await user.add(attachment, of: storage, to: subject.collection)
                files += 1
            } catch {
                // One that will never come does not keep the others out.
                guard error.isPermanent else { throw error }
                summary.fail(storage.source.appending(attachment), error)
            }
        }
        let filed = FiledMessage(
            identity: message.identity, uri: uri, sender: message.sender, collection: subject.collection,
            title: subject.title, files: files)
        guard try user.library.file(filed, text: content.text) else { return }
        summary.filed.append(.init(collection: subject.collection, title: subject.title, files: files))
    }

    /// Makes the collection unless it is there.
    private func makeCollection(_ name: String) throws(PluginError) {
        if try hasCollection(name) { return }
        do throws(PluginError) { try user.library.createCollection(name) } catch {
            // Another process may have made it meanwhile.
            if try !hasCollection(name) { throw error }
        }
    }

    private func hasCollection(_ name: String) throws(PluginError) -> Bool {
        do throws(PluginError) { _ = try user.library.collection(named: name) } catch {
            if error.code == .notFound { return false }
            throw error
        }
        return true
    }

    private func each<S: AsyncSequence<MessagePage, PluginError>>(
        _ pages: S, _ body: (MessagePage) async throws(PluginError) -> Void
    ) async throws(PluginError) {
        var iterator = pages.makeAsyncIterator()
        while let page = try await iterator.next(isolation: nil) { try await body(page) }
    }
}
