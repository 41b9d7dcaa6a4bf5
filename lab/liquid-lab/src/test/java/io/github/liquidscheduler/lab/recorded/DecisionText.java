package io.github.liquidscheduler.lab.recorded;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes down what a scheduler decides, one decision a line, in words that depend on no name of a
 * class, no reason and no format of files: the number of the event, what is done, the job, and each
 * task as {@code role/index@node[gpu,gpu]}, with {@code #thousandths} behind it if it holds a
 * share. Counts what is decided on the way.
 */
final class DecisionText {

  private final Scheduler scheduler;
  private final List<String> lines = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private int events;

  DecisionText(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Gives the event to the scheduler, writes down what it decides and returns that. */
  List<Decision> on(ClusterEvent event) {
    List<Decision> decisions = scheduler.on(event);
    for (Decision decision : decisions) {
      lines.add(events + " " + text(decision));
    }
    decisions.forEach(decision -> countPlaces(event, decision));
    events++;
    return decisions;
  }

  /** Writes down that the scheduler has refused the next event. */
  void refused(IllegalArgumentException why) {
    lines.add(events + " refused: " + why.getMessage());
  }

  /** Returns all lines, with who waits and who runs now at their end. */
  List<String> lines() {
    List<String> all = new ArrayList<>(lines);
    all.add("waiting" + ids(scheduler.waiting()));
    for (JobId job : scheduler.view().runningJobs()) {
      all.add("running " + job.value() + tasks(scheduler.view().placement(job).orElseThrow()));
    }
    return all;
  }

  /** Returns how often each thing was decided. */
  Map<String, Integer> counts() {
    return Collections.unmodifiableMap(counts);
  }

  /** Returns the SHA-256 of lines, each with its line end. */
  static String digest(List<String> lines) {
    String text = lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private String text(Decision decision) {
    return switch (decision) {
      case Decision.Start d -> counted("start", d.job()) + tasks(d.placement());
      case Decision.Preempt d -> counted("preempt", d.job());
      case Decision.Migrate d -> counted("migrate", d.job()) + tasks(d.placement());
      case Decision.Resize d -> counted("resize", d.job()) + tasks(d.placement());
      case Decision.Profile d -> counted("profile", d.job());
      case Decision.Reject d -> counted("reject", d.job());
      case Decision.Prefetch d -> counted("prefetch", d.job()) + " " + d.node() + " " + d.dataset();
      case Decision.CancelPrefetch d -> "cancelPrefetch " + d.node() + " " + d.dataset();
      case Decision.RequestPlan d -> {
        count("requestPlan");
        if (!d.deferrable().isEmpty()) {
          count("patient");
        }
        yield "requestPlan " + d.number() + ids(d.jobs()) + " patient" + ids(d.deferrable());
      }
    };
  }

  private String counted(String what, JobId job) {
    count(what);
    return what + " " + job.value();
  }

  /** Counts jobs that come beside others on a GPU, and those that go where a plan said. */
  private void countPlaces(ClusterEvent event, Decision decision) {
    List<Placement> planned =
        event instanceof ClusterEvent.PlanProposed proposed
            ? Stream.concat(
                    proposed.plan().starts().stream(),
                    proposed.plan().migrations().stream().map(Migration::to))
                .toList()
            : List.of();
    if (decision instanceof Decision.Start start) {
      countIf(isBesideOthers(start.placement()), "beside");
      countIf(planned.contains(start.placement()), "planned");
    } else if (decision instanceof Decision.Migrate migrate) {
      countIf(isBesideOthers(migrate.placement()), "beside");
      countIf(planned.contains(migrate.placement()), "planned");
    }
  }

  private boolean isBesideOthers(Placement placement) {
    return placement.tasks().stream()
        .flatMap(task -> task.gpus().stream().map(gpu -> new GpuId(task.node(), gpu)))
        .anyMatch(gpu -> scheduler.view().residents(gpu).size() > 1);
  }

  private void countIf(boolean counts, String what) {
    if (counts) {
      count(what);
    }
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  private static String ids(List<JobId> jobs) {
    return jobs.stream().map(job -> " " + job.value()).collect(Collectors.joining());
  }

  private static String tasks(Placement placement) {
    return placement.tasks().stream().map(DecisionText::task).collect(Collectors.joining());
  }

  private static String task(TaskPlacement task) {
    String gpus = task.gpus().stream().map(String::valueOf).collect(Collectors.joining(","));
    int share = task.share().thousandths();
    return " %s/%d@%s[%s]%s"
        .formatted(
            task.task().role(),
            task.task().index(),
            task.node().value(),
            gpus,
            share == 1000 ? "" : "#" + share);
  }
}
