package io.github.liquidscheduler.lab.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Small traces whose schedules were worked out by hand, event by event. What a job "has" is the
 * GPUs it runs on.
 */
class WorkedExamplesTest {

  /** Ranks 563.5418 below 100 GPU-seconds, 289.8551 below 200, and 0 from there on. */
  private static final ServiceSamples SAMPLES = ServiceSamples.of(100, 200, 10_000);

  /**
   * On 4 GPUs; a has 2 until 10. In turn, b (4) waits for it, and c and d behind b until 14. With
   * bypassing, c (1) starts at 2, d (2) when c ends at 8, and b when d ends at 11.
   */
  @ParameterizedTest
  @CsvSource({"fifo, 10 14 20 17", "fjf, 10 15 8 11"})
  void withoutPreemptionJobsWaitInTurn(String policy, String ends) throws IOException {
    assertRun(run("waiting.csv", 4, TiresiasPolicy.named(policy)), ends, 0);
  }

  /**
   * On 4 GPUs; a (4) runs from 0 and has 8 s to go when b comes at 2.
   *
   * <ul>
   *   <li>fifo: b, c and d start when a ends at 10.
   *   <li>Fewest GPUs: b stops a; c and d join at 3; a fits again when c ends at 63.
   *   <li>Shortest: b stops a; c and d join at 3 where a does not fit; when b ends at 7, a (8 s to
   *       go) stops c (56) and d (16) until 15.
   *   <li>Shortest by GPUs: as before until 7, when d (16) stays before a (32) and c (112); when d
   *       ends at 23, a stops c (80) until 31.
   * </ul>
   */
  @ParameterizedTest
  @CsvSource({
    "fifo, 10 15 70 30, 0",
    "sjf, 71 7 63 23, 1",
    "shortest, 15 7 71 31, 3",
    "shortest-gpu, 31 7 71 23, 2"
  })
  void withPreemptionTheLeastGoesFirst(String policy, String ends, int preemptions)
      throws IOException {
    assertRun(run("stopping.csv", 4, TiresiasPolicy.named(policy)), ends, preemptions);
  }

  /**
   * On 2 GPUs; a (2) runs from 0, b (1) waits from 1000.
   *
   * <ul>
   *   <li>Seconds: a reaches 3250 at 3250 and sinks, b runs until 4250, a resumes with 1750 to go.
   *   <li>GPU-seconds: a reaches 3250 at 1625, but the look at 1000 finds 2000 and asks for the
   *       next after (3250 - 1000) / 2 s, at 2125. Then b runs until 3125 and a resumes with 2875
   *       to go.
   * </ul>
   */
  @ParameterizedTest
  @CsvSource({"fjf, 5000 6000, 0", "dlas, 6000 4250, 1", "dlas-gpu, 6000 3125, 1"})
  void aJobThatHasHadMuchSinks(String policy, String ends, int preemptions) throws IOException {
    assertRun(run("sinking.csv", 2, TiresiasPolicy.named(policy)), ends, preemptions);
  }

  /**
   * On 1 GPU; a sinks at 3250, then b runs until 6250 and c until 9250. Left alone, a waits for d,
   * which came at 7000 and runs until 10250. With k = 1, a has waited 3250 s at 6500 and returns to
   * the first queue, behind c and before d. With k = 2 it would return at 9750, when d, started at
   * 9250, is running and stays.
   */
  @ParameterizedTest
  @CsvSource({
    "dlas-gpu, 11000 6250 9250 10250",
    "dlas-gpu-1, 10000 6250 9250 11000",
    "dlas-gpu-2, 11000 6250 9250 10250"
  })
  void aJobThatHasWaitedLongReturns(String policy, String ends) throws IOException {
    assertRun(run("starving.csv", 1, TiresiasPolicy.named(policy)), ends, 1);
  }

  /** On 1 GPU; when b comes at 120, a has had 120 and ranks below it. */
  @Test
  void aJobMoreLikelyToEndSoonGoesFirst() throws IOException {
    assertRun(run("ranking.csv", 1, TiresiasPolicy.gittins(SAMPLES)), "200 170", 1);
    assertRun(run("ranking.csv", 1, TiresiasPolicy.named("dlas-gpu")), "150 200", 0);
  }

  /** Between ranks that are equal, the earlier submission decides: a has had 90, b nothing. */
  @Test
  void aNewJobRanksLikeOneThatHasHadLittle() {
    Trace trace = TestTraces.of(TestTraces.job("a", 1, 0, 150), TestTraces.job("b", 1, 90, 50));

    assertRun(TiresiasSimulator.of(1, TiresiasPolicy.gittins(SAMPLES)).run(trace), "150 200", 0);
  }

  private static ReferenceRun run(String resource, int gpus, TiresiasPolicy policy)
      throws IOException {
    try (InputStream bytes = WorkedExamplesTest.class.getResourceAsStream(resource)) {
      Trace trace = TraceFormat.TIRESIAS.reader().read(resource, Objects.requireNonNull(bytes));
      return TiresiasSimulator.of(gpus, policy).run(trace);
    }
  }

  private static void assertRun(ReferenceRun run, String ends, int preemptions) {
    List<Long> expected = Arrays.stream(ends.split(" ")).map(Long::valueOf).toList();

    assertThat(run.outcomes())
        .extracting(outcome -> outcome.end().toSeconds())
        .containsExactlyElementsOf(expected);
    assertThat(run.preemptions()).isEqualTo(preemptions);
  }
}
