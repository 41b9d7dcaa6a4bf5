package io.github.liquidscheduler.lab.reference;

import java.util.List;

/** First come, first served, without pre-emption ({@code fifo}, and {@code fjf} with skipping). */
record ArrivalOrder(boolean allowsBypass) implements CountPolicy {

  @Override
  public List<CountedJob> order(List<CountedJob> unfinished) {
    return RunningFirst.of(unfinished);
  }
}
