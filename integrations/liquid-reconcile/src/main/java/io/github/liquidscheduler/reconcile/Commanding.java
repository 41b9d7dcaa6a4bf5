package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.reconcile.ObservedRequest.Unsupported;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What cells of the table command, and note before that. */
final class Commanding {
  static final String FORGOTTEN_END =
      "it has ended here, and the cluster manager has forgotten that";

  private record Start(SeenJob job, Placement placement) {}

  private final Sight sight;
  private final Scheduler scheduler;
  private final Differences found;
  private final Map<JobId, Start> starts = new HashMap<>();
  private final Map<JobId, List<NodeId>> unseen = new HashMap<>();

  Commanding(Sight sight, Scheduler scheduler, Differences found) {
    this.sight = sight;
    this.scheduler = scheduler;
    this.found = found;
  }

  /** A job that is not shown may still hold what it had (R3), also once its grace is over. */
  void countUnseen(JobId own, JobNote note) {
    note.began().ifPresent(began -> unseen.put(own, began.on()));
  }

  void hold(SeenJob job) {
    found.command(new Command.Hold(job.seen().id()));
  }

  void stop(SeenJob job, Duration grace) {
    found.command(new Command.Stop(job.seen().id(), job.seen().attempt(), grace));
  }

  /** The manager shows a job as waiting that has begun under this attempt (R5). */
  void startAgain(SeenJob job, Placement placement) {
    boolean mayRunAgain = scheduler.job(job.own()).filter(JobSpec::isPreemptible).isPresent();
    if (!mayRunAgain && isKnownWhere(job)) {
      giveUp(job, "it has begun, the cluster manager has forgotten that, and it may not run again");
    } else if (mayRunAgain) {
      start(job, placement);
    }
  }

  void start(SeenJob job, Placement placement) {
    if (!isKnownWhere(job)) {
      return;
    }
    if (job.note().hasEnded(job.seen().attempt())) {
      giveUp(job, FORGOTTEN_END);
    } else if (mayRun(job)
        && (!began(job).isOn(SeenJob.nodes(placement)) || sight.isClosed(placement))) {
      giveUp(
          job,
          "it may run on %s, and the cluster manager has forgotten that"
              .formatted(began(job).on()));
    } else if (!mayBeLaunchedElsewhere(job, placement)) {
      starts.put(job.own(), new Start(job, placement));
    }
  }

  /**
   * Returns true if the manager, killed now, may come back with the job as it was started before,
   * elsewhere, and launch it there: that it is held is not saved yet.
   */
  private boolean mayBeLaunchedElsewhere(SeenJob job, Placement placement) {
    return job.note().began().filter(at -> !at.isOn(SeenJob.nodes(placement))).isPresent()
        && !sight.isHoldSaved().test(job.seen().id());
  }

  private static JobNote.Began began(SeenJob job) {
    return job.note().began().orElseThrow();
  }

  /** Returns false while the manager does not know what runs where it may have begun (R6). */
  private boolean isKnownWhere(SeenJob job) {
    return !mayRun(job) || !sight.isSuspect(began(job).on());
  }

  /** Returns true if it may have begun in an earlier life of the manager. */
  boolean mayRun(SeenJob job) {
    return job.note().hasBegun(job.seen().attempt())
        && !began(job).epoch().equals(sight.seen().epoch());
  }

  /** Starts come in the order decided, each once the manager shows GPUs for it (R7). */
  void commandStarts() {
    if (starts.isEmpty()) {
      return;
    }
    FreeGpus free = new FreeGpus();
    for (JobId own : scheduler.view().runningJobs()) {
      @Nullable Start start = starts.get(own);
      if (start != null && sight.isOpen(start.placement()) && free.take(start.placement())) {
        SeenJob job = start.job();
        JobNote.Began began =
            new JobNote.Began(
                job.seen().attempt(), SeenJob.nodes(start.placement()), sight.seen().epoch());
        if (!mayRun(job)) {
          found.noteCommand(job.note(), note -> note.begins(began));
        }
        found.command(new Command.Start(job.seen().id(), job.seen().attempt(), start.placement()));
      }
    }
  }

  void giveUp(SeenJob job, String text) {
    found.command(new Command.GiveUp(job.seen().id(), text));
  }

  /** Tells a user once that his job is not wanted as it is. */
  void refuse(SeenJob job) {
    String text =
        job.seen().request() instanceof Unsupported(String why)
            ? why
            : job.refusal(sight)
                .map(Sight.Refusal::text)
                .or(() -> job.note().told().map(JobNote.Told::text))
                .orElse("it can never run here as it is");
    JobNote.Told told = new JobNote.Told(job.seen().attempt(), text, sight.seen().epoch());
    if (!job.note().told().equals(Optional.of(told))) {
      found.refuse(
          new Command.Refuse(job.seen().id(), text), note -> note.of(job.seen()).tells(told));
    }
  }

  /**
   * The GPUs of each node that nobody holds, as the manager shows: those of jobs that are ending
   * are held, and those of jobs that are not shown, or whose start may still come. Shares of GPUs
   * are not counted. Not thread-safe.
   */
  private final class FreeGpus {
    private final Map<NodeId, Integer> free = new HashMap<>();

    FreeGpus() {
      for (Node node : sight.seen().cluster().nodes()) {
        free.put(node.id(), node.gpus().size());
      }
      for (ObservedJob job : sight.seen().jobs()) {
        if (job.request() instanceof ObservedRequest.Understood request) {
          take(request.spec(), nodes(job, sight.note().apply(job.id())));
        }
      }
      unseen.forEach((own, on) -> take(scheduler.job(own).orElseThrow(), on));
    }

    private List<NodeId> nodes(ObservedJob job, JobNote note) {
      return switch (job.state()) {
        // Of a job that was pinned it is noted how many tasks go to each node.
        case ObservedState.Released(List<NodeId> pinned) ->
            note.began()
                .map(JobNote.Began::on)
                .filter(on -> on.stream().distinct().sorted().toList().equals(pinned))
                .orElse(pinned);
        // Its start, by a process before this one, may be on its way; or its hold be forgotten.
        case ObservedState.Held held
            when note.hasBegun(job.attempt())
                && !starts.containsKey(note.own())
                && !sight.isHoldSaved().test(job.id()) ->
            note.began().orElseThrow().on();
        default -> job.on();
      };
    }

    private void take(JobSpec spec, List<NodeId> on) {
      Iterator<NodeId> nodes = on.iterator();
      for (TaskRole role : spec.roles()) {
        int gpus = role.request().share().isPresent() ? 0 : role.request().gpus();
        for (int task = 0; task < role.count() && nodes.hasNext(); task++) {
          free.merge(nodes.next(), -gpus, Integer::sum);
        }
      }
    }

    /** Takes what a placement needs, if it is there. */
    boolean take(Placement placement) {
      Map<NodeId, Integer> wanted = new HashMap<>();
      for (TaskPlacement task : placement.tasks()) {
        int gpus = task.share().equals(GpuShare.WHOLE) ? task.gpus().size() : 0;
        wanted.merge(task.node(), gpus, Integer::sum);
      }
      boolean fits =
          wanted.entrySet().stream()
              .allMatch(
                  each ->
                      each.getValue() == 0
                          || each.getValue() <= free.getOrDefault(each.getKey(), 0));
      if (fits) {
        wanted.forEach((node, gpus) -> free.merge(node, -gpus, Integer::sum));
      }
      return fits;
    }
  }
}
