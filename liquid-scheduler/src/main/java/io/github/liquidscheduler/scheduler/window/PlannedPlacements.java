package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The places that a batch plan has for jobs whose turn is still to come in this pass. A job takes
 * its planned place if that is still free. If not, or if the plan has none for it, a place is
 * sought that leaves those of the jobs behind it alone; only if there is none, anywhere: a job is
 * not bypassed by another that takes what it could have used.
 *
 * <p>But a deferrable job is left behind then, as long as those planned behind it are not more than
 * may bypass it in all. If one of the planned places turns out to be no good, those left behind are
 * tried again. Empty between passes.
 */
public final class PlannedPlacements {

  private final ClusterState cluster;
  private final Placer placer;
  private final Map<JobEntry, Placement> places = new LinkedHashMap<>();
  private final Map<JobEntry, Integer> turns = new LinkedHashMap<>();
  private final TreeSet<Integer> taken = new TreeSet<>();
  private @Nullable ClusterState besideThem;
  private long request;
  private int bypassLimit;
  private boolean someWereNoGood;

  public PlannedPlacements(ClusterState cluster, Placer placer) {
    this.cluster = cluster;
    this.placer = placer;
  }

  /** Returns the number of the request that the plan answers. */
  public long request() {
    return request;
  }

  /**
   * Begins with a plan.
   *
   * @param bypassLimit by how many jobs one may be bypassed
   */
  void begin(long request, int bypassLimit) {
    this.request = request;
    this.bypassLimit = bypassLimit;
  }

  /** Lets those of the jobs, which are given in turn, wait for others that may be bypassed. */
  void letWait(List<JobEntry> jobs) {
    if (bypassLimit > 0) {
      jobs.forEach(job -> turns.put(job, turns.size()));
    }
  }

  /** Returns whether the job, whose turn it is, waits for those that are planned behind it. */
  public boolean letsWait(JobEntry job) {
    return isDeferrable(job) && !places.isEmpty() && places.size() <= bypassLimit - job.bypassed();
  }

  /** Returns the jobs of the plan that nobody may bypass any more. */
  public List<JobEntry> undeferrable() {
    return turns.keySet().stream().filter(job -> !isDeferrable(job)).toList();
  }

  /** Returns the jobs that wait for places that nobody took in the end, in turn. */
  public List<JobEntry> deferredInVain() {
    return someWereNoGood ? turns.keySet().stream().filter(this::waits).toList() : List.of();
  }

  private boolean isDeferrable(JobEntry job) {
    return turns.containsKey(job) && job.bypassed() < bypassLimit;
  }

  private boolean waits(JobEntry job) {
    return isDeferrable(job) && !job.isRunning();
  }

  void add(JobEntry job, Placement place) {
    places.put(job, place);
  }

  public boolean contain(JobEntry job) {
    return places.containsKey(job);
  }

  /** Returns the jobs that have a place, in the order of the plan. */
  public Set<JobEntry> jobs() {
    return places.keySet();
  }

  /**
   * Returns the job's planned place if that is still free and the co-runners there still good for
   * all. The plan has no place for it then.
   */
  public Optional<Placement> claim(JobEntry job) {
    boolean wasPlanned = contain(job);
    Optional<Placement> place =
        Optional.ofNullable(places.remove(job))
            .filter(cluster::fits)
            .filter(planned -> placer.allows(cluster, job.job(), planned));
    if (place.isPresent()) {
      taken.add(turns.getOrDefault(job, 0));
    } else if (wasPlanned) {
      someWereNoGood = true;
      if (besideThem != null && besideThem.placement(job.id()).isPresent()) {
        besideThem.release(job.id());
      }
    }
    return place;
  }

  /** Returns a place for a job that has no planned one, if there is any. */
  public Optional<Placement> find(JobEntry job) {
    if (places.isEmpty()) {
      return placer.place(cluster, job.job());
    }
    Optional<Placement> beside = placer.place(besideThem(), job.job());
    return beside.isPresent() || letsWait(job) ? beside : placer.place(cluster, job.job());
  }

  /** Notes that a job has started. */
  public void started(JobEntry job, Placement place) {
    if (besideThem != null && !besideThem.placement(job.id()).equals(Optional.of(place))) {
      List<JobEntry> inTheWay = besideThem.fits(place) ? List.of() : leave(besideThem, place);
      besideThem.apply(job.job(), place);
      comeBack(besideThem, inTheWay);
    }
  }

  /** Notes that a running job has stopped. */
  public void stopped(JobEntry job) {
    if (besideThem != null) {
      besideThem.release(job.id());
    }
  }

  public void clear() {
    turns.forEach(
        (job, turn) -> {
          if (waits(job)) {
            job.countBypass(taken.tailSet(turn).size());
          }
        });
    turns.clear();
    taken.clear();
    someWereNoGood = false;
    places.clear();
    besideThem = null;
  }

  /** Returns the cluster as it would be if the planned jobs ran too. */
  private ClusterState besideThem() {
    if (besideThem == null) {
      besideThem = cluster.copy();
      comeBack(besideThem, List.copyOf(places.keySet()));
    }
    return besideThem;
  }

  private List<JobEntry> leave(ClusterState state, Placement place) {
    List<JobEntry> inTheWay = new ArrayList<>();
    places.forEach(
        (job, planned) -> {
          boolean meets = planned.nodes().stream().anyMatch(place.nodes()::contains);
          if (meets && state.placement(job.id()).isPresent()) {
            state.release(job.id());
            inTheWay.add(job);
          }
        });
    return inTheWay;
  }

  private void comeBack(ClusterState state, List<JobEntry> jobs) {
    for (JobEntry job : jobs) {
      @Nullable Placement planned = places.get(job);
      if (planned != null && state.fits(planned)) {
        state.apply(job.job(), planned);
      }
    }
  }
}
