package io.github.liquidscheduler.simulator.report;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.comparison.RunFigures;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * One HTML file about a run, or about runs of the same trace on the same cluster under several
 * policies. It needs nothing but a browser: scripts, styles and data are inside, and a content
 * security policy lets nothing else in. The first run added is the baseline of comparisons. Not
 * thread-safe.
 */
public final class HtmlReport {

  private final Trace trace;
  private final ClusterTopology topology;
  private final String input;
  private final String command;
  private final List<ReportRun> runs = new ArrayList<>();

  /** Makes a report: what ran on what, in a phrase, and the command that repeats it. */
  public HtmlReport(Trace trace, ClusterTopology topology, String input, String command) {
    this.trace = Objects.requireNonNull(trace, "trace");
    this.topology = Objects.requireNonNull(topology, "topology");
    this.input = Objects.requireNonNull(input, "input");
    this.command = Objects.requireNonNull(command, "command");
  }

  /** Adds a run, which has ended. */
  public HtmlReport add(String policy, RunRecorder recorder, SimulationResult result) {
    return add(policy, recorder, result, List.of(RunFigures.of(result)));
  }

  /**
   * Adds a run, which has ended, with the figures of more runs of the policy: all details are of
   * this one, and averages and intervals are of all.
   *
   * @param all the figures of all runs, this one among them; in the order of the draws on which
   *     they ran, which must be those of the other policies
   */
  public HtmlReport add(
      String policy, RunRecorder recorder, SimulationResult result, List<RunFigures> all) {
    return add(policy, recorder.details(), result, all);
  }

  /** Adds a run of jobs that trained in rounds. */
  public HtmlReport add(String policy, RoundTimeline timeline, SimulationResult result) {
    return add(policy, timeline.details(), result, List.of(RunFigures.of(result)));
  }

  /** Adds a run that was not simulated. */
  public HtmlReport add(String policy, ObservedRuns timeline, SimulationResult result) {
    return add(policy, timeline.details(), result, List.of(RunFigures.of(result)));
  }

  private HtmlReport add(
      String policy, RunDetails details, SimulationResult result, List<RunFigures> all) {
    runs.add(
        new ReportRun(
            Objects.requireNonNull(policy, "policy"),
            details,
            Objects.requireNonNull(result, "result"),
            all));
    return this;
  }

  /**
   * Appends the file.
   *
   * @throws IllegalStateException if no run was added
   */
  public void appendTo(Appendable text) throws IOException {
    if (runs.isEmpty()) {
      throw new IllegalStateException("a report needs a run, but none was added");
    }
    int chosen = recommended();
    String data = ReportData.of(trace, topology, runs, chosen);
    new ReportPage(text, input, command).write(runs, chosen, data);
  }

  /** Returns the run with the shortest average completion time, of those most jobs finished in. */
  private int recommended() {
    return IntStream.range(0, runs.size())
        .boxed()
        .min(
            Comparator.comparingInt((Integer run) -> -runs.get(run).finished())
                .thenComparingDouble(run -> runs.get(run).averageCompletion()))
        .orElseThrow();
  }
}
