package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import java.util.List;

/**
 * What is planned: gangs on slot table, beside what is fixed.
 *
 * @param slotTable the cluster, what is fixed taken off
 * @param gangs those to place, in the order of the policy
 * @param prices what the traffic of each gang costs
 * @param fixed the jobs that stay where they are, as far as it is known what they are
 * @param neighbours the fixed tasks on each node
 * @param links what fixed jobs send
 * @param leftOverPerGpu what a free GPU costs on a slot partly in use
 * @param preference what a wish not met costs
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Problem(
    SlotTable slotTable,
    Gang[] gangs,
    GangNetworkCost[] prices,
    List<Fixed> fixed,
    InterferenceScore neighbours,
    LinkContention links,
    long leftOverPerGpu,
    long preference) {

  /** A job that stays where it is. */
  public record Fixed(JobSpec job, Placement placement) {}

  /** Returns what the free GPUs of a slot cost. */
  public long leftOver(int slot, int free) {
    return free > 0 && free < slotTable.capacity[slot] ? leftOverPerGpu * free : 0;
  }

  /** Returns what a place costs whoever else is there: traffic, wishes not met, migration. */
  public long priceOf(Gang gang, int[] slots, int[] byRole, int size) {
    long price = prices[gang.id].of(slots, byRole, size);
    if (gang.isRanked || gang.preferred >= 0) {
      price += preference * wishesNotMet(gang, slots, size);
    }
    return gang.home.isUnassigned() || isHome(gang, slots, byRole, size)
        ? price
        : price + gang.migrationCost;
  }

  /** Returns a place of a gang, priced. */
  public GangAssignment place(Gang gang, int[] slots, int[] byRole) {
    int[] tasks = byRole;
    if (gang.roles > 1) {
      tasks = new int[slots.length];
      for (int i = 0; i < byRole.length; i++) {
        tasks[i / gang.roles] += byRole[i];
      }
    }
    long price = priceOf(gang, slots, byRole, slots.length);
    return new GangAssignment(slots, tasks, byRole, price, uses(gang, slots, byRole, slots.length));
  }

  /** Returns what the traffic of a candidate does to the links it crosses. */
  public LinkContention.Uses uses(Gang gang, int[] slots, int[] byRole, int size) {
    return size == 1 ? LinkContention.Uses.NONE : prices[gang.id].uses(slots, byRole, size);
  }

  /** Returns whether places of the gang on one slot may differ in price. */
  public boolean hasOwnPrices(Gang gang) {
    return gang.isRanked
        || !gang.home.isUnassigned()
        || prices[gang.id] instanceof PhysicalGangCost;
  }

  private static boolean isHome(Gang gang, int[] slots, int[] byRole, int size) {
    GangAssignment home = gang.home;
    return size == home.slots.length
        && java.util.Arrays.equals(slots, 0, size, home.slots, 0, size)
        && java.util.Arrays.equals(byRole, 0, size * gang.roles, home.byRole, 0, size * gang.roles);
  }

  private int wishesNotMet(Gang gang, int[] slots, int size) {
    int wishes = 0;
    if (gang.preferred >= 0) {
      int start = slotTable.domainStart(gang.preferred, slots[0]);
      int end = slotTable.domainEnd(gang.preferred, slots[0]);
      for (int i = 1; i < size; i++) {
        if (slots[i] < start || slots[i] >= end) {
          wishes = 1;
        }
      }
    }
    int worst = 0;
    for (int i = 0; i < size; i++) {
      int rank = gang.rankOfPool[slotTable.pool[slots[i]]];
      worst = rank == Gang.FORBIDDEN ? worst : Math.max(worst, rank);
    }
    return wishes + worst;
  }
}
