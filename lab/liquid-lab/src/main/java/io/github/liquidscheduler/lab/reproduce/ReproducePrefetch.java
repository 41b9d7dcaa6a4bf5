package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.lab.published.DataFirst;
import io.github.liquidscheduler.lab.published.ReadingLoad;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what it saves to bring data sets before jobs start. */
@Command(
    name = "prefetch",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how much less GPUs idle in launches if data sets are brought before jobs start, and"
          + " how much of what is brought nobody reads; by how well run times are known.",
      ""
    })
final class ReproducePrefetch implements Callable<Integer> {
  private static final List<Double> LOADS = List.of(.7, .9);
  private static final List<Double> TRACE_LOADS = List.of(.9);
  private static final int JOBS = 300;
  private static final int TRACE_JOBS = 3_000;
  private static final List<Double> ERRORS = List.of(0.0, .25, .5);

  private static final Bandwidth PATH = Bandwidth.ofGigabitsPerSecond(10);
  private static final Duration LAUNCH = Duration.ofSeconds(5);
  private static final Map<String, Prefetching> RULES = rules();

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Trace to take jobs from, at a load of .9; without it they are drawn, at .7 and .9.")
  private @Nullable Path trace;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "philly",
      description = "Format of the trace (default: ${DEFAULT-VALUE}).")
  private String format = "philly";

  @Option(
      names = "--jobs",
      paramLabel = "JOBS",
      description =
          "Number of jobs (default: " + JOBS + ", of a trace " + TRACE_JOBS + " in a row).")
  private @Nullable Integer jobs;

  @Option(
      names = "--first-seed",
      paramLabel = "SEED",
      defaultValue = "0",
      description = "Seed of the first run (default: ${DEFAULT-VALUE}).")
  private long firstSeed;

  @Mixin private final Repetitions repetitions = new Repetitions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<TraceJob> traced =
        trace == null ? List.of() : TraceFormat.named(format).reader().read(trace).jobs();
    Table table =
        Table.of(
            "load | error | rule | idle saved | least | most | wasted | most | of all bytes |"
                + " bound");
    for (double load : trace == null ? LOADS : TRACE_LOADS) {
      for (double error : ERRORS) {
        List<ReadingLoad> loads = loads(traced, load, error);
        List<DataFirst.Outcome> without =
            loads.stream().map(each -> DataFirst.run(each, Optional.empty())).toList();
        RULES.forEach(
            (name, rules) -> {
              List<String> row =
                  new ArrayList<>(List.of(percent(load), Double.toString(error), name));
              row.addAll(figures(loads, without, rules));
              table.row(row);
            });
      }
    }
    table.print(out);
    out.println();
    out.println("Published: .18 to .77 of the idle time saved, .44 on average. The paper does not");
    out.println("say what a launch consists of. See lab/liquid-lab/docs/reference-simulators.md.");
    out.flush();
    return 0;
  }

  private List<ReadingLoad> loads(List<TraceJob> traced, double load, double error) {
    List<ReadingLoad> loads = new ArrayList<>();
    int number = jobs != null ? jobs : trace == null ? JOBS : TRACE_JOBS;
    for (long seed = firstSeed; seed < firstSeed + repetitions.seeds(); seed++) {
      loads.add(
          trace == null
              ? ReadingLoad.liquid(load, error, number, seed)
              : ReadingLoad.traced(traced, load, error, number, seed));
    }
    return loads;
  }

  private static List<String> figures(
      List<ReadingLoad> loads, List<DataFirst.Outcome> without, Prefetching rules) {
    List<Double> saved = new ArrayList<>();
    List<Double> wasted = new ArrayList<>();
    List<Double> bounds = new ArrayList<>();
    double brought = 0;
    double lost = 0;
    for (int i = 0; i < loads.size(); i++) {
      DataFirst.Outcome with = DataFirst.run(loads.get(i), Optional.of(rules));
      saved.add(1 - with.idle() / without.get(i).idle());
      wasted.add(with.brought() == 0 ? 0 : with.wasted() / with.brought());
      brought += with.brought();
      lost += with.wasted();
      bounds.add(without.get(i).bound());
    }
    return List.of(
        percent(mean(saved)),
        percent(Collections.min(saved)),
        percent(Collections.max(saved)),
        percent(mean(wasted)),
        percent(Collections.max(wasted)),
        percent(brought == 0 ? 0 : lost / brought),
        percent(mean(bounds)));
  }

  private static Map<String, Prefetching> rules() {
    Map<String, Prefetching> rules = new LinkedHashMap<>();
    rules.put("locality", Prefetching.over(PATH).launch(LAUNCH).mostAtOnce(0).build());
    rules.put("liquid", Prefetching.liquid(PATH, .5).launch(LAUNCH).build());
    rules.put("predicted", Prefetching.over(PATH).launch(LAUNCH).build());
    rules.put("waste .1", Prefetching.over(PATH).launch(LAUNCH).mostWasted(.1).build());
    return rules;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
  }
}
