package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.shareddata.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads the published files themselves. */
@Tag("public-data")
class PublicTracesTest {

  @ParameterizedTest
  @CsvSource({
    "TIRESIAS, tiresias/simulator/60_job.csv, 60, 170",
    "TIRESIAS, synthetic/synth480.csv, 480, 1438",
    "GAVEL, gavel/traces/physical_cluster/artifact_evaluation.trace, 15, 18",
    "GAVEL, gavel/traces/physical_cluster/max_min_fairness.trace, 96, 169",
    "GAVEL, gavel/traces/physical_cluster/minimize_makespan.trace, 100, 175",
    "GAVEL, gavel/traces/msr/seed=0/103959.trace, 986, 2364",
    "GAVEL, gavel/traces/msr/seed=0/11cb48.trace.gz, 2000, 4405",
    "MURI, muri/cluster_exp/trace-data/cluster_trace.csv, 400, 3766",
    "MURI, muri/simulator/trace-data/trace2.csv, 5755, 29825",
    "POLLUX, pollux/workloads/workload-1.csv, 160, 1092",
    "POLLUX, pollux/workloads-realistic/workload-8.csv, 160, 222",
    "PHILLY_JSON, philly/examples/cluster_job_log.example.json, 1, 8",
    "HELIOS, helios/examples/cluster_log.example.csv, 3, 6",
    "ACME, acme/examples/trace_seren.example.csv, 2, 16",
    "ACME, acme/examples/trace_kalos.example.csv, 2, 128",
    "ALIBABA_2023, alibaba-gpu-v2023/openb_pod_list_default.csv, 6203, 6571",
    "ALIBABA_2023, alibaba-gpu-v2023/openb_pod_list_cpu200.csv.gz, 6203, 6571",
    "ALIBABA_2023, alibaba-gpu-v2023/openb_pod_list_multigpu50.csv.gz, 7973, 12705",
    "PHILLY, philly/philly.csv.gz, 49347, 58522"
  })
  void aPublishedTraceIsReadWhole(TraceFormat format, String file, int jobs, long gpus) {
    Trace trace = format.reader().read(SharedData.file(file));

    assertThat(trace.jobs()).hasSize(jobs);
    assertThat(trace.jobs().stream().mapToLong(TraceJob::gpus).sum()).isEqualTo(gpus);
  }

  @ParameterizedTest
  @CsvSource({"GAVEL, gavel/traces, 16, 4447", "SHOCKWAVE, shockwave/traces, 5, 2600"})
  void everyPublishedTraceOfAFormatIsRead(TraceFormat format, String folder, int files, int jobs)
      throws IOException {
    try (Stream<Path> found = Files.walk(SharedData.file(folder))) {
      List<Path> traces = found.filter(file -> file.toString().contains(".trace")).toList();

      assertThat(traces).hasSize(files);
      assertThat(traces.stream().mapToInt(file -> format.reader().read(file).jobs().size()).sum())
          .isEqualTo(jobs);
    }
  }

  @Test
  void podsThatCannotBeSimulatedAreCounted() {
    Path pods = SharedData.file("alibaba-gpu-v2023/openb_pod_list_default.csv");

    assertThat(TraceFormat.ALIBABA_2023.reader().read(pods).warnings())
        .containsExactly(
            new TraceWarning("asked for no GPU", 1088, 7),
            new TraceWarning("never started", 861, 63));
  }
}
