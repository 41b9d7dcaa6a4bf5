package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.makeroom.MakeRoom;
import java.util.List;

/** A condition on who is gone for which placement, whatever room there is. */
record RoomCondition<C extends MakeRoom.Candidate>(MakeRoom.Acceptance<C> condition)
    implements MakeRoom.Acceptance<C> {

  static <C extends MakeRoom.Candidate> RoomCondition<C> of(MakeRoom.Acceptance<C> condition) {
    return new RoomCondition<>(condition);
  }

  @Override
  public boolean accepts(Placement placement, List<C> gone) {
    return condition.accepts(placement, gone);
  }

  @Override
  public boolean dependsOnNoRoom() {
    return true;
  }
}
