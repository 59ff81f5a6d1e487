import CGIO
import Dispatch
import Synchronization
import VitrineKit

/// The bus on which the programs of a session call each other.
///
/// Calls are answered on a thread of its own. All methods may be called from any thread: GIO's connections may be used so.
final class SessionBus: Sendable {
    private let connection, context, loop: ThreadSafePointer
    private let state = Mutex(State())
    /// Left when nothing is answered any more.
    private let thread = DispatchGroup()
    private let onEnd: @Sendable (String) -> Void

    private struct State {
        /// Whether an end is still to be told: not twice, and not one that was meant.
        var tellsEnd = true
        var isStopped = false
    }

    /// Connects.
    /// - Parameter onEnd: called at most once, when nothing more will come: the bus is gone, or another program has taken a name
    ///   over. With a sentence that says so.
    /// - Throws: `offline` when there is no bus.
    init(onEnd: @escaping @Sendable (String) -> Void) throws(PluginError) {
        guard let context = g_main_context_new() else {
            throw PluginError(.io, "there is no memory for the session bus")
        }
        // What is told of a connection comes to the thread on which it was made, or its objects were registered.
        g_main_context_push_thread_default(context)
        let connected = Result { () throws(PluginError) in try Self.connect() }
        g_main_context_pop_thread_default(context)
        do throws(PluginError) { connection = ThreadSafePointer(try connected.get()) } catch {
            g_main_context_unref(context)
            throw error
        }
        self.context = ThreadSafePointer(context)
        self.onEnd = onEnd
        loop = ThreadSafePointer(g_main_loop_new(context, 0))
    }

