package io.github.liquidscheduler.simulator.reference;

import java.util.List;

/** First come, first served, without pre-emption ({@code fifo}, and {@code fjf} with skipping). */
final class ArrivalOrder implements CountPolicy {

  private final boolean allowsBypass;

  ArrivalOrder(boolean allowsBypass) {
    this.allowsBypass = allowsBypass;
  }

  @Override
  public List<CountedJob> order(List<CountedJob> unfinished) {
    return RunningFirst.of(unfinished);
  }

  @Override
  public boolean allowsBypass() {
    return allowsBypass;
  }
}
