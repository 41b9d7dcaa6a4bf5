package io.github.liquidscheduler.lab.reference;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A policy of the Tiresias simulator, by the name it has there. Immutable.
 *
 * <ul>
 *   <li>{@code fifo}: in order of arrival, without bypass.
 *   <li>{@code fjf}: in order of arrival, but a job that fits may bypass those that do not.
 *   <li>{@code sjf}: fewest GPUs first; {@code shortest}: least time left first; {@code
 *       shortest-gpu}: least time left times GPUs first. These and the following stop jobs that
 *       run.
 *   <li>{@code dlas}, {@code dlas-gpu}: discretised least attained service, counted in seconds or
 *       GPU-seconds.
 *   <li>{@code dlas-gpu-k} for a number k, such as {@code dlas-gpu-1}: the same, but a job that has
 *       waited k times as long as it has run returns to the first queue.
 *   <li>{@code dlas-gpu-gittins}: the same, with the Gittins index as the order within each queue.
 * </ul>
 */
public final class TiresiasPolicy {

  private static final String GITTINS = "dlas-gpu-gittins";
  private static final String STARVING = "dlas-gpu-";
  private static final Pattern FACTOR = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

  private static final Comparator<CountedJob> AS_QUEUED = AttainedService.AS_QUEUED;

  private final String name;
  private final Supplier<CountPolicy> start;

  private TiresiasPolicy(String name, Supplier<CountPolicy> start) {
    this.name = name;
    this.start = start;
  }

  /**
   * Returns the policy called {@code name}, for those that need nothing but a name.
   *
   * @throws IllegalArgumentException if there is no such policy, or it is {@code dlas-gpu-gittins},
   *     which is made by {@link #gittins}
   */
  public static TiresiasPolicy named(String name) {
    return new TiresiasPolicy(name, startOf(name));
  }

  /**
   * Returns {@code dlas-gpu-gittins}.
   *
   * @param samples the service that past jobs took until they ended
   */
  public static TiresiasPolicy gittins(ServiceSamples samples) {
    GittinsIndex index = new GittinsIndex(samples);
    Comparator<CountedJob> order =
        Comparator.<CountedJob>comparingDouble(
                job -> -index.rank(ServiceUnit.GPU_SECONDS.attained(job)))
            .thenComparingLong(CountedJob::submit);
    return new TiresiasPolicy(
        GITTINS, () -> new AttainedService(ServiceUnit.GPU_SECONDS, Starvation.NONE, order));
  }

  /** Returns the names of all policies; {@code dlas-gpu-k} stands for those with a number. */
  public static List<String> names() {
    return List.of(
        "fifo",
        "fjf",
        "sjf",
        "shortest",
        "shortest-gpu",
        "dlas",
        "dlas-gpu",
        "dlas-gpu-k",
        GITTINS);
  }

  /**
   * Returns whether {@code name} is the policy that needs samples and is made by {@link #gittins}.
   */
  public static boolean needsServiceSamples(String name) {
    return name.equals(GITTINS);
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Returns this policy with empty queues. */
  CountPolicy start() {
    return start.get();
  }

  private static Supplier<CountPolicy> startOf(String name) {
    return switch (Objects.requireNonNull(name, "name")) {
      case "fifo" -> () -> new ArrivalOrder(false);
      case "fjf" -> () -> new ArrivalOrder(true);
      case "sjf" -> () -> new LeastFirst(CountedJob::gpus);
      case "shortest" -> () -> new LeastFirst(CountedJob::remaining);
      case "shortest-gpu" -> () -> new LeastFirst(job -> job.remaining() * job.gpus());
      case "dlas" -> leastAttained(ServiceUnit.SECONDS, Starvation.NONE);
      case "dlas-gpu" -> leastAttained(ServiceUnit.GPU_SECONDS, Starvation.NONE);
      default -> leastAttained(ServiceUnit.GPU_SECONDS, starvationOf(name));
    };
  }

  private static Supplier<CountPolicy> leastAttained(ServiceUnit unit, Starvation starvation) {
    return () -> new AttainedService(unit, starvation, AS_QUEUED);
  }

  private static Starvation starvationOf(String name) {
    if (needsServiceSamples(name)) {
      throw new IllegalArgumentException(
          "the policy '" + name + "' needs the service samples of past jobs");
    }
    String factor = name.startsWith(STARVING) ? name.substring(STARVING.length()) : "";
    if (!FACTOR.matcher(factor).matches()) {
      throw new IllegalArgumentException(
          "a Tiresias policy must be one of %s (k a number), but was '%s'"
              .formatted(String.join(", ", names()), name));
    }
    return new Starvation(Double.parseDouble(factor));
  }
}
