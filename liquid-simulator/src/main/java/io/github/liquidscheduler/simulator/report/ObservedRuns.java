package io.github.liquidscheduler.simulator.report;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Which jobs held GPUs of which nodes, of a run that was not simulated but seen, for an {@link
 * HtmlReport}. Which GPUs of a node they were is not known: each gets those that are free for the
 * longest. Immutable.
 */
public final class ObservedRuns {

  private final int jobs;
  private final List<Allocation> allocations;

  private ObservedRuns(int jobs, List<Allocation> allocations) {
    this.jobs = jobs;
    this.allocations = allocations;
  }

  /**
   * A run of a job.
   *
   * @param job its id
   * @param start when it started, counted from the start of the trace
   * @param end when it ended
   * @param nodes its nodes
   * @param gpus its GPUs on each of them
   */
  public record Run(String job, Duration start, Duration end, List<NodeId> nodes, int gpus) {
    /** Copies the nodes. */
    public Run {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * Returns the timeline of runs on a cluster.
   *
   * @param trace the jobs
   * @throws NullPointerException if a run is of a job that the trace has not
   */
  public static ObservedRuns of(Trace trace, ClusterTopology topology, List<Run> runs) {
    Map<String, Integer> positions = new HashMap<>();
    trace.jobs().forEach(job -> positions.put(job.id(), positions.size()));
    long[] freeSince = new long[topology.gpuCount()];
    List<Allocation> allocations = new ArrayList<>();
    for (Run run : runs.stream().sorted(Comparator.comparing(Run::start)).toList()) {
      int job = Objects.requireNonNull(positions.get(run.job), "position of a job");
      List<Integer> held = new ArrayList<>();
      for (NodeId node : run.nodes) {
        int first = topology.gpusBefore(topology.position(node));
        IntStream.range(first, first + topology.node(node).gpus().size())
            .boxed()
            .sorted(Comparator.comparing(gpu -> freeSince[gpu]))
            .limit(run.gpus)
            .forEach(held::add);
      }
      held.forEach(gpu -> freeSince[gpu] = run.end.toSeconds());
      Collections.sort(held);
      allocations.add(new Allocation(job, run.start.toSeconds(), run.end.toSeconds(), held));
    }
    return new ObservedRuns(positions.size(), allocations);
  }

  RunDetails details() {
    return new RunDetails(
        allocations,
        List.of(),
        Collections.nCopies(jobs, List.of()),
        Collections.nCopies(jobs, 0),
        allocations.stream().mapToLong(Allocation::end).max().orElse(0),
        List.of());
  }
}
