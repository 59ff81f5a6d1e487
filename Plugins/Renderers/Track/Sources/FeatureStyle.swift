/// Colours that a file asks for; `nil` leaves them to the renderer.
struct FeatureStyle: Hashable {
    var line: FeatureColor?
    var fill: FeatureColor?
    var point: FeatureColor?
}
