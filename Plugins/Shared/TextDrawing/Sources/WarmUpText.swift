/// A text that makes pango load what it loads at the first use of something: the generic fonts in two weights, and
/// those of many scripts.
package enum WarmUpText {
    /// What to draw.
    package static let text = """
        # Vitrine, 1
        * **Vitrine** é Ω Ж, 2
        - [ ] 漢字 あ 한글, 3

        > שלום مرحبا, 4

        ```
        ไทย हिन्दी বাংলা தமிழ் ქართული հայերեն አማርኛ
        ```
        | → ✓ ∑ █ ☃ 😀 |
        """
}
