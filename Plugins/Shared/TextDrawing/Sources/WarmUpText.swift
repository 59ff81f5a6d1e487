/// A text that makes pango load what most texts need at the first use of something, the generic fonts in two weights, and
/// what cannot be loaded later: the dictionary for the lines of Thai. Fonts of other scripts are looked for when a text needs
/// them, since that takes half of a start: their folders stay open to the worker.
package enum WarmUpText {
    /// What to draw.
    package static let text = """
        # Vitrine, 1
        * **Vitrine** é, 2
        - [ ] Vitrine, 3

        > Vitrine, 4

        ```
        Vitrine ไทย
        ```
        | 5 |
        """
}
