/// Takes the bytes of one member. Made by the worker.
public protocol MemberWriter: AnyObject {
    /// Takes the next bytes.
    /// - Throws: `limitExceeded` when they are more than were expected.
    func write(_ bytes: UnsafeRawBufferPointer) throws(PluginError)
}
