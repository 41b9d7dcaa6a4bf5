package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.TerminalBar;
import io.github.liquidscheduler.lab.reference.pollux.GoodputPolicies;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the workloads of Pollux under its baselines and under our elastic policy. */
@Command(
    name = "pollux",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Reproduces the simulator of Pollux (Qiao et al., OSDI 2021): 160 elastic jobs on 16 nodes of"
          + " four T4, with measured step times. Prints average completion times of tiresias and"
          + " optimus, which are the original's, and of our policy, beside the original Pollux.",
      "lab/liquid-lab/docs/reproduction.md says what each policy knows.",
      ""
    },
    footer = {"", "Example:", "  liquid-lab reproduce pollux --data pollux --workload 6"})
final class ReproducePollux implements Callable<Integer> {

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description =
          "Folder of the artefact's simulator, with traces/APPLICATION/*.csv and"
              + " workloads/workload-N.csv.")
  private Path data = Path.of("");

  @Option(
      names = "--workload",
      paramLabel = "INDEX",
      description = "A workload, from 1 to 8; may be given several times (default: all).")
  private List<Integer> workloads = new ArrayList<>();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    int published = GoodputPolicies.GOODPUT.workloads();
    if (!workloads.stream().allMatch(workload -> workload >= 1 && workload <= published)) {
      throw new ParameterException(
          spec.commandLine(),
          "--workload must be from 1 to %d, but was %s".formatted(published, workloads));
    }
    PolluxComparison comparison =
        new PolluxComparison(
            workloads.isEmpty() ? IntStream.rangeClosed(1, published).boxed().toList() : workloads);
    try (TerminalBar bar = TerminalBar.of("Simulating", " workloads")) {
      comparison.run(data, bar::progress);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.print(comparison.json());
    } else {
      comparison.lines().forEach(out::println);
    }
    out.flush();
    return 0;
  }
}
