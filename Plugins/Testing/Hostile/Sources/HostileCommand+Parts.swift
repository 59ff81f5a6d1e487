import Glibc
import VitrineKit

extension HostileCommand {
    /// The socket to the host.
    static let host: CInt = 3

    /// A red picture.
    static func picture(width: Int = 64, height: Int = 48, title: String? = nil) throws(PluginError) -> Rendering {
        let bitmap = try Bitmap(width: width, height: height, format: .rgbx)
        bitmap.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: UInt32.self) { $0.update(repeating: UInt32(littleEndian: 0xFF)) }
        }
        return Rendering(bitmap, facts: Facts(title: title))
    }

    /// Sends a message to the host behind the worker's back.
    static func answer(_ bytes: [UInt8]) {
        // Not send(2), which is a call that the worker may not make.
        _ = bytes.withUnsafeBytes { Glibc.write(host, $0.baseAddress, $0.count) }
    }

    /// The same with descriptors for the host, as sendmsg(2) hands them over.
    static func answer(_ bytes: [UInt8], with descriptors: [CInt]) {
        // A control message as cmsg(3) lays it out on machines of 64 bits: its length, level and type, then the descriptors.
        var control = [UInt64](repeating: 0, count: 2 + (descriptors.count + 1) / 2)
        var bytes = bytes
        control.withUnsafeMutableBytes { control in
            control.storeBytes(of: 16 + 4 * descriptors.count, as: Int.self)
            control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: CInt.self)
            control.storeBytes(of: CInt(SCM_RIGHTS), toByteOffset: 12, as: CInt.self)
            for (index, descriptor) in descriptors.enumerated() {
                control.storeBytes(of: descriptor, toByteOffset: 16 + 4 * index, as: CInt.self)
            }
            bytes.withUnsafeMutableBytes { bytes in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    _ = sendmsg(host, &message, 0)
                }
            }
        }
    }

    /// Starts threads with small stacks, so that it is not memory which ends before.
    /// - Returns: how many there are.
    static func startThreads(_ wanted: Int) -> Int {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 64 << 10)
        pthread_attr_setguardsize(&attributes, 0)
        var count = 0
        var thread = pthread_t()
        while count < wanted, pthread_create(&thread, &attributes, { _ in HostileCommand.wait() }, nil) == 0 {
            count += 1
        }
        return count
    }

    /// Turns an errno into the answer that ``HostileRenderer`` describes.
    static func attempt(_ body: () -> CInt) throws(PluginError) -> Rendering {
        let failure = body()
        guard failure == 0 else {
            let reason = strerror(failure).map { String(cString: $0) } ?? "error \(failure)"
            throw PluginError(.unsupported, "the attempt was refused: \(reason)")
        }
        return try picture(title: HostileRenderer.escaped)
    }

    static func spin() -> Never {
        while true { _ = time(nil) }
    }

    static func wait() -> Never {
        var semaphore = sem_t()
        sem_init(&semaphore, 0, 0)
        while true { sem_wait(&semaphore) }
    }

    static func hold(untilSize size: off_t, _ input: any RandomAccessInput) throws(PluginError) -> Rendering {
        var status = stat()
        while fstat(input.fileDescriptor ?? -1, &status) == 0, status.st_size < size { poll(nil, 0, 5) }
        return try picture()
    }

    static func recurse(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { room in
            room.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: depth))
            return depth == .max ? Int(room[0]) : recurse(depth + 1) + Int(room[1])
        }
    }

    static func allocate() throws(PluginError) -> Never {
        let size = 4 << 20
        var count = 0
        while let block = malloc(size) {
            memset(block, 1, size)
            count += 1
        }
        throw PluginError(.limitExceeded, "memory ended after \(count * (size >> 20)) MiB")
    }

    /// Takes memory and touches it.
    static func keep(_ size: Int) {
        if let block = malloc(size) { memset(block, 1, size) }
    }

    static func leak(_ wanted: Int, of input: any RandomAccessInput) throws(PluginError) -> Rendering {
        var count = 0
        while count < wanted, dup(input.fileDescriptor ?? 0) >= 0 { count += 1 }
        return try picture(title: "\(count) descriptors leaked")
    }

    static func bytes(hexadecimal text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}
