package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.RetryState;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes that an event has left to the next one: jobs and nodes to try. Where jobs learn from
 * co-location, trying every job everywhere is no substitute, since it could start jobs that the
 * policy admits only now.
 */
final class OpenChanges {

  private OpenChanges() {}

  static SnapshotSection save(JobTable jobs) {
    RetryState changes = jobs.changes();
    ClusterTopology topology = jobs.cluster().topology();
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .texts("fresh", changes.fresh().stream().map(JobEntry::id).toList())
            .texts(
                "grown",
                changes.grownNodes().stream()
                    .mapToObj(node -> topology.nodes().get(node).id())
                    .toList())
            .list("admitted", inOneOrder(changes.admitted()), OpenChanges::admitted);
    if (changes.hasRelearned()) {
      section.put("relearned", true);
    }
    if (changes.hasGrown()) {
      section.put("grownFrom", changes.grownFrom()).put("askedOf", changes.askedOf());
    }
    return section.build();
  }

  /** Returns kinds in an order independent of their arrival. */
  private static List<CoRunnerKind> inOneOrder(Set<CoRunnerKind> kinds) {
    return kinds.stream().sorted(Comparator.comparing(CoRunnerKind::toString)).toList();
  }

  private static List<Map.Entry<CoRunnerKind, Set<CoRunnerKind>>> inOneOrder(
      Map<CoRunnerKind, Set<CoRunnerKind>> kinds) {
    return kinds.entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getKey().toString()))
        .toList();
  }

  private static SnapshotSection admitted(Map.Entry<CoRunnerKind, Set<CoRunnerKind>> waiting) {
    return SnapshotSection.builder()
        .put("waiting", kind(waiting.getKey()))
        .list("beside", inOneOrder(waiting.getValue()), OpenChanges::kind)
        .build();
  }

  private static SnapshotSection kind(CoRunnerKind kind) {
    SnapshotSection.Builder section = SnapshotSection.builder().put("workload", kind.workload());
    switch (kind.sharing()) {
      case Sharing.Guaranteed promised -> section.put("floor", (Object) promised.floor());
      case Sharing.Opportunistic any -> {}
      case Sharing.Exclusive alone -> section.put("exclusive", true);
    }
    return section.build();
  }

  static void load(SnapshotSection.Reader in, JobTable jobs) {
    jobs.changes().block(null);
    for (JobId id : in.texts("fresh", JobId::of)) {
      @Nullable JobEntry job = jobs.find(id);
      if (job == null || job.isRunning()) {
        throw new IllegalArgumentException(
            "a job that has still to be tried must wait, but '" + id + "' does not");
      }
      jobs.changes().fresh().add(job);
    }
    long rank = in.optional("grownFrom", Long.class).orElse(Long.MIN_VALUE);
    for (NodeId node : in.texts("grown", NodeId::of)) {
      if (!jobs.cluster().topology().contains(node)) {
        throw new IllegalArgumentException(
            "a node with grown capacity must be in the cluster, but '" + node + "' is not");
      }
      jobs.growOn(node, rank);
    }
    if (in.optional("relearned", Boolean.class).orElse(false)) {
      jobs.relearn();
    }
    in.list("admitted", SnapshotSection.class, each -> each.read(kinds -> admit(kinds, jobs)));
    jobs.changes().leaveOpen(rank, in.optional("askedOf", Long.class).orElse(-1L));
  }

  private static boolean admit(SnapshotSection.Reader in, JobTable jobs) {
    CoRunnerKind waiting = in.value("waiting", SnapshotSection.class).read(OpenChanges::kind);
    jobs.admitBeside(
        waiting,
        new LinkedHashSet<>(
            in.list("beside", SnapshotSection.class, each -> each.read(OpenChanges::kind))));
    return true;
  }

  private static CoRunnerKind kind(SnapshotSection.Reader in) {
    Workload workload = in.value("workload", Workload.class);
    Optional<Double> floor = in.optional("floor", Double.class);
    boolean isExclusive = in.optional("exclusive", Boolean.class).orElse(false);
    Sharing other = isExclusive ? new Sharing.Exclusive() : new Sharing.Opportunistic();
    return new CoRunnerKind(workload, floor.<Sharing>map(Sharing.Guaranteed::new).orElse(other));
  }
}
