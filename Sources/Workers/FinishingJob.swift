import CPlatform
import Containment
public import Finishing
import Glibc
import WorkerWire

/// Previews for the worker that makes finished pictures.
public struct FinishingJob: Sendable {
    /// PNG files; at most ``maximumPictures``.
    public var previews: [[UInt8]]
    /// The longest side of the result, in pixels.
    public var box: Int
    /// What to make of them.
    public var finish: Finish
    /// What is written below each on a numbered sheet.
    public var labels: [String]

    /// The most previews of one picture.
    public static let maximumPictures = FinishJob.maximumPictures

    /// Creates a job.
    public init(previews: [[UInt8]], box: Int, finish: Finish, labels: [String] = []) {
        self.previews = previews
        self.box = box
        self.finish = finish
        self.labels = labels
    }
}
