/// What went wrong with one item, source or plugin, in a form that people and programs can act on.
///
/// Every failure that crosses a plugin boundary is one of these. The ``code`` is for programs; the
/// ``message`` is a whole sentence that names the thing, says what failed and, where something can be
/// done, what to do.
@frozen
public struct PluginError: Error, Sendable, Hashable {
    /// What kind of failure it is.
    public var code: Code

    /// A sentence for people: names the object and the call that failed.
    public var message: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: its kind.
    ///   - message: a sentence for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kind of a failure. New codes may be added; treat one that you do not know as permanent.
    @frozen
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's stable name, used in JSON, on the wire and in the cache.
        public let rawValue: String

        /// Wraps a name. Unknown names are kept as they are.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        // Of the item itself: permanent until it changes.

        /// The bytes are not what the format says they should be.
        public static let corrupt = Code("corrupt")
        /// A password is needed: with it the renderer draws the document.
        public static let encrypted = Code("encrypted")
        /// It is encrypted, and no password opens it here: that of an archive, which nobody is asked for, or a key that a seller
        /// keeps.
        public static let locked = Code("locked")
        /// The file has no bytes, or no page, frame or picture in it.
        public static let empty = Code("empty")
        /// No renderer serves the type, or the renderer does not support this variety of it.
        public static let unsupported = Code("unsupported")
        /// A bound on size, pixels, memory or output was exceeded; the message names it.
        public static let limitExceeded = Code("limit-exceeded")
        /// It is not a regular file (a folder, link, pipe, device or socket).
        public static let notAFile = Code("not-a-file")
        /// The item is itself a thumbnail or lies in the cache.
        public static let isThumbnail = Code("is-thumbnail")

        // Of the renderer: permanent until the renderer's version changes.

        /// The worker process ended while it held this item, twice.
        public static let crashed = Code("crashed")
        /// The deadline passed.
        public static let timeout = Code("timeout")
        /// The worker answered something that makes no sense.
        public static let invalidAnswer = Code("invalid-answer")

        // Of the surroundings: transient, worth another try.

        /// It does not exist (any more).
        public static let notFound = Code("not-found")
        /// The user may not read or write it.
        public static let forbidden = Code("forbidden")
        /// The password that was given does not open the document. Said by the engine; renderers say `encrypted`.
        public static let wrongPassword = Code("wrong-password")
        /// Credentials are missing or refused.
        public static let unauthorized = Code("unauthorized")
        /// The server asks to slow down.
        public static let throttled = Code("throttled")
        /// The source cannot be reached or is not mounted.
        public static let offline = Code("offline")
        /// The item changed while it was read.
        public static let changed = Code("changed")
        /// Reading or writing failed.
        public static let io = Code("io")
        /// Something has that name already.
        public static let exists = Code("exists")
        /// Another process is at work on it. Said by the engine.
        public static let busy = Code("busy")
        /// No space is left, or a quota is reached.
        public static let noSpace = Code("no-space")
        /// The worker was lost for a reason that does not lie in the item.
        public static let workerLost = Code("worker-lost")
        /// More would have to be read from a storage than somebody allowed.
        public static let overBudget = Code("over-budget")
        /// Somebody asked to stop.
        public static let cancelled = Code("cancelled")

        // Of the set-up.

        /// An argument, URI, setting or manifest is wrong.
        public static let invalidArgument = Code("invalid-argument")
        /// A plugin could not be found, loaded or started.
        public static let pluginUnavailable = Code("plugin-unavailable")
    }

    /// Whether the failure lies in the item (or in its renderer) and so will come again on the next try.
    /// Only permanent failures are remembered. Codes that are not known count as permanent.
    public var isPermanent: Bool { !Self.passing.contains(code) }

    private static let passing: Set<Code> = [
        .notFound, .forbidden, .unauthorized, .throttled, .offline, .changed, .io, .exists, .noSpace, .workerLost,
        .overBudget, .cancelled, .invalidArgument, .pluginUnavailable, .wrongPassword, .busy,
    ]
}

extension PluginError: CustomStringConvertible {
    /// The message alone; it is a whole sentence.
    public var description: String { message }
}
