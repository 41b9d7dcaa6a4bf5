package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyCycleCasesTest {

  @TempDir Path folder;

  /** Two nodes of 4 cores in racks of their own, and a queue of 8 cores. */
  private GradedCase run(String slots, String jobs, String expected) throws IOException {
    String text =
        """
        {"id": "two-nodes", "kind": "topology-cycle", "cohorts": [],
         "topologies": [{"name": "tree", "levels": ["rack", "kubernetes.io/hostname"]}],
         "flavors": [{"name": "default", "topology": "tree"}],
         "nodes": [
           {"name": "x", "labels": {"rack": "r1", "kubernetes.io/hostname": "x"},
            "capacity": {"cpu": 4, "pods": %s}},
           {"name": "y", "labels": {"rack": "r2", "kubernetes.io/hostname": "y"},
            "capacity": {"cpu": 4, "pods": 9}}],
         "queues": [
           {"name": "a", "quotas": [{"flavor": "default", "resource": "cpu", "nominal": 8}],
            "preemption": {"withinQueue": "LowerPriority", "reclaimWithinCohort": "Never"}}],
         "jobs": [%s],
         "expect": {"jobs": {%s}}}
        """
            .formatted(slots, jobs, expected);
    return CaseText.run(folder, text);
  }

  private static String running(String name, String node, int tasks) {
    return """
    {"name": "%s", "queue": "a", "priority": 0, "state": "running",
     "groups": [{"name": "main", "count": %d, "perTask": {"cpu": 1}}],
     "usage": {"default": {"cpu": %d}},
     "placement": {"main": {"domains": [{"path": ["%s"], "count": %d}]}}}
    """
        .formatted(name, tasks, tasks, node, tasks);
  }

  private static String pending(String name, int priority, int tasks, String mode, String level) {
    return """
    {"name": "%s", "queue": "a", "priority": %d, "state": "pending",
     "groups": [{"name": "main", "count": %d, "perTask": {"cpu": 1},
                 "topology": {"mode": "%s", "level": "%s"}}]}
    """
        .formatted(name, priority, tasks, mode, level);
  }

  private static String outcome(String job, String outcome) {
    return "\"%s\": {\"outcome\": \"%s\"}".formatted(job, outcome);
  }

  private static String admitted(String job, String node, int tasks) {
    return """
    "%s": {"outcome": "admitted",
           "placement": {"main": {"domains": [{"path": ["%s"], "count": %d}]}}}
    """
        .formatted(job, node, tasks);
  }

  @Test
  void aJobStartsOnTheNodeThatHoldsItWhole() throws IOException {
    String jobs = running("old", "x", 2) + "," + pending("new", 0, 3, "required", "rack");
    String expected = outcome("old", "keeps-running") + "," + admitted("new", "y", 3);

    assertThat(run("9", jobs, expected).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void thatItStartsElsewhereIsAsGood() throws IOException {
    String jobs = running("old", "x", 2) + "," + pending("new", 0, 3, "required", "rack");
    String expected = outcome("old", "keeps-running") + "," + admitted("new", "x", 3);

    assertThat(run("9", jobs, expected).verdict()).isEqualTo(Verdict.PASSED_LENIENTLY);
  }

  @Test
  void whatNoDomainHoldsWaitsThoughItsQuotaWouldDo() throws IOException {
    String jobs = pending("new", 0, 5, "required", "kubernetes.io/hostname");

    assertThat(run("9", jobs, outcome("new", "waits")).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void aPreferenceKeepsNobodyWaiting() throws IOException {
    String jobs = pending("new", 0, 5, "preferred", "kubernetes.io/hostname");

    assertThat(run("9", jobs, outcome("new", "admitted")).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void theJobThatStartedLastLeavesForTheNodeThatOneNeeds() throws IOException {
    String jobs =
        String.join(
            ",",
            running("left", "x", 1),
            running("right", "y", 2),
            pending("new", 1, 4, "required", "kubernetes.io/hostname"));
    String expected =
        String.join(
            ",",
            outcome("left", "keeps-running"),
            outcome("right", "evicted"),
            outcome("new", "waits-for-victims"));

    assertThat(run("9", jobs, expected).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void aNodeThatIsGoneTakesNothingNew() throws IOException {
    String jobs =
        String.join(",", running("old", "z", 1), pending("new", 0, 8, "preferred", "rack"));
    String expected = outcome("old", "keeps-running") + "," + outcome("new", "waits");

    assertThat(run("9", jobs, expected).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void eachTaskTakesASlot() throws IOException {
    String jobs = pending("new", 0, 4, "required", "rack");

    assertThat(run("3", jobs, admitted("new", "y", 4)).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void thatAJobStartsBehindAnotherOfItsQueueIsAChoice() throws IOException {
    String jobs =
        String.join(
            ",",
            pending("large", 1, 5, "required", "rack"),
            pending("small", 0, 1, "required", "rack"));
    String expected =
        outcome("large", "waits")
            + ", \"small\": {\"outcome\": \"waits\", \"queueState\": \"queued\"}";

    assertThat(run("9", jobs, expected).reason()).startsWith("a cycle tries the first job");
  }
}
