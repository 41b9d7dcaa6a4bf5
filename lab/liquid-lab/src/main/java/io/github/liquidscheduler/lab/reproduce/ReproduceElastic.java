package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cli.output.TerminalBar;
import io.github.liquidscheduler.cli.simulation.StragglerOptions;
import io.github.liquidscheduler.lab.published.elastic.ComparedConditions;
import io.github.liquidscheduler.lab.published.elastic.ComparisonJson;
import io.github.liquidscheduler.lab.published.elastic.DurationQuantiles;
import io.github.liquidscheduler.lab.published.elastic.ElasticComparison;
import io.github.liquidscheduler.lab.published.elastic.ElasticConditions;
import io.github.liquidscheduler.lab.published.elastic.ElasticFlowCurves;
import io.github.liquidscheduler.lab.published.elastic.ElasticWorkload;
import io.github.liquidscheduler.lab.published.elastic.LoadProfile;
import io.github.liquidscheduler.lab.published.elastic.ScheduledComparison;
import io.github.liquidscheduler.lab.published.elastic.SizeMix;
import io.github.liquidscheduler.lab.reference.elastic.ElasticPolicy;
import io.github.liquidscheduler.lab.reference.elastic.ScalingCost;
import io.github.liquidscheduler.lab.reference.elastic.ServiceQueues;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares Elastic-Tiresias with Tiresias, with other policies and with lower bounds. */
@Command(
    name = "elastic-tiresias",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares policies for elastic jobs with Tiresias, as Elastic-Tiresias was (EDL, Wu et al.,"
          + " IEEE TPDS 33(1), 2022; published: up to 29 %% lower average JCT), on random jobs with"
          + " measured throughput curves, in the reference simulation of elastic jobs.",
      "Prints the average JCT and what it saves against Tiresias, for each load, beside two lower"
          + " bounds that hold for every policy.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  liquid-lab reproduce elastic-tiresias --curves elasticflow/throughputs_A100",
      "  liquid-lab reproduce elastic-tiresias --curves elasticflow/throughputs_A100 --range",
      "  liquid-lab reproduce elastic-tiresias --curves elasticflow/throughputs_A100 \\",
      "      --through-scheduler",
      "",
      DurationArgument.FORM + " lab/liquid-lab/docs/research.md has the results."
    })
final class ReproduceElastic implements Callable<Integer> {

  private static final int MOST = 10_000;

  @Option(
      names = "--curves",
      required = true,
      paramLabel = "FOLDER",
      description =
          "Folder of throughput curves as ElasticFlow's throughputs_A100: a CSV file for each"
              + " model, global_batch_size,1,2,4,8,16,32,64.")
  private Path curves = Path.of("");

  @Option(
      names = "--load",
      split = ",",
      paramLabel = "FRACTION",
      defaultValue = "0.9,1.1",
      description =
          "Offered loads: GPU-seconds of the jobs at their submitted sizes, as fractions of"
              + " the cluster's while they arrive, above 0 (default: ${DEFAULT-VALUE}).")
  private List<Double> loads = List.of();

  @Option(
      names = "--seeds",
      paramLabel = "TRACES",
      defaultValue = "20",
      description =
          "Number of traces, of consecutive seeds, from 1 to 10000 (default:"
              + " ${DEFAULT-VALUE}).")
  private int seeds;

  @Option(
      names = "--first-seed",
      paramLabel = "SEED",
      defaultValue = "0",
      description = "Random seed of the first trace, from 0 to 10000 (default: ${DEFAULT-VALUE}).")
  private int firstSeed;

  @Option(
      names = "--jobs",
      paramLabel = "JOBS",
      defaultValue = "300",
      description = "Number of jobs, from 1 to 10000 (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--load-profile",
      paramLabel = "NAME",
      defaultValue = "constant",
      description =
          "How the load varies: constant, or two-weeks: 14 days after the cluster that motivates"
              + " EDL, busy by day, with quiet days and one without jobs; as many jobs as that"
              + " takes instead of --jobs (default: ${DEFAULT-VALUE}).")
  private String loadProfile = "";

  @Option(
      names = "--gpus",
      paramLabel = "GPUS",
      defaultValue = "64",
      description = "Number of GPUs, from 2 to 10000 (default: ${DEFAULT-VALUE}).")
  private int gpus;

  @Option(
      names = "--durations",
      paramLabel = "NAME",
      defaultValue = "philly-24h",
      description =
          "Durations at submitted sizes: philly-8h, philly-24h or philly-72h (quantiles of Philly,"
              + " cut), or log-uniform (10 minutes to 2 hours) (default: ${DEFAULT-VALUE}).")
  private String durations = "";

  @Option(
      names = "--sizes",
      paramLabel = "NAME",
      defaultValue = "uniform",
      description =
          "Submitted sizes: uniform (up to 16 GPUs, at least half efficient), small (the same, half"
              + " as often for each doubling), efficient (at least three quarters), wide (up to 32"
              + " GPUs, at least a quarter) or single (default: ${DEFAULT-VALUE}).")
  private String sizes = "";

  @Option(
      names = "--scaling-cost",
      paramLabel = "COST",
      defaultValue = "free",
      description =
          "Pause of a job whose size changes: zero, free (stop-free) or stop (stop and resume)"
              + " (default: ${DEFAULT-VALUE}).")
  private String scalingCost = "";

  @Option(
      names = "--service-thresholds",
      paramLabel = "GPU-SECONDS",
      split = ",",
      description =
          "Queues of Tiresias, such as 3250,7200: attained service in GPU-seconds at which"
              + " jobs leave each but the last, for the tail of the next (default: 3600, and queues"
              + " sorted by first start).")
  private List<Double> thresholds = List.of();

