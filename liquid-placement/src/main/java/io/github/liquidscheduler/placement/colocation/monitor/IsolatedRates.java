package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationRecord.Rate;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The iterations per second of jobs alone on their GPUs. */
final class IsolatedRates {

  private static final int WINDOW = 10;

  private record Key(Workload workload, GpuModel gpu, int gpus) {}

  /** A mean over the last measurements. */
  private record Mean(int count, double value) {
    Mean plus(double measured) {
      int more = Math.min(count + 1, WINDOW);
      return new Mean(more, value + (measured - value) / more);
    }

    Rate toRecord(Key key) {
      return new Rate(key.workload(), key.gpu(), key.gpus(), value, count);
    }
  }

  private final Map<Key, Mean> measured = new LinkedHashMap<>();

  /** Adds a rate measured alone, and returns its undo. */
  Runnable add(JobSpec job, GpuModel gpu, double rate) {
    Key key = key(job, gpu);
    @Nullable Mean before = measured.get(key);
    measured.put(key, before == null ? new Mean(1, rate) : before.plus(rate));
    return () -> {
      if (before == null) {
        measured.remove(key);
      } else {
        measured.put(key, before);
      }
    };
  }

  /**
   * Returns the rate of a job on its number of GPUs of a model: the measured one, else that of its
   * profile for one GPU, else that of its expected work.
   */
  OptionalDouble rate(JobSpec job, GpuModel gpu, double ofProfile) {
    @Nullable Mean mean = measured.get(key(job, gpu));
    if (mean != null) {
      return OptionalDouble.of(mean.value);
    }
    return ofProfile > 0 && job.gpus() == 1
        ? OptionalDouble.of(ofProfile)
        : job.expectedWork().map(IsolatedRates::expected).orElse(OptionalDouble.empty());
  }

  List<Rate> toRecords() {
    return measured.entrySet().stream()
        .map(entry -> entry.getValue().toRecord(entry.getKey()))
        .toList();
  }

  static IsolatedRates of(List<Rate> records) {
    IsolatedRates rates = new IsolatedRates();
    for (Rate rate : records) {
      rates.measured.put(
          new Key(rate.workload(), rate.gpu(), rate.gpus()),
          new Mean(Math.min(rate.count(), WINDOW), rate.iterationsPerSecond()));
    }
    return rates;
  }

  IsolatedRates copy() {
    IsolatedRates copy = new IsolatedRates();
    copy.measured.putAll(measured);
    return copy;
  }

  private static OptionalDouble expected(ExpectedWork work) {
    double seconds = work.duration().map(IsolatedRates::seconds).orElse(0.0);
    return seconds > 0 && work.iterations().isPresent()
        ? OptionalDouble.of(work.iterations().getAsLong() / seconds)
        : OptionalDouble.empty();
  }

  private static double seconds(Duration duration) {
    return duration.toSeconds() + duration.toNanosPart() / 1e9;
  }

  private static Key key(JobSpec job, GpuModel gpu) {
    return new Key(job.workload(), gpu, job.gpus());
  }
}
