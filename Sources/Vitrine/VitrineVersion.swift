/// The version of the engine.
public enum VitrineVersion {
    /// As `major.minor.patch`. Failures that one version met are tried again by the next.
    public static let text = "0.1.0"
}
