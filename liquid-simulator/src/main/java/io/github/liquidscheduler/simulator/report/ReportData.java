package io.github.liquidscheduler.simulator.report;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.output.JsonObject;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The data of a report as compact JSON. Times are seconds since the start of the trace. */
final class ReportData {

  private static final int MOST_EXPLAINED = 12;

  private final Trace trace;
  private final ClusterTopology topology;

  private ReportData(Trace trace, ClusterTopology topology) {
    this.trace = trace;
    this.topology = topology;
  }

  static String of(Trace trace, ClusterTopology topology, List<ReportRun> runs, int chosen) {
    ReportData data = new ReportData(trace, topology);
    return ReportText.inScript(
        new JsonObject()
            .with("schema", 1)
            .with("chosen", chosen)
            .with("nodes", list(topology.nodes(), data::node))
            .with("jobs", data.jobs())
            .with("runs", list(runs, run -> data.run(run, ReportAnswer.of(run, runs))))
            .compact());
  }

  private JsonObject node(Node node) {
    JsonObject json =
        new JsonObject()
            .with("name", node.id().toString())
            .with("domain", domain(node))
            .with("gpus", node.gpus().size());
    node.gpus().stream().findFirst().ifPresent(gpu -> json.with("model", gpu.model().toString()));
    return json;
  }

  private String domain(Node node) {
    return node.domain().map(domain -> topology.domain(domain).id().toString()).orElse("");
  }

  private JsonObject jobs() {
    List<TraceJob> jobs = trace.jobs();
    return new JsonObject()
        .with("id", list(jobs, TraceJob::id))
        .with("model", list(jobs, job -> job.model().orElse("")))
        .with("queue", list(jobs, job -> job.virtualCluster().orElse("")))
        .with("gpus", list(jobs, TraceJob::gpus))
        .with("submit", list(jobs, job -> job.submit().toSeconds()));
  }

  private JsonObject run(ReportRun run, ReportAnswer answer) {
    RunDetails details = run.details();
    return new JsonObject()
        .with("policy", run.policy())
        .with("headline", answer.headline())
        .with("lead", answer.lead())
        .with("price", answer.price())
        .with(
            "tiles",
            list(answer.tiles(), tile -> List.of(tile.value(), tile.difference(), tile.baseline())))
        .with("end", details.end())
        .with("ends", list(run.result().fates(), ReportData::end))
        .with("preemptions", ofEachJob(details.preemptions()::get))
        .with("allocs", allocations(details))
        .with("reasons", ofEachJob(job -> reasons(details.samples().get(job))))
        .with("explained", longestExplained(run).map(job -> explained(run, job)).toList())
        .with(
            "resizes",
            list(
                details.sizeChanges(),
                change -> List.of(change.job(), change.at(), change.before(), change.after())))
        .with("rounds", list(details.rounds(), ReportData::round));
  }

  /** Returns the end of a job: -1 if it did not finish, -2 if it was rejected. */
  private static long end(JobFate fate) {
    return switch (fate) {
      case JobFate.Finished finished -> finished.outcome().end().toSeconds();
      case JobFate.Unfinished unfinished -> -1L;
      case JobFate.Rejected rejected -> -2L;
    };
  }

  /** Returns [job, start − previous start, length, first GPU, count, first GPU …] of each. */
  private static List<List<Number>> allocations(RunDetails details) {
    List<List<Number>> rows = new ArrayList<>();
    long previous = 0;
    for (Allocation allocation : details.allocations()) {
      List<Number> row = new ArrayList<>();
      row.add(allocation.job());
      row.add(allocation.start() - previous);
      row.add(allocation.end() - allocation.start());
      RangeSet<Integer> ranges = TreeRangeSet.create();
      allocation.gpus().forEach(gpu -> ranges.add(Range.closedOpen(gpu, gpu + 1)));
      for (Range<Integer> range : ranges.asRanges()) {
        row.add(range.lowerEndpoint());
        row.add(range.upperEndpoint() - range.lowerEndpoint());
      }
      rows.add(row);
      previous = allocation.start();
    }
    return rows;
  }

  private static List<Number> reasons(List<WaitingSample> samples) {
    return samples.stream()
        .flatMap(sample -> Stream.<Number>of(sample.at(), group(first(sample))))
        .toList();
  }

  private static JsonObject explained(ReportRun run, int job) {
    WaitingSample sample = run.details().samples().get(job).getLast();
    return new JsonObject()
        .with("job", job)
        .with("at", sample.at())
        .with("code", first(sample).name())
        .with("queue", sample.explanation().queue().describe())
        .with("unmet", list(sample.explanation().unmetConstraints(), unmet -> unmet.describe()))
        .with("remedies", list(sample.explanation().remedies(), remedy -> remedy.describe()));
  }

  /** Returns those of the jobs that were explained which waited longest in all. */
  private Stream<Integer> longestExplained(ReportRun run) {
    return IntStream.range(0, trace.jobs().size())
        .filter(job -> !run.details().samples().get(job).isEmpty())
        .boxed()
        .sorted(Comparator.comparingLong((Integer job) -> -run.wait(job)))
        .limit(MOST_EXPLAINED);
  }

  /** Returns [GPU, job, round, start, length], times in thousandths of a second. */
  private static List<Number> round(RoundBar bar) {
    return List.of(
        bar.gpu(),
        bar.job(),
        bar.round(),
        Math.round(1000 * bar.start()),
        Math.round(1000 * (bar.end() - bar.start())));
  }

  private List<Object> ofEachJob(IntFunction<Object> value) {
    return IntStream.range(0, trace.jobs().size()).mapToObj(value).toList();
  }

  private static <T> List<Object> list(Collection<T> elements, Function<T, Object> value) {
    return elements.stream().map(value).toList();
  }

  private static Constraint first(WaitingSample sample) {
    return sample.explanation().unmetConstraints().get(0).constraint();
  }

  private static int group(Constraint constraint) {
    return switch (constraint) {
      case GPUS_PER_NODE, TOPOLOGY, COMBINATION, TOPOLOGY_LEVEL, RETAINED_SPEED -> 1;
      case QUEUE_ORDER,
          RESERVATION,
          BATCH_WINDOW,
          OVER_FULL,
          NOT_STARTED_HERE,
          HELD,
          BACK_OFF,
          PROMISED_START ->
          2;
      case QUOTAS_FORBID, QUEUE_GPUS, QUEUE_CPU, QUEUE_MEMORY -> 3;
      default -> 0;
    };
  }
}
