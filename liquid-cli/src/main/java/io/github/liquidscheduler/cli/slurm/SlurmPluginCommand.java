package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.slurm.SlurmPort;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the submit plugin of a site. */
@Command(
    name = "plugin",
    mixinStandardHelpOptions = true,
    description =
        "Prints job_submit.lua, which lets the jobs of the partitions wait. Put it beside"
            + " slurm.conf, and set JobSubmitPlugins=lua there.")
public final class SlurmPluginCommand implements Callable<Integer> {

  @Mixin private final ConfigOption config = new ConfigOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(SlurmPort.submitPlugin(config.read()));
    out.flush();
    return 0;
  }
}
