package io.github.liquidscheduler.simulator.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.RunSummary;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.fairness.FairnessReport;
import io.github.liquidscheduler.simulator.fairness.FinishTimeFairness;
import io.github.liquidscheduler.simulator.fairness.QueueUse;
import io.github.liquidscheduler.simulator.forecast.ForecastReport;
import io.github.liquidscheduler.simulator.metrics.DurationDistribution;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.slowdown.SharingReport;
import io.github.liquidscheduler.simulator.storage.LaunchReport;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The summary of a run as a JSON object. Times are in seconds. Figures of completion and queueing
 * times, and the makespan, are over the jobs that finished, and {@code null} if none did.
 */
public final class ResultJson {

  private final JsonGenerator json;

  private ResultJson(JsonGenerator json) {
    this.json = json;
  }

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
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
      new ResultJson(json).write(settings, result, more);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private void write(Map<String, String> settings, RunSummary result, MoreFigures more)
      throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      json.writeStringField(setting.getKey(), setting.getValue());
    }
    json.writeNumberField("jobs", result.jobs());
    json.writeNumberField("finished", result.finished());
    json.writeNumberField("rejected", result.rejected().size());
    json.writeNumberField("unfinished", result.unfinished().size());
    writeTimes(result);
    writeUsage(result);
    writeCounts(result);
    if (more.forecasts().isPresent()) {
      writeForecasts(more.forecasts().get());
    }
    if (more.sharing().isPresent()) {
      writeSharing(more.sharing().get());
    }
    if (more.fairness().isPresent()) {
      writeFairness(more.fairness().get());
    }
    json.writeStringField("decisions_digest", result.decisionsDigest());
    writeReasons("rejections", result.rejected());
    writeReasons("leftovers", result.unfinished());
    json.writeEndObject();
  }

  private void writeTimes(RunSummary result) throws IOException {
    if (result.statistics().isEmpty()) {
      for (String name : "avg_jct median_jct p95_jct p99_jct sum_jct makespan".split(" ", -1)) {
        json.writeNullField(name);
      }
      return;
    }
    JctStatistics statistics = result.statistics().get();
    writeDistribution("jct", statistics.completion());
    json.writeNumberField("sum_jct", seconds(statistics.completion().sum()));
    json.writeNumberField("makespan", seconds(statistics.makespan()));
    writeDistribution("queueing", statistics.queueing());
  }

  private void writeDistribution(String what, DurationDistribution times) throws IOException {
    json.writeNumberField("avg_" + what, seconds(times.sum()) / times.count());
    json.writeNumberField("median_" + what, seconds(times.median()));
    json.writeNumberField("p95_" + what, seconds(times.percentile(95)));
    json.writeNumberField("p99_" + what, seconds(times.percentile(99)));
  }

  private void writeUsage(RunSummary result) throws IOException {
    json.writeNumberField("utilization", result.usage().utilization());
    json.writeNumberField("useful_utilization", result.usage().usefulUtilization());
    if (result.usage().fragmentation().isPresent()) {
      json.writeNumberField("fragmentation", result.usage().fragmentation().getAsDouble());
    }
  }

  private void writeCounts(RunSummary result) throws IOException {
    if (result.counts().sizes().isPresent()) {
      writeSizes(result.counts().sizes().get());
    }
    if (result.counts().promises().isPresent()) {
      writePromises(result, result.counts().promises().get());
    }
    if (result.counts().launches().isPresent()) {
      writeLaunches(result.counts().launches().get());
    }
    json.writeNumberField("preemptions", result.counts().preemptions());
    json.writeNumberField("failures", result.counts().failures());
    json.writeNumberField("out_of_memory", result.counts().outOfMemory());
    if (result.counts().events().isPresent()) {
      json.writeNumberField("events", result.counts().events().getAsLong());
    }
    if (result.counts().decisions().isPresent()) {
      json.writeNumberField("decisions", result.counts().decisions().getAsLong());
    }
  }

  private void writeSizes(SimulationResult.SizeCounts sizes) throws IOException {
    json.writeNumberField("resizes", sizes.resizes());
    json.writeNumberField("starts", sizes.starts());
    if (sizes.lostSeconds().isPresent()) {
      json.writeNumberField("lost_seconds", sizes.lostSeconds().getAsDouble());
    }
    if (sizes.meanGpus().isPresent()) {
      json.writeNumberField("mean_size", sizes.meanGpus().getAsDouble());
    }
    if (sizes.stragglers().isPresent()) {
      json.writeNumberField("stragglers", sizes.stragglers().get().slowed());
      json.writeNumberField("stragglers_replaced", sizes.stragglers().get().replaced());
    }
  }

  /** Writes waiting times, which equal queueing times without pre-emption, and promises. */
  private void writePromises(RunSummary result, SimulationResult.PromiseCounts promises)
      throws IOException {
    if (result.statistics().isPresent()) {
      writeDistribution("wait", result.statistics().get().queueing());
    }
    json.writeNumberField("promises", promises.made());
    json.writeNumberField("promises_kept", promises.kept());
  }

  private void writeLaunches(LaunchReport launches) throws IOException {
    json.writeNumberField("launch_gpu_seconds", launches.gpuSeconds());
    json.writeNumberField("reading_gpu_seconds", launches.readingGpuSeconds());
    json.writeNumberField("prefetched_bytes", (long) launches.prefetchedBytes());
    json.writeNumberField("wasted_bytes", (long) launches.wastedBytes());
  }

  private void writeForecasts(ForecastReport forecasts) throws IOException {
    json.writeObjectFieldStart("forecasts");
    json.writeNumberField("asked", forecasts.asked());
    json.writeNumberField("told", forecasts.told());
    json.writeNumberField("within_a_second", forecasts.exact());
    json.writeNumberField("not_bypassed", forecasts.notBypassed());
    json.writeNumberField("not_bypassed_within_a_second", forecasts.exactNotBypassed());
    json.writeNumberField("median_error", seconds(forecasts.medianError()));
    json.writeNumberField("intervals", forecasts.intervals());
    json.writeNumberField("intervals_held", forecasts.held());
    json.writeNumberField("median_width", seconds(forecasts.medianWidth()));
    json.writeEndObject();
  }

  private void writeSharing(SharingReport sharing) throws IOException {
    json.writeObjectFieldStart("sharing");
    json.writeNumberField("held_gpu_seconds", sharing.heldGpuSeconds());
    json.writeNumberField("shared_gpu_seconds", sharing.sharedGpuSeconds());
    json.writeNumberField("jobs", sharing.jobs());
    json.writeNumberField("retained_speed", sharing.retainedSpeed());
    json.writeNumberField("below_floor", sharing.belowFloor());
    json.writeNumberField("interference_preemptions", sharing.stopped());
    json.writeNumberField("interference_migrations", sharing.moved());
    json.writeEndObject();
  }

  private void writeFairness(FairnessReport fairness) throws IOException {
    json.writeObjectFieldStart("fairness");
    json.writeNumberField("jain", fairness.jain());
    json.writeNumberField("share_error", fairness.shareError());
    if (fairness.finishTimes().isPresent()) {
      FinishTimeFairness finish = fairness.finishTimes().get();
      json.writeNumberField("avg_finish_time_fairness", finish.average());
      json.writeNumberField("worst_finish_time_fairness", finish.worst());
      json.writeNumberField("finish_time_unfair", finish.aboveOne());
    }
    json.writeArrayFieldStart("queues");
    for (QueueUse queue : fairness.queues()) {
      writeQueue(queue);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeQueue(QueueUse queue) throws IOException {
    json.writeStartObject();
    json.writeStringField("queue", queue.queue().value());
    json.writeNumberField("held_gpu_seconds", queue.heldGpuSeconds());
    json.writeNumberField("due_gpu_seconds", queue.dueGpuSeconds());
    if (queue.times().isPresent()) {
      JctStatistics times = queue.times().get();
      json.writeNumberField("finished", times.completion().count());
      writeDistribution("jct", times.completion());
      writeDistribution("queueing", times.queueing());
    }
    json.writeEndObject();
  }

  private void writeReasons(String name, List<? extends JobFate> fates) throws IOException {
    json.writeArrayFieldStart(name);
    for (JobFate fate : fates) {
      json.writeStartObject();
      json.writeStringField("job", fate.job().id());
      json.writeStringField("why", why(fate));
      json.writeEndObject();
    }
    json.writeEndArray();
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
