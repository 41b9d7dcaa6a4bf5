package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.job.JobSpec;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A small cluster that is partly busy, partly down, and a job to place there. Shrinks towards one
 * empty node and a job that asks for nothing.
 *
 * @param topology what the cluster is made of: up to two zones of up to three racks, 1 to 14 nodes
 * @param residents the jobs to run there; those that did not fit do not
 * @param outages which nodes are not up
 * @param job the job to place
 */
public record PlacementScenario(
    ClusterTopology topology, List<ResidentJob> residents, List<Outage> outages, JobSpec job) {

  /** A node that is not up, picked by number from those there are. */
  record Outage(int node, NodeHealth health) {}

  /** Copies the lists. */
  public PlacementScenario {
    residents = List.copyOf(residents);
    outages = List.copyOf(outages);
  }

  /** Returns scenarios with jobs of one role and whole GPUs, with and without constraints. */
  public static Arbitrary<PlacementScenario> any() {
    return withJobs(Jobs.constrained());
  }

  /** Returns scenarios with jobs of your own. */
  public static Arbitrary<PlacementScenario> withJobs(Arbitrary<JobSpec> jobs) {
    return Combinators.combine(
            Topologies.any(), ResidentJob.any().list().ofMaxSize(11), anyOutages(), jobs)
        .as(PlacementScenario::new)
        .withoutEdgeCases();
  }

  private static Arbitrary<List<Outage>> anyOutages() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 13),
            Arbitraries.of(NodeHealth.DRAINING, NodeHealth.LOST))
        .as(Outage::new)
        .list()
        .ofMaxSize(2);
  }

  /** Returns a new cluster with its residents. */
  public PlainCluster cluster() {
    PlainCluster cluster = PlainCluster.of(topology);
    for (int i = 0; i < residents.size(); i++) {
      residents.get(i).startOn(cluster, "resident-" + i);
    }
    for (Outage outage : outages) {
      int position = outage.node() % topology.nodes().size();
      cluster.setHealth(topology.nodes().get(position).id(), outage.health());
    }
    return cluster;
  }

  /** Returns all that matters to a placer, a node a line. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("%s asks %s of %s%n".formatted(job.id(), job.roles(), job.gpuModels()));
    text.append("  %s, labels %s%n".formatted(job.topology(), job.nodeLabels()));
    text.append("  %s, %s%n".formatted(job.sharing(), job.communication()));
    PlainCluster cluster = cluster();
    for (Node node : topology.nodes()) {
      String parent = node.domain().map(DomainId::value).orElse("no domain");
      text.append("%s in %s, %s".formatted(node.id(), parent, cluster.health(node.id())));
      text.append(", %s, %s, %s".formatted(node.gpus(), node.cpu(), node.memory()));
      text.append(", labels %s%n".formatted(node.labels()));
    }
    cluster.runningJobs().forEach(id -> text.append(cluster.placement(id).orElseThrow() + "\n"));
    return text.toString();
  }
}
