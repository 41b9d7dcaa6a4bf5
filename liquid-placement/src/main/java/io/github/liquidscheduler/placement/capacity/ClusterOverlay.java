package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in which some more jobs run too, each at a tentative placement, so that placements
 * found on {@link #state()} do not conflict with them. Of tentative placements that conflict with
 * each other, or with running jobs, the later ones count only once they fit.
 *
 * <p>The cluster is copied, O(nodes), on first use. From then on the overlay must be told which
 * jobs {@linkplain #started start} and {@linkplain #stopped stop} on the cluster itself. Not
 * thread-safe.
 */
public final class ClusterOverlay {

  private final ClusterState cluster;
  // Empty in most overlays, which are made each turn.
  private Map<JobId, Tentative> tentative = Collections.emptyMap();
  // The tentative jobs that do not fit; never iterated.
  private Set<JobId> unplaceable = Collections.emptySet();
  private @Nullable ClusterState overlaid;

  private record Tentative(JobSpec job, Placement placement) {}

  /** Makes an overlay of {@code cluster} without any job. */
  public ClusterOverlay(ClusterState cluster) {
    this.cluster = cluster;
  }

  /** Adds a job as if it ran at {@code placement}; before {@link #state()} is first asked for. */
  public void add(JobSpec job, Placement placement) {
    if (tentative.isEmpty()) {
      tentative = new LinkedHashMap<>();
      unplaceable = new HashSet<>();
    }
    tentative.put(job.id(), new Tentative(job, placement));
  }

  /** Returns the tentative jobs in the order in which they were added. */
  public Set<JobId> jobs() {
    return tentative.keySet();
  }

  /** Returns the placement of a tentative job; empty if the job is not tentative. */
  public Optional<Placement> placement(JobId job) {
    return tentative.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(tentative.get(job)).map(Tentative::placement);
  }

  /** Removes a tentative placement, if there is one. */
  public void withdraw(JobId job) {
    if (tentative.remove(job) != null && overlaid != null && overlaid.placement(job).isPresent()) {
      release(overlaid, job);
    }
  }

  /** Returns the cluster in which the tentative jobs run too. Not to be changed. */
  public ClusterState state() {
    if (overlaid == null) {
      overlaid = cluster.copy();
      restore(overlaid, List.copyOf(tentative.keySet()));
    }
    return overlaid;
  }

  /** Returns the tentative jobs whose placements conflict with others. */
  public List<JobId> conflicting() {
    ClusterState all = state();
    return tentative.keySet().stream().filter(job -> all.placement(job).isEmpty()).toList();
  }

  /** Goes on with an overlay in which, as yet, these of the tentative jobs conflict with others. */
  public void resume(Collection<JobId> conflicting) {
    overlaid = cluster.copy();
    unplaceable = new HashSet<>(conflicting);
    restore(
        overlaid, tentative.keySet().stream().filter(job -> !conflicting.contains(job)).toList());
  }

  /** Notes that a job, tentative or not, has started on the cluster itself. */
  public void started(JobSpec job, Placement placement) {
    tentative.remove(job.id());
    unplaceable.remove(job.id());
    if (overlaid != null && !overlaid.placement(job.id()).equals(Optional.of(placement))) {
      if (overlaid.placement(job.id()).isPresent()) {
        overlaid.release(job.id());
      }
      List<JobId> displaced = overlaid.fits(placement) ? List.of() : displace(overlaid, placement);
      overlaid.apply(job, placement);
      restore(overlaid, displaced);
    }
  }

  /** Notes that a running job has another size on the cluster itself. */
  public void resized(JobSpec job, Placement placement) {
    if (overlaid != null) {
      List<JobId> displaced = displace(overlaid, placement);
      overlaid.resize(job, placement);
      restore(overlaid, displaced);
      restore(overlaid, tentative.keySet().stream().filter(unplaceable::contains).toList());
    }
  }

  /** Notes that a job no longer runs on the cluster itself. */
  public void stopped(JobId job) {
    if (overlaid != null) {
      release(overlaid, job);
    }
  }

  /** Forgets all tentative jobs. */
  public void clear() {
    tentative = Collections.emptyMap();
    unplaceable = Collections.emptySet();
    overlaid = null;
  }

  /** Removes the tentative jobs that share a node with a placement, and returns them. */
  private List<JobId> displace(ClusterState state, Placement placement) {
    List<JobId> displaced = new ArrayList<>();
    tentative.forEach(
        (job, planned) -> {
          boolean meets =
              planned.placement().nodes().stream().anyMatch(placement.nodes()::contains);
          if (meets && state.placement(job).isPresent()) {
            state.release(job);
            displaced.add(job);
          }
        });
    return displaced;
  }

  /** Removes a job, and adds the tentative ones that fit now. */
  private void release(ClusterState state, JobId job) {
    state.release(job);
    if (!unplaceable.isEmpty()) {
      restore(state, tentative.keySet().stream().filter(unplaceable::contains).toList());
    }
  }

  private void restore(ClusterState state, List<JobId> jobs) {
    for (JobId job : jobs) {
      @Nullable Tentative planned = tentative.get(job);
      if (planned != null && state.fits(planned.placement())) {
        state.apply(planned.job(), planned.placement());
        unplaceable.remove(job);
      } else {
        unplaceable.add(job);
      }
    }
  }
}
