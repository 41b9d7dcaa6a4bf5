package io.github.liquidscheduler.cli.simulation;

import io.github.liquidscheduler.simulator.elastic.Stragglers;
import io.github.liquidscheduler.simulator.failure.RandomSlowdowns;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of workers that are slow for a while. */
public final class StragglerOptions {

  @Option(
      names = "--stragglers",
      paramLabel = "TIME",
      description =
          "With --elastic: mean time between two random slowdowns of the worker on a GPU, at"
              + " least 1s (default: no stragglers). A job works at the speed of its slowest"
              + " worker.")
  private @Nullable Duration between;

  @Option(
      names = "--straggler-speed",
      paramLabel = "FRACTION",
      description =
          "Speed of a straggler, beside other workers, above 0 and below 1 (default: 0.5).")
  private double speed = 0.5;

  @Option(
      names = "--straggler-time",
      paramLabel = "TIME",
      description = "Time for which a worker is slow, above 0 (default: 1h).")
  private Duration time = Duration.ofHours(1);

  @Option(
      names = "--keep-stragglers",
      description =
          "Never replace stragglers; by default a job does by the rule of the elastic layer, with a"
              + " new worker on the same GPU.")
  private boolean keep;

  /** Returns them, if any are wanted. */
  public Optional<Stragglers> of(long seed) {
    return Optional.ofNullable(between)
        .map(mean -> new Stragglers(new RandomSlowdowns(mean, time, seed), speed, !keep));
  }

  /** Adds the settings that a reader wants to see. */
  public void addTo(Map<String, String> settings) {
    if (between != null) {
      settings.put("stragglers", between.toString());
      settings.put("straggler-speed", Double.toString(speed));
      settings.put("straggler-time", time.toString());
      settings.put("stragglers-kept", Boolean.toString(keep));
    }
  }
}
