package io.github.liquidscheduler.lab.reference.lucid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.lab.reference.ReferenceRun;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.shareddata.SharedData;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers of the original, and what a few jobs show. */
class LucidGoldenTest {

  @ParameterizedTest
  @CsvSource({
    "fifo, 8818.844, 2678.5, 46384.41, 106878, 6020.712, 0",
    "sjf, 3660.675, 560.5, 42660.74, 97323, 862.544, 0",
    "srtf, 3169.071, 548.5, 42234.57, 95204, 343.940, 309",
    "tiresias, 3342.254, 587, 37325.73, 92107, 532.748, 112"
  })
  void theSyntheticTraceOnEightNodes(
      String policy,
      BigDecimal average,
      BigDecimal median,
      BigDecimal p99,
      long makespan,
      BigDecimal queueing,
      long preemptions) {
    Trace trace = TraceFormat.TIRESIAS.reader().read(SharedData.file("synthetic/synth480.csv"));

    ReferenceRun run = LucidSimulator.of(nodes(8), LucidPolicy.named(policy)).run(trace);

    JctStatistics found = run.statistics();
    assertThat(seconds(found.completion().average(), 3)).isEqualByComparingTo(average);
    assertThat(seconds(found.completion().median(), 9)).isEqualByComparingTo(median);
    assertThat(seconds(found.completion().percentile(99), 9)).isEqualByComparingTo(p99);
    assertThat(found.makespan()).isEqualTo(Duration.ofSeconds(makespan));
    assertThat(seconds(found.queueing().average(), 3)).isEqualByComparingTo(queueing);
    assertThat(run.preemptions()).isEqualTo(preemptions);
  }

  @Test
  void aJobThatIsStoppedHasMoreToDo() {
    ReferenceRun run = run(LucidPolicy.SRTF, job("long", 0, 16, 100), job("short", 10, 8, 5));

    JobOutcome stopped = run.outcomes().getFirst();
    assertThat(stopped.preemptions()).isEqualTo(1);
    assertThat(stopped.running()).isEqualTo(Duration.ofSeconds(100 + 60 + 1));
    assertThat(stopped.end()).isEqualTo(Duration.ofSeconds(167));
  }

  @Test
  void aJobGoesOnTheFullestNodeThatHoldsIt() {
    ReferenceRun run =
        run(
            LucidPolicy.FIFO,
            job("six", 0, 6, 10),
            job("seven", 0, 7, 10),
            job("one", 0, 1, 10),
            job("two", 0, 2, 10),
            job("three", 0, 3, 10));

    assertThat(run.outcomes())
        .extracting(outcome -> outcome.firstStart().toSeconds())
        .containsExactly(0L, 0L, 0L, 0L, 10L);
  }

  @Test
  void nodesOfOtherSizesAreRefused() {
    ClusterTopology small =
        ClusterTopology.builder()
            .node(Node.builder("a").gpus(4, GpuModel.of("P100"), Memory.ofGib(16)).build())
            .build();

    assertThatThrownBy(() -> LucidSimulator.of(small, LucidPolicy.FIFO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Lucid's simulator needs nodes of 8 GPUs, but 'a' has 4");
    assertThatThrownBy(() -> run(LucidPolicy.FIFO, job("large", 0, 17, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "a job must fit into the cluster of 2 nodes of 8 GPUs, but asked for 17, for job"
                + " 'large'");
    assertThatThrownBy(() -> LucidPolicy.named("las"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a policy of Lucid's simulator must be one of fifo, sjf, srtf, tiresias, but was"
                + " 'las'");
  }

  private static ReferenceRun run(LucidPolicy policy, TraceJob... jobs) {
    return LucidSimulator.of(nodes(2), policy).run(Trace.of("test", List.of(jobs)));
  }

  private static TraceJob job(String id, long submit, int gpus, long duration) {
    return TraceJob.builder(id)
        .submit(Duration.ofSeconds(submit))
        .gpus(gpus)
        .duration(Duration.ofSeconds(duration))
        .build();
  }

  private static ClusterTopology nodes(int count) {
    return ClusterTopology.builder()
        .nodes(
            IntStream.range(0, count)
                .mapToObj(
                    i ->
                        Node.builder("node-" + i)
                            .gpus(8, GpuModel.of("P100"), Memory.ofGib(16))
                            .build())
                .toList())
        .build();
  }

  private static BigDecimal seconds(Duration time, int digits) {
    return BigDecimal.valueOf(time.toNanos(), 9).setScale(digits, RoundingMode.HALF_EVEN);
  }
}
