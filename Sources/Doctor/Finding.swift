public import Containment

/// One thing that was looked at, and how it stands.
public struct Finding: Hashable, Sendable {
    /// What a finding is about, in the order in which they are told.
    public enum Area: String, CaseIterable, Sendable {
        /// The settings file.
        case settings
        /// This program's own parts.
        case program
        /// Plugins that were found.
        case plugins
        /// The layers around each renderer's workers.
        case containment
        /// The libraries that renderers use.
        case libraries
        /// What previews are drawn with: fonts, and the database of file types.
        case data
        /// Where previews are kept.
        case cache
        /// What the user registered and wrote: sources, collections and notes.
        case library
        /// Programs that show the previews.
        case desktops
        /// Time.
        case clock
        /// Folders that were named.
        case sources
    }

    /// How a thing stands.
    public enum State: String, CaseIterable, Sendable {
        /// As it should be.
        case ok
        /// Something to know. Nothing is amiss, and nothing needs to be done.
        case note
        /// Vitrine works, and something could be better.
        case warning
        /// Previews will be missing, or are made less safely than they should be.
        case problem
    }

    /// What it is about.
    public var area: Area
    /// The thing: a plugin's id, a library, a folder.
    public var subject: String
    /// The layer of containment, for findings about one.
    public var layer: Containment.Layer?
    /// How it stands.
    public var state: State
    /// What was found, as a clause.
    public var text: String
    /// What to do about it; `nil` when there is nothing to do.
    public var advice: String?
    /// A line for a shell that does it, to be copied as it is; `nil` where none is known.
    public var command: String?

    init(
        _ area: Area, _ subject: String, layer: Containment.Layer? = nil, _ state: State, _ text: String,
        advice: String? = nil, command: String? = nil
    ) {
        self.area = area
        self.subject = subject
        self.layer = layer
        self.state = state
        self.text = text
        self.advice = advice
        self.command = command
    }
}