    private static func connect() throws(PluginError) -> OpaquePointer {
        var error: UnsafeMutablePointer<GError>?
        guard let address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, nil, &error) else {
            throw failure("there is no session bus to answer on", error)
        }
        defer { g_free(address) }
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        guard let connection = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, &error) else {
            throw failure("the session bus cannot be reached", error)
        }
        return connection
    }

    deinit {
        g_object_unref(connection.object)
        g_main_loop_unref(loop.pointer)
        g_main_context_unref(context.pointer)
    }

    private static func failure(_ what: String, _ error: UnsafeMutablePointer<GError>?) -> PluginError {
        defer { if let error { g_error_free(error) } }
        let reason = error.map { String(cString: $0.pointee.message) }
        return PluginError(.offline, reason.map { "\(what): \(DisplayText.of($0))" } ?? what)
    }

    // MARK: Being called

    /// Answers calls of objects from now on, and takes their names.
    /// - Parameter replaces: whether other programs that answer to these names are asked to give them up.
    /// - Throws: `exists` when another program answers already; `io` for a bus that refuses.
    func serve(_ objects: [any BusObject], replaces: Bool) throws(PluginError) {
        let failure = Mutex<PluginError?>(nil)
        let isReady = DispatchSemaphore(value: 0)
        DispatchQueue(label: "vitrine.session-bus").async(group: thread) { [self] in
            g_main_context_push_thread_default(context.pointer)
            do throws(PluginError) {
                for object in objects { try register(object) }
                listen()
            } catch { failure.withLock { $0 = error } }
            isReady.signal()
            if failure.withLock({ $0 == nil }) { g_main_loop_run(loop.pointer) }
            g_main_context_pop_thread_default(context.pointer)
        }
        isReady.wait()
        if let error = failure.withLock({ $0 }) { throw error }
        do throws(PluginError) {
            for object in objects { try take(type(of: object).name, replaces: replaces) }
        } catch {
            stop()
            throw error
        }
    }

    private func register(_ object: any BusObject) throws(PluginError) {
        let kind = type(of: object)
        var error: UnsafeMutablePointer<GError>?
        guard let node = g_dbus_node_info_new_for_xml("<node>\(kind.description)</node>", &error) else {
            throw Self.failure("the interface '\(kind.name)' is not understood", error)
        }
        defer { g_dbus_node_info_unref(node) }
        var table = GDBusInterfaceVTable()
        table.method_call = { _, sender, _, _, method, arguments, invocation, data in
            guard let sender, let method, let invocation, let data else { return }
            let called = Unmanaged<CalledObject>.fromOpaque(data).takeUnretainedValue()
            called.answer(String(cString: method), arguments, from: String(cString: sender), invocation)
        }
        let called = Unmanaged.passRetained(CalledObject(object)).toOpaque()
        let id = g_dbus_connection_register_object(
            connection.pointer, kind.path, node.pointee.interfaces[0], &table, called,
            { data in if let data { Unmanaged<CalledObject>.fromOpaque(data).release() } }, &error)
        guard id != 0 else { throw Self.failure("'\(kind.path)' cannot be offered on the bus", error) }
    }

    /// Hears of the end of the connection, and of names that are lost.
    private func listen() {
        let bus = Unmanaged.passRetained(WeakBus(self))
        g_dbus_connection_set_exit_on_close(connection.pointer, 0)
        g_dbus_connection_signal_subscribe(
            connection.pointer, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameLost", "/org/freedesktop/DBus",
            nil,
            G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, arguments, data in
                guard let data, case .text(let name)? = BusValue.parts(of: arguments)?.first, !name.hasPrefix(":")
                else {
                    return
                }
                WeakBus.of(data)?.end("another program answers as '\(DisplayText.of(name))' now")
            }, bus.toOpaque(), { data in if let data { Unmanaged<WeakBus>.fromOpaque(data).release() } })
        cgio_on_closed(
            connection.pointer, { _, _, _, data in if let data { WeakBus.of(data)?.end("the session bus is gone") } },
            Unmanaged.passRetained(WeakBus(self)).toOpaque(),
            { data, _ in if let data { Unmanaged<WeakBus>.fromOpaque(data).release() } })
    }

    private func end(_ reason: String) {
        let isTold = state.withLock { state in
            defer { state.tellsEnd = false }
            return state.tellsEnd
        }
        if isTold { onEnd(reason) }
    }

    // MARK: Names

    /// What the bus says of who has a name now (D-Bus Specification, `RequestName`).
    private static let owners: Set<UInt32> = [1, 4]

    private func take(_ name: String, replaces: Bool) throws(PluginError) {
        var flags =
            G_BUS_NAME_OWNER_FLAGS_ALLOW_REPLACEMENT.rawValue | G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE.rawValue
        if replaces { flags |= G_BUS_NAME_OWNER_FLAGS_REPLACE.rawValue }
        let answer = try callBus("RequestName", [.text(name), .number(flags)], within: 10_000)
        if case .number(let number)? = answer.first, Self.owners.contains(number) { return }
        throw PluginError(
            .exists,
            "another program answers as '\(name)' on the session bus"
                + (replaces ? ", and does not let go: end it first" : "; end it first, or replace it with --replace"))
    }

    /// Gives names back: calls that come now start another program. A bus that does not answer is asked once.
    func release(_ names: [String]) {
        state.withLock { $0.tellsEnd = false }
        for name in names {
            guard (try? callBus("ReleaseName", [.text(name)], within: 1000)) != nil else { return }
        }
    }

    /// - Parameter milliseconds: that the bus may take.
    private func callBus(
        _ method: String, _ arguments: [BusValue], within milliseconds: CInt
    ) throws(PluginError) -> [BusValue] {
        var error: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_sync(
            connection.pointer, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method,
            BusValue.tuple(arguments), nil, G_DBUS_CALL_FLAGS_NONE, milliseconds, nil, &error)
        guard let answer else { throw Self.failure("the session bus does not answer", error) }
        defer { g_variant_unref(answer) }
        return BusValue.parts(of: answer) ?? []
    }

    // MARK: Telling

    /// Sends a signal. That nobody listens, or that the bus is gone, is no error.
    /// - Parameter client: the unique name of who gets it.
    func emit(_ signal: String, of kind: (some BusObject).Type, _ values: [BusValue], to client: String) {
        g_dbus_connection_emit_signal(
            connection.pointer, client, kind.path, kind.name, signal, BusValue.tuple(values), nil)
    }

    /// Waits until the calls that have arrived are answered.
    func answerWhatCame() async {
        await withCheckedContinuation { continuation in
            // Comes after all calls, which are of higher priority.
            onThread { continuation.resume() }
        }
    }

    /// Does something on the bus's thread when there is nothing else to do there.
    private func onThread(_ body: @escaping @Sendable () -> Void) {
        let source = g_idle_source_new()
        g_source_set_callback(
            source,
            { data in
                if let data { Unmanaged<Errand>.fromOpaque(data).takeUnretainedValue().body() }
                return 0
            }, Unmanaged.passRetained(Errand(body)).toOpaque(),
            { data in if let data { Unmanaged<Errand>.fromOpaque(data).release() } })
        g_source_attach(source, context.pointer)
        g_source_unref(source)
    }

    /// Stops answering, and sends what is on its way. A bus that takes nothing is not waited for long.
    func stop() {
        let isFirst = state.withLock { state in
            defer { (state.tellsEnd, state.isStopped) = (false, true) }
            return !state.isStopped
        }
        guard isFirst else { return }
        // On its thread: a loop that has not begun to run yet would not hear of it.
        onThread { [loop] in g_main_loop_quit(loop.pointer) }
        let end = DispatchTime.now() + Self.farewell
        _ = thread.wait(timeout: end)
        let isSent = DispatchSemaphore(value: 0)
        DispatchQueue(label: "vitrine.session-bus.end").async { [self] in
            g_dbus_connection_flush_sync(connection.pointer, nil, nil)
            g_dbus_connection_close_sync(connection.pointer, nil, nil)
            isSent.signal()
        }
        _ = isSent.wait(timeout: end)
    }
    private static let farewell = DispatchTimeInterval.seconds(2)
}

/// Something to be done on a bus's thread.
private final class Errand: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// What GIO holds of an object.
private final class CalledObject {
    private let object: any BusObject

    init(_ object: any BusObject) { self.object = object }

    func answer(_ method: String, _ arguments: OpaquePointer?, from client: String, _ invocation: OpaquePointer) {
        func refuse(_ error: String, _ message: String) {
            g_dbus_method_invocation_return_dbus_error(invocation, "org.freedesktop.DBus.Error." + error, message)
        }
        guard let values = BusValue.parts(of: arguments) else {
            return refuse("InvalidArgs", "the arguments of \(method) are of another type")
        }
        switch object.answer(method, BusArguments(values), from: client) {
        case .values(let values, let then):
            g_dbus_method_invocation_return_value(invocation, BusValue.tuple(values))
            then?()
        case .tooMuch(let message): refuse("LimitsExceeded", message)
        case nil: refuse("InvalidArgs", "the arguments of \(method) make no sense")
        }
    }
}

/// What GIO holds of a bus: nothing that keeps it.
private final class WeakBus {
    private weak var bus: SessionBus?

    init(_ bus: SessionBus) { self.bus = bus }

    static func of(_ data: UnsafeMutableRawPointer) -> SessionBus? {
        Unmanaged<WeakBus>.fromOpaque(data).takeUnretainedValue().bus
    }
}
