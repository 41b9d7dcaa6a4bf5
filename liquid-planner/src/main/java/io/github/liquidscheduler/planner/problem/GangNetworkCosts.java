package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.LinkUsage;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.RolePair;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.network.Traffic;
import io.github.liquidscheduler.planner.cost.CostTerms;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the network costs of the gangs of one problem. */
final class GangNetworkCosts {

  private final CostTerms cost;
  private final SlotTable slotTable;
  private final List<JobSpec> jobs;
  private final @Nullable NetworkModel model;

  GangNetworkCosts(CostTerms cost, SlotTable slotTable, List<JobSpec> jobs) {
    this.cost = cost;
    this.slotTable = slotTable;
    this.jobs = jobs;
    @Nullable NetworkParameters physical = cost.physicalParameters();
    model = physical == null ? null : NetworkModel.of(slotTable.topology, physical);
  }

  /** Returns the cost of each job. */
  GangNetworkCost[] costs() {
    return cost.network() instanceof CostTerms.Tiers tiers
        ? jobs.stream().map(job -> byTiers(job, tiers)).toArray(GangNetworkCost[]::new)
        : physical(Objects.requireNonNull(model));
  }

  /** Returns the link usage of jobs that stay where they are. */
  LinkContention links(List<Problem.Fixed> fixed) {
    if (model == null || !cost.sharesLinks()) {
      return new LinkContention(0);
    }
    LinkContention links = new LinkContention(model.linkCount());
    LinkUsage use = new LinkUsage();
    for (Problem.Fixed job : fixed) {
      TaskCounts counts = TaskCounts.of(slotTable.topology, job.job(), job.placement());
      use.note(model, Traffic.of(job.job()), counts);
      links.add(LinkContention.Usage.of(use));
    }
    return links;
  }

  private GangNetworkCost byTiers(JobSpec job, CostTerms.Tiers tiers) {
    long traffic = job.tasks() == 1 ? 0 : tiers.traffic().applyAsLong(job);
    if (traffic < 0) {
      throw new IllegalArgumentException(
          "traffic must not be negative, but was %d, for job '%s'".formatted(traffic, job.id()));
    }
    return traffic == 0
        ? GangNetworkCost.NOTHING
        : new TierGangCost(slotTable, traffic, job.roles().size(), RolePair.of(job));
  }

  private GangNetworkCost[] physical(NetworkModel model) {
    GangNetworkCost[] costs = new GangNetworkCost[jobs.size()];
    Arrays.fill(costs, GangNetworkCost.NOTHING);
    int mostTasks = jobs.stream().mapToInt(JobSpec::tasks).max().orElse(1);
    Map<Integer, TaskCounts> countsByRoles = new LinkedHashMap<>();
    PhysicalGangCost.@Nullable Shared shared = null;
    for (int id = 0; id < costs.length; id++) {
      JobSpec job = jobs.get(id);
      if (!(job.communication() instanceof Communication.None)) {
        shared = shared == null ? shared(model, mostTasks) : shared;
        TaskCounts counts =
            countsByRoles.computeIfAbsent(
                job.roles().size(),
                roles -> new TaskCounts(slotTable.topology.nodes().size(), roles));
        costs[id] = new PhysicalGangCost(shared, job, counts);
      }
    }
    return costs;
  }

  private PhysicalGangCost.Shared shared(NetworkModel model, int mostTasks) {
    LeastSeconds least = new LeastSeconds(slotTable, model.parameters(), mostTasks);
    @Nullable LinkUsage used = cost.sharesLinks() ? new LinkUsage() : null;
    return new PhysicalGangCost.Shared(slotTable, model, least, used, cost.scale());
  }
}
