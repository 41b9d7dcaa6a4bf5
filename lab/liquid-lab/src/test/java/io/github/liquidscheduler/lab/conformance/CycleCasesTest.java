package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CycleCasesTest {

  @TempDir Path folder;

  private Verdict run(String reclaim, String jobs, String expected) throws IOException {
    String text =
        """
        {"id": "two-queues", "kind": "quota-cycle", "cohorts": [],
         "queues": [
           {"name": "a", "cohort": "all",
            "quotas": [{"flavor": "default", "resource": "cpu", "nominal": 2}],
            "preemption": {"withinQueue": "Never", "reclaimWithinCohort": "%s"}},
           {"name": "b", "cohort": "all",
            "quotas": [{"flavor": "default", "resource": "cpu", "nominal": 2}]}],
         "jobs": [%s],
         "expect": {"jobs": {%s}}}
        """
            .formatted(reclaim, jobs, expected);
    return CaseText.run(folder, text).verdict();
  }

  private static String running(String name, String queue, int cpu) {
    return """
    {"name": "%s", "queue": "%s", "priority": 0, "state": "running", "groups": [],
     "usage": {"default": {"cpu": %d}}}
    """
        .formatted(name, queue, cpu);
  }

  private static String pending(String name, String queue, int cpu) {
    return """
    {"name": "%s", "queue": "%s", "priority": 0, "state": "pending",
     "groups": [{"name": "main", "count": %d, "perTask": {"cpu": 1}}]}
    """
        .formatted(name, queue, cpu);
  }

  private static String outcome(String job, String outcome) {
    return "\"%s\": {\"outcome\": \"%s\"}".formatted(job, outcome);
  }

  @Test
  void whatFitsIsAdmittedAndTheRestWaits() throws IOException {
    String jobs =
        String.join(",", running("x", "b", 2), pending("y", "a", 2), pending("z", "a", 1));
    String expected =
        String.join(
            ",", outcome("x", "keeps-running"), outcome("y", "admitted"), outcome("z", "waits"));

    assertThat(run("Any", jobs, expected)).isEqualTo(Verdict.PASSED);
  }

  @Test
  void whoTakesBackWhatIsLentWaitsForHisVictims() throws IOException {
    String jobs = String.join(",", running("x", "b", 4), pending("y", "a", 2));
    String expected = outcome("x", "evicted") + "," + outcome("y", "waits-for-victims");

    assertThat(run("Any", jobs, expected)).isEqualTo(Verdict.PASSED);
  }

  @Test
  void nobodyLeavesWhereNoQueueMayTakeBack() throws IOException {
    String jobs = String.join(",", running("x", "b", 4), pending("y", "a", 2));
    String expected = outcome("x", "keeps-running") + "," + outcome("y", "waits");

    assertThat(run("Never", jobs, expected)).isEqualTo(Verdict.PASSED);
  }

  @Test
  void thatTheSameJobsRunIsAsGood() throws IOException {
    String jobs = String.join(",", running("x", "b", 4), pending("y", "a", 2));
    String expected = outcome("x", "evicted") + "," + outcome("y", "waits");

    assertThat(run("Any", jobs, expected)).isEqualTo(Verdict.PASSED_LENIENTLY);
  }
}
