import CPlatform
import Containment
import FoundationEssentials
import Glibc

// Contains itself as a worker does and then tries what it is told to try. The tests of Containment start it,
// because what a process took away from itself it never gets back.
//
//     ContainmentProbe [--as-nobody] [--like-docker | --like-old-docker] [--profile JSON] [--private-folder PATH]
//                      [--address-space BYTES] [--processor-time SECONDS] [--exec PROGRAM [WORD…]] [ATTEMPT[:ARGUMENT]…]
//
// Prints the report, an empty line, then a line for each attempt: its name, a space, 0 or the errno. With --exec it
// becomes another program at once, with the words that follow, in the surroundings that were asked for.

let parent = getppid()
var profile = ContainmentProfile.strictest
var privateFolder: String?
var limits: ContainmentLimits?
var addressSpace: Int64 = 2 << 30
var processorTime = 0
var attempts: [String] = []

var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--as-nobody": check(vp_become_nobody())
    case "--like-docker": try Surroundings.docker(landlock: true)
    case "--like-old-docker": try Surroundings.docker(landlock: false)
    case "--profile":
        profile = try JSONDecoder().decode(ContainmentProfile.self, from: Data((arguments.popFirst() ?? "").utf8))
    case "--private-folder": privateFolder = arguments.popFirst()
    case "--address-space": addressSpace = arguments.popFirst().flatMap { Int64($0) } ?? addressSpace
    case "--processor-time": processorTime = arguments.popFirst().flatMap { Int($0) } ?? 0
    case "--exec":
        var words = arguments.map { strdup($0) } + [nil]
        execv(arguments.first ?? "", &words)
        check(-1)
    default: attempts.append(argument)
    }
}

func check(_ answer: CInt) {
    guard answer < 0 else { return }
    _ = write(2, "cannot set up\n", 14)
    exit(2)
}

// A descriptor that somebody forgot to close.
let forgotten = fcntl(0, F_DUPFD, 40)
let idle = attempts.contains("speed") ? Attempt.microsecondsPerCall() : 0
let started = Attempt.now()
let begun = Containment.begin(
    profile: profile, privateFolder: privateFolder, pluginFolder: "/usr/share", extraReadable: [])
let warm = Attempt.now()
let report = Containment.finish(
    begun, profile: profile,
    limits: ContainmentLimits(for: profile, addressSpace: addressSpace, processorTime: processorTime),
    privateFolder: privateFolder)
let ready = Attempt.now()

var text = report.description + "\n\n"
for attempt in attempts {
    switch attempt {
    case "time": text += "begin \(warm - started)\nfinish \(ready - warm)\n"
    case "speed": text += "call-before \(idle)\ncall-after \(Attempt.microsecondsPerCall())\n"
    case "descriptor": text += "descriptor \(fcntl(forgotten, F_GETFD) < 0 ? errno : 0)\n"
    default: text += "\(attempt) \(Attempt.make(attempt, parent: parent))\n"
    }
}
Attempt.print(text)
