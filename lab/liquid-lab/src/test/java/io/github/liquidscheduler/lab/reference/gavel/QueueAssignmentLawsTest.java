package io.github.liquidscheduler.lab.reference.gavel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class QueueAssignmentLawsTest {

  /** The seconds of a job on each of two GPUs of two models. */
  record Durations(int first, int second) {}

  @Test
  void theShortestJobIsFirstAndTheSlowGpuGetsWhoLosesLeastThere() {
    GavelJob longest = TestCombinations.job(0, 1, 100, 1, 0.9);
    GavelJob shortest = TestCombinations.job(1, 1, 10, 1, 0.1);
    GavelJob middle = TestCombinations.job(2, 1, 50, 1, 0.1);

    Map<GavelJob, Integer> first =
        QueueAssignment.first(List.of(longest, shortest, middle), new int[] {1, 1});

    assertThat(first).containsOnly(Map.entry(shortest, 0), Map.entry(longest, 1));
  }

  /** On two GPUs each job that begins a queue begins one in a schedule of the least sum. */
  @Property(tries = 200)
  void whoBeginsAQueueBeginsOneOfABestSchedule(@ForAll("jobs") List<Durations> durations) {
    List<GavelJob> jobs = new ArrayList<>();
    for (Durations each : durations) {
      jobs.add(
          TestCombinations.job(jobs.size(), 1, 1000, 1000.0 / each.first, 1000.0 / each.second));
    }

    Map<GavelJob, Integer> first = QueueAssignment.first(jobs, new int[] {1, 1});

    assertThat(leastWith(durations, first))
        .as("%s", first.values())
        .isEqualTo(leastWith(durations, Map.of()));
  }

  /** Returns the least sum of completion times of all assignments in which these are first. */
  private static long leastWith(List<Durations> durations, Map<GavelJob, Integer> first) {
    long least = Long.MAX_VALUE;
    for (int onSecond = 0; onSecond < 1 << durations.size(); onSecond++) {
      long sum = 0;
      for (int gpu = 0; gpu <= 1; gpu++) {
        sum += sum(durations, onSecond, gpu, first);
      }
      least = Math.min(least, sum);
    }
    return least;
  }

  private static long sum(
      List<Durations> durations, int onSecond, int gpu, Map<GavelJob, Integer> first) {
    List<Integer> queue = new ArrayList<>();
    int mustBeFirst = -1;
    for (int job = 0; job < durations.size(); job++) {
      if ((onSecond >> job & 1) == gpu) {
        int seconds = gpu == 0 ? durations.get(job).first : durations.get(job).second;
        queue.add(seconds);
        for (Map.Entry<GavelJob, Integer> each : first.entrySet()) {
          if (each.getKey().number() == job) {
            mustBeFirst = each.getValue() == gpu ? seconds : Integer.MAX_VALUE;
          }
        }
      }
    }
    queue.sort(null);
    boolean isAllowed =
        mustBeFirst < 0 ? first.isEmpty() || queue.isEmpty() : queue.getFirst() == mustBeFirst;
    long sum = 0;
    for (int place = 0; place < queue.size(); place++) {
      sum += (long) queue.get(place) * (queue.size() - place);
    }
    return isAllowed ? sum : Integer.MAX_VALUE;
  }

  @Provide
  Arbitrary<List<Durations>> jobs() {
    Arbitrary<Integer> seconds = Arbitraries.integers().between(1, 1000);
    return Combinators.combine(seconds, seconds)
        .as(Durations::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(6);
  }
}
