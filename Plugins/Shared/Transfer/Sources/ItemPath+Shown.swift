public import VitrineKit

extension ItemPath {
    /// What it is called in sentences: the root of a source has no name of its own.
    public var shown: String { isRoot ? "the source" : "'\(self)'" }
}
