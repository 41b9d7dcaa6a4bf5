package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.CostBreakdown;
import io.github.liquidscheduler.resource.Bandwidth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Costs in seconds: the part of communicating that computing does not hide in an iteration of the
 * job, plus the seconds added to the iterations of running jobs. Never negative.
 *
 * <p>Neither part grows with more bandwidth: a candidate job is taken to send its bytes within its
 * computing time, however fast its links are.
 */
public final class PhysicalCost {

  private final NetworkModel model;
  private final LinkLoads loads;

  private PhysicalCost(NetworkModel model, LinkLoads loads) {
    this.model = Objects.requireNonNull(model, "model");
    this.loads = Objects.requireNonNull(loads, "loads");
  }

  /** Returns the cost beside {@code loads} as they are when a candidate is scored. */
  public static PhysicalCost of(NetworkModel model, LinkLoads loads) {
    return new PhysicalCost(model, loads);
  }

  /**
   * Returns the cost of candidates for one job. All that does not depend on the candidate is
   * computed here, once.
   */
  public JobCost forJob(JobSpec job) {
    return forTraffic(Traffic.of(job));
  }

  /** Returns the cost of a job with this traffic. */
  JobCost forTraffic(Traffic traffic) {
    return new JobCost(model, loads, traffic);
  }

  /**
   * Returns the cost of a candidate without tasks, to be changed node by node. It is valid until
   * the loads change, or another cost beside them is requested.
   */
  public IncrementalCost incremental(JobSpec job) {
    return new IncrementalSeconds(loads.workspace(), Traffic.of(job));
  }

  /** The cost of placements of one job. Not thread-safe. */
  public static final class JobCost {
    private final NetworkModel model;
    private final LinkLoads loads;
    private final Traffic traffic;
    private @Nullable IncrementalSeconds counted;

    private JobCost(NetworkModel model, LinkLoads loads, Traffic traffic) {
      this.model = model;
      this.loads = loads;
      this.traffic = traffic;
    }

    /** Returns the cost of a candidate, the job's tasks by node. Makes no garbage. */
    public double of(TaskCounts counts) {
      if (loads.isEmpty()) {
        model.trace(traffic, counts);
        return model
            .parameters()
            .exposedSeconds(model.computeSeconds(traffic), model.seconds(traffic, loads));
      }
      return counted(counts).cost();
    }

    private IncrementalSeconds counted(TaskCounts counts) {
      if (counted == null) {
        counted = new IncrementalSeconds(loads.workspace(), traffic);
      }
      counted.become(counts);
      return counted;
    }

    /** Returns the cost of a candidate and its terms. */
    public CostBreakdown explain(TaskCounts counts) {
      IncrementalSeconds candidate = counted(counts);
      double cost = candidate.cost();
      model.trace(traffic, counts);
      double compute = model.computeSeconds(traffic);
      double communicate = model.seconds(traffic, loads);
      List<CostBreakdown.Term> terms = new ArrayList<>();
      terms.add(new CostBreakdown.Quantity("seconds of computing", compute));
      terms.add(new CostBreakdown.Quantity("seconds of communicating", communicate));
      terms.add(
          new CostBreakdown.Quantity(
              "seconds of communicating that computing does not hide",
              model.parameters().exposedSeconds(compute, communicate)));
      terms.addAll(new SlowestLinks(model, loads, traffic).terms());
      candidate
          .contentionByJob()
          .forEach((job, extra) -> terms.add(new CostBreakdown.ContentionTerm(job, extra)));
      return new CostBreakdown(cost, terms);
    }
  }

  /** The slowest link crossed at each level by the candidate traced last, widest level first. */
  private static final class SlowestLinks {
    private final NetworkModel model;
    private final LinkLoads loads;
    private final Traffic traffic;
    private final int[] slowest;
    private final double[] seconds;
    private final int[] count;

    SlowestLinks(NetworkModel model, LinkLoads loads, Traffic traffic) {
      this.model = model;
      this.loads = loads;
      this.traffic = traffic;
      int levels = model.links().levels();
      slowest = new int[levels];
      seconds = new double[levels];
      count = new int[levels];
      Arrays.fill(slowest, -1);
      for (int part = 0; part < model.footprint().size(); part++) {
        if (model.bytes(traffic, part) > 0) {
          offer(part);
        }
      }
    }

    private void offer(int part) {
      int level = model.links().level(model.footprint().link(part));
      double partSeconds = model.linkSeconds(traffic, part, loads);
      count[level]++;
      if (slowest[level] < 0 || partSeconds > seconds[level]) {
        slowest[level] = part;
        seconds[level] = partSeconds;
      }
    }

    List<CostBreakdown.Term> terms() {
      List<CostBreakdown.Term> terms = new ArrayList<>();
      for (int level = 0; level < slowest.length; level++) {
        if (slowest[level] >= 0) {
          terms.add(term(level));
        }
      }
      return terms;
    }

    private CostBreakdown.Term term(int level) {
      ClusterTopology topology = model.topology();
      int link = model.footprint().link(slowest[level]);
      return new CostBreakdown.LinkTerm(
          topology.levels().get(level),
          model.links().name(link),
          count[level],
          model.bytes(traffic, slowest[level]),
          rate(loads.left(link)),
          seconds[level],
          loads.jobsOn(link));
    }

    private static Bandwidth rate(double bytesPerSecond) {
      return Double.isInfinite(bytesPerSecond)
          ? Bandwidth.UNLIMITED
          : new Bandwidth(Math.round(bytesPerSecond));
    }
  }
}
