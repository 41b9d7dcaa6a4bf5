package io.github.liquidscheduler.slurm.trial;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The processes of the jobs on one node, found by the variables that Slurm gives them. */
final class NodeProcesses {

  private NodeProcesses() {}

  /** Kills them at once, and the daemons of Slurm that wait for them. */
  static void kill(String node, Path slurmConf) {
    List<ProcessHandle> there =
        ProcessHandle.allProcesses().filter(process -> isOn(node, slurmConf, process)).toList();
    there.stream()
        .map(ProcessHandle::parent)
        .flatMap(Optional::stream)
        .filter(NodeProcesses::isStep)
        .forEach(ProcessHandle::destroyForcibly);
    there.forEach(ProcessHandle::destroyForcibly);
  }

  private static boolean isStep(ProcessHandle process) {
    return process.info().command().filter(name -> name.endsWith("/slurmstepd")).isPresent();
  }

  private static boolean isOn(String node, Path slurmConf, ProcessHandle process) {
    try {
      Path variables = Path.of("/proc", Long.toString(process.pid()), "environ");
      String all = new String(Files.readAllBytes(variables), StandardCharsets.UTF_8);
      return List.of(all.split("\0", -1))
          .containsAll(List.of("SLURMD_NODENAME=" + node, "SLURM_CONF=" + slurmConf));
    } catch (IOException e) {
      return false; // It has ended.
    }
  }
}
