package io.github.liquidscheduler.scheduler.order;

import java.util.ArrayList;
import java.util.List;

/**
 * The resources that are short for a job: it does not fit unless others give them up. Only these
 * decide who has to give, and whether queues are below their guarantee: a guarantee of something
 * that nobody lacks protects nobody.
 *
 * @param resources the indices of the resources, ascending
 */
public record ScarceResources(List<Integer> resources) {

  /** Copies the indices. */
  public ScarceResources {
    resources = List.copyOf(resources);
  }

  /** Returns the resources of which more is asked than is free. */
  public static ScarceResources of(Amounts asks, Amounts free) {
    List<Integer> resources = new ArrayList<>();
    for (int resource = 0; resource < asks.resources(); resource++) {
      if (asks.get(resource) > free.get(resource)) {
        resources.add(resource);
      }
    }
    return new ScarceResources(resources);
  }

  /** Returns true if some amount of a short resource is not zero. */
  boolean concerns(Amounts amounts) {
    return resources.stream().anyMatch(resource -> amounts.get(resource) > 0);
  }
}
