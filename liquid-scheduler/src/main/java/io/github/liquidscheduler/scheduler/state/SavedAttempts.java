package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.KeptOut;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The failed attempts to start beside reservations in a snapshot, each named by a first job. */
final class SavedAttempts {

  private SavedAttempts() {}

  static void save(SnapshotSection.Builder section, JobTable jobs) {
    SortedMap<JobId, KeptOut> failed = new TreeMap<>();
    for (JobEntry job : jobs.eligible().byClass().firsts()) {
      @Nullable KeptOut attempt = job.shortage().keptOut();
      if (attempt != null && attempt.lasts()) {
        failed.put(job.id(), attempt);
      }
    }
    SortedMap<JobId, KeptOut> passing = new TreeMap<>(failed);
    passing.values().removeIf(attempt -> attempt.passed().isEmpty());
    ClusterTopology topology = jobs.cluster().topology();
    BitSet loosened = new BitSet();
    jobs.agenda().loosened().forEach(each -> each.capacity().addTo(loosened));
    section
        .texts("keptOut", failed.keySet())
        .texts("keptOutFor", failed.values().stream().map(KeptOut::length).toList())
        .list("passing", passing.entrySet(), SavedAttempts::passing)
        .texts(
            "loosened", loosened.stream().mapToObj(topology.nodes()::get).map(Node::id).toList());
  }

  private static SnapshotSection passing(Map.Entry<JobId, KeptOut> attempt) {
    return SnapshotSection.builder()
        .text("job", attempt.getKey())
        .texts("passed", attempt.getValue().passed())
        .build();
  }

  static void load(SnapshotSection.Reader in, JobTable jobs) {
    Map<JobId, List<JobId>> passing = new HashMap<>();
    in.list(
        "passing",
        SnapshotSection.class,
        each ->
            each.read(
                one -> passing.put(one.text("job", JobId::of), one.texts("passed", JobId::of))));
    List<Long> lengths = in.texts("keptOutFor", Long::valueOf);
    int at = 0;
    for (JobEntry job : SavedAgenda.jobs(in, "keptOut", jobs)) {
      List<JobId> passed = passing.getOrDefault(job.id(), List.of());
      job.shortage().keepOut(new KeptOut(lengths.get(at++), passed, true));
    }
    ClusterTopology topology = jobs.cluster().topology();
    in.texts("loosened", NodeId::of)
        .forEach(node -> jobs.agenda().loosen(NodeSet.all(topology, topology.position(node))));
  }
}
