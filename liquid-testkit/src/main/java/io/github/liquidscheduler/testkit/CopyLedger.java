package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Books of its own on copies of data sets: nothing is brought that is there or on its way, no disk
 * is overfull, and nothing is given up that a running job reads. Not thread-safe.
 */
final class CopyLedger {
  private final Map<NodeId, Disk> disks = new HashMap<>();

  private static final class Disk {
    final Node node;
    final Map<String, Dataset> copies = new LinkedHashMap<>();
    final Map<String, Dataset> underWay = new LinkedHashMap<>();

    Disk(Node node) {
      this.node = node;
      node.datasets().forEach(dataset -> copies.put(dataset.name(), dataset));
    }

    long bytes() {
      return bytes(copies) + bytes(underWay);
    }

    private static long bytes(Map<String, Dataset> copies) {
      return copies.values().stream().mapToLong(dataset -> dataset.size().bytes()).sum();
    }
  }

  CopyLedger(ClusterTopology topology) {
    topology.nodes().forEach(node -> disks.put(node.id(), new Disk(node)));
  }

  void note(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.NodeAdded e -> disks.put(e.node().id(), new Disk(e.node()));
      case ClusterEvent.NodeRetired e -> disks.remove(e.node());
      case ClusterEvent.DataArrived e -> {
        disk(e.node()).underWay.remove(e.dataset().name());
        disk(e.node()).copies.put(e.dataset().name(), e.dataset());
      }
      case ClusterEvent.PrefetchFailed e -> disk(e.node()).underWay.remove(e.dataset());
      case ClusterEvent.DataEvicted e -> disk(e.node()).copies.remove(e.dataset());
      default -> {
        // Changes no copy.
      }
    }
  }

  void bring(
      Decision.Prefetch prefetch, Collection<Placement> running, Function<JobId, JobSpec> jobs) {
    Disk disk = disk(prefetch.node());
    String name = prefetch.dataset().name();
    for (String evicted : prefetch.evict()) {
      assertThat(disk.copies.remove(evicted)).as("%s evicts what is there", prefetch).isNotNull();
      for (Placement placement : running) {
        if (placement.nodes().contains(prefetch.node())) {
          assertThat(jobs.apply(placement.job()).datasets())
              .as("%s evicts what %s reads", prefetch, placement.job())
              .noneMatch(dataset -> dataset.name().equals(evicted));
        }
      }
    }
    assertThat(disk.copies).as("%s is not there", prefetch).doesNotContainKey(name);
    assertThat(disk.underWay).as("%s is not on its way", prefetch).doesNotContainKey(name);
    disk.underWay.put(name, prefetch.dataset());
    assertThat(disk.bytes())
        .as("%s fits the disk", prefetch)
        .isLessThanOrEqualTo(disk.node.disk().bytes());
  }

  void cancel(Decision.CancelPrefetch cancel) {
    assertThat(disk(cancel.node()).underWay.remove(cancel.dataset()))
        .as("%s is of what is on its way", cancel)
        .isNotNull();
  }

  private Disk disk(NodeId node) {
    return Objects.requireNonNull(disks.get(node), () -> "node '" + node + "' is not there");
  }
}