  @Option(
      names = "--range",
      description =
          "Print instead what the main policies save on other sizes and durations, with three"
              + " queues and at other scaling costs.")
  private boolean range;

  @Option(
      names = "--through-scheduler",
      description =
          "Compare instead the scheduler's own ways to choose sizes, on nodes, with submitted sizes"
              + " and policy las.")
  private boolean throughScheduler;

  @Option(
      names = "--gpus-per-node",
      paramLabel = "GPUS",
      defaultValue = "8",
      description =
          "With --through-scheduler: GPUs of each node, at least 1 (default:"
              + " ${DEFAULT-VALUE}).")
  private int gpusPerNode;

  @Option(
      names = "--spread-speed",
      paramLabel = "FRACTION",
      defaultValue = "0.8",
      description =
          "With --through-scheduler: network cost, the speed of a job on more nodes than it"
              + " needs, beside on as few as can be, above 0 and at most 1 (default:"
              + " ${DEFAULT-VALUE}).")
  private double spreadSpeed;

  @ArgGroup(validate = false, heading = "%nStragglers (with --through-scheduler):%n")
  private final StragglerOptions stragglers = new StragglerOptions();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Write the table as JSON; - is the standard output.")
  private @Nullable OutputFile json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    check();
    ElasticWorkload.Scale scale =
        new ElasticWorkload.Scale(
            ElasticFlowCurves.read(curves), jobs, gpus, LoadProfile.named(loadProfile));
    List<ComparedConditions> compared = compare(scale);
    PrintWriter out = spec.commandLine().getOut();
    if (json != null) {
      json.writeText(out, text -> text.append(ComparisonJson.of(compared)));
    }
    if (json == null || !json.isStandardOutput()) {
      print(new ElasticReport(compared), out);
    }
    out.flush();
    return 0;
  }

  private void check() {
    if (!isFrom(1, seeds) || !isFrom(1, jobs) || !isFrom(2, gpus) || !isFrom(0, firstSeed)) {
      throw usage(
          "--seeds and --jobs must be from 1 to 10000, --gpus from 2 and --first-seed from 0");
    }
    if (throughScheduler && (range || !thresholds.isEmpty())) {
      throw usage("--through-scheduler has its own queues and no --range");
    }
    if (stragglers.of(firstSeed).isPresent() && !throughScheduler) {
      throw usage("--stragglers needs --through-scheduler");
    }
    if (throughScheduler && gpusPerNode < 1) {
      throw usage("--gpus-per-node must be at least 1, but was " + gpusPerNode);
    }
    if (loads.isEmpty() || loads.stream().anyMatch(load -> !(load > 0 && load <= MOST))) {
      throw usage("--load must be above 0 and at most 10000, but was " + loads);
    }
  }

  private List<ComparedConditions> compare(ElasticWorkload.Scale scale) {
    ElasticConditions chosen = conditions();
    List<ElasticConditions> all = range ? chosen.withVariations() : List.of(chosen);
    List<ComparedConditions> compared = new ArrayList<>();
    AtomicLong done = new AtomicLong();
    try (TerminalBar bar = TerminalBar.of("Comparing", " runs")) {
      for (ElasticConditions each : all) {
        for (double load : loads) {
          if (throughScheduler) {
            compared.add(scheduled(each, scale, load, bar));
            continue;
          }
          ElasticComparison comparison =
              each.comparison(scale, load, new ElasticComparison.Seeds(firstSeed, seeds));
          List<ElasticPolicy> policies =
              range ? comparison.mainPolicies() : comparison.allPolicies();
          long steps = (long) all.size() * loads.size() * comparison.steps(policies.size());
          Runnable step = () -> bar.progress(done.incrementAndGet(), steps);
          compared.add(new ComparedConditions(each.label(), load, comparison.run(policies, step)));
        }
      }
    }
    return compared;
  }

  private ComparedConditions scheduled(
      ElasticConditions conditions, ElasticWorkload.Scale scale, double load, TerminalBar bar) {
    ScheduledComparison undisturbed =
        conditions.scheduled(
            scale, load, new ElasticComparison.Seeds(firstSeed, seeds), gpusPerNode, spreadSpeed);
    ScheduledComparison comparison = stragglers.of(0).map(undisturbed::with).orElse(undisturbed);
    AtomicLong done = new AtomicLong();
    return new ComparedConditions(
        "%s, %s per node, spread speed %s"
            .formatted(conditions.label(), Count.of(gpusPerNode, "GPU"), spreadSpeed),
        load,
        comparison.run(() -> bar.progress(done.incrementAndGet(), comparison.steps())));
  }

  private static boolean isFrom(int least, int value) {
    return value >= least && value <= MOST;
  }

  private ElasticConditions conditions() {
    ServiceQueues queues =
        thresholds.isEmpty() ? ServiceQueues.TWO : new ServiceQueues(thresholds, true);
    DurationQuantiles.named(durations);
    return new ElasticConditions(
        durations, SizeMix.named(sizes), queues, ScalingCost.named(scalingCost));
  }

  private void print(ElasticReport report, PrintWriter out) {
    if (LoadProfile.named(loadProfile).isConstant()) {
      out.printf("%s on %s.%n%n", Count.of(jobs, "job"), Count.of(gpus, "GPU"));
    } else {
      out.printf("Load profile %s on %d GPUs.%n%n", loadProfile, gpus);
    }
    if (range) {
      report.printSaved(out);
      return;
    }
    report.print(out);
    if (throughScheduler) {
      out.println("Speeds and durations are known. The policy is las, with one threshold.");
      return;
    }
    out.println("The bounds hold for every policy, even one that knows the future. afs, optimus,");
    out.println("srtf, shadow-price-known and -steady know the remaining work; the others do not.");
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
