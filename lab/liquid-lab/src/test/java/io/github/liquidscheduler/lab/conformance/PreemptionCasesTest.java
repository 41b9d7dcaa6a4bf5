package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreemptionCasesTest {

  @TempDir Path folder;

  private GradedCase run(String within, String running, int cpu, String expected)
      throws IOException {
    return run(within, running, cpu, expected, "Any");
  }

  private GradedCase run(String within, String running, int cpu, String expected, String others)
      throws IOException {
    String text =
        """
        {"id": "two-queues", "kind": "quota-preemption", "cohorts": [],
         "queues": [
           {"name": "a", "cohort": "all",
            "quotas": [{"flavor": "default", "resource": "cpu", "nominal": 2}],
            "preemption": {"withinQueue": "%s", "reclaimWithinCohort": "%s"}},
           {"name": "b", "cohort": "all",
            "quotas": [{"flavor": "default", "resource": "cpu", "nominal": 2}],
            "preemption": {}}],
         "running": [%s],
         "incoming": {"name": "new", "queue": "a", "priority": 1,
                      "groups": [{"name": "main", "count": %d, "perTask": {"cpu": 1}}]},
         "expect": %s}
        """
            .formatted(within, others, running, cpu, expected);
    return CaseText.run(folder, text);
  }

  private static String job(String name, String queue, int cpu) {
    return """
    {"name": "%s", "queue": "%s", "priority": 0, "usage": {"default": {"cpu": %d}}}
    """
        .formatted(name, queue, cpu);
  }

  private static String evicted(String job) {
    return "{\"evicted\": [{\"job\": \"%s\"}], \"admissible\": true}".formatted(job);
  }

  @Test
  void whatIsLentIsTakenBack() throws IOException {
    String running = job("x", "b", 2) + "," + job("y", "b", 2);

    assertThat(run("Never", running, 2, evicted("y")).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void aQueueThatBorrowsIdleMemoryTakesCoresBackOnPurpose() throws IOException {
    String memory = ", {\"flavor\": \"default\", \"resource\": \"memory\", \"nominal\": %d}";
    String text =
        """
        {"id": "idle-memory", "kind": "quota-preemption", "cohorts": [],
         "queues": [
           {"name": "a", "cohort": "all",
            "quotas": [{"flavor": "default", "resource": "cpu", "nominal": 2}%s],
            "preemption": {"withinQueue": "LowerPriority", "reclaimWithinCohort": "Any"}},
           {"name": "b", "cohort": "all",
            "quotas": [{"flavor": "default", "resource": "cpu", "nominal": 2}%s],
            "preemption": {}}],
         "running": [%s, %s],
         "incoming": {"name": "new", "queue": "a", "priority": 1,
                      "groups": [{"name": "main", "count": 1,
                                  "perTask": {"cpu": 1, "memory": 1073741824}}]},
         "expect": {"evicted": [{"job": "x"}], "admissible": true}}
        """
            .formatted(
                memory.formatted(0), memory.formatted(1 << 30), job("x", "a", 1), job("y", "b", 3));

    GradedCase graded = CaseText.run(folder, text);

    assertThat(graded.verdict()).isEqualTo(Verdict.DIFFERS);
    assertThat(graded.reason()).contains("only what is short counts");
  }

  @Test
  void aHigherPriorityTakesRoomInItsQueueIfThatIsAllowed() throws IOException {
    String running = job("x", "a", 2) + "," + job("y", "b", 2);
    String nobody = "{\"evicted\": [], \"admissible\": false}";

    assertThat(run("LowerPriority", running, 2, evicted("x")).verdict()).isEqualTo(Verdict.PASSED);
    assertThat(run("Never", running, 2, nobody).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void ofJobsAdmittedAtOnceTheFirstByUidLeaves() throws IOException {
    String running =
        job("x", "b", 2).replace("\"usage\"", "\"uid\": \"1\", \"usage\"")
            + ","
            + job("y", "b", 2).replace("\"usage\"", "\"uid\": \"2\", \"usage\"");

    assertThat(run("Never", running, 2, evicted("x")).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void aJobThatFitsStartsWhereOnlyVictimsAreAskedFor() throws IOException {
    String nobody = "{\"evicted\": [], \"admissible\": false}";
    GradedCase graded = run("Never", job("x", "b", 2), 2, nobody);

    assertThat(graded.verdict()).isEqualTo(Verdict.DIFFERS);
    assertThat(graded.reason()).contains("asks for victims only");
  }

  @Test
  void otherVictimsFail() throws IOException {
    String running = job("x", "b", 2) + "," + job("y", "b", 2);

    assertThat(run("Never", running, 2, evicted("x")).verdict()).isEqualTo(Verdict.FAILED);
  }

  @Test
  void moreThanAllQuotaMayRunAndIsTakenBack() throws IOException {
    assertThat(run("Never", job("x", "b", 5), 1, evicted("x")).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void whoIsLeavingAnywayIsAmongThoseWhoLeave() throws IOException {
    String running =
        job("x", "b", 2)
            + ","
            + job("y", "b", 2).replace("\"usage\"", "\"beingEvicted\": true, \"usage\"");

    assertThat(run("Never", running, 2, evicted("y")).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void prioritiesDecideBetweenQueuesWhereTheyShould() throws IOException {
    String important = job("x", "b", 4).replace("\"priority\": 0", "\"priority\": 1");
    String nobody = "{\"evicted\": [], \"admissible\": false}";

    assertThat(run("Never", important, 2, nobody, "LowerPriority").verdict())
        .isEqualTo(Verdict.PASSED);
    assertThat(run("Never", job("x", "b", 4), 2, evicted("x"), "LowerPriority").verdict())
        .isEqualTo(Verdict.PASSED);
  }
}
