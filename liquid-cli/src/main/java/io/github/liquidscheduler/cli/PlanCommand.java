package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.algorithm.Algorithms;
import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.planner.colocation.ColocationPlanner;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plans the jobs of a file together on a cluster that is empty or in use. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Plans all jobs of a file together on a cluster, empty or in use. Prints the placements, a"
          + " bound on the distance from the optimal plan, and the results of the other planners.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  liquid plan --cluster 64x8xV100 --jobs jobs.json",
      "  liquid plan --cluster cluster.json --jobs jobs.json --planner timefold --seconds 10",
      "  liquid plan --cluster cluster.json --jobs jobs.json --max-moves 100000 --json",
      "  liquid plan --cluster 1x2xV100 --jobs jobs.json --colocate",
      "  liquid plan --cluster cluster.json --jobs jobs.json --snapshot state.json",
      "",
      "Costs are in seconds; docs/batch-planning.md defines them. Plans limited by moves are"
          + " repeatable on every machine."
    })
public final class PlanCommand implements Callable<Integer> {

  @Mixin private final JobsOnCluster jobs = new JobsOnCluster();

  @Option(
      names = "--planner",
      paramLabel = "PLANNER",
      defaultValue = "timefold",
      completionCandidates = Algorithms.PlannerNames.class,
      description =
          "Batch planner whose plan is printed: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).")
  private String planner = "timefold";

  @Option(
      names = {"--max-moves", "--steps"},
      paramLabel = "MOVES",
      description = "Maximum number of moves each planner evaluates, at least 1 (default: 200000).")
  private @Nullable Long steps;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      description =
          "Time limit of each planner in seconds, above 0 and at most 86400; plans are then"
              + " not repeatable (default: none).")
  private @Nullable Double seconds;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "0",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--colocate",
      description =
          "Co-locate jobs that may share GPUs where the shipped models predict the least slowdown."
              + " Costs are still those of exclusive placement.")
  private boolean colocate;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Algorithms.planner(planner);
    Map<String, BatchPlan> plans = new LinkedHashMap<>();
    List<JobSpec> pending = new ArrayList<>(jobs.read());
    List<Decision.Reject> rejections = rejections(pending);
    rejections.forEach(rejection -> pending.removeIf(job -> job.id().equals(rejection.job())));
    for (String name : Algorithms.planners()) {
      plans.put(name, plan(name, pending));
    }
    PrintWriter out = spec.commandLine().getOut();
    PlanReport report = new PlanReport(planner, plans, rejections);
    if (json) {
      report.printJson(out);
    } else {
      report.print(out);
    }
    out.flush();
    return 0;
  }

  private List<Decision.Reject> rejections(List<JobSpec> pending) {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(jobs.cluster()).policy(Policies.bestEffortFifo()).build();
    return pending.stream()
        .flatMap(job -> scheduler.on(new ClusterEvent.JobSubmitted(Instant.EPOCH, job)).stream())
        .filter(Decision.Reject.class::isInstance)
        .map(Decision.Reject.class::cast)
        .toList();
  }

  private BatchPlan plan(String name, List<JobSpec> pending) {
    PlanRequest request = PlanRequest.builder(view()).pending(pending).options(options()).build();
    BatchPlanner alone = Algorithms.planner(name);
    if (!colocate) {
      return alone.plan(request);
    }
    try (CompositePredictor predictor = CompositePredictor.shipped()) {
      return ColocationPlanner.of(alone, Colocation.of(predictor)).plan(request);
    }
  }

  private ClusterView view() {
    return jobs.inUse()
        .orElseGet(() -> LiquidScheduler.builder(jobs.cluster()).policy(Policies.fifo()).build())
        .view();
  }

  private PlanOptions options() {
    PlanOptions.Builder options = PlanOptions.builder().seed(seed);
    if (steps != null) {
      options.steps(steps);
    }
    if (seconds != null) {
      OptionRules.refuseIf(
          spec,
          !(seconds > 0 && seconds <= 86_400),
          "--seconds must be positive and at most 86400, but was " + seconds);
      long nanos = Math.round(seconds * 1e9);
      long end = System.nanoTime() + nanos;
      options.time(Duration.ofNanos(nanos)).stop(() -> System.nanoTime() - end > 0);
    }
    return options.build();
  }
}
