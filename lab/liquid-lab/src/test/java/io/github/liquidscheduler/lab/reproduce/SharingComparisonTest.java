package io.github.liquidscheduler.lab.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.shareddata.SharedData;
import io.github.liquidscheduler.simulator.slowdown.MeasuredJobs;
import io.github.liquidscheduler.simulator.slowdown.SlowdownTable;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What sharing gains on Gavel's jobs, without training: blindly, and by knowing every pair. */
class SharingComparisonTest {

  private static Path throughputs() {
    return SharedData.file("gavel/simulation_throughputs.json");
  }

  private static SharingComparison comparison(double guaranteed) {
    Path trace = SharedData.file("gavel/traces/msr/seed=0/103959.trace");
    ThroughputTable truth = ThroughputTable.readGavel(throughputs());
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("n").gpus(8, GpuModel.of("V100"), Memory.ofGib(16)).build())
            .build();
    List<TraceJob> jobs =
        TraceFormat.GAVEL.reader().read(trace).jobs().stream()
            .filter(job -> job.gpus() == 1 && truth.knows(job))
            .limit(120)
            .map(SharingComparisonTest::tenTimesAsSoon)
            .toList();
    return new SharingComparison(
        MeasuredJobs.of(Trace.of("gavel", jobs), SlowdownTable.read(throughputs()), cluster, truth),
        cluster,
        guaranteed,
        0.6);
  }

  private static TraceJob tenTimesAsSoon(TraceJob job) {
    return TraceJob.builder(job.id())
        .submit(Duration.ofSeconds(job.submit().toSeconds() / 10))
        .model(job.model().orElseThrow())
        .iterations(job.iterations().orElseThrow())
        .line(job.line().orElseThrow())
        .build();
  }

  @Test
  void sharingShortensTheWaitAndKnowingWhoDisturbsWhomShortensItMore() {
    SharingComparison comparison = comparison(0.25);
    SharingComparison.Row exclusive = comparison.exclusive();
    SharingComparison.Row oblivious = comparison.oblivious().get(0).get();
    SharingComparison.Row known = comparison.predicted("known", comparison.oracle(), false);

    assertThat(oblivious.hours()).isLessThan(exclusive.hours());
    assertThat(known.hours()).isLessThan(oblivious.hours());
    assertThat(known.useful()).isGreaterThan(exclusive.useful());
  }

  @Test
  void guaranteedJobsKeepTheirFloorBesideThoseWhoAreKnownNotToDisturbThem() {
    SharingComparison comparison = comparison(0.5);
    SharingComparison.Row known = comparison.predicted("known", comparison.oracle(), false);

    assertThat(known.partBelow()).isZero();
    assertThat(comparison.oblivious().get(0).get().partBelow()).isPositive();
  }

  @Test
  void plansThatPairJobsShortenTheWaitTooAndKeepTheFloors() {
    SharingComparison comparison = comparison(0.5);
    SharingComparison.Row planned =
        comparison.planned("planned", comparison.oracle(), BatchWindow.of(Duration.ofMinutes(1)));

    assertThat(planned.hours()).isLessThan(comparison.exclusive().hours());
    assertThat(planned.partBelow()).isZero();
  }

  @Test
  void amongPatientJobsPlansFindBetterCompanyThanInTurn() {
    SharingComparison comparison = comparison(0.25);
    InterferencePredictor oracle = comparison.oracle();
    BatchWindow inTurn = BatchWindow.of(Duration.ZERO);

    SharingComparison.Row deferrable = comparison.planned("", oracle, inTurn.bypassLimit(30));

    assertThat(deferrable.useful()).isGreaterThan(comparison.planned("", oracle, inTurn).useful());
  }

  @Test
  void everyRuleThatPredictsNothingSharesMoreThanNothing() {
    SharingComparison comparison = comparison(0.25);
    double alone = comparison.exclusive().hours();

    assertThat(comparison.oblivious())
        .extracting(Supplier::get)
        .allSatisfy(row -> assertThat(row.hours()).isLessThan(alone))
        .extracting(SharingComparison.Row::name)
        .containsExactly(
            "first-fit",
            "first-fit, separating",
            "liquid",
            "liquid, separating",
            "gandiva",
            "gandiva, separating",
            "antman",
            "antman, separating",
            "lucid",
            "lucid, separating");
  }

  @Test
  void exclusiveJobsHaveNoCompany() {
    SharingComparison.Row exclusive = comparison(0.25).exclusive();

    assertThat(exclusive.partBelow()).isZero();
    assertThat(exclusive.useful()).isBetween(0.0, 1.0);
    assertThat(exclusive.evictions()).isZero();
  }
}
