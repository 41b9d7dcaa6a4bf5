package io.github.liquidscheduler.cli;

import static java.util.stream.Collectors.toSet;

import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cli.simulation.SchedulingOptions;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Places the jobs of a file on a cluster that is empty or in use. */
@Command(
    name = "place",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Places the jobs of a file on a cluster, empty or in use. Prints which jobs start and where,"
          + " which can never run, and why the others wait.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  liquid place --cluster 4x8xV100 --jobs jobs.json",
      "  liquid place --cluster cluster.json --jobs jobs.json --policy fifo",
      "  liquid place --cluster cluster.json --jobs jobs.json --placer least-cost --explain",
      "  liquid place --cluster cluster.json --jobs jobs.json --json",
      "  liquid place --cluster cluster.json --jobs jobs.json --snapshot state.json",
      "",
      "A jobs file is an array, such as",
      "  [{\"id\": \"train-7\", \"roles\": [{\"name\": \"worker\", \"count\": 16, \"request\":"
          + " {\"gpus\": 1}}]}]",
      "docs/formats.md describes both files."
    })
public final class PlaceCommand implements Callable<Integer> {

  @Mixin private final JobsOnCluster jobs = new JobsOnCluster();

  @Mixin private final SchedulingOptions scheduling = new SchedulingOptions("best-effort-fifo");

  @Option(
      names = "--explain",
      description =
          "Print the network cost of each chosen placement, its terms, and the two best"
              + " alternatives. Computing is assumed to take 250 ms per iteration on one GPU, and"
              + " longer on several, since all wait for the slowest.")
  private boolean explain;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    List<JobSpec> submitted = jobs.read();
    ComparingPlacer placer =
        new ComparingPlacer(scheduling.placer(), scheduling.newPlacer(0), explain);
    Optional<LiquidScheduler> inUse = jobs.inUse();
    requireSettingsOfSnapshot(inUse.isPresent());
    LiquidScheduler scheduler =
        inUse.orElseGet(
            () ->
                LiquidScheduler.builder(jobs.cluster())
                    .policy(Policies.named(scheduling.policy()))
                    .placer(placer)
                    .build());
    OptionRules.refuseIf(spec, explain && json, "only one of --explain and --json can be given");
    if (explain) {
      explain(submitted, scheduler, placer);
    } else if (json) {
      decide(submitted, scheduler);
    } else {
      tabulate(submitted, scheduler);
    }
    return 0;
  }

  private void requireSettingsOfSnapshot(boolean isInUse) {
    for (String option : List.of("--policy", "--placer", "--explain")) {
      OptionRules.refuseIf(
          spec,
          isInUse && spec.commandLine().getParseResult().hasMatchedOption(option),
          option + " cannot be given with --snapshot, which has its own");
    }
  }

  /** Submits a job at the time at which the scheduler stands. */
  private static List<Decision> submit(JobSpec job, LiquidScheduler scheduler) {
    Instant now = scheduler.snapshot().now();
    return scheduler.on(
        new ClusterEvent.JobSubmitted(now.equals(Instant.MIN) ? Instant.EPOCH : now, job));
  }

  private static List<JobId> waiting(List<JobSpec> submitted, LiquidScheduler scheduler) {
    Set<JobId> ids = submitted.stream().map(JobSpec::id).collect(toSet());
    return scheduler.waiting().stream().filter(ids::contains).toList();
  }

  private void explain(List<JobSpec> submitted, LiquidScheduler scheduler, ComparingPlacer placer) {
    PlaceExplanation explanation =
        new PlaceExplanation(scheduling.placer(), spec.commandLine().getOut());
    for (JobSpec job : submitted) {
      for (Decision decision : submit(job, scheduler)) {
        explanation.print(decision, placer);
      }
    }
    scheduler
        .waiting()
        .forEach(job -> explanation.out().println(scheduler.explain(job).describe()));
    spec.commandLine().getOut().flush();
  }

  private void tabulate(List<JobSpec> submitted, LiquidScheduler scheduler) {
    PrintWriter out = spec.commandLine().getOut();
    DecisionTable table = new DecisionTable();
    for (JobSpec job : submitted) {
      table.add(job, submit(job, scheduler));
    }
    table.print(out);
    table
        .rejections()
        .forEach(
            rejection ->
                out.printf("%njob '%s' %s%n", rejection.job(), rejection.why().describe()));
    for (JobId job : waiting(submitted, scheduler)) {
      out.printf("%n%s%n", scheduler.explain(job).describe());
    }
    out.flush();
  }

  private void decide(List<JobSpec> submitted, LiquidScheduler scheduler) {
    List<String> decisions = new ArrayList<>();
    for (JobSpec job : submitted) {
      for (Decision decision : submit(job, scheduler)) {
        decisions.add(JsonCodecs.DECISION.writeIndented(decision));
      }
    }
    List<String> waiting = new ArrayList<>();
    for (JobId job : waiting(submitted, scheduler)) {
      waiting.add(JsonCodecs.EXPLANATION.writeIndented(scheduler.explain(job)));
    }
    print(decisions, waiting);
  }

  private void print(List<String> decisions, List<String> waiting) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("{");
    out.println("  \"decisions\": " + array(decisions) + ",");
    out.println("  \"waiting\": " + array(waiting));
    out.println("}");
    out.flush();
  }

  private static String array(List<String> values) {
    return values.isEmpty()
        ? "[]"
        : "[\n" + String.join(",\n", values).indent(4).stripTrailing() + "\n  ]";
  }
}
