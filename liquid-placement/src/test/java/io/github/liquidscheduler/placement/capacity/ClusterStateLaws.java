package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication.AllReduce;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.network.Samples;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.testkit.PlainCluster;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever happened to a cluster, its state is that of a fresh one with the jobs that are left. */
class ClusterStateLaws {

  private static final List<NodeHealth> HEALTHS = List.of(NodeHealth.values());

  /** A node that always stays, so that there are GPUs. */
  private static final NodeId FIRST = NodeId.of("n0");

  private static final JobSpec ON_SSD =
      JobSpec.builder("on-ssd").gpus(1).nodeLabel("disk", "ssd").build();

  private final ClusterTopology topology = cluster();
  private final ClusterState state = ClusterState.of(topology);
  private final Map<JobId, JobSpec> specs = new LinkedHashMap<>();
  private final Map<JobId, Placement> placements = new LinkedHashMap<>();
  private int jobs;

  @Property
  void whatIsHeldIsWhatTheJobsThatAreLeftHold(@ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);

    assertThat(shown(state)).isEqualTo(shown(fresh(List.of())));
    assertThat(shown(state.copy())).isEqualTo(shown(state));
    ClusterView view = PlainCluster.copyOf(state, job -> Optional.empty());
    assertThat(shown(ClusterState.copyOf(view))).isEqualTo(shown(state));
  }

  @Property
  void aSuspendedJobIsAsIfItWereGone(@ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);
    List<String> before = shown(state);
    List<JobId> some = some(random);

    some.forEach(state.trials()::suspend);
    assertThat(shown(state)).isEqualTo(shown(fresh(some)));
    assertThat(shown(state.copy())).isEqualTo(shown(state));
    some.reversed().forEach(state.trials()::resume);
    assertThat(shown(state)).isEqualTo(before);
  }

  @Property
  void whatIsTriedAndTakenBackLeavesNoTrace(@ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);
    List<String> before = shown(state);
    List<JobId> some = some(random);
    List<String> without = capacity(fresh(some));

    some.forEach(state.trials()::suspendCapacity);
    assertThat(capacity(state)).isEqualTo(without);
    assertThat(sent(state)).isEqualTo(sent(fresh(List.of())));
    for (int tried = 0; tried < 5; tried++) {
      JobSpec job = job("tried", random);
      Placement placement = placement(job, random);
      if (state.fits(placement)) {
        tryAndTakeBack(job, placement, fresh(some));
        assertThat(capacity(state)).isEqualTo(without);
      }
    }
    some.forEach(state.trials()::resumeCapacity);
    assertThat(shown(state)).isEqualTo(before);
  }

  private void tryAndTakeBack(JobSpec job, Placement placement, ClusterState applied) {
    List<String> sent = sent(state);
    state.trials().applyTentatively(job, placement);
    applied.apply(job, placement);
    assertThat(capacity(state)).isEqualTo(capacity(applied));
    assertThat(sent(state)).isEqualTo(sent);
    assertThatIllegalStateException()
        .isThrownBy(() -> state.trials().applyTentatively(job, placement))
        .withMessage("job 'tried' is placed for a trial already");
    state.trials().withdraw(job.id());
  }

  @Property
  void aSuspendedJobThatIsTriedElsewhereIsShownThereOnly(
      @ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);
    List<String> before = shown(state);
    List<JobId> some = some(random);
    List<JobId> tried = new ArrayList<>();

    some.forEach(state.trials()::suspendCapacity);
    for (JobId job : some) {
      Placement elsewhere = placement(spec(job), random);
      if (state.fits(elsewhere)) {
        state.trials().applyTentatively(spec(job), elsewhere);
        tried.add(job);
        assertThat(state.placement(job)).contains(elsewhere);
      }
    }
    ClusterView view = PlainCluster.copyOf(state, job -> Optional.empty());
    assertThat(capacity(ClusterState.copyOf(view))).isEqualTo(capacity(state));

    Collections.shuffle(tried, random);
    tried.forEach(state.trials()::withdraw);
    some.reversed().forEach(state.trials()::resumeCapacity);
    assertThat(shown(state)).isEqualTo(before);
  }

  @Property
  void jobsThatArePutBackAreWhereTheyWere(@ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);
    List<String> before = shown(state);
    List<JobId> some = new ArrayList<>(some(random));
    Map<JobId, Long> arrivals = new LinkedHashMap<>();
    some.forEach(job -> arrivals.put(job, state.arrival(job)));

    some.forEach(state::release);
    JobSpec other = job("other", random);
    Placement elsewhere = placement(other, random);
    if (state.fits(elsewhere)) {
      state.apply(other, elsewhere);
      state.release(other.id());
    }
    Collections.shuffle(some, random);
    for (JobId job : some) {
      Placement place = Objects.requireNonNull(placements.get(job));
      state.putBack(spec(job), place, Objects.requireNonNull(arrivals.get(job)));
    }

    assertThat(shown(state)).isEqualTo(before);
    assertThat(state.runningJobs()).isEqualTo(List.copyOf(placements.keySet()));
  }

  @Property
  void trialsLeftOpenCanAllBeEnded(@ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);
    List<String> before = shown(state);
    List<JobId> some = some(random);
    some.forEach(job -> suspend(job, random));
    placements.values().stream()
        .filter(placement -> !some.contains(placement.job()) && isAlone(placement))
        .filter(placement -> random.nextBoolean())
        .forEach(state.trials()::giveUp);
    for (int tried = 0; tried < 3; tried++) {
      JobSpec job = job("tried" + tried, random);
      Placement placement = placement(job, random);
      if (state.fits(placement)) {
        state.trials().applyTentatively(job, placement);
      }
    }

    state.trials().endAll();

    assertThat(shown(state)).isEqualTo(before);
  }

  private void suspend(JobId job, Random random) {
    if (random.nextBoolean()) {
      state.trials().suspend(job);
    } else {
      state.trials().suspendCapacity(job);
    }
  }

  private JobSpec spec(JobId job) {
    return Objects.requireNonNull(specs.get(job));
  }

  @Property
  void aJobThatWasResizedHoldsWhatItWouldHadItStartedSo(
      @ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);

    for (JobId job : some(random)) {
      List<String> before = shown(state);
      Placement to = resized(job, random);
      if (resize(job, to)) {
        placements.remove(job);
        placements.put(job, to);
        assertThat(shown(state)).isEqualTo(shown(fresh(List.of())));
        assertThat(shown(state.copy())).isEqualTo(shown(state));
      } else {
        assertThat(shown(state)).isEqualTo(before);
      }
    }
    release(some(random));
    assertThat(shown(state)).isEqualTo(shown(fresh(List.of())));
  }

  @Property
  void aJobThatStaysWhereItIsMayAlwaysKeepItsSize(
      @ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);

    for (JobId job : some(random)) {
      Placement same = Objects.requireNonNull(placements.remove(job));
      placements.put(job, same);
      state.resize(Objects.requireNonNull(specs.get(job)), same);
      assertThat(shown(state)).isEqualTo(shown(fresh(List.of())));
    }
  }

  @Property
  void capacityGivenUpForAWhileIsFreeForOthers(@ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);
    List<String> before = shown(state);

    for (Placement leaving : placements.values().stream().filter(this::isAlone).toList()) {
      ClusterState without = fresh(List.of(leaving.job()));
      state.trials().giveUp(leaving);
      for (int tried = 0; tried < 5; tried++) {
        Placement next = placement(job("next", random), random);
        assertThat(state.fits(next)).isEqualTo(without.fits(next));
      }
      state.trials().takeBack(leaving);
      assertThat(shown(state)).isEqualTo(before);
    }
  }

  @Property
  void gpusHaveAFreeOneIfOneOfThemIs(@ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);
    BitSet some = new BitSet();
    boolean isAnyFree = false;
    for (int gpu = 0; gpu < gpus(state); gpu++) {
      if (random.nextInt(3) == 0) {
        some.set(gpu);
        int node = state.index().nodeOfGpu(gpu);
        int device = gpu - state.topology().gpusBefore(node);
        isAnyFree |= state.isFree(new GpuId(state.topology().nodes().get(node).id(), device));
      }
    }

    assertThat(state.hasFree(some)).isEqualTo(isAnyFree);
  }

  private boolean resize(JobId job, Placement to) {
    try {
      state.resize(Objects.requireNonNull(specs.get(job)), to);
      return true;
    } catch (IllegalStateException doesNotFit) {
      return false;
    }
  }

  /** Returns a placement of another size: some tasks stay, others come, wherever that is. */
  private Placement resized(JobId job, Random random) {
    JobSpec spec = Objects.requireNonNull(specs.get(job));
    List<TaskPlacement> from = new ArrayList<>();
    from.addAll(
        Objects.requireNonNull(placements.get(job)).tasks().stream()
            .filter(task -> random.nextInt(3) > 0)
            .toList());
    from.addAll(placement(spec, random).tasks());
    List<TaskPlacement> tasks = new ArrayList<>();
    for (TaskPlacement task : from.subList(0, Math.min(from.size(), 1 + random.nextInt(3)))) {
      TaskId id = new TaskId("worker", tasks.size());
      tasks.add(new TaskPlacement(id, task.node(), task.gpus(), task.request()));
    }
    return new Placement(job, tasks);
  }

  /** Returns true if a job shares none of its GPUs, not even with itself. */
  private boolean isAlone(Placement placement) {
    return placement.tasks().stream()
        .allMatch(task -> task.share().equals(GpuShare.ofPercent(100)));
  }

  @Property
  void whatFitsIsWhatCanBeApplied(@ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);
    JobSpec job = job("next", random);
    Placement placement = placement(job, random);
    ClusterState copy = state.copy();

    if (state.fits(placement)) {
      copy.apply(job, placement);
      assertThat(copy.fits(placement)).isFalse();
    } else {
      assertThatIllegalStateException().isThrownBy(() -> copy.apply(job, placement));
      assertThat(shown(copy)).isEqualTo(shown(state));
    }
  }

  @Property
  void aNodeThatComesOrGoesChangesNothingElse(@ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    change(random);
    Node leaving = node(random);
    release(
        placements.values().stream()
            .filter(placement -> placement.nodes().contains(leaving.id()))
            .map(Placement::job)
            .toList());

    state.changeTopology(topology.withoutNode(leaving.id()));
    assertThat(shown(state)).isEqualTo(shown(fresh(List.of())));
    state.changeTopology(state.topology().withNode(leaving, List.of()));
    assertThat(shown(state)).isEqualTo(shown(fresh(List.of())));
    change(random);
    assertThat(shown(state)).isEqualTo(shown(fresh(List.of())));
  }

  @Property(tries = 300)
  void nodesOfAllKindsComeAndGoAsIfTheyHadAlwaysBeenThere(
      @ForAll(supplier = Choices.Any.class) Choices all) {
    Random random = all.random();
    for (int step = 0; step < 8; step++) {
      change(random);
      List<Node> unused = state.topology().nodes().stream().filter(this::isUnused).toList();
      boolean isLarge = state.topology().nodes().size() > 9;
      if (unused.isEmpty() || (!isLarge && random.nextBoolean())) {
        Rack rack = Rack.any("new-" + ++jobs, random);
        Node node = newNode("new-" + jobs, rack.name(), random);
        state.changeTopology(state.topology().withNode(node, rack.added()));
      } else {
        NodeId leaving = unused.get(random.nextInt(unused.size())).id();
        state.changeTopology(state.topology().withoutNode(leaving));
      }
      assertThat(shown(state)).isEqualTo(shown(fresh(List.of())));
    }
  }

  private boolean isUnused(Node node) {
    return !node.id().equals(FIRST)
        && placements.values().stream().noneMatch(p -> p.nodes().contains(node.id()));
  }

  /** Where a node comes: on no rack, on one of before, or on one that comes with it. */
  private record Rack(String name, List<Domain> added) {
    static Rack any(String added, Random random) {
      return switch (random.nextInt(4)) {
        case 0 -> new Rack("", List.of());
        case 1 -> new Rack(added, List.of(Domain.of("rack", added)));
        default -> new Rack("r" + random.nextInt(2), List.of());
      };
    }
  }

  private static Node newNode(String id, String rack, Random random) {
    Node.Builder node = Node.builder(id).cpu(CpuCores.of(6)).memory(Memory.ofGib(24));
    if (random.nextInt(5) > 0) {
      node = Samples.node(id, 1 + random.nextInt(3), 100, 5 + 5 * random.nextInt(2));
    }
    if (random.nextInt(3) == 0) {
      node.gpus(2, GpuModel.of(random.nextInt(3) == 0 ? "H100" : "V100"), Memory.ofGib(16));
    }
    return (rack.isEmpty() ? node : node.domain(rack)).label("disk", "ssd").build();
  }

  private void change(Random random) {
    for (int step = 15; step > 0; step--) {
      switch (random.nextInt(20)) {
        case 0 -> state.setHealth(node(random).id(), HEALTHS.get(random.nextInt(3)));
        case 1 -> state.fail(gpu(random));
        case 2 -> state.restore(gpu(random));
        case 3 -> release(some(random));
        default -> start(job("j" + ++jobs, random), random);
      }
    }
  }

  private void start(JobSpec job, Random random) {
    Placement placement = placement(job, random);
    if (state.fits(placement)) {
      state.apply(job, placement);
      specs.put(job.id(), job);
      placements.put(job.id(), placement);
    }
  }

  private void release(List<JobId> leaving) {
    for (JobId job : leaving) {
      state.release(job);
      placements.remove(job);
    }
  }

  private List<JobId> some(Random random) {
    return placements.keySet().stream().filter(job -> random.nextInt(3) == 0).toList();
  }

  /** Returns the state of a cluster on which the jobs have run from the first, but for some. */
  private ClusterState fresh(List<JobId> gone) {
    ClusterState fresh = ClusterState.of(state.topology());
    placements.forEach(
        (id, placement) -> {
          if (!gone.contains(id)) {
            fresh.apply(Objects.requireNonNull(specs.get(id)), placement);
          }
        });
    for (Node node : state.topology().nodes()) {
      fresh.setHealth(node.id(), state.health(node.id()));
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        if (state.isLost(new GpuId(node.id(), gpu))) {
          fresh.fail(new GpuId(node.id(), gpu));
        }
      }
    }
    return fresh;
  }

  private static List<String> shown(ClusterState state) {
    List<String> all = new ArrayList<>(capacity(state));
    all.addAll(sent(state));
    return all;
  }

  private static List<String> sent(ClusterState state) {
    List<String> all = new ArrayList<>();
    state.topology().nodes().forEach(node -> all.add(state.nicLoad(node.id()).toString()));
    state.topology().domains().forEach(d -> all.add(state.uplinkLoad(d.id()).toString()));
    return all;
  }

  private static List<String> capacity(ClusterState state) {
    List<String> all = new ArrayList<>();
    all.add(state.runningJobs() + " " + state.freeGpus());
    state.runningJobs().forEach(job -> all.add(state.placement(job) + " " + state.job(job)));
    for (Node node : state.topology().nodes()) {
      all.add(
          "%s: %s, %d GPUs, %s, %s"
              .formatted(
                  node.id(),
                  state.health(node.id()),
                  state.freeGpus(node.id()),
                  state.freeCpu(node.id()),
                  state.freeMemory(node.id())));
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        GpuId id = new GpuId(node.id(), gpu);
        all.add(
            "%s: %b, %d, %s, %s"
                .formatted(
                    id,
                    state.isFree(id),
                    state.freeShare(id),
                    state.freeGpuMemory(id),
                    state.residents(id)));
      }
    }
    Map<String, String> groups = new TreeMap<>();
    state
        .shared()
        .groups()
        .forEach(g -> groups.put(g.residentSet().pool() + " " + g.residentSet(), "" + g.gpus()));
    all.add(groups + " " + state.shared().size());
    state.index().pools().forEach(pool -> all.add(found(pool, state)));
    all.add("with SSDs: " + state.index().nodesAllowedTo(ON_SSD));
    for (int node = 0; node < state.topology().nodes().size(); node++) {
      int next = state.index().nextWithFreeGpu(node);
      int first = state.topology().gpusBefore(node);
      all.add(next + " " + state.index().nodeOfGpu(Math.min(first, gpus(state) - 1)));
      for (int pool = 0; pool < state.index().pools().size(); pool++) {
        boolean[] only = new boolean[state.index().pools().size()];
        only[pool] = true;
        all.add(pool + ": " + state.index().freeGpus(node, only));
      }
    }
    return all;
  }

  private static int gpus(ClusterState state) {
    return state.topology().gpuCount();
  }

  /** Returns what a pool finds. */
  private static String found(GpuPool pool, ClusterState state) {
    StringBuilder found = new StringBuilder(pool.model() + ": " + pool.freeGpus());
    for (int free = 0; free <= pool.maxFree(); free++) {
      for (int slot = 0; slot < pool.size(); slot++) {
        int node = pool.nodeOf(slot);
        long cpu = state.index().freeCpu(node);
        long memory = state.index().freeMemory(node);
        found.append(' ').append(pool.free(slot)).append(pool.next(free, slot, pool.size(), 0, 0));
        found.append(pool.next(free, slot, slot + 1, cpu, memory));
      }
      for (DomainLevel level : pool.levels()) {
        found.append(" of ").append(level.next(free, -1));
        for (int domain = 0; domain < level.size(); domain++) {
          found.append(' ').append(level.free(domain)).append(level.next(free, domain));
          found.append(level.tasks(domain, free, 9));
        }
      }
    }
    for (int step = 0; step < pool.shareSteps(); step++) {
      found.append(' ').append(pool.nextPartial(step, 0, pool.size(), 0, 0));
    }
    return found.toString();
  }

  private Node node(Random random) {
    List<Node> nodes = state.topology().nodes();
    return nodes.get(random.nextInt(nodes.size()));
  }

  private GpuId gpu(Random random) {
    List<Node> nodes =
        state.topology().nodes().stream().filter(node -> !node.gpus().isEmpty()).toList();
    Node node = nodes.get(random.nextInt(nodes.size()));
    return new GpuId(node.id(), random.nextInt(node.gpus().size()));
  }

  private static JobSpec job(String id, Random random) {
    GpuShare share = GpuShare.ofPercent(List.of(100, 50, 30).get(random.nextInt(3)));
    ResourceRequest request =
        ResourceRequest.builder()
            .share(share)
            .gpuMemory(Memory.ofGib(random.nextInt(12)))
            .cpu(CpuCores.of(random.nextInt(4)))
            .memory(Memory.ofGib(random.nextInt(9)))
            .build();
    int count = 1 + random.nextInt(3);
    return JobSpec.builder(id)
        .role("worker", count, request)
        .parallelism(Parallelism.between(1, count, 3))
        .workload(Workload.builder("w" + random.nextInt(2)).build())
        .communication(new AllReduce(1_000_000_000L * (1 + random.nextInt(3))))
        .build();
  }

  /** Returns a place for a job, whether it fits or not. */
  private Placement placement(JobSpec job, Random random) {
    ResourceRequest request = job.roles().get(0).request();
    List<TaskPlacement> tasks = new ArrayList<>();
    for (int task = 0; task < job.roles().get(0).count(); task++) {
      GpuId gpu = gpu(random);
      tasks.add(
          new TaskPlacement(new TaskId("worker", task), gpu.node(), List.of(gpu.index()), request));
    }
    return new Placement(job.id(), tasks);
  }

  /** Three nodes of two A100s in two racks, and one with an A100 and two V100s. */
  private static ClusterTopology cluster() {
    Node.Builder mixed =
        Samples.node("mixed", 1, 100, 10)
            .gpus(2, GpuModel.of("V100"), Memory.ofGib(16))
            .cpu(CpuCores.of(6))
            .memory(Memory.ofGib(24))
            .domain("r1");
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    Samples.twoRacks().domains().forEach(cluster::domain);
    for (int node = 0; node < 3; node++) {
      cluster.node(
          Samples.node("n" + node, 2, 100, 10)
              .cpu(CpuCores.of(8))
              .memory(Memory.ofGib(32))
              .domain("r" + node / 2)
              .build());
    }
    return cluster.node(mixed.build()).build();
  }
}
