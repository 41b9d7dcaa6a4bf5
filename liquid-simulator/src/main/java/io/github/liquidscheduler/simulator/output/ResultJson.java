package io.github.liquidscheduler.simulator.output;

import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.RunSummary;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.fairness.FairnessReport;
import io.github.liquidscheduler.simulator.fairness.QueueUse;
import io.github.liquidscheduler.simulator.forecast.ForecastReport;
import io.github.liquidscheduler.simulator.metrics.DurationDistribution;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.slowdown.SharingReport;
import io.github.liquidscheduler.simulator.storage.LaunchReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The summary of a run as a JSON object. Times are in seconds. Figures of completion and queueing
 * times, and the makespan, are over the jobs that finished, and {@code null} if none did.
 */
public final class ResultJson {

  private ResultJson() {}

  /**
   * Returns the summary on several lines, the last one ended.
   *
   * @param settings what the run was made of, such as its trace and policy; these come first, in
   *     their order, as strings
   */
  public static String of(Map<String, String> settings, SimulationResult result) {
    return of(settings, result.summary(), MoreFigures.NONE);
  }

  /**
   * Returns the summary with more figures, on several lines, the last one ended.
   *
   * @param settings as above
   * @param more their fields come in objects {@code fairness}, {@code forecasts} and {@code
   *     sharing}
   */
  public static String of(Map<String, String> settings, RunSummary result, MoreFigures more) {
    JsonObject json =
        new JsonObject()
            .withAll(settings)
            .with("jobs", result.jobs())
            .with("finished", result.finished())
            .with("rejected", result.rejected().size())
            .with("unfinished", result.unfinished().size());
    addTimes(json, result);
    addUsage(json, result);
    addCounts(json, result);
    more.forecasts().ifPresent(forecasts -> json.with("forecasts", forecasts(forecasts)));
    more.sharing().ifPresent(sharing -> json.with("sharing", sharing(sharing)));
    more.fairness().ifPresent(fairness -> json.with("fairness", fairness(fairness)));
    return json.with("decisions_digest", result.decisionsDigest())
        .with("rejections", reasons(result.rejected()))
        .with("leftovers", reasons(result.unfinished()))
        .page();
  }

  private static void addTimes(JsonObject json, RunSummary result) {
    if (result.statistics().isEmpty()) {
      for (String name : "avg_jct median_jct p95_jct p99_jct sum_jct makespan".split(" ", -1)) {
        json.with(name, Optional.empty());
      }
      return;
    }
    JctStatistics statistics = result.statistics().get();
    addDistribution(json, "jct", statistics.completion());
    json.with("sum_jct", seconds(statistics.completion().sum()));
    json.with("makespan", seconds(statistics.makespan()));
    addDistribution(json, "queueing", statistics.queueing());
  }

  private static void addDistribution(JsonObject json, String what, DurationDistribution times) {
    json.with("avg_" + what, seconds(times.sum()) / times.count())
        .with("median_" + what, seconds(times.median()))
        .with("p95_" + what, seconds(times.percentile(95)))
        .with("p99_" + what, seconds(times.percentile(99)));
  }

  private static void addUsage(JsonObject json, RunSummary result) {
    json.with("utilization", result.usage().utilization());
    json.with("useful_utilization", result.usage().usefulUtilization());
    result.usage().fragmentation().ifPresent(value -> json.with("fragmentation", value));
  }

  private static void addCounts(JsonObject json, RunSummary result) {
    SimulationResult.Counts counts = result.counts();
    counts.sizes().ifPresent(sizes -> addSizes(json, sizes));
    counts.promises().ifPresent(promises -> addPromises(json, result, promises));
    counts.launches().ifPresent(launches -> addLaunches(json, launches));
    json.with("preemptions", counts.preemptions());
    json.with("failures", counts.failures());
    json.with("out_of_memory", counts.outOfMemory());
    counts.events().ifPresent(events -> json.with("events", events));
    counts.decisions().ifPresent(decisions -> json.with("decisions", decisions));
  }

