import VitrineKit
import Workers

// Files that a list names. Each is looked at when its turn comes, so that no more of them are in memory than wait in the queue.
extension PrebuildRun {
    /// How many names may wait. Each may be as long as ``NameSplitter/longest``, and three times that as a URI: some megabytes
    /// in all.
    static let listedAhead = 256

    /// Hands on what a list names, for as long as more is wanted.
    func read(_ list: FileList) async {
        do throws(PluginError) {
            while !Task.isCancelled, !ledger.isStopped, let parts = try await list.next() {
                for part in parts {
                    guard await push(part, of: list) else { return }
                }
            }
        } catch { await ledger.fail(source: list.name, error) }
    }

    private func push(_ part: NameSplitter.Part, of list: FileList) async -> Bool {
        switch part {
        case .name(let name):
            do throws(PluginError) {
                let uri = try list.source(name, schemes: pipeline.plugins.schemes)
                await ledger.found()
                return await queue.push(.named(uri))
            } catch {
                return await push(.failed(uri: FileList.shown(name), source: list.name, error))
            }
        case .tooLong(let beginning):
            let name = String(decoding: beginning, as: UTF8.self) + "…"
            let error = PluginError(
                .invalidArgument,
                "a name of more than \(NameSplitter.longest) bytes is that of no file; is each on a line of its own?")
            return await push(.failed(uri: name, source: list.name, error))
        }
    }

    /// Works on what a list names.
    func take(named uri: SourceURI, on thread: BlockingThread?) async {
        var outcome = ItemReport.Outcome.skipped(Self.passedOver)
        do throws(PluginError) {
            let item = try await named(uri)
            switch item?.entry.kind {
            case .file?: if let item { return await work(on: item, thread, nil) }
            case .folder?, nil: await ledger.notice(Self.foldersPassedOver)
            case .link?: outcome = .failed(PreviewPipeline.notAFile(.link, followed: true), remembered: false)
            case .special?: outcome = .failed(PreviewPipeline.notAFile(.special), remembered: false)
            }
        } catch { outcome = .failed(error, remembered: false) }
        let report = ItemReport(uri: uri.text, source: uri.text, outcome)
        pipeline.hub.send(.item(report))
        await ledger.ended(report)
    }

    // `find` names each folder, and all that is in it besides: to walk them would do everything over and over.
    private static let passedOver = PluginError(.notAFile, "it is a folder; folders of a list are passed over")
    private static let foldersPassedOver =
        "folders of the list were passed over; name a folder after 'vitrine prebuild' to have all files in it done"
}
