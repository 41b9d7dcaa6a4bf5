package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.simulator.published.DataFirst;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
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
    Table table = Table.of("load | error | idle saved | least | most | wasted | most");
    for (double load : LOADS) {
      for (double error : ERRORS) {
        table.row(row(load, error));
      }
    }
    table.print(out);
    out.println();
    out.println("Published: .18 to .77 of the idle time saved, .44 on average. The paper does not");
    out.println("say what a launch consists of. See docs/prefetching.md.");
    out.flush();
    return 0;
  }

  private List<String> row(double load, double error) {
    DataFirst experiment = new DataFirst(load, error, jobs);
    Prefetching rules = Prefetching.over(Bandwidth.ofGigabitsPerSecond(10)).build();
    List<Double> saved = new ArrayList<>();
    List<Double> wasted = new ArrayList<>();
    for (int seed = 0; seed < repetitions.seeds(); seed++) {
      DataFirst.Outcome without = experiment.run(seed, Optional.empty());
      DataFirst.Outcome with = experiment.run(seed, Optional.of(rules));
      saved.add(1 - with.idle() / without.idle());
      wasted.add(with.prefetched() == 0 ? 0 : with.wasted() / with.prefetched());
    }
    return List.of(
        percent(load),
        Double.toString(error),
        percent(mean(saved)),
        percent(Collections.min(saved)),
        percent(Collections.max(saved)),
        percent(mean(wasted)),
        percent(Collections.max(wasted)));
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
  }
}
