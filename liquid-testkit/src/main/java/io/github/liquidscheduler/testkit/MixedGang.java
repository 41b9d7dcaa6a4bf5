package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleGroup;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * An idle cluster of two to four nodes and a job of several roles that hardly fits it, or hardly
 * not: GPUs, CPU and memory are all scarce. Whether it fits is found by trying every assignment of
 * tasks to nodes. Shrinks towards small nodes and few small tasks.
 */
public record MixedGang(ClusterTopology topology, JobSpec job) {

  private static final List<String> LEVELS = List.of("rack", ClusterTopology.NODE);

  private record Amounts(int gpus, int cpu, int memory) {}

  private record Role(int count, Amounts each) {}

  /** Returns jobs of {@code roles} roles, without constraints on the topology. */
  public static Arbitrary<MixedGang> ofRoles(int roles) {
    return with(roles, Arbitraries.just(TopologyConstraint.NONE));
  }

  /** Returns jobs of two or three roles with a required level, slices or a spread. */
  public static Arbitrary<MixedGang> constrained() {
    Arbitrary<String> levels = Arbitraries.of(LEVELS);
    Arbitrary<Integer> counts = Arbitraries.integers().between(1, 2);
    Arbitrary<TopologyConstraint> constraints =
        Arbitraries.oneOf(
            levels.map(TopologyConstraint::required),
            Combinators.combine(counts, levels).as(TopologyConstraint.NONE::andSlices),
            Combinators.combine(counts, levels).as(TopologyConstraint.NONE::andSpread),
            counts.map(most -> TopologyConstraint.required("rack").andSpread(most, "node")));
    return Arbitraries.oneOf(with(2, constraints), with(3, constraints));
  }

  /** Returns jobs of two or three roles, some of which have to be together by themselves. */
  public static Arbitrary<MixedGang> inParts() {
    Arbitrary<TopologyConstraint> own =
        Arbitraries.of(
            TopologyConstraint.NONE,
            TopologyConstraint.required("rack"),
            TopologyConstraint.required(ClusterTopology.NODE));
    return Combinators.combine(
            Arbitraries.oneOf(ofRoles(2), ofRoles(3)),
            own.list().ofSize(3),
            Arbitraries.of(true, false))
        .as(MixedGang::inParts);
  }

  private MixedGang inParts(List<TopologyConstraint> own, boolean isOneRack) {
    List<TaskRole> roles = new ArrayList<>();
    for (TaskRole role : job.roles()) {
      roles.add(role.within(own.get(roles.size())));
    }
    JobSpec.Builder parted = job.toBuilder().roles(roles);
    if (isOneRack) {
      parted.group(
          new RoleGroup("both", List.of("role0", "role1"), 2, TopologyConstraint.required("rack")));
    }
    return new MixedGang(topology, parted.build());
  }

  private static Arbitrary<MixedGang> with(int roles, Arbitrary<TopologyConstraint> constraints) {
    Arbitrary<Amounts> nodes = amounts(1, 4, 8, 16);
    Arbitrary<Role> role =
        Combinators.combine(Arbitraries.integers().between(1, 4), amounts(0, 2, 1, 9))
            .as(Role::new);
    return Combinators.combine(
            nodes.list().ofMinSize(2).ofMaxSize(4),
            Arbitraries.integers().between(0, 4),
            role.list().ofSize(roles),
            constraints)
        .as(MixedGang::build)
        .withoutEdgeCases();
  }

  private static Arbitrary<Amounts> amounts(int fewestGpus, int mostGpus, int least, int most) {
    return Combinators.combine(
            Arbitraries.integers().between(fewestGpus, mostGpus),
            Arbitraries.integers().between(least, most),
            Arbitraries.integers().between(least, most))
        .as(Amounts::new);
  }

  private static MixedGang build(
      List<Amounts> nodes, int inFirstRack, List<Role> roles, TopologyConstraint constraint) {
    ClusterTopology.Builder cluster =
        ClusterTopology.builder()
            .levels("rack")
            .domain(Domain.of("rack", "r0"))
            .domain(Domain.of("rack", "r1"));
    for (int i = 0; i < nodes.size(); i++) {
      Amounts has = nodes.get(i);
      cluster.node(
          Node.builder("n" + i)
              .gpus(has.gpus(), GpuModel.of("A100"), Memory.ofGib(40))
              .cpu(CpuCores.of(has.cpu()))
              .memory(Memory.ofGib(has.memory()))
              .domain(i < inFirstRack ? "r0" : "r1")
              .build());
    }
    JobSpec.Builder job = JobSpec.builder("job").topology(constraint);
    for (int i = 0; i < roles.size(); i++) {
      job.role("role" + i, roles.get(i).count(), request(roles.get(i).each()));
    }
    return new MixedGang(cluster.build(), job.build());
  }

