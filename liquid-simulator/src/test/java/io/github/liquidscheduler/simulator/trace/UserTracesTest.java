package io.github.liquidscheduler.simulator.trace;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs as users have them: read rightly, with a word on what is left out, or refused by name. */
class UserTracesTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          F20.kubernetes | ml/gang at 0 s: 2x8 GPUs for 3600.0 s; ml/init at 0 s: 1x2 GPUs for 3600.0 s; ml/share at 0 s: 1x50 % GPUs for 3600.0 s; left out 1 job that had not ended, the first on line 8
          F21.kubernetes | ml/whole at 0 s: 1x1 GPUs for 3600.0 s; left out 1 job that asked for gpu-memory, not for whole GPUs or a share of one, the first on line 4; left out 1 job that asked for nvidia.com/mig-1g.10gb, not for whole GPUs or a share of one, the first on line 6; left out 1 job that asked for no GPU, the first on line 8; left out 1 job that asked for nvidia.com/gpu.shared, not for whole GPUs or a share of one, the first on line 10; left out 1 job that asked for nvidia.com/gpumem, not for whole GPUs or a share of one, the first on line 12; left out 1 job that asked for habana.ai/gaudi, not for whole GPUs or a share of one, the first on line 14
          F22.sacct | 1001 at 0 s: 1x2 GPUs of [a100] for 3600.0 s; left out 2 jobs that never started, the first on line 5
          F23.sacct | 7 at 0 s: 1x4 GPUs for 6000.0 s; 8 at 300 s: 1x1 GPUs for 600.0 s; left out 1 job that had not ended, the first on line 6
          F23b.sacct | refused: F23b.sacct:3: column 'JobID' must come once, or again after a line of a job that was requeued and has ended before, as with --duplicates; line 2 is not one (leave one of them out), but was '7'
          F24.sacct | 7 at 0 s: 2x2 GPUs for 3000.0 s
          F25.sacct | 1 at 0 s: 1x1 GPUs for 2100.0 s; 3 at 7200 s: 1x1 GPUs for 600.0 s; left out 1 job that ended before starting, the first on line 3
          F26.sacct | 7 at 0 s: 1x4 GPUs for 3000.0 s
          F27a.sacct | refused: F27a.sacct:1: the header must have the column 'JobID', but was 'JobID           JobName      State'
          F27b.sacct | refused: F27b.sacct:1: the header must have the column 'JobID', but was '             JOBID PARTITION     NAME     USER ST       TIME…'
          F29.sacct | 9 at 0 s: 1x1 GPUs for 1800.0 s; left out 1 job that asked for gres/mps, not for whole GPUs or a share of one, the first on line 2; left out 1 job that asked for gres/shard, not for whole GPUs or a share of one, the first on line 3; left out 1 job that asked for no GPU, the first on line 5
          F31.csv | refused: F31.csv:1: the header must have the column 'submit_time', but was '; Version: 2.2'
          F31.swf | 1 at 0 s: 4x1 GPUs for 600.0 s; 2 at 5 s: 2x1 GPUs for 60.0 s; left out 1 job that never started, the first on line 8; left out 1 job that had not ended, the first on line 9; left out 1 job that asked for no GPU, the first on line 10
          F32a.csv | a at 0 s: 2x1 GPUs for 600.0 s; b at 90 s: 1x1 GPUs for 60.0 s
          F32b.csv | refused: F32b.csv:1: the header must have the column 'submit_time', but was 'job_id;submit_time;num_gpu;duration'. Separated by ';'? It must be by ','
          F32c.csv | refused: F32c.csv:2: column 'duration' must be a number from 0 to 3153600000, but was '1,5'
          F34.alibaba-2023 | p1 at 0 s: 1x1 GPUs for 990.0 s; left out 1 job that never started, the first on line 3
          F34.philly-json | b at 0 s: 1x1 GPUs for 60.0 s; left out 1 job that never started, the first on line 1
          M09.sacct | 1 at 0 s: 2x2 GPUs of [a100, h100] for 1800.0 s; 2 at 0 s: 2x2 GPUs for 3000.0 s; 3 at 0 s: 1x1 GPUs of [nvidia_a100_1g.10gb] for 1800.0 s
          M10.swf | refused: M10.swf:2: a line must have 18 columns, but had 17
          M11.swf | refused: M11.swf:2: column 'requested processors' must be a whole number from -1 to 1000000, but was 'four'
          M12.sacct | refused: M12.sacct:3: column 'JobID' must come once, or again after a line of a job that was requeued and has ended before, as with --duplicates; line 2 is not one (leave one of them out), but was '7'
          M20.kubernetes | default/affinity at 0 s: 1x2 GPUs of [NVIDIA-H100, NVIDIA-H200] for 3600.0 s; left out 1 job that asked for resourceClaims, not for whole GPUs or a share of one, the first on line 4
          """)
  void aLogOfUsersIsReadOrRefused(String file, String expected) throws URISyntaxException {
    Path path =
        Path.of(
            Objects.requireNonNull(UserTracesTest.class.getResource("user-files/" + file)).toURI());
    TraceReader reader = TraceFormat.named(file.substring(file.indexOf('.') + 1)).reader();

    assertThat(text(() -> reader.read(path))).isEqualTo(expected);
    assertThat(text(() -> reader.open(path))).as("opened").isEqualTo(expected);
  }

  @FunctionalInterface
  private interface Reading {
    TraceSource read();
  }

  /** Returns the jobs and warnings, one after the other, or the message of the refusal. */
  private static String text(Reading reading) {
    try {
      TraceSource read = reading.read();
      return Stream.concat(
              read.held().jobs().stream().map(UserTracesTest::text),
              read.warnings().stream().map(warning -> "left out " + warning))
          .collect(joining("; "));
    } catch (InputFormatException e) {
      return "refused: "
          + String.valueOf(e.getMessage()).replaceFirst("^.*user-files/", "").replace('|', '!');
    }
  }

  private static String text(TraceJob job) {
    String gpus =
        job.request()
            .map(
                request -> request.roles().stream().map(UserTracesTest::text).collect(joining("+")))
            .orElse(job.gpus() + "x1");
    String models = job.request().map(each -> each.gpuModels().toString()).orElse("[]");
    return "%s at %d s: %s GPUs%s for %s s"
        .formatted(
            job.id(),
            job.submit().toSeconds(),
            gpus,
            models.equals("[]") ? "" : " of " + models,
            job.duration().map(time -> time.toMillis() / 1000.0).orElse(-1.0));
  }

  private static String text(TaskRole role) {
    ResourceRequest each = role.request();
    return role.count() + "x" + (each.share().isPresent() ? each.share().get() : each.gpus());
  }
}
