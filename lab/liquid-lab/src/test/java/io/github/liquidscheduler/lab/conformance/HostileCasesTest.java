package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cases whose names meet, or which cannot be. */
class HostileCasesTest {

  @TempDir Path folder;

  private GradedCase cycle(String cohorts, String queues, String jobs, String expected)
      throws IOException {
    return CaseText.run(
        folder,
        """
        {"id": "hostile", "kind": "quota-cycle", "cohorts": [%s], "queues": [%s],
         "jobs": [%s], "expect": {"jobs": {%s}}}
        """
            .formatted(cohorts, queues, jobs, expected));
  }

  private static String queue(String name, String cohort, int cpu) {
    return """
    {"name": "%s", "cohort": "%s",
     "quotas": [{"flavor": "default", "resource": "cpu", "nominal": %d}]}
    """
        .formatted(name, cohort, cpu);
  }

  private static String pending(String name, String queue, int cpu) {
    return """
    {"name": "%s", "queue": "%s", "priority": 0, "state": "pending",
     "groups": [{"name": "main", "count": %d, "perTask": {"cpu": 1}}]}
    """
        .formatted(name, queue, cpu);
  }

  private GradedCase cluster(String nodes, String jobs, String running) throws IOException {
    return CaseText.run(
        folder,
        """
        {"id": "hostile", "kind": "cluster",
         "topologies": [{"name": "tree", "levels": ["zone", "rack"]}],
         "cycle": {"actions": ["allocate"], "rounds": 1},
         "nodes": [%s], "jobs": [%s],
         "queues": [{"name": "a", "gpu": {"deserved": -1, "limit": -1, "overQuotaWeight": 1}}],
         "expect": {"tasksRunning": {%s}}}
        """
            .formatted(nodes, jobs, running));
  }

  private static String node(String name, String zone, String rack) {
    return """
    {"name": "%s", "gpus": 1, "labels": {"zone": "%s", "rack": "%s"}}
    """
        .formatted(name, zone, rack);
  }

  @Test
  void aQueueAndItsCohortMayHaveTheSameName() throws IOException {
    GradedCase graded =
        cycle(
            "",
            queue("all", "all", 2) + "," + queue("b", "all", 2),
            pending("all", "all", 4),
            "\"all\": {\"outcome\": \"admitted\"}");

    assertThat(graded.verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void cohortsThatFormARingAreRefusedWithTheRing() throws IOException {
    GradedCase graded =
        cycle(
            """
            {"name": "x", "parent": "y"}, {"name": "y", "parent": "z"}, {"name": "z", "parent": "x"}
            """,
            queue("a", "x", 2),
            "",
            "");

    assertThat(graded.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(graded.reason())
        .isEqualTo("refused: cohorts[0].parent: must not form a ring, but is in [x, y, z]");
  }

  @Test
  void twoQueuesOfOneNameAreRefused() throws IOException {
    GradedCase graded = cycle("", queue("a", "x", 2) + "," + queue("a", "y", 2), "", "");

    assertThat(graded.reason())
        .isEqualTo("refused: queues[1].name: must be that of one only, but is 'a' twice");
  }

  @Test
  void aFieldOfAWrongTypeIsRefusedWithItsPlace() throws IOException {
    GradedCase graded =
        cycle(
            "", queue("a", "x", 2), pending("j", "a", 1).replace("0, \"state", "[], \"state"), "");

    assertThat(graded.reason())
        .isEqualTo("refused: jobs[0].priority: must be a number, but was []");
  }

  @Test
  void aRefusalIsOneLine() throws IOException {
    GradedCase graded = cycle("", queue("a", "x", 2), pending("j", "b\\nc", 1), "");

    assertThat(graded.reason()).startsWith("refused: queues: ").contains("'b c'");
  }

  @Test
  void domainsAreToldByTheLabelsOfEachLevel() throws IOException {
    String job =
        """
        {"name": "j", "queue": "a", "perTask": {"gpus": 1}, "topology": {"required": "rack"},
         "tasks": [{"name": "j-0", "state": "pending"}, {"name": "j-1", "state": "pending"}]}
        """;
    String nodes = node("n0", "a/b", "c") + "," + node("n1", "a", "b/c");

    assertThat(cluster(nodes, job, "\"j\": 0").verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void partsOfAJobAreNotTakenForEachOther() throws IOException {
    String job =
        """
        {"name": "j", "queue": "a", "perTask": {"gpus": 0},
         "subgroups": [{"name": "part x", "minAvailable": 1},
                       {"name": "x", "subgroups": [{"name": "y"}, {"name": "z"}],
                        "topology": {"required": "rack"}}],
         "tasks": [{"name": "j-0", "state": "pending", "group": "part x"},
                   {"name": "j-1", "state": "pending", "group": "y"},
                   {"name": "j-2", "state": "pending", "group": "z"}]}
        """;

    assertThat(cluster(node("n0", "a", "b"), job, "\"j\": 3").verdict()).isEqualTo(Verdict.PASSED);
  }
}
