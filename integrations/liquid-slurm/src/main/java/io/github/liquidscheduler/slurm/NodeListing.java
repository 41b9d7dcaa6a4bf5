package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.slurm.CommandRunner.Answer;
import java.io.IOException;
import java.util.List;

/** The nodes of Slurm, by whichever command of its version lists them. */
final class NodeListing {

  private static final List<String> NEWER = List.of("scontrol", "show", "nodes", "--json");

  /** Until 22.05; later it lists groups of nodes. */
  private static final List<String> OLDER = List.of("sinfo", "--json");

  private final CommandRunner runner;
  private boolean isOlder;

  NodeListing(CommandRunner runner) {
    this.runner = runner;
  }

  List<SlurmRecord> read() throws IOException {
    if (!isOlder) {
      Answer newer = runner.run(NEWER).answered("scontrol show nodes");
      if (newer.output().stripLeading().startsWith("{")) {
        return read("scontrol show nodes --json", newer);
      }
    }
    List<SlurmRecord> nodes = read("sinfo --json", runner.run(OLDER));
    isOlder = true;
    return nodes;
  }

  private static List<SlurmRecord> read(String command, Answer answer) throws IOException {
    return SlurmJson.read(command, answer.done(command), "nodes", SlurmCluster.FIELDS);
  }
}
