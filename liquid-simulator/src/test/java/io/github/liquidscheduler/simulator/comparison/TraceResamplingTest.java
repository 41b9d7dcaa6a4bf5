package io.github.liquidscheduler.simulator.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TraceResamplingTest {

  @Test
  void theFirstDrawIsTheTraceItself() {
    Trace trace = trace(List.of(1, 2, 3));

    assertThat(new TraceResampling(2).draw(trace, 0, 9)).isSameAs(trace);
  }

  @Test
  void aBlockIsAboutAsLongAsThereAreBlocks() {
    assertThat(TraceResampling.inRootBlocks(trace(List.of(1, 1, 1, 1, 1))).block()).isEqualTo(3);
  }

  @Test
  void aBlockHasAJob() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TraceResampling(0))
        .withMessage("a block must have at least one job, but had 0");
  }

  @Test
  void drawsAndSeedsDiffer() {
    Trace trace = trace(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
    TraceResampling resampling = new TraceResampling(2);

    assertThat(origins(resampling.draw(trace, 1, 0)))
        .isEqualTo(origins(resampling.draw(trace, 1, 0)))
        .isNotEqualTo(origins(resampling.draw(trace, 2, 0)))
        .isNotEqualTo(origins(resampling.draw(trace, 1, 1)));
  }

  @Property(tries = 300)
  void eachBlockIsAPieceOfTheTraceWithItsGaps(
      @ForAll @Size(min = 1, max = 30) List<@IntRange(max = 1000) Integer> gaps,
      @ForAll @IntRange(min = 1, max = 12) int block,
      @ForAll @IntRange(min = 1, max = 50) int number,
      @ForAll long seed) {
    Trace trace = trace(gaps);

    List<TraceJob> drawn = new TraceResampling(block).draw(trace, number, seed).jobs();

    assertThat(drawn).hasSameSizeAs(gaps);
    assertThat(drawn).extracting(TraceJob::id).doesNotHaveDuplicates();
    for (int i = 0; i < drawn.size(); i++) {
      int origin = origin(drawn.get(i));
      assertThat(drawn.get(i).gpus()).isEqualTo(trace.jobs().get(origin).gpus());
      if (i % block != 0) {
        assertThat(origin).isEqualTo((origin(drawn.get(i - 1)) + 1) % gaps.size());
      }
      if (i > 0 && origin > 0) {
        assertThat(drawn.get(i).submit().minus(drawn.get(i - 1).submit()).toSeconds())
            .isEqualTo(gaps.get(origin).longValue());
      }
    }
  }

  /** Returns a trace with these gaps before its jobs; job {@code i} has {@code i + 1} GPUs. */
  private static Trace trace(List<Integer> gaps) {
    List<TraceJob> jobs = new ArrayList<>();
    long submit = 0;
    for (int i = 0; i < gaps.size(); i++) {
      submit += gaps.get(i);
      jobs.add(
          TraceJob.builder(Integer.toString(i))
              .submit(Duration.ofSeconds(submit))
              .gpus(i + 1)
              .duration(Duration.ofSeconds(60))
              .build());
    }
    return Trace.of("test", jobs);
  }

  private static List<Integer> origins(Trace trace) {
    return trace.jobs().stream().map(TraceResamplingTest::origin).toList();
  }

  private static int origin(TraceJob job) {
    return Integer.parseInt(job.id().split("~", 2)[0]);
  }
}
