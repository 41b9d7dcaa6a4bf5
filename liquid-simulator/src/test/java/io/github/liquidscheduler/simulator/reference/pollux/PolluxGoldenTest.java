package io.github.liquidscheduler.simulator.reference.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.shareddata.SharedData;
import io.github.liquidscheduler.simulator.reference.pollux.application.MeasuredApplication;
import io.github.liquidscheduler.simulator.reference.pollux.application.MeasuredApplications;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The averages that the artefact prints for its workloads, in all their digits. */
class PolluxGoldenTest {

  private static final double LAST_DIGIT = 5.1e-4;

  @ParameterizedTest
  @CsvSource({
    "1, 2473.650, 4087.062",
    "2, 5144.962, 6913.875",
    "3, 3876.256, 3944.006",
    "4, 3280.262, 5967.750",
    "5, 3501.012, 5656.250",
    "6, 3469.694, 5301.875",
    "7, 5479.913, 7290.856",
    "8, 5079.706, 6293.794"
  })
  void averagesAreThoseOfTheOriginal(int workload, double tiresias, double optimus) {
    assertThat(average(GoodputPolicies.TIRESIAS, workload)).isCloseTo(tiresias, within(LAST_DIGIT));
    assertThat(average(GoodputPolicies.OPTIMUS, workload)).isCloseTo(optimus, within(LAST_DIGIT));
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
