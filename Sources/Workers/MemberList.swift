import CPlatform
public import VitrineKit
import WorkerWire

/// What a container holds, as its worker says: nobody vouches for any of it.
public struct MemberList: Sendable {
    /// The members, in the container's order.
    public var members: [ContainerMember]
    /// How they are read, and what ended the list too early.
    public var outline: ContainerOutline

    /// The most members that are listed.
    public static let memberLimit = MemberTable.memberLimit

    /// Creates a list.
    public init(members: [ContainerMember], outline: ContainerOutline) {
        self.members = members
        self.outline = outline
    }
}
