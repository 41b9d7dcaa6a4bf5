package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A small cluster of two zones and three racks, jobs that run, and jobs that wait: values that
 * shrink. Each job takes GPUs of one model.
 *
 * @param racks the uplinks of the racks, and whether NVLink spans their nodes
 */
record PlanWorld(
    List<RackShape> racks, List<NodeShape> nodes, List<JobShape> running, List<JobShape> waiting) {

  private static final List<GpuModel> MODELS = List.of(GpuModel.of("V100"), GpuModel.of("A100"));
  private static final List<String> LEVELS = List.of("zone", "rack", "node");
  private static final int NO_RACK = 3;

  record RackShape(int gigabits, boolean hasFabric) {}

  /** A node; its GPUs are in groups of two if {@code paired}. */
  record NodeShape(int gpus, int model, int rack, int gigabits, int nvlink, boolean paired) {}

  /** A job; {@code preferred} is a level, or none if beyond. */
  record JobShape(int tasks, int gpus, int model, int pattern, int megabytes, int preferred) {}

  static Arbitrary<PlanWorld> worlds(int nodes, int jobs, int tasks) {
    Arbitrary<RackShape> rack =
        Combinators.combine(gigabits(), Arbitraries.of(false, true)).as(RackShape::new);
    Arbitrary<List<JobShape>> someJobs = job(tasks).list().ofMaxSize(jobs);
    return Combinators.combine(
            rack.list().ofSize(NO_RACK),
            node().list().ofMinSize(1).ofMaxSize(nodes),
            someJobs,
            job(tasks).list().ofMinSize(1).ofMaxSize(jobs))
        .as(PlanWorld::new);
  }

  private static Arbitrary<NodeShape> node() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(0, 1),
            Arbitraries.integers().between(0, NO_RACK),
            gigabits(),
            Arbitraries.of(10, 50, 200),
            Arbitraries.of(false, true))
        .as(NodeShape::new);
  }

  private static Arbitrary<JobShape> job(int tasks) {
    return Combinators.combine(
            Arbitraries.integers().between(1, tasks),
            Arbitraries.integers().between(1, 2),
            Arbitraries.integers().between(0, 1),
            Arbitraries.integers().between(0, 6),
            Arbitraries.integers().between(1, 2000),
            Arbitraries.integers().between(0, 8))
        .as(JobShape::new);
  }

  /** Returns a speed; 0 stands for a link without limit. */
  private static Arbitrary<Integer> gigabits() {
    return Arbitraries.of(10, 25, 100, 0);
  }

  ClusterTopology topology() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("zone", "rack");
    for (int zone = 0; zone < 2; zone++) {
      cluster.domain(Domain.of("zone", "zone-" + zone).withUplink(link(25, zone)));
    }
    for (int rack = 0; rack < racks.size(); rack++) {
      RackShape shape = racks.get(rack);
      Domain domain =
          Domain.of("rack", "rack-" + rack)
              .in("zone-" + rack / 2)
              .withUplink(link(shape.gigabits(), rack));
      cluster.domain(
          shape.hasFabric() ? domain.withFabric(Bandwidth.ofGigabytesPerSecond(100)) : domain);
    }
    for (int node = 0; node < nodes.size(); node++) {
      cluster.node(node("node-" + node, nodes.get(node)));
    }
    return cluster.build();
  }

  private static Node node(String id, NodeShape shape) {
    Node.Builder node =
        Node.builder(id)
            .nic(link(shape.gigabits(), shape.gpus()))
            .nvlink(Bandwidth.ofGigabytesPerSecond(shape.nvlink()));
    for (int gpu = 0; gpu < shape.gpus(); gpu++) {
      int group = shape.paired() ? gpu / 2 : 0;
      node.gpu(new Gpu(MODELS.get(shape.model()), Memory.ofGib(40), group, 0));
    }
    return (shape.rack() == NO_RACK ? node : node.domain("rack-" + shape.rack())).build();
  }

  private static Link link(int gigabits, int micros) {
    Bandwidth bandwidth =
        gigabits == 0 ? Bandwidth.UNLIMITED : Bandwidth.ofGigabitsPerSecond(gigabits);
    return new Link(bandwidth, Duration.ofNanos(1000L * micros));
  }

  /** Returns the jobs that run, as far as they find a place. */
  List<JobSpec> runningJobs() {
    return jobs("running-", running);
  }

  /** Returns the jobs that wait, in the order of the policy. */
  List<JobSpec> waitingJobs() {
    return jobs("waiting-", waiting);
  }

  private static List<JobSpec> jobs(String prefix, List<JobShape> shapes) {
    List<JobSpec> jobs = new ArrayList<>();
    shapes.forEach(shape -> jobs.add(job(prefix + jobs.size(), shape)));
    return jobs;
  }

  private static JobSpec job(String id, JobShape shape) {
    JobSpec.Builder job =
        JobSpec.builder(id)
            .workload(Workload.builder("x".repeat(1 + shape.tasks() % 3)).build())
            .gpuModels(List.of(MODELS.get(shape.model())))
            .role("worker", shape.tasks(), ResourceRequest.ofGpus(shape.gpus()));
    if (shape.preferred() < LEVELS.size()) {
      job.topology(TopologyConstraint.preferred(LEVELS.get(shape.preferred())));
    }
    long bytes = 1_000_000L * shape.megabytes();
    if (shape.pattern() == 0) {
      ResourceRequest server = ResourceRequest.ofGpus(shape.megabytes() % 2);
      job.role("server", 1 + shape.megabytes() % 3 / 2, server);
    }
    return job.communication(communication(shape.pattern(), bytes)).build();
  }

  private static Communication communication(int pattern, long bytes) {
    return switch (pattern) {
      case 0 -> new Communication.ParameterServer("server", "worker", bytes);
      case 1 -> new Communication.AllToAll(bytes);
      case 2 -> new Communication.Pipeline(bytes);
      case 3 -> new Communication.TensorParallel(2, bytes);
      case 4 -> new Communication.None();
      case 5 ->
          new Communication.Combined(
              List.of(new Communication.Pipeline(bytes), new Communication.AllReduce(bytes)));
      default -> new Communication.AllReduce(bytes);
    };
  }
}
