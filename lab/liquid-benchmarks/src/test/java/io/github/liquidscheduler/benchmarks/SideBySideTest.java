package io.github.liquidscheduler.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SideBySideTest {
  private static final Effort LITTLE =
      new Effort(0, Duration.ZERO, 1, 20, Duration.ofSeconds(5), 7);

  static Stream<Baseline> baselines() {
    return SideBySide.BASELINES.stream();
  }

  @Test
  void aPolicyThatNobodyKnowsIsNamedInOneLine() {
    StringWriter errors = new StringWriter();

    int status =
        SideBySide.commandLine()
            .setErr(new PrintWriter(errors))
            .execute("events", "--policies", "fifo,best");

    assertThat(status).isEqualTo(2);
    assertThat(errors.toString().lines())
        .singleElement()
        .asString()
        .startsWith("liquid-bench: a policy must be one of fifo, ")
        .endsWith("but was 'best'");
  }

  @ParameterizedTest
  @MethodSource("baselines")
  void whatFitsIsPlaced(Baseline baseline) {
    PackingQuality packing = new Bulk(10, 10).measure(baseline, LITTLE).packing();

    assertThat(packing.tasks()).isEqualTo(10);
    assertThat(packing.hosts()).isBetween(1, 10);
  }

  @ParameterizedTest
  @MethodSource("baselines")
  void whatDoesNotFitIsLeftOut(Baseline baseline) {
    try (Baseline.Session session = baseline.open(1)) {
      session.place(List.of(new Task("a", 4), new Task("b", 8), new Task("c", 4)));

      assertThat(session.running()).containsOnlyKeys(new Task("a", 4), new Task("c", 4));
    }
  }

  @ParameterizedTest
  @MethodSource("baselines")
  void theHostLeftWithTheFewestGpusIsTaken(Baseline baseline) {
    try (Baseline.Session session = baseline.open(4)) {
      Task small = new Task("small", 2);
      Task large = new Task("large", 4);
      session.place(List.of(small));
      session.place(List.of(new Task("full", 8)));
      session.place(List.of(large));
      assertThat(session.running().get(large)).isEqualTo(session.running().get(small));

      Task next = new Task("next", 2);
      session.place(List.of(next));
      assertThat(session.running().get(next)).isEqualTo(session.running().get(small));
    }
  }

  @ParameterizedTest
  @MethodSource("baselines")
  void aFinishedTaskMakesRoom(Baseline baseline) {
    try (Baseline.Session session = baseline.open(1)) {
      Task first = new Task("first", 8);
      Task second = new Task("second", 8);
      session.place(List.of(first));
      session.finish(first);
      session.place(List.of(second));

      assertThat(session.running()).containsOnlyKeys(second);
    }
  }

  @ParameterizedTest
  @MethodSource("baselines")
  void halfTheGpusStayTaken(Baseline baseline) {
    SingleTask.Result result = new SingleTask(10).measure(baseline, LITTLE);

    assertThat(result.wall().count()).isEqualTo(18);
    assertThat(result.packing().hosts()).isBetween(3, 10);
  }

  @Test
  void aHostThatIsGivenTwiceIsFound() {
    assertThatThrownBy(
            () -> PackingQuality.of(Map.of(new Task("a", 8), "h", new Task("b", 1), "h")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a host has 8 GPUs, but tasks on h take 9");
  }

  @Test
  void tasksAreDrawnInTheStatedShares() {
    List<Task> tasks = Task.draw("t", 10_000, 7);

    assertThat(IntStream.of(1, 2, 4, 8).map(gpus -> percent(tasks, gpus)))
        .zipSatisfy(
            List.of(50, 20, 15, 15),
            (drawn, stated) -> assertThat(drawn).isBetween(stated - 2, stated + 2));
  }

  @Test
  void quantilesAreMeasuredValues() {
    Quantiles quantiles =
        new Quantiles(IntStream.rangeClosed(1, 100).mapToObj(Duration::ofMillis).toList());

    assertThat(quantiles.median()).isEqualTo(Duration.ofMillis(50));
    assertThat(quantiles.at(0.99)).isEqualTo(Duration.ofMillis(99));
  }

  @Test
  void theFirstContenderIsTheMeasure() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Report report =
        new Report(new PrintStream(bytes, true, StandardCharsets.UTF_8), SideBySide.BASELINES);
    Bulk.Result result =
        new Bulk.Result(Duration.ofNanos(1500), Duration.ofNanos(2500), new PackingQuality(3, 2));

    report.bulk(new Bulk(10, 3), List.of(result));

    assertThat(bytes.toString(StandardCharsets.UTF_8).trim().split(" +"))
        .containsExactly(
            "10", "3", "Fenzo", "1.0.1", "best", "fit", "1.50", "2.50", "3", "2", "1.0");
  }

  private static int percent(List<Task> tasks, int gpus) {
    long count = tasks.stream().filter(task -> task.gpus() == gpus).count();
    return Math.toIntExact(100 * count / tasks.size());
  }
}
