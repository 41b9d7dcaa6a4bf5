package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.shareddata.SharedData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads the published files themselves. */
class PublicTracesTest {

  @ParameterizedTest
  @CsvSource({
    "TIRESIAS, tiresias/simulator/60_job.csv, 60, 170",
    "TIRESIAS, synthetic/synth480.csv, 480, 1438",
    "GAVEL, gavel/traces/physical_cluster/artifact_evaluation.trace, 15, 18",
    "GAVEL, gavel/traces/physical_cluster/max_min_fairness.trace, 96, 169",
    "GAVEL, gavel/traces/physical_cluster/minimize_makespan.trace, 100, 175",
    "GAVEL, gavel/traces/msr/seed=0/103959.trace, 986, 2364",
    "PHILLY, philly/philly.csv.gz, 49347, 58522"
  })
  void aPublishedTraceIsReadWhole(TraceFormat format, String file, int jobs, long gpus) {
    Trace trace = format.reader().read(SharedData.file(file));

    assertThat(trace.jobs()).hasSize(jobs);
    assertThat(trace.jobs().stream().mapToLong(TraceJob::gpus).sum()).isEqualTo(gpus);
  }
}
