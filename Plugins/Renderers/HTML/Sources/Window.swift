/// The part of a page that is shown, in pixels of CSS: as wide as a tablet, where pages have one column and letters that can be
/// told apart in a small picture, and of the shape of a sheet of paper.
enum Window {
    static let width = 640.0, height = 900.0
}
