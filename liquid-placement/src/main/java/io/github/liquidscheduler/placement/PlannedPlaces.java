package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places that a batch plan has for jobs whose turn is still to come in this pass. A job takes
 * its planned place if that is still free. If not, or if the plan has none for it, a place is
 * sought that leaves those of the jobs behind it alone; only if there is none, anywhere: the plan
 * never lets a job overtake another that could have started without it. Empty between passes.
 */
final class PlannedPlaces {

  private final ClusterState cluster;
  private final Placer placer;
  private final Map<JobEntry, Placement> places = new LinkedHashMap<>();
  private @Nullable ClusterState besideThem;
  private long request;

  PlannedPlaces(ClusterState cluster, Placer placer) {
    this.cluster = cluster;
    this.placer = placer;
  }

  /** Returns the number of the request that the plan answers. */
  long request() {
    return request;
  }

  void begin(long request) {
    this.request = request;
  }

  void add(JobEntry job, Placement place) {
    places.put(job, place);
  }

  boolean contain(JobEntry job) {
    return places.containsKey(job);
  }

  /** Returns the jobs that have a place, in the order of the plan. */
  Set<JobEntry> jobs() {
    return places.keySet();
  }

  /**
   * Returns the job's planned place if that is still free and the company there still good for all.
   * The plan has no place for it then.
   */
  Optional<Placement> claim(JobEntry job) {
    Optional<Placement> place =
        Optional.ofNullable(places.remove(job))
            .filter(cluster::fits)
            .filter(planned -> placer.allows(cluster, job.job(), planned));
    if (place.isEmpty() && besideThem != null && besideThem.placement(job.id()).isPresent()) {
      besideThem.release(job.id());
    }
    return place;
  }

  /** Returns a place for a job that has no planned one, if there is any. */
  Optional<Placement> find(JobEntry job) {
    if (places.isEmpty()) {
      return placer.place(cluster, job.job());
    }
    return placer.place(besideThem(), job.job()).or(() -> placer.place(cluster, job.job()));
  }

  /** Notes that a job has started. */
  void started(JobEntry job, Placement place) {
    if (besideThem != null && !besideThem.placement(job.id()).equals(Optional.of(place))) {
      List<JobEntry> inTheWay = besideThem.fits(place) ? List.of() : leave(besideThem, place);
      besideThem.apply(job.job(), place);
      comeBack(besideThem, inTheWay);
    }
  }

  /** Notes that a running job has stopped. */
  void stopped(JobEntry job) {
    if (besideThem != null) {
      besideThem.release(job.id());
    }
  }

  void clear() {
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
