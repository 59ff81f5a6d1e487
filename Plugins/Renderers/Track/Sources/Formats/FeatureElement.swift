/// The elements of a format.
protocol FeatureElement: RawRepresentable<Int>, Equatable {
    /// The first one of a document.
    static var document: Self { get }
    /// One that says nothing of interest.
    static var other: Self { get }
}
