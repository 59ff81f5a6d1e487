/// What a worker takes away from itself before it reads a hostile file, in layers that do not rely on each
/// other.
///
/// A worker calls ``begin(profile:privateFolder:pluginFolder:extraReadable:)``, lets its renderer warm up, and
/// calls ``finish(_:profile:limits:privateFolder:)``; only then may it receive its first input:
///
/// 1. The plugin's library is mapped. It may lie where the user that the worker becomes cannot go, such as a
///    checkout below a home folder of mode 0700, and its dependencies may lie anywhere. Loading it later works
///    only where `begin` was told all those folders and nobody may enter them.
/// 2. `begin`: descriptors above 3 are closed, root becomes nobody, no new privileges, no dumps, namespaces
///    without a network, a broad Landlock rule set. All of this happens before libraries start threads, because
///    Landlock and ids hold for the calling thread and those that it starts.
/// 3. The renderer warms up: fonts, coders, tables.
/// 4. `finish`: crash signals back to their defaults, resource limits, a tight Landlock rule set, and a list of
///    the system calls that are left, in force for all threads.
///
/// Each layer is tried once it stands: a thing that it forbids worked just before and must fail now, with the
/// errno of that layer. The attempts have no effect outside. A layer that the system does not offer degrades
/// alone and is reported as absent; nothing is left out silently.
///
/// What the layers do not stop: looking at the metadata of files by name (`stat`), and using the processor.
/// Time is limited by the host from outside.
public enum Containment {
    /// The highest descriptor that stays open: 0, 1, 2 and the socket to the host, which is 3.
    public static let highestDescriptor: CInt = 3

    /// How gladly the kernel ends a worker when memory runs out, of 1000: a lost worker costs one item, anything else
    /// costs more.
    static let oomScore: CInt = 800
}
