package io.github.liquidscheduler.scheduling;

/**
 * A part that an embedder plugged into the scheduler (placer, policy, predictor, cost model) threw,
 * or answered what it must not. The event was not taken: the scheduler is as it was before, nothing
 * was started or stopped, and other events may follow. The same event may be tried again.
 */
public final class PluginFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Makes an exception about an event, with what was thrown as its cause. */
  public PluginFailedException(ClusterEvent event, Throwable cause) {
    super(
        "a part of the scheduler failed, so the event was not taken: %s at %s: %s"
            .formatted(event.getClass().getSimpleName(), event.at(), cause),
        cause);
  }
}
