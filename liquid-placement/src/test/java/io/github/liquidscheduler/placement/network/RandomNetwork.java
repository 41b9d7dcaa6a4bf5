package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.cost.NetworkParameters.AllReduceAlgorithm;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A random tree of racks in zones, a job, where it stands, and who else is there. */
final class RandomNetwork {

  private final Choices choices;
  private final List<Domain> domains = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final ClusterTopology topology;
  private final NetworkParameters parameters;
  private final List<Traffic> residentTraffic = new ArrayList<>();
  private final List<TaskCounts> residentCounts = new ArrayList<>();
  final JobSpec job;
  final Traffic traffic;
  final TaskCounts counts;

  RandomNetwork(Choices choices) {
    this.choices = choices;
    Random random = choices.random();
    addTree(random);
    topology = topology(domains, nodes);
    parameters =
        NetworkParameters.builder()
            .pairPenalty(random.nextInt(2))
            .overlap(1 + 4 * random.nextDouble())
            .linkLatency(Duration.ofNanos(random.nextInt(100_000)))
            .allReduce(
                random.nextBoolean() ? AllReduceAlgorithm.RING : AllReduceAlgorithm.HIERARCHICAL)
            .build();
    job = job("job", random);
    traffic = Traffic.of(job, compute(random));
    counts = counts(random);
    for (int i = 0; i < random.nextInt(5); i++) {
      residentTraffic.add(Traffic.of(job("resident" + i, random), compute(random)));
      residentCounts.add(counts(random));
    }
  }

  private void addTree(Random random) {
    for (int zone = 0; zone < 1 + random.nextInt(3); zone++) {
      domains.add(Domain.of("zone", "z" + zone).withUplink(link(random)));
      for (int rack = 0; rack < 1 + random.nextInt(3); rack++) {
        String id = "z" + zone + "r" + rack;
        Domain domain = Domain.of("rack", id).in("z" + zone).withUplink(link(random));
        domains.add(random.nextInt(4) == 0 ? domain.withFabric(bandwidth(random)) : domain);
        for (int node = 0; node < 1 + random.nextInt(4); node++) {
          nodes.add(node(id + "n" + node, random).domain(id).build());
        }
      }
    }
  }

  private static Node.Builder node(String id, Random random) {
    return Node.builder(id)
        .gpus(8, GpuModel.of("A100"), Memory.ofGib(40))
        .nic(link(random))
        .nvlink(bandwidth(random));
  }

  private static Link link(Random random) {
    return random.nextInt(8) == 0
        ? Link.UNLIMITED
        : new Link(bandwidth(random), Duration.ofNanos(random.nextInt(10_000)));
  }

  private static Bandwidth bandwidth(Random random) {
    return Bandwidth.ofGigabitsPerSecond(1 + random.nextInt(400));
  }

  private static Duration compute(Random random) {
    return Duration.ofMillis(1 + random.nextInt(1000));
  }

  private static JobSpec job(String id, Random random) {
    return JobSpec.builder(id)
        .role("ps", 1, ResourceRequest.ofGpus(1))
        .role("worker", 1, ResourceRequest.ofGpus(1 + random.nextInt(2)))
        .communication(
            new Communication.Combined(List.of(communication(random), communication(random))))
        .build();
  }

  private static Communication communication(Random random) {
    long bytes = 1L + random.nextInt(2_000_000_000);
    return switch (random.nextInt(6)) {
      case 0 -> new Communication.None();
      case 1 -> new Communication.ParameterServer("ps", "worker", bytes);
      case 2 -> new Communication.Pipeline(bytes);
      case 3 -> new Communication.AllToAll(bytes);
      case 4 -> new Communication.TensorParallel(2 + random.nextInt(7), bytes);
      default -> new Communication.AllReduce(bytes);
    };
  }

  private TaskCounts counts(Random random) {
    TaskCounts random8 = new TaskCounts(nodes.size(), 2);
    for (int task = 0; task < 1 + random.nextInt(8); task++) {
      random8.add(random.nextInt(nodes.size()), random.nextInt(2), 1 + random.nextInt(2));
    }
    return random8;
  }

  private static ClusterTopology topology(List<Domain> domains, List<Node> nodes) {
    ClusterTopology.Builder builder = ClusterTopology.builder().levels("zone", "rack");
    domains.forEach(builder::domain);
    return builder.nodes(nodes).build();
  }

