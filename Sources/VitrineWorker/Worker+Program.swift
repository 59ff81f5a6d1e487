import Containment
import WorkerWire

// The life of the worker that runs a program of somebody else. It draws nothing itself: it starts the program for each
// item, in a PID namespace that ends with it, and reads the picture that the program wrote.
extension Worker {
    /// - Returns: the process's exit status.
    func run(_ program: ProgramSetup, _ setup: WorkerSetup) -> CInt {
        guard let folder = setup.privateFolder else { return 64 }
        let begun = Containment.begin(profile: setup.profile, privateFolder: folder, pluginFolder: folder)
        lockDown(begun, setup)
        // Where a layer is missing that this needs, the host gives it no work.
        serve(ForeignRenderer(program, folder: folder, maximumPixels: Int(setup.maximumPixels)))
        return 0
    }
}
