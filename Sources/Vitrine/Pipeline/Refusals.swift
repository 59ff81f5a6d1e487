import PluginHost
import VitrineKit

/// What the renderers said that were asked for a picture of an item and made none, in the order in which they were asked.
struct Refusals {
    /// What one of them said.
    struct Answer {
        var reason: PluginError
        var plugin: InstalledPlugin
        /// Whether the item is to this one what it is to the first one, and not only a variety of something wider: an archive,
        /// a text.
        var isAlike: Bool
    }

    private(set) var answers: [Answer] = []

    var isEmpty: Bool { answers.isEmpty }

    /// Whether the item, or the wish for its picture, went away meanwhile, so that nothing is known of it.
    var wasInterrupted: Bool { answers.contains { [.cancelled, .changed].contains($0.reason.code) } }

    /// Adds what the next one said.
    mutating func add(_ reason: PluginError, _ plugin: InstalledPlugin, isAlike: Bool) {
        answers.append(Answer(reason: reason, plugin: plugin, isAlike: isAlike))
    }

    /// The one whose word counts. It is what is said of the item, and what is remembered: when that plugin is replaced, or its
    /// limits are changed, the item is tried again. All others are told beside it.
    ///
    /// 1. What passes by itself, whoever met it: the picture might have been made, so that nothing is remembered.
    /// 2. A lock, or a password that is needed, at which the search ended: who tells of it came furthest.
    /// 3. The first reason that is more than `unsupported`, of those that draw this very type: one that knows nothing of this
    ///    variety of it, or looks for a preview and finds none, says nothing about the item.
    /// 4. The first one's.
    ///
    /// Those that would draw the item as something wider do not count in 2 and 3. That a document is no archive is no news.
    var decisive: Answer? {
        let alike = answers.filter(\.isAlike)
        return answers.first { !$0.reason.isPermanent && $0.reason.code != .invalidArgument }
            ?? alike.last { Self.noOtherHelps($0.reason.code) }
            ?? alike.first { $0.reason.code != .unsupported }
            ?? answers.first
    }

    /// Whether a reason is neither the renderer's fault nor one that another library sees in another way.
    static func noOtherHelps(_ code: PluginError.Code) -> Bool {
        [.cancelled, .changed, .encrypted, .locked, .wrongPassword, .unauthorized].contains(code)
    }
}
