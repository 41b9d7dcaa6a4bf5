package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** On clusters so small that every plan can be tried. */
class OptimumLaws {

  @Property(tries = 200)
  void theBestPlanIsBetweenTheBoundAndThePlanFound(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Tiny tiny = new Tiny(choices.random());
    BatchPlan plan = plan(tiny, 500);
    Assume.that(plan.postponed().isEmpty());
    double optimum = (double) tiny.optimum();

    assertThat(plan.certificate().lowerBound()).isLessThanOrEqualTo(optimum);
    assertThat(plan.certificate().cost()).isGreaterThanOrEqualTo(optimum);
  }

  @Test
  void theBestPlanIsFoundNearlyAlways() {
    int missed = 0;
    for (long seed = 0; seed < 200; seed++) {
      Tiny tiny = new Tiny(new Random(seed));
      BatchPlan plan = plan(tiny, 6000);
      boolean whole = plan.postponed().isEmpty();
      missed += whole && plan.certificate().cost() > (double) tiny.optimum() ? 1 : 0;
    }

    assertThat(missed).isLessThanOrEqualTo(4);
  }

  private static BatchPlan plan(Tiny tiny, long steps) {
    PlanOptions options = PlanOptions.builder().steps(steps).boundRounds(500).build();
    return BatchPlanners.timefold(PlanCost.of(CostTerms.pairTiers(tiny::traffic, tiny::intensity)))
        .plan(PlanRequest.builder(tiny.state).pending(tiny.jobs).options(options).build());
  }

  /** Three or four nodes on two racks, and up to four jobs of one or two or three tasks. */
  private static final class Tiny {
    final ClusterState state;
    final List<JobSpec> jobs = new ArrayList<>();
    private final int[] gpus;
    private final int[] rack;
    private final long[] traffic;
    private final long[] intensity;
    private final int[][] counts;

    Tiny(Random random) {
      gpus = random.ints(3 + random.nextInt(2), 1, 4).toArray();
      rack = random.ints(gpus.length, 0, 2).toArray();
      ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
      cluster.domain(Domain.of("rack", "r0")).domain(Domain.of("rack", "r1"));
      for (int i = 0; i < gpus.length; i++) {
        cluster.node(
            Node.builder("n" + i)
                .domain("r" + rack[i])
                .gpus(gpus[i], GpuModel.of("A100"), Memory.ofGib(40))
                .build());
      }
      state = ClusterState.of(cluster.build());
      int size = 1 + random.nextInt(4);
      traffic = random.longs(size, 0, 5).toArray();
      intensity = random.longs(size, 0, 5).toArray();
      for (int i = 0; i < size; i++) {
        int tasks = 1 + random.nextInt(3);
        jobs.add(
            JobSpec.builder("j" + i)
                .role("w", tasks, ResourceRequest.ofGpus(1 + random.nextInt(2)))
                .build());
      }
      counts = new int[size][gpus.length];
    }

    long traffic(JobSpec job) {
      return traffic[jobs.indexOf(job)];
    }

    long intensity(JobSpec job) {
      return intensity[jobs.indexOf(job)];
    }

    long optimum() {
      return cheapest(0, 0, 0, gpus.clone());
    }

    private long cheapest(int job, int task, int from, int[] free) {
      if (job == jobs.size()) {
        return cost();
      }
      int each = jobs.get(job).roles().get(0).request().gpus();
      boolean last = task + 1 == jobs.get(job).tasks();
      long least = Long.MAX_VALUE;
      for (int node = from; node < free.length; node++) {
        if (free[node] >= each) {
          free[node] -= each;
          counts[job][node]++;
          long found = last ? cheapest(job + 1, 0, 0, free) : cheapest(job, task + 1, node, free);
          least = Math.min(least, found);
          counts[job][node]--;
          free[node] += each;
        }
      }
      return least;
    }

    private long cost() {
      long cost = 0;
      for (int one = 0; one < counts.length; one++) {
        for (int node = 0; node < gpus.length; node++) {
          for (int other = one + 1; other < counts.length; other++) {
            cost += counts[one][node] * intensity[one] * counts[other][node] * intensity[other];
          }
          for (int apart = node + 1; apart < gpus.length; apart++) {
            long tier = rack[node] == rack[apart] ? 1 : 3;
            cost += tier * traffic[one] * counts[one][node] * counts[one][apart];
          }
        }
      }
      return cost;
    }
  }
}