  private static ResourceRequest request(Amounts each) {
    return ResourceRequest.builder()
        .gpus(each.gpus())
        .cpu(CpuCores.of(each.cpu()))
        .memory(Memory.ofGib(each.memory()))
        .build();
  }

  /** Returns true if any assignment of tasks to nodes holds them all and keeps the constraints. */
  public boolean fits() {
    int[] nodes = new int[topology.nodes().size()];
    return fits(0, 0, job.roles().getFirst().count(), new int[job.roles().size()][nodes.length]);
  }

  private boolean fits(int role, int node, int left, int[][] counts) {
    if (node == topology.nodes().size()) {
      if (left > 0) {
        return false;
      }
      boolean isLast = role + 1 == job.roles().size();
      return isLast
          ? keepsConstraints(counts)
          : fits(role + 1, 0, job.roles().get(role + 1).count(), counts);
    }
    for (int here = 0; here <= left && holds(node, counts); counts[role][node] = ++here) {
      if (fits(role, node + 1, left - here, counts)) {
        return true;
      }
    }
    counts[role][node] = 0;
    return false;
  }

  private boolean holds(int node, int[][] counts) {
    Node has = topology.nodes().get(node);
    long gpus = has.gpus().size();
    long cpu = has.cpu().millicores();
    long memory = has.memory().bytes();
    for (int role = 0; role < counts.length; role++) {
      ResourceRequest each = job.roles().get(role).request();
      gpus -= (long) counts[role][node] * each.gpus();
      cpu -= counts[role][node] * each.cpu().orElseThrow().millicores();
      memory -= counts[role][node] * each.memory().orElseThrow().bytes();
    }
    return gpus >= 0 && cpu >= 0 && memory >= 0;
  }

  private boolean keepsConstraints(int[][] counts) {
    TopologyConstraint constraint = job.topology();
    boolean isTogether =
        constraint.required().isEmpty()
            || domains(constraint.required().get(), counts, -1).size() == 1;
    boolean isSpread =
        constraint.spread().stream()
            .allMatch(
                spread ->
                    job.roles().stream()
                        .map(role -> domains(spread.level(), counts, job.roles().indexOf(role)))
                        .allMatch(tasks -> mostOf(tasks) <= spread.maxTasks()));
    return isTogether
        && isSpread
        && keepsParts(counts)
        && constraint.slices().stream()
            .allMatch(slices -> isWhole(domains(slices.level(), counts, 0), slices.tasks()));
  }

  private boolean keepsParts(int[][] counts) {
    for (int role = 0; role < counts.length; role++) {
      TopologyConstraint own = job.roles().get(role).topology();
      if (own.required().isPresent() && domains(own.required().get(), counts, role).size() > 1) {
        return false;
      }
    }
    int[][] both = {counts[0], counts[1]};
    return job.groups().isEmpty() || domains("rack", both, -1).size() == 1;
  }

  /** Returns the number of tasks of a role, or of all if it is negative, in each domain. */
  private Map<Integer, Integer> domains(String level, int[][] counts, int role) {
    Map<Integer, Integer> tasks = new LinkedHashMap<>();
    for (int node = 0; node < topology.nodes().size(); node++) {
      int here = 0;
      for (int each = 0; each < counts.length; each++) {
        here += role < 0 || each == role ? counts[each][node] : 0;
      }
      if (here > 0) {
        tasks.merge(domain(level, node), here, Integer::sum);
      }
    }
    return tasks;
  }

  private int domain(String level, int node) {
    return topology
        .domainOf(topology.nodes().get(node).id(), level)
        .map(domain -> topology.nodesOf(domain.id()))
        .map(NodeRange::first)
        .orElse(node);
  }

  private static int mostOf(Map<Integer, Integer> tasks) {
    return tasks.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** Returns true if tasks in domains can be cut into slices, the last of which may be smaller. */
  private static boolean isWhole(Map<Integer, Integer> tasks, int slice) {
    int sum = tasks.values().stream().mapToInt(Integer::intValue).sum();
    List<Integer> left = new ArrayList<>();
    tasks.values().stream().map(here -> here % slice).filter(over -> over > 0).forEach(left::add);
    return left.isEmpty() || (left.size() == 1 && left.getFirst() == sum % slice);
  }

  /** Returns all that matters to a placer, a node a line. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (TaskRole role : job.roles()) {
      text.append("%s%n".formatted(role));
    }
    text.append("%s%n".formatted(job.topology()));
    for (Node node : topology.nodes()) {
      text.append(
          "%s in %s: %d GPUs, %s, %s%n"
              .formatted(node.id(), node.domain(), node.gpus().size(), node.cpu(), node.memory()));
    }
    return text.toString();
  }
}
