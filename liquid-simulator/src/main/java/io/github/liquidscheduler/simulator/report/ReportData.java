package io.github.liquidscheduler.simulator.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The data of a report as compact JSON. Times are seconds since the start of the trace. */
final class ReportData {

  private static final int MOST_EXPLAINED = 12;

  private final JsonGenerator json;
  private final Trace trace;
  private final ClusterTopology topology;

  private ReportData(JsonGenerator json, Trace trace, ClusterTopology topology) {
    this.json = json;
    this.trace = trace;
    this.topology = topology;
  }

  static String of(Trace trace, ClusterTopology topology, List<ReportRun> runs, int chosen) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      new ReportData(json, trace, topology).write(runs, chosen);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ReportText.inScript(text.toString());
  }

  private void write(List<ReportRun> runs, int chosen) throws IOException {
    json.writeStartObject();
    json.writeNumberField("schema", 1);
    json.writeNumberField("chosen", chosen);
    writeNodes();
    writeJobs();
    json.writeArrayFieldStart("runs");
    for (ReportRun run : runs) {
      writeRun(run, ReportAnswer.of(run, runs));
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeNodes() throws IOException {
    json.writeArrayFieldStart("nodes");
    for (Node node : topology.nodes()) {
      json.writeStartObject();
      json.writeStringField("name", node.id().toString());
      json.writeStringField("domain", domain(node));
      json.writeNumberField("gpus", node.gpus().size());
      if (!node.gpus().isEmpty()) {
        json.writeStringField("model", node.gpus().get(0).model().toString());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private String domain(Node node) {
    return node.domain().map(domain -> topology.domain(domain).id().toString()).orElse("");
  }

  private void writeJobs() throws IOException {
    json.writeObjectFieldStart("jobs");
    json.writeArrayFieldStart("id");
    for (TraceJob job : trace.jobs()) {
      json.writeString(job.id());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("model");
    for (TraceJob job : trace.jobs()) {
      json.writeString(job.model().orElse(""));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("queue");
    for (TraceJob job : trace.jobs()) {
      json.writeString(job.virtualCluster().orElse(""));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("gpus");
    for (TraceJob job : trace.jobs()) {
      json.writeNumber(job.gpus());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("submit");
    for (TraceJob job : trace.jobs()) {
      json.writeNumber(job.submit().toSeconds());
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeRun(ReportRun run, ReportAnswer answer) throws IOException {
    json.writeStartObject();
    json.writeStringField("policy", run.policy());
    json.writeStringField("headline", answer.headline());
    json.writeStringField("lead", answer.lead());
    json.writeStringField("price", answer.price());
    json.writeArrayFieldStart("tiles");
    for (ReportAnswer.Tile tile : answer.tiles()) {
      json.writeStartArray();
      json.writeString(tile.value());
      json.writeString(tile.difference());
      json.writeString(tile.baseline());
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeNumberField("end", run.details().end());
    writeFates(run);
    writeAllocations(run.details());
    writeReasons(run.details());
    writeExplained(run);
    writeSizeChanges(run.details());
    writeRounds(run.details());
    json.writeEndObject();
  }

  /** Writes the end of each job: -1 if it did not finish, -2 if it was rejected. */
  private void writeFates(ReportRun run) throws IOException {
    json.writeArrayFieldStart("ends");
    for (JobFate fate : run.result().fates()) {
      json.writeNumber(
          switch (fate) {
            case JobFate.Finished finished -> finished.outcome().end().toSeconds();
            case JobFate.Unfinished unfinished -> -1L;
            case JobFate.Rejected rejected -> -2L;
          });
    }
    json.writeEndArray();
    json.writeArrayFieldStart("preemptions");
    for (int job = 0; job < trace.jobs().size(); job++) {
      json.writeNumber(run.details().preemptions().get(job));
    }
    json.writeEndArray();
  }

  /** Writes [job, start − previous start, length, first GPU, count, first GPU, count …]. */
  private void writeAllocations(RunDetails details) throws IOException {
    json.writeArrayFieldStart("allocs");
    long previous = 0;
    for (Allocation allocation : details.allocations()) {
      json.writeStartArray();
      json.writeNumber(allocation.job());
      json.writeNumber(allocation.start() - previous);
      json.writeNumber(allocation.end() - allocation.start());
      writeRanges(allocation.gpus());
      json.writeEndArray();
      previous = allocation.start();
    }
    json.writeEndArray();
  }

  private void writeRanges(List<Integer> gpus) throws IOException {
    RangeSet<Integer> ranges = TreeRangeSet.create();
    gpus.forEach(gpu -> ranges.add(Range.closedOpen(gpu, gpu + 1)));
    for (Range<Integer> range : ranges.asRanges()) {
      json.writeNumber(range.lowerEndpoint());
      json.writeNumber(range.upperEndpoint() - range.lowerEndpoint());
    }
  }

  private void writeReasons(RunDetails details) throws IOException {
    json.writeArrayFieldStart("reasons");
    for (int job = 0; job < trace.jobs().size(); job++) {
      json.writeStartArray();
      for (WaitingSample sample : details.samples().get(job)) {
        json.writeNumber(sample.at());
        json.writeNumber(group(first(sample)));
      }
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private void writeExplained(ReportRun run) throws IOException {
    json.writeArrayFieldStart("explained");
    for (int job : longestExplained(run)) {
      List<WaitingSample> samples = run.details().samples().get(job);
      WaitingSample sample = samples.get(samples.size() - 1);
      json.writeStartObject();
      json.writeNumberField("job", job);
      json.writeNumberField("at", sample.at());
      json.writeStringField("code", first(sample).name());
      json.writeStringField("queue", sample.explanation().queue().describe());
      json.writeArrayFieldStart("unmet");
      for (var unmet : sample.explanation().unmetConstraints()) {
        json.writeString(unmet.describe());
      }
      json.writeEndArray();
      json.writeArrayFieldStart("remedies");
      for (var remedy : sample.explanation().remedies()) {
        json.writeString(remedy.describe());
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Returns those of the jobs that were explained which waited longest in all. */
  private int[] longestExplained(ReportRun run) {
    return IntStream.range(0, trace.jobs().size())
        .filter(job -> !run.details().samples().get(job).isEmpty())
        .boxed()
        .sorted(Comparator.comparingLong((Integer job) -> -run.wait(job)))
        .limit(MOST_EXPLAINED)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private void writeSizeChanges(RunDetails details) throws IOException {
    json.writeArrayFieldStart("resizes");
    for (SizeChange change : details.sizeChanges()) {
      json.writeStartArray();
      json.writeNumber(change.job());
      json.writeNumber(change.at());
      json.writeNumber(change.before());
      json.writeNumber(change.after());
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  /** Writes [GPU, job, round, start, length] of each bar, in thousandths of a second. */
  private void writeRounds(RunDetails details) throws IOException {
    json.writeArrayFieldStart("rounds");
    for (RoundBar bar : details.rounds()) {
      json.writeStartArray();
      json.writeNumber(bar.gpu());
      json.writeNumber(bar.job());
      json.writeNumber(bar.round());
      json.writeNumber(Math.round(1000 * bar.start()));
      json.writeNumber(Math.round(1000 * (bar.end() - bar.start())));
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private static Constraint first(WaitingSample sample) {
    return sample.explanation().unmetConstraints().get(0).constraint();
  }

  private static int group(Constraint constraint) {
    return switch (constraint) {
      case GPUS_PER_NODE, TOPOLOGY, COMBINATION, TOPOLOGY_LEVEL, RETAINED_SPEED -> 1;
      case QUEUE_ORDER, RESERVATION, BATCH_WINDOW, BACK_OFF, PROMISED_START -> 2;
      case QUEUE_GPUS, QUEUE_CPU, QUEUE_MEMORY -> 3;
      default -> 0;
    };
  }
}
