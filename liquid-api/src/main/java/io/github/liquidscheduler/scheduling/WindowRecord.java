package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything a scheduler in batch mode remembers of its window. Waiting jobs that none of the lists
 * names are in the window too, left over from earlier plans.
 *
 * @param requests how many plans have been requested so far
 * @param openedAt since when there is something new to plan, or empty if there is nothing
 * @param requestedAt when the plan was requested that has not come yet, or empty if none is awaited
 * @param entered the jobs that came since the last request, or were too many for it
 * @param requested the jobs whose plan has not come yet
 * @param immediate the jobs whose plan did not come in time: they are placed without one
 */
public record WindowRecord(
    long requests,
    Optional<Instant> openedAt,
    Optional<Instant> requestedAt,
    List<JobId> entered,
    List<JobId> requested,
    List<JobId> immediate) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if the number is negative, a job is named twice, or a plan is
   *     awaited that was never requested
   */
  public WindowRecord {
    Objects.requireNonNull(openedAt, "openedAt");
    Objects.requireNonNull(requestedAt, "requestedAt");
    entered = List.copyOf(entered);
    requested = List.copyOf(requested);
    immediate = List.copyOf(immediate);
    boolean awaited = requestedAt.isPresent() || !requested.isEmpty();
    if (requests < 0 || (awaited && (requests == 0 || requestedAt.isEmpty()))) {
      throw new IllegalArgumentException(
          "a plan must have been requested before it is awaited, but there were %d requests, the"
                  .formatted(requests)
              + " last at %s for %s".formatted(requestedAt, requested));
    }
    JobId.requireDistinct(
        Stream.of(entered, requested, immediate).flatMap(List::stream).toList(), "a batch window");
  }
}