  /** Adds the tasks of the job, and others that are taken away again, asking what they cost. */
  void addWithDetours(IncrementalCost cost) {
    Random random = choices.random(3);
    for (int slot = 0; slot < counts.size(); slot++) {
      int other = random.nextInt(nodes.size());
      int role = random.nextInt(2);
      cost.add(other, role, 1 + slot);
      cost.add(counts.node(slot), 0, counts.tasks(slot, 0));
      if (random.nextBoolean()) {
        cost.cost();
      }
      cost.add(counts.node(slot), 1, counts.tasks(slot, 1));
      if (random.nextBoolean()) {
        cost.cost();
      }
      cost.remove(other, role, 1 + slot);
    }
  }

  NetworkModel model() {
    return NetworkModel.of(topology, parameters);
  }

  LinkLoads loads(NetworkModel model) {
    LinkLoads loads = LinkLoads.none(model);
    for (int i = 0; i < residentTraffic.size(); i++) {
      loads.add(residentTraffic.get(i), residentCounts.get(i));
    }
    return loads;
  }

  List<JobId> residents() {
    return residentTraffic.stream().map(Traffic::job).toList();
  }

  PhysicalCost.JobCost cost(NetworkModel model) {
    return cost(model, loads(model));
  }

  PhysicalCost.JobCost cost(NetworkModel model, LinkLoads loads) {
    return PhysicalCost.of(model, loads).forTraffic(traffic);
  }

  /** The same tree with its parts in reverse order and other names. */
  ClusterTopology reversedTopology() {
    List<Domain> otherDomains = new ArrayList<>();
    for (Domain domain : domains) {
      Domain other = Domain.of(domain.level(), name(domain.id())).withUplink(domain.uplink());
      other = domain.parent().isPresent() ? other.in(name(domain.parent().get())) : other;
      otherDomains.add(
          domain.fabric().isPresent() ? other.withFabric(domain.fabric().get()) : other);
    }
    List<Node> otherNodes = new ArrayList<>();
    for (Node node : nodes) {
      Node.Builder other = node.toBuilder().id(name(node.id()));
      otherNodes.add(other.domain(name(node.domain().orElseThrow())).build());
    }
    Collections.reverse(otherDomains);
    Collections.reverse(otherNodes);
    return topology(otherDomains, otherNodes);
  }

  private static String name(DomainId id) {
    return "other-" + id;
  }

  private static String name(NodeId id) {
    return "other-" + id;
  }

  TaskCounts reversed(TaskCounts original) {
    ClusterTopology reversed = reversedTopology();
    TaskCounts same = new TaskCounts(nodes.size(), 2);
    for (int slot = original.size() - 1; slot >= 0; slot--) {
      NodeId node = topology.nodes().get(original.node(slot)).id();
      int position = reversed.position(new NodeId(name(node)));
      same.add(position, 0, original.tasks(slot, 0));
      same.add(position, 1, original.tasks(slot, 1));
    }
    return same;
  }

  LinkLoads reversedLoads(NetworkModel model) {
    LinkLoads loads = LinkLoads.none(model);
    for (int i = 0; i < residentTraffic.size(); i++) {
      loads.add(residentTraffic.get(i), reversed(residentCounts.get(i)));
    }
    return loads;
  }

  /** The same tree with some links, NVLinks and fabrics wider. */
  ClusterTopology widenedTopology() {
    Random random = choices.random(1);
    List<Domain> wideDomains = new ArrayList<>();
    for (Domain domain : domains) {
      Domain wide = domain.withUplink(wider(domain.uplink(), random));
      wideDomains.add(
          domain.fabric().isPresent()
              ? wide.withFabric(wider(domain.fabric().get(), random))
              : wide);
    }
    List<Node> wideNodes = new ArrayList<>();
    for (Node node : nodes) {
      wideNodes.add(
          node.toBuilder()
              .nic(wider(node.nic(), random))
              .nvlink(wider(node.nvlink(), random))
              .build());
    }
    return topology(wideDomains, wideNodes);
  }

  private static Link wider(Link link, Random random) {
    return new Link(wider(link.bandwidth(), random), link.latency());
  }

  private static Bandwidth wider(Bandwidth bandwidth, Random random) {
    return bandwidth.isUnlimited() || random.nextBoolean()
        ? bandwidth
        : new Bandwidth(bandwidth.bytesPerSecond() * (1 + random.nextInt(3)));
  }

  /** Returns loads of which only the rates are known: the same, however wide the links. */
  LinkLoads background(NetworkModel model) {
    Random random = choices.random(2);
    LinkLoads loads = LinkLoads.none(model);
    for (int link = 0; link < nodes.size() + domains.size(); link++) {
      loads.setBackground(link, random.nextBoolean() ? Bandwidth.ZERO : bandwidth(random));
    }
    return loads;
  }
}