  private static void addSizes(JsonObject json, SimulationResult.SizeCounts sizes) {
    json.with("resizes", sizes.resizes());
    json.with("starts", sizes.starts());
    sizes.lostSeconds().ifPresent(lost -> json.with("lost_seconds", lost));
    sizes.meanGpus().ifPresent(mean -> json.with("mean_size", mean));
    sizes
        .stragglers()
        .ifPresent(
            stragglers ->
                json.with("stragglers", stragglers.slowed())
                    .with("stragglers_replaced", stragglers.replaced()));
  }

  /** Adds waiting times, which equal queueing times without pre-emption, and promises. */
  private static void addPromises(
      JsonObject json, RunSummary result, SimulationResult.PromiseCounts promises) {
    result
        .statistics()
        .ifPresent(statistics -> addDistribution(json, "wait", statistics.queueing()));
    json.with("promises", promises.made());
    json.with("promises_kept", promises.kept());
  }

  private static void addLaunches(JsonObject json, LaunchReport launches) {
    json.with("launch_gpu_seconds", launches.gpuSeconds());
    json.with("reading_gpu_seconds", launches.readingGpuSeconds());
    json.with("prefetched_bytes", (long) launches.prefetchedBytes());
    json.with("wasted_bytes", (long) launches.wastedBytes());
  }

  private static JsonObject forecasts(ForecastReport forecasts) {
    return new JsonObject()
        .with("asked", forecasts.asked())
        .with("told", forecasts.told())
        .with("within_a_second", forecasts.exact())
        .with("not_bypassed", forecasts.notBypassed())
        .with("not_bypassed_within_a_second", forecasts.exactNotBypassed())
        .with("median_error", seconds(forecasts.medianError()))
        .with("intervals", forecasts.intervals())
        .with("intervals_held", forecasts.held())
        .with("median_width", seconds(forecasts.medianWidth()));
  }

  private static JsonObject sharing(SharingReport sharing) {
    return new JsonObject()
        .with("held_gpu_seconds", sharing.heldGpuSeconds())
        .with("shared_gpu_seconds", sharing.sharedGpuSeconds())
        .with("jobs", sharing.jobs())
        .with("retained_speed", sharing.retainedSpeed())
        .with("below_floor", sharing.belowFloor())
        .with("interference_preemptions", sharing.stopped())
        .with("interference_migrations", sharing.moved());
  }

  private static JsonObject fairness(FairnessReport fairness) {
    JsonObject json =
        new JsonObject().with("jain", fairness.jain()).with("share_error", fairness.shareError());
    fairness
        .finishTimes()
        .ifPresent(
            finish ->
                json.with("avg_finish_time_fairness", finish.average())
                    .with("worst_finish_time_fairness", finish.worst())
                    .with("finish_time_unfair", finish.aboveOne()));
    return json.with("queues", fairness.queues().stream().map(ResultJson::queue).toList());
  }

  private static JsonObject queue(QueueUse queue) {
    JsonObject json =
        new JsonObject()
            .with("queue", queue.queue().value())
            .with("held_gpu_seconds", queue.heldGpuSeconds())
            .with("due_gpu_seconds", queue.dueGpuSeconds());
    queue
        .times()
        .ifPresent(
            times -> {
              json.with("finished", times.completion().count());
              addDistribution(json, "jct", times.completion());
              addDistribution(json, "queueing", times.queueing());
            });
    return json;
  }

  private static List<JsonObject> reasons(List<? extends JobFate> fates) {
    return fates.stream()
        .map(fate -> new JsonObject().with("job", fate.job().id()).with("why", why(fate)))
        .toList();
  }

  static String why(JobFate fate) {
    return switch (fate) {
      case JobFate.Finished finished -> "";
      case JobFate.Rejected rejected -> rejected.why();
      case JobFate.Unfinished unfinished -> unfinished.why();
    };
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }
}
