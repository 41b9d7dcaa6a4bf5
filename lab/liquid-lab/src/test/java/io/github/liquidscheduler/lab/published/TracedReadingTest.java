package io.github.liquidscheduler.lab.published;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.lab.published.ReadingLoad.Arrival;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TracedReadingTest {
  private static final List<TraceJob> TRACE = trace();

  @Test
  void jobsInARowKeepTheirGpusAndRunTimes() {
    ReadingLoad load = ReadingLoad.traced(TRACE, .9, .5, 200, 1);

    int first = Integer.parseInt(load.jobs().getFirst().job().id().value());
    assertThat(load.jobs()).hasSize(200);
    for (int i = 0; i < 200; i++) {
      TraceJob traced = TRACE.get(first + i);
      Arrival arrival = load.jobs().get(i);
      assertThat(arrival.job().id().value()).isEqualTo(traced.id());
      assertThat(arrival.job().gpus()).isEqualTo(traced.gpus());
      assertThat(arrival.length()).isEqualTo(traced.duration().orElseThrow());
    }
  }

  @Test
  void theGpuTimeThatJobsNeedIsTheLoad() {
    ReadingLoad load = ReadingLoad.traced(TRACE, .5, 0, 1_000, 1);

    double work =
        load.jobs().stream().mapToDouble(job -> job.job().gpus() * job.length().toSeconds()).sum();
    double offered = load.jobs().getLast().at().toSeconds() * (double) load.cluster().gpuCount();
    assertThat(work / offered).isCloseTo(.5, within(.05));
  }

  @Test
  void virtualClustersHaveDataSetsOfTheirOwn() {
    ReadingLoad load = ReadingLoad.traced(TRACE, .9, 0, 1_000, 1);

    Map<String, Set<String>> names =
        load.jobs().stream()
            .flatMap(arrival -> arrival.job().datasets().stream())
            .map(Dataset::name)
            .collect(groupingBy(name -> name.substring(0, 3), mapping(name -> name, toSet())));
    assertThat(names.keySet()).containsExactlyInAnyOrder("vc0", "vc1", "vc2");
    assertThat(names.values()).allSatisfy(own -> assertThat(own).hasSize(8));
  }

  @Test
  void jobsThatCannotRunThereDoNotCome() {
    List<TraceJob> jobs = new ArrayList<>(TRACE.subList(0, 10));
    jobs.add(TraceJob.builder("large").gpus(129).duration(Duration.ofHours(1)).build());

    assertThat(ReadingLoad.traced(jobs, .9, 0, 10, 1).jobs())
        .noneMatch(arrival -> arrival.job().id().value().equals("large"));
    assertThatThrownBy(() -> ReadingLoad.traced(jobs, .9, 0, 11, 1))
        .hasMessage(
            "the trace must have 11 jobs of known run time and at most 128 GPUs, but has 10");
  }

  private static List<TraceJob> trace() {
    List<TraceJob> jobs = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      jobs.add(
          TraceJob.builder(Integer.toString(i))
              .gpus(1 + i % 4)
              .duration(Duration.ofMinutes(1 + i % 97))
              .virtualCluster("vc" + i % 3)
              .build());
    }
    return jobs;
  }
}
