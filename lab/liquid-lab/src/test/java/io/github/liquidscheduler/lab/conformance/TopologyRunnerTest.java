package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyRunnerTest {

  private static final String CASE =
      """
      {"id": "rack", "kind": "topology-assignment", "settings": {"balanced": false},
       "levels": ["rack", "kubernetes.io/hostname"],
       "nodes": [
         {"name": "a", "labels": {"rack": "r1", "kubernetes.io/hostname": "a"},
          "capacity": {"gpu": 2, "pods": %s}},
         {"name": "b", "labels": {"rack": "r2", "kubernetes.io/hostname": "b"},
          "capacity": {"gpu": 4, "pods": 9}%s}],
       "groups": [{"name": "main", "count": 2, "perTask": {"gpu": 1},
                   "topology": {"mode": "required", "level": "rack"}%s}]%s,
       "expect": {"groups": {"main": %s}}}
      """;

  private static final String NOT_PLACED = "{\"placed\": false}";

  @TempDir Path folder;

  private Verdict verdict(String slots, String node, String group, String more, String expected)
      throws IOException {
    return CaseText.run(folder, CASE.formatted(slots, node, group, more, expected)).verdict();
  }

  private static String on(String host) {
    return """
    {"placed": true, "domains": [{"path": ["%s"], "count": 2}],
     "domainsUsed": {"rack": 1, "kubernetes.io/hostname": 1}}
    """
        .formatted(host);
  }

  @Test
  void theSmallestRackThatHoldsTheGroupIsExpected() throws IOException {
    assertThat(verdict("9", "", "", "", on("a"))).isEqualTo(Verdict.PASSED);
  }

  @Test
  void anotherRackIsAsGood() throws IOException {
    assertThat(verdict("9", "", "", "", on("b"))).isEqualTo(Verdict.PASSED_LENIENTLY);
  }

  @Test
  void eachTaskTakesASlot() throws IOException {
    assertThat(verdict("1", "", "", "", on("b"))).isEqualTo(Verdict.PASSED);
  }

  @Test
  void tasksOfOthersTakeRoom() throws IOException {
    String others = ", \"otherTasks\": [{\"requests\": {\"gpu\": 1}, \"node\": \"a\"}]";

    assertThat(verdict("9", "", "", others, on("b"))).isEqualTo(Verdict.PASSED);
  }

  @Test
  void tasksOfOthersThatEndedDoNot() throws IOException {
    String others =
        ", \"otherTasks\": [{\"requests\": {\"gpu\": 1}, \"node\": \"a\","
            + " \"phase\": \"succeeded\"}]";

    assertThat(verdict("9", "", "", others, on("a"))).isEqualTo(Verdict.PASSED);
  }

  @Test
  void nodesThatAreNotReadyOrNotToleratedTakeNothing() throws IOException {
    String tainted =
        ", \"taints\": [{\"key\": \"k\", \"value\": \"v\", \"effect\": \"NoSchedule\"}]";

    assertThat(verdict("1", ", \"ready\": false", "", "", NOT_PLACED)).isEqualTo(Verdict.PASSED);
    assertThat(verdict("1", tainted, "", "", NOT_PLACED)).isEqualTo(Verdict.PASSED);
  }

  @Test
  void aTolerationOpensATaintedNode() throws IOException {
    String tainted =
        ", \"taints\": [{\"key\": \"k\", \"value\": \"v\", \"effect\": \"NoSchedule\"}]";
    String tolerant = ", \"tolerations\": [{\"key\": \"k\", \"operator\": \"Exists\"}]";

    assertThat(verdict("1", tainted, tolerant, "", on("b"))).isEqualTo(Verdict.PASSED);
  }

  @Test
  void nodesWithoutTheLabelsAskedForTakeNothing() throws IOException {
    String selective = ", \"nodeSelector\": {\"gpu\": \"h100\"}";

    assertThat(verdict("9", "", selective, "", NOT_PLACED)).isEqualTo(Verdict.PASSED);
  }

  @Test
  void aPlacementBeforeThatIsNotStatedIsNamedAsTheReason() throws IOException {
    String before = ", \"previous\": {\"domains\": []}";
    GradedCase graded = CaseText.run(folder, CASE.formatted("9", "", before, "", on("b")));

    assertThat(graded.reason()).startsWith("a group was placed before");
  }
}
