/// A binary heap: the first element by some order is at hand, others in no order.
struct Heap<Element> {
    private var elements: [Element] = []
    private let precedes: (Element, Element) -> Bool

    /// - Parameter precedes: whether one element comes before another one.
    init(_ precedes: @escaping (Element, Element) -> Bool) { self.precedes = precedes }

    var count: Int { elements.count }

    mutating func push(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, precedes(elements[index], elements[(index - 1) / 2]) {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes the first element.
    mutating func pop() -> Element? {
        guard let first = elements.first, let last = elements.popLast() else { return nil }
        guard !elements.isEmpty else { return first }
        elements[0] = last
        var index = 0
        while true {
            var best = index
            for child in [2 * index + 1, 2 * index + 2] where child < elements.count {
                if precedes(elements[child], elements[best]) { best = child }
            }
            guard best != index else { return first }
            elements.swapAt(index, best)
            index = best
        }
    }

    /// Takes out the elements that are not to be kept, which is asked in their order.
    mutating func keep(_ isKept: (Element) -> Bool) {
        let kept = elements.sorted(by: precedes).filter(isKept)
        // Sorted, it is a heap.
        elements = kept
    }
}
