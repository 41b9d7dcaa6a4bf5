package io.github.liquidscheduler.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.JobArbitraries;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RoleCountsLaws {

  @Provide
  Arbitrary<JobSpec> jobs() {
    return JobArbitraries.jobsInParts();
  }

  /** Each size has all tasks of the smaller ones. */
  @Property(tries = 300)
  void sizesAscendStepByStep(@ForAll("jobs") JobSpec job) {
    RoleCounts most = RoleCounts.least(job).at(job.parallelism().max()).orElseThrow();
    List<Integer> before = RoleCounts.least(job).tasks();
    for (int size : job.parallelism().allowedSizes()) {
      RoleCounts counts = RoleCounts.least(job).at(size).orElseThrow();

      assertThat(counts.size()).isEqualTo(size);
      assertThat(isWithin(before, counts.tasks())).isTrue();
      assertThat(most.at(size).stream().allMatch(same -> same.size() == size)).isTrue();
      before = counts.tasks();
    }
    assertThat(most.tasks()).isEqualTo(job.roles().stream().map(TaskRole::count).toList());
  }

  /** Whatever is lost, the job runs on with what is left if it can, and never with more. */
  @Property(tries = 300)
  void whatIsLeftIsCutDownToWhatMayRun(
      @ForAll("jobs") JobSpec job, @ForAll List<Boolean> isRoleLost) {
    List<Integer> left = job.roles().stream().map(TaskRole::count).toList();
    List<Integer> some =
        IntStream.range(0, left.size())
            .mapToObj(role -> role < isRoleLost.size() && isRoleLost.get(role) ? 0 : left.get(role))
            .toList();
    Optional<RoleCounts> kept = RoleCounts.within(job, some);

    kept.ifPresent(counts -> assertThat(isWithin(counts.tasks(), some)).isTrue());
    kept.ifPresent(counts -> assertThat(counts.sized().tasks()).isPositive());
    assertThat(RoleCounts.within(job, left).orElseThrow().tasks()).isEqualTo(left);
  }

  private static boolean isWithin(List<Integer> some, List<Integer> all) {
    for (int role = 0; role < some.size(); role++) {
      if (some.get(role) > all.get(role)) {
        return false;
      }
    }
    return true;
  }
}
