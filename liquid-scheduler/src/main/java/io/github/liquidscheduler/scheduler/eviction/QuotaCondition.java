package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import java.util.List;

/** A condition on victims and placement that depends on quotas, not on free capacity. */
record QuotaCondition<C extends EvictionSearch.Candidate>(EvictionSearch.Acceptance<C> condition)
    implements EvictionSearch.Acceptance<C> {

  static <C extends EvictionSearch.Candidate> QuotaCondition<C> of(
      EvictionSearch.Acceptance<C> condition) {
    return new QuotaCondition<>(condition);
  }

  @Override
  public boolean accepts(Placement placement, List<C> gone) {
    return condition.accepts(placement, gone);
  }

  @Override
  public boolean isIndependentOfCapacity() {
    return true;
  }
}
