package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.text.Count;

/**
 * An event of a {@link ClusterEvent.Bundle} was refused, so that none of them was taken: the
 * scheduler is as it was before the first. The cause says why, as if the event had come alone after
 * those before it; without the event, the others may be told again.
 */
public final class RefusedEventException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final int index;

  /** Makes an exception about the event of this index in a bundle, with the reason. */
  public RefusedEventException(
      ClusterEvent.Bundle bundle, int index, IllegalArgumentException why) {
    super(
        "no event of a bundle is taken if one is refused, but of %s the one of index %d was, %s: %s"
            .formatted(
                Count.of(bundle.events().size(), "event"),
                index,
                bundle.events().get(index),
                why.getMessage()),
        why);
    this.index = index;
  }

  /** Returns the index of the event in its bundle, from 0. */
  public int index() {
    return index;
  }
}
