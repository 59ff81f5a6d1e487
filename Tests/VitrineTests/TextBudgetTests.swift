import Testing

@testable import Vitrine

@Suite struct TextBudgetTests {
    @Test func `a run opens no more documents for their texts than it may`() {
        let budget = TextBudget(2)
        #expect((0..<5).map { _ in budget.take() } == [true, true, false, false, false])
    }
}
