package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterCasesTest {

  private static final String ALL =
      "\"allocate\", \"consolidation\", \"reclaim\", \"preempt\", \"stalegangeviction\"";

  @TempDir Path folder;

  private static String job(
      String name, String queue, int priority, String gpus, int least, String... tasks) {
    String states = "";
    for (int i = 0; i < tasks.length; i++) {
      String node = tasks[i].equals("running") ? ", \"node\": \"n0\"" : "";
      states +=
          "%s{\"name\": \"%s-%d\", \"state\": \"%s\"%s}"
              .formatted(i == 0 ? "" : ", ", name, i, tasks[i], node);
    }
    return """
    {"name": "%s", "queue": "%s", "priority": %d, "preemptible": true, "ageMinutes": 1,
     "perTask": {"gpus": %s, "cpu": 1, "memory": 1000}, "minAvailable": %d, "tasks": [%s]}
    """
        .formatted(name, queue, priority, gpus, least, states);
  }

  private static String totals(int evicted, int moved, int started) {
    return "\"evicted\": %d, \"moved\": %d, \"started\": %d".formatted(evicted, moved, started);
  }

  private GradedCase run(String actions, int deserved, String jobs, String running, String totals)
      throws IOException {
    return run(actions, 0, deserved, jobs, running, totals);
  }

  private GradedCase run(
      String actions, int stableRounds, int deserved, String jobs, String running, String totals)
      throws IOException {
    String text =
        """
        {"id": "two-gpus", "kind": "cluster", "area": "reclaim",
         "cycle": {"actions": [%s], "rounds": 1, "stableRounds": %d},
         "nodes": [{"name": "n0", "gpus": 2}],
         "queues": [
           {"name": "a", "gpu": {"deserved": %s, "limit": -1, "overQuotaWeight": 1}, "created": 0},
           {"name": "b", "gpu": {"deserved": 1, "limit": -1, "overQuotaWeight": 1}, "created": 1}],
         "jobs": [%s],
         "expect": {"tasksRunning": {%s}, "totals": {%s}, "complete": true}}
        """
            .formatted(actions, stableRounds, deserved, jobs, running, totals);
    return CaseText.run(folder, text);
  }

  @Test
  void aTaskMayBeOnOtherNodesThanTheRestOfItsJob() throws IOException {
    GradedCase graded =
        CaseText.run(
            folder,
            """
            {"id": "labels", "kind": "cluster", "area": "allocate",
             "cycle": {"actions": ["allocate"], "rounds": 1},
             "nodes": [{"name": "n0", "gpus": 1}, {"name": "n1", "gpus": 1, "labels": {"net": "fast"}}],
             "queues": [{"name": "a", "gpu": {"deserved": 2, "limit": -1, "overQuotaWeight": 1}}],
             "jobs": [{"name": "z", "queue": "a", "priority": 1, "preemptible": true,
               "perTask": {"gpus": 1, "cpu": 1, "memory": 1000}, "minAvailable": 2,
               "tasks": [{"name": "z-0", "state": "pending"},
                         {"name": "z-1", "state": "pending", "onlyNodes": ["fast"]}]}],
             "expect": {"tasksRunning": {"z": 2}, "totals": {"started": 2}, "complete": true,
               "tasks": {"z-0": {"node": "n0"}, "z-1": {"node": "n1"}}}}
            """);

    assertThat(graded.verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void aClusterAtRestDecidesNothingInRoundsInWhichNothingHappens() throws IOException {
    String jobs = job("x", "a", 1, "2", 1, "running") + "," + job("z", "b", 1, "1", 1, "pending");

    GradedCase graded = run(ALL, 5, 1, jobs, "\"x\": 0, \"z\": 1", totals(1, 0, 1));

    assertThat(graded.verdict()).isEqualTo(Verdict.PASSED);
    assertThat(graded.result().orElseThrow().list("unrest")).isEmpty();
  }

  @Test
  void aCaseFailsOfWhichMoreIsDecidedInRoundsInWhichNothingHappens() throws IOException {
    // Where the cycle does not allocate, a job that has started gets no larger until then.
    String jobs = job("z", "a", 1, "1", 1, "pending", "pending");

    GradedCase graded = run("\"reclaim\"", 1, 1, jobs, "\"z\": 1", totals(0, 0, 1));

    assertThat(graded.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(graded.reason()).isEqualTo("decides more in rounds in which nothing happens");
    assertThat(graded.result().orElseThrow().texts("unrest"))
        .singleElement()
        .asString()
        .startsWith("round 1: Resize z: ");
  }

  @Test
  void aQueueTakesBackWhatIsGuaranteedToIt() throws IOException {
    String jobs =
        String.join(
            ",",
            job("x", "a", 1, "1", 1, "running"),
            job("y", "a", 1, "1", 1, "running"),
            job("z", "b", 1, "1", 1, "pending"));
    GradedCase graded =
        run("\"reclaim\"", 1, jobs, "\"x\": 1, \"y\": 0, \"z\": 1", totals(1, 0, 1));

    assertThat(graded.verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void nobodyIsStoppedWhereOnlyAllocationRuns() throws IOException {
    String jobs = job("x", "a", 1, "2", 1, "running") + "," + job("z", "b", 1, "1", 1, "pending");

    assertThat(run("\"allocate\"", 0, jobs, "\"x\": 1, \"z\": 0", totals(0, 0, 0)).verdict())
        .isEqualTo(Verdict.PASSED);
  }

  @Test
  void aHigherPriorityTakesRoomInItsQueueWherePreemptionRuns() throws IOException {
    String jobs = job("x", "a", 1, "2", 1, "running") + "," + job("z", "a", 2, "2", 1, "pending");
    String evicted = totals(1, 0, 1);
    String kept = totals(0, 0, 0);

    assertThat(run(ALL, 2, jobs, "\"x\": 0, \"z\": 1", evicted).verdict())
        .isEqualTo(Verdict.PASSED);
    assertThat(run("\"reclaim\"", 2, jobs, "\"x\": 1, \"z\": 0", kept).verdict())
        .isEqualTo(Verdict.PASSED);
  }

  @Test
  void aShareOfAGpuIsPlacedBesideAnother() throws IOException {
    String jobs =
        String.join(
            ",",
            job("x", "a", 1, "1", 1, "running"),
            job("y", "a", 1, "0.5", 1, "pending"),
            job("z", "b", 1, "0.5", 1, "pending"));
    GradedCase graded =
        run("\"allocate\"", 1, jobs, "\"x\": 1, \"y\": 1, \"z\": 1", totals(0, 0, 2));

    assertThat(graded.verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void whatKeepsTheGuaranteeOfAQueueDiffersByChoice() throws IOException {
    String jobs = job("x", "a", 1, "2", 1, "running") + "," + job("z", "b", 1, "2", 1, "pending");
    GradedCase graded = run(ALL, 1, jobs, "\"x\": 0, \"z\": 1", totals(1, 0, 1));

    assertThat(graded.verdict()).isEqualTo(Verdict.DIFFERS);
    assertThat(graded.reason()).contains("less than is guaranteed");
  }

  @Test
  void roomThatACycleWithoutAllocationLeavesIsUsed() throws IOException {
    String jobs = job("z", "a", 1, "1", 1, "pending");
    GradedCase graded = run("\"preempt\"", 1, jobs, "\"z\": 0", totals(0, 0, 0));

    assertThat(graded.verdict()).isEqualTo(Verdict.DIFFERS);
    assertThat(graded.reason()).contains("no action that allocates");
  }

  @Test
  void somethingElseFails() throws IOException {
    String jobs = job("z", "a", 1, "1", 1, "pending");

    assertThat(run(ALL, 1, jobs, "\"z\": 0", totals(0, 0, 0)).verdict()).isEqualTo(Verdict.FAILED);
  }

  @Test
  void aStateThatOurJobsDoNotHaveIsRefused() throws IOException {
    GradedCase graded =
        run(ALL, 1, job("z", "a", 1, "1", 1, "failed"), "\"z\": 1", totals(0, 0, 0));

    assertThat(graded.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(graded.reason()).contains("a task must run, wait or leave, but one is failed");
  }

  @Test
  void aGangThatRunsInPartIsStartedAnewInWhole() throws IOException {
    String jobs = job("z", "a", 1, "1", 2, "running", "pending");

    assertThat(run(ALL, 1, jobs, "\"z\": 2", totals(0, 0, 1)).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void partsOfAJobAreRolesAndGroups() throws IOException {
    String job =
        """
        {"name": "j", "queue": "a", "priority": 50, "preemptible": true, "minSubgroups": 1,
          "perTask": {"gpus": 0.5}, "tasks": [
            {"name": "j-0", "state": "pending", "group": "s"},
            {"name": "j-1", "state": "pending", "group": "s"},
            {"name": "j-2", "state": "pending", "group": "t"}],
          "subgroups": [{"name": "g", "subgroups": [{"name": "s", "minAvailable": 1}]},
            {"name": "t", "minAvailable": 1}]}
        """;
    GradedCase graded = run("\"reclaim\"", 1, job, "\"j\": 1", totals(0, 0, 1));

    assertThat(graded.verdict()).isEqualTo(Verdict.PASSED);
  }
}
