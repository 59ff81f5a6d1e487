import Testing
import Transfer
import VitrineKit

@Suite struct ItemPathTests {
    @Test func theRootHasNoNameOfItsOwn() throws {
        #expect(ItemPath.root.shown == "the source")
        #expect(try ItemPath("a b/c").shown == "'a b/c'")
    }
}
