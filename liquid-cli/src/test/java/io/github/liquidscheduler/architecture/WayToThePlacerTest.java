package io.github.liquidscheduler.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The way of a submitted job to the placer is short, and the page on the architecture shows it. */
class WayToThePlacerTest {
  private static final Pattern CALL = Pattern.compile("(?m)^→ `([A-Za-z]+\\.[a-zA-Z]+)`");

  private final List<StackWalker.StackFrame> frames = new ArrayList<>();

  /** Notes how it was called when it places a job. */
  private final class Noting implements ForwardingPlacer {
    @Override
    public Placer placer() {
      return Placers.bestFit();
    }

    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      frames.clear();
      StackWalker.getInstance()
          .forEach(
              frame -> {
                if (frame.getClassName().startsWith(Modules.ROOT_PACKAGE)
                    || frame.getClassName().startsWith("java.")) {
                  frames.add(frame);
                }
              });
      return ForwardingPlacer.super.place(view, job);
    }
  }

  private List<StackWalker.StackFrame> way() {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(
                ClusterTopology.builder()
                    .node(Node.builder("n").gpus(1, GpuModel.of("H100"), Memory.ofGib(80)).build())
                    .build())
            .policy(Policies.bestEffortFifo())
            .placer(new Noting())
            .build();
    scheduler.on(
        new ClusterEvent.JobSubmitted(Instant.EPOCH, JobSpec.builder("job").gpus(1).build()));
    List<StackWalker.StackFrame> way = new ArrayList<>();
    for (StackWalker.StackFrame frame : frames.subList(1, frames.size())) {
      way.add(frame);
      if (frame.getClassName().equals(LiquidScheduler.class.getName())
          && frame.getMethodName().equals("on")) {
        return way.reversed();
      }
    }
    throw new AssertionError("the placer was not called by on, but by " + frames);
  }

  @Test
  void atMostTwentyFramesOfTwelveTypesLieBetween() {
    List<StackWalker.StackFrame> way = way();

    assertThat(way).hasSizeLessThanOrEqualTo(20);
    assertThat(way.stream().map(StackWalker.StackFrame::getClassName).distinct())
        .hasSizeLessThanOrEqualTo(12);
  }

  @Test
  void thePageShowsTheCalls() {
    List<String> calls =
        way().stream()
            .filter(frame -> frame.getClassName().startsWith(Modules.ROOT_PACKAGE))
            .filter(frame -> !frame.getMethodName().contains("lambda$"))
            .map(frame -> simpleName(frame.getClassName()) + "." + frame.getMethodName())
            .toList();

    assertThat(
            CALL.matcher(SourceTree.read(SourceTree.ROOT.resolve("docs/architecture.md")))
                .results()
                .map((MatchResult call) -> call.group(1)))
        .isEqualTo(calls);
  }

  private static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }
}
