package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import org.jspecify.annotations.Nullable;

/**
 * Job vectors by profile and GPU model, so that a profile asked for again costs one look and no
 * garbage. Each place holds one vector; a newer one takes it over, which costs time and changes no
 * answer.
 */
final class VectorCache {
  private static final int PLACES = 4096;
  private static final int NEIGHBOURS = 8;

  private record Place(ColocationProfile profile, GpuModel gpu, JobVector vector) {}

  private final @Nullable Place[] places = new Place[PLACES];
  private final ClassHistory history;

  VectorCache(ClassHistory history) {
    this.history = history;
  }

  @SuppressWarnings("ReferenceEquality") // Equality would cost what the cache is to save.
  JobVector get(ColocationProfile profile, GpuModel gpu) {
    int first = System.identityHashCode(profile) * 31 + gpu.hashCode();
    int free = first & (PLACES - 1);
    for (int i = NEIGHBOURS - 1; i >= 0; i--) {
      int index = (first + i) & (PLACES - 1);
      Place place = places[index];
      if (place == null || place.vector.isRetired()) {
        free = index;
      } else if (place.profile == profile && place.gpu.equals(gpu)) {
        return place.vector;
      }
    }
    JobVector vector = new JobVector(profile, gpu, history);
    Place taken = places[free];
    if (taken != null) {
      taken.vector.retire();
    }
    places[free] = new Place(profile, gpu, vector);
    return vector;
  }
}
