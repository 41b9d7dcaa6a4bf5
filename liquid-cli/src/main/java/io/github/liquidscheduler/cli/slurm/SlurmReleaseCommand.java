package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.slurm.SlurmPort;
import io.github.liquidscheduler.text.Count;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Gives the partitions back to Slurm. */
@Command(
    name = "release",
    mixinStandardHelpOptions = true,
    description =
        "Gives the waiting jobs of the partitions back to Slurm, which then starts them as it"
            + " likes. Stop the daemon first, and take JobSubmitPlugins out of slurm.conf.")
public final class SlurmReleaseCommand implements Callable<Integer> {

  @Mixin private final ConfigOption config = new ConfigOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (SlurmPort slurm = SlurmPort.of(config.read(), System::nanoTime)) {
      List<String> released = slurm.release();
      released.forEach(out::println);
      out.printf("%s given back to Slurm.%n", Count.of(released.size(), "job"));
      out.flush();
      return 0;
    }
  }
}
