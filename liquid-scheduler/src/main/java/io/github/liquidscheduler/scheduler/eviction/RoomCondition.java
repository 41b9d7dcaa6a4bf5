package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import java.util.List;

/** A condition on who is gone for which placement, whatever room there is. */
record RoomCondition<C extends EvictionSearch.Candidate>(EvictionSearch.Acceptance<C> condition)
    implements EvictionSearch.Acceptance<C> {

  static <C extends EvictionSearch.Candidate> RoomCondition<C> of(
      EvictionSearch.Acceptance<C> condition) {
    return new RoomCondition<>(condition);
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
