package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.simulator.published.DataFirst;
import io.github.liquidscheduler.simulator.published.ReadingLoad;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
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
  private static final List<Double> ERRORS = List.of(0.0, .25, .5);

  private static final Bandwidth PATH = Bandwidth.ofGigabitsPerSecond(10);
  private static final Duration LAUNCH = Duration.ofSeconds(5);
  private static final Map<String, Prefetching> RULES = rules();

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "300",
      description = "Number of jobs (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Mixin private final Repetitions repetitions = new Repetitions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Table table =
        Table.of("load | error | rule | idle saved | least | most | wasted | most | bound");
    for (double load : LOADS) {
      for (double error : ERRORS) {
        RULES.forEach((name, rules) -> table.row(row(load, error, name, rules)));
      }
    }
    table.print(out);
    out.println();
    out.println("Published: .18 to .77 of the idle time saved, .44 on average. The paper does not");
    out.println("say what a launch consists of. See docs/prefetching.md.");
    out.flush();
    return 0;
  }

  private List<String> row(double load, double error, String name, Prefetching rules) {
    List<Double> saved = new ArrayList<>();
    List<Double> wasted = new ArrayList<>();
    List<Double> bounds = new ArrayList<>();
    for (int seed = 0; seed < repetitions.seeds(); seed++) {
      ReadingLoad jobsOfSeed = ReadingLoad.liquid(load, error, jobs, seed);
      DataFirst.Outcome without = DataFirst.run(jobsOfSeed, Optional.empty());
      DataFirst.Outcome with = DataFirst.run(jobsOfSeed, Optional.of(rules));
      saved.add(1 - with.idle() / without.idle());
      wasted.add(with.brought() == 0 ? 0 : with.wasted() / with.brought());
      bounds.add(without.bound());
    }
    return List.of(
        percent(load),
        Double.toString(error),
        name,
        percent(mean(saved)),
        percent(Collections.min(saved)),
        percent(Collections.max(saved)),
        percent(mean(wasted)),
        percent(Collections.max(wasted)),
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
