package io.github.liquidscheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.slurm.process.CommandRunner.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlurmChecksTest {
  private final RecordedSlurm slurm =
      new RecordedSlurm("22.05").with("scontrol show partition", "PartitionName=batch");

  @Test
  void aSlurmThatIsSetUpHasNoProblem() throws IOException {
    assertThat(lines("root"))
        .contains("ok: Slurm 22.05.8", "ok: partition 'batch'", "ok: runs as root")
        .contains("ok: JobSubmitPlugins=lua")
        .contains("advice: gpuMemory has no 'a100': 80 GiB are assumed")
        .noneMatch(line -> line.startsWith("problem"));
    assertThat(lines("root").toString()).contains("cred_expire=120");
  }

  @Test
  void aProblemIsToldInOneLineEach() throws IOException {
    slurm
        .with("scontrol show partition", new Answer(1, "", "Partition batch not found"))
        .with("sacctmgr", new Answer(1, "", "You are not running a supported accounting_storage"))
        .with(
            "scontrol show config",
            RecordedSlurm.text("22.05", "config.txt")
                .replace("= lua", "= (null)")
                .replace("22.05.8", "19.05.1")
                .replace("300 sec", "30 sec"));
    assertThat(lines("ada"))
        .contains("problem: partition 'batch' does not exist: Partition batch not found")
        .anyMatch(line -> line.startsWith("problem: runs as ada, who is neither SlurmUser (root)"))
        .anyMatch(line -> line.startsWith("problem: JobSubmitPlugins is not set"))
        .anyMatch(line -> line.startsWith("advice: Slurm 19.05.1 is not one of the versions known"))
        .anyMatch(line -> line.startsWith("advice: MinJobAge is 30 s"))
        .noneMatch(line -> line.contains("\n"));
  }

  @Test
  void anOperatorHasTheRights() throws IOException {
    slurm.with("sacctmgr", "Operator\n");
    assertThat(lines("ada")).contains("ok: runs as operator ada");
  }

  private List<String> lines(String user) throws IOException {
    return new SlurmChecks(SlurmConfig.of("batch"), slurm, user)
        .look().stream().map(SlurmCheck::toString).toList();
  }
}
