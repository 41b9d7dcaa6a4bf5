package io.github.liquidscheduler.lab.reference.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.lab.reference.pollux.application.MeasuredApplication;
import io.github.liquidscheduler.lab.reference.pollux.application.MeasuredApplications;
import io.github.liquidscheduler.shareddata.SharedData;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The averages that the artefact prints for its workloads, in all their digits. */
class PolluxGoldenTest {

  private static final double LAST_DIGIT = 5.1e-4;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void baselinesAreThoseOfTheOriginal(int workload) {
    for (GoodputPolicies policy : List.of(GoodputPolicies.TIRESIAS, GoodputPolicies.OPTIMUS)) {
      assertThat(average(policy, workload))
          .isCloseTo(policy.published(workload), within(LAST_DIGIT));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void oursIsBelowTheOriginalPollux(int workload) {
    assertThat(average(GoodputPolicies.GOODPUT, workload))
        .isLessThan(GoodputPolicies.GOODPUT.published(workload));
  }

  private static double average(GoodputPolicies policy, int workload) {
    SortedMap<String, MeasuredApplication> applications =
        MeasuredApplications.read(SharedData.file("pollux/traces"));
    List<GoodputJob> jobs =
        GoodputWorkload.read(
            SharedData.file("pollux/workloads/workload-" + workload + ".csv"), applications);
    return GoodputSimulator.of(GoodputCluster.PUBLISHED, policy).run(jobs).averageCompletion();
  }
}
