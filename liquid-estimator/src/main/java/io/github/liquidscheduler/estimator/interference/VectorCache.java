package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import org.jspecify.annotations.Nullable;

/**
 * Job vectors by profile and GPU model, so that a profile asked for again, or one equal to it,
 * costs one look and no garbage. Each place holds one vector; where none is free, a newer one takes
 * over the one that was asked for the longest ago, which costs time and changes no answer.
 */
final class VectorCache {
  private static final int PLACES = 4096;
  private static final int NEIGHBOURS = 8;
  private static final int UNUSED_BITS = 1 + Integer.numberOfLeadingZeros(PLACES);

  /** The golden ratio, by which hashes that differ in a few bits come to lie far apart. */
  private static final int SPREAD = 0x9E3779B9;

  /** One vector, and when it was asked for. */
  private static final class Place {
    private final ColocationProfile profile;
    private final GpuModel gpu;
    private final JobVector vector;
    private long asked;

    private Place(ColocationProfile profile, GpuModel gpu, JobVector vector) {
      this.profile = profile;
      this.gpu = gpu;
      this.vector = vector;
    }
  }

  private final @Nullable Place[] places = new Place[PLACES];
  private final ClassHistory history;
  private long questions;

  VectorCache(ClassHistory history) {
    this.history = history;
  }

  JobVector get(ColocationProfile profile, GpuModel gpu) {
    // What is known as whole numbers differs in the highest bits.
    int first = ((31 * profile.hashCode() + gpu.hashCode()) * SPREAD) >>> UNUSED_BITS;
    int free = first;
    long earliest = Long.MAX_VALUE;
    questions++;
    @Nullable Place near = places[first];
    if (near != null && near.profile.equals(profile) && near.gpu.equals(gpu)) {
      near.asked = questions;
      return near.vector;
    }
    for (int i = NEIGHBOURS - 1; i >= 0; i--) {
      int index = (first + i) & (PLACES - 1);
      Place place = places[index];
      if (place != null && place.profile.equals(profile) && place.gpu.equals(gpu)) {
        place.asked = questions;
        return place.vector;
      }
      long asked = place == null ? -1 : place.asked;
      if (asked <= earliest) {
        earliest = asked;
        free = index;
      }
    }
    return take(free, new Place(profile, gpu, new JobVector(profile, gpu, history)));
  }

  private JobVector take(int index, Place place) {
    Place taken = places[index];
    if (taken != null) {
      taken.vector.retire();
    }
    place.asked = questions;
    places[index] = place;
    return place.vector;
  }
}
