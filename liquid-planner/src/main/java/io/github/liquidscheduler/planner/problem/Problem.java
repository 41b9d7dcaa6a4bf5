package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import java.util.List;

/**
 * The planning problem: gangs on a slot table, beside jobs that are fixed.
 *
 * @param slotTable the cluster without what fixed jobs hold
 * @param gangs those to place, in the order of the policy
 * @param networkCosts what the traffic of each gang costs
 * @param fixed the jobs that stay where they are, as far as their descriptions are known
 * @param interference the interference of the fixed tasks
 * @param links what fixed jobs send
 * @param leftOverPerGpu what a free GPU costs on a slot partly in use
 * @param preference what a preference violated costs
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Problem(
    SlotTable slotTable,
    Gang[] gangs,
    GangNetworkCost[] networkCosts,
    List<Fixed> fixed,
    InterferenceScore interference,
    LinkContention links,
    long leftOverPerGpu,
    long preference) {

  /** A job that stays where it is. */
  public record Fixed(JobSpec job, Placement placement) {}

  /** Returns the cost of the free GPUs of a slot. */
  public long leftOver(int slot, int free) {
    return free > 0 && free < slotTable.capacity[slot] ? leftOverPerGpu * free : 0;
  }

  /**
   * Returns the cost of an assignment apart from other jobs: traffic, preferences violated,
   * migration.
   */
  public long costOf(Gang gang, int[] slots, int[] byRole, int size) {
    long cost = networkCosts[gang.id].of(slots, byRole, size);
    if (gang.isRanked || gang.preferred >= 0) {
      cost += preference * violations(gang, slots, size) / PoolLoss.PREFERENCE;
    }
    return gang.home.isUnassigned() || isHome(gang, slots, byRole, size)
        ? cost
        : cost + gang.migrationCost;
  }

  /** Returns an assignment of a gang, with its cost. */
  public GangAssignment assignment(Gang gang, int[] slots, int[] byRole) {
    int[] tasks = byRole;
    if (gang.roles > 1) {
      tasks = new int[slots.length];
      for (int i = 0; i < byRole.length; i++) {
        tasks[i / gang.roles] += byRole[i];
      }
    }
    long cost = costOf(gang, slots, byRole, slots.length);
    return new GangAssignment(slots, tasks, byRole, cost, usage(gang, slots, byRole, slots.length));
  }

  /** Returns the link usage of a candidate. */
  public LinkContention.Usage usage(Gang gang, int[] slots, int[] byRole, int size) {
    return size == 1 ? LinkContention.Usage.NONE : networkCosts[gang.id].usage(slots, byRole, size);
  }

  /** Returns true if assignments of the gang on one slot may differ in cost. */
  public boolean mayDifferInCost(Gang gang) {
    return gang.isRanked
        || !gang.home.isUnassigned()
        || networkCosts[gang.id] instanceof PhysicalGangCost;
  }

  private static boolean isHome(Gang gang, int[] slots, int[] byRole, int size) {
    GangAssignment home = gang.home;
    return size == home.slots.length
        && java.util.Arrays.equals(slots, 0, size, home.slots, 0, size)
        && java.util.Arrays.equals(byRole, 0, size * gang.roles, home.byRole, 0, size * gang.roles);
  }

  /** Returns the violations, in parts of a preference. */
  private long violations(Gang gang, int[] slots, int size) {
    long violated = 0;
    if (gang.preferred >= 0) {
      int start = slotTable.domainStart(gang.preferred, slots[0]);
      int end = slotTable.domainEnd(gang.preferred, slots[0]);
      for (int i = 1; i < size; i++) {
        if (slots[i] < start || slots[i] >= end) {
          violated = PoolLoss.PREFERENCE;
        }
      }
    }
    int worst = 0;
    for (int i = 0; i < size; i++) {
      int loss = gang.lossOfPool[slotTable.pool[slots[i]]];
      worst = loss == Gang.FORBIDDEN ? worst : Math.max(worst, loss);
    }
    return violated + worst;
  }
}
