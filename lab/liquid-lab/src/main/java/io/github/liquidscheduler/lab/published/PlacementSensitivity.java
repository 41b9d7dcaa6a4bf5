package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Liquid's placement sensitivity (Gu et al., TPDS 33(11), 2022, figures 1 and 6): one job on an
 * idle cluster of K80 nodes, put into each of the published placements.
 */
public final class PlacementSensitivity {

  private static final ClusterTopology CLUSTER = LiquidCluster.K80.topology(ImmediateMode.NODES);

  private PlacementSensitivity() {}

  /**
   * Returns a row for each model and placement, models outermost.
   *
   * @param seeds how often each is run; at least 1
   */
  public static List<Row> run(int seeds) {
    List<Row> rows = new ArrayList<>();
    for (String model : PlacementTimes.models()) {
      for (PlacementShape shape : PlacementShape.values()) {
        rows.add(row(model, shape, seeds));
      }
    }
    return rows;
  }

  private static Row row(String model, PlacementShape shape, int seeds) {
    Trace trace = LiquidWorkload.alone(model);
    JobSpec job = submission(trace.jobs().get(0), shape);
    Placement placement = placement(job, shape);
    return new Row(
        model,
        shape,
        PlacementTimes.publishedSeconds(model, shape),
        Spread.of(
            LongStream.range(0, seeds)
                .mapToObj(seed -> seconds(trace, job, placement, seed))
                .toList()),
        costOf(job, placement));
  }

  private static double seconds(Trace trace, JobSpec job, Placement placement, long seed) {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(CLUSTER)
            .policy(Policies.fifo())
            .placer(new Told(placement))
            .build();
    Simulation.Builder simulation = Simulation.builder(trace, scheduler);
    return LiquidWorkload.run(simulation, seed, any -> job).getFirst().running().toMillis()
        / 1000.0;
  }

  private static double costOf(JobSpec job, Placement placement) {
    NetworkModel network = NetworkModel.of(CLUSTER, NetworkParameters.DEFAULT);
    return PhysicalCost.of(network, LinkLoads.none(network))
        .forJob(job)
        .of(TaskCounts.of(CLUSTER, job, placement));
  }

  private static JobSpec submission(TraceJob job, PlacementShape shape) {
    return switch (shape) {
      case ONE_GPU -> ofOneTask(job, 1);
      case TWO_GPUS -> ofOneTask(job, 2);
      default -> LiquidWorkload.submission(job, false);
    };
  }

  private static JobSpec ofOneTask(TraceJob job, int gpus) {
    return JobSpec.builder(job.id())
        .role(PlacementTimes.WORKER, 1, ResourceRequest.builder().gpus(gpus).build())
        .build();
  }

  private static Placement placement(JobSpec job, PlacementShape shape) {
    List<Integer> nodes =
        switch (shape) {
          case TOGETHER -> List.of(0, 0, 0);
          case ONE_WORKER_APART -> List.of(0, 0, 1);
          case ALL_APART -> List.of(0, 1, 2);
          case SERVER_APART -> List.of(0, 1, 1);
          case ONE_GPU, TWO_GPUS -> List.of(0);
        };
    int[] used = new int[ImmediateMode.NODES];
    List<TaskPlacement> tasks = new ArrayList<>();
    for (TaskRole role : job.roles()) {
      for (int index = 0; index < role.count(); index++) {
        int node = nodes.get(tasks.size());
        List<Integer> gpus = new ArrayList<>();
        for (int gpu = 0; gpu < role.request().gpus(); gpu++) {
          gpus.add(used[node]++);
        }
        tasks.add(
            new TaskPlacement(
                new TaskId(role.name(), index),
                CLUSTER.nodes().get(node).id(),
                gpus,
                role.request()));
      }
    }
    return new Placement(job.id(), tasks);
  }

  /**
   * A model in a placement.
   *
   * @param model the model
   * @param shape the placement
   * @param published the published seconds
   * @param simulated the simulated seconds over the seeds
   * @param cost what the physical cost model says without fit: seconds by which the network makes
   *     an iteration longer
   */
  public record Row(
      String model, PlacementShape shape, double published, Spread simulated, double cost) {}

  /** Places a job as told. */
  private record Told(Placement placement) implements Placer {
    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      return Optional.of(placement);
    }

    @Override
    public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
      return List.of();
    }
  }
}
