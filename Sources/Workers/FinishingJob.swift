import CPlatform
public import Finishing
import WorkerWire

/// Previews for the worker that makes finished pictures.
public struct FinishingJob: Sendable {
    /// PNG files; at most `Finish.maximumGrid` squared.
    public var previews: [[UInt8]]
    /// The longest side of the result, in pixels.
    public var box: Int
    /// What to make of them.
    public var finish: Finish
    /// What is written below each on a numbered sheet.
    public var labels: [String]

    /// Creates a job.
    public init(previews: [[UInt8]], box: Int, finish: Finish, labels: [String] = []) {
        self.previews = previews
        self.box = box
        self.finish = finish
        self.labels = labels
    }
}
