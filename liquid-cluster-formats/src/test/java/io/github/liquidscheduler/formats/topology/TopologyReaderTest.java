package io.github.liquidscheduler.formats.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyReaderTest {
  private static final TopologyReader ANY =
      TopologyReader.any(Hardware.of(8, GpuModel.of("GPU"), Memory.ofGib(80)));

  @TempDir Path folder;

  private static List<String> levels(String text) {
    return read(text).levels();
  }

  private static ClusterTopology read(String text) {
    return ANY.read("file", text.lines().toList()).cluster();
  }

  @Test
  void theFormatIsToldByTheText() {
    assertThat(levels("# comment\nSwitchName=s Nodes=a")).contains("leaf");
    assertThat(levels("BlockSizes=2\nBlockName=b Nodes=a,c")).contains("block");
    assertThat(levels("ip,DSW,PSW,ASW\nh,a,b,c")).contains("asw");
    assertThat(levels("\tGPU0\tCPU Affinity\nGPU0\t X \t0-7\n")).containsExactly("cluster", "node");
  }

  @Test
  void anotherTextIsRefused() {
    assertThatThrownBy(() -> read("hello"))
        .isInstanceOf(InputFormatException.class)
        .hasMessageStartingWith(
            "file: must be a topology.conf, slurm.conf, gres.conf or nodes of Slurm");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> ANY.read(folder.resolve("none")))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(folder.resolve("none") + ": there is no such file");
  }

  @Test
  void aFolderIsNoFile() {
    assertThatThrownBy(() -> ANY.read(folder))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(folder + ": must be a file, but is a directory");
  }

  @Test
  void textThatIsNotUtf8IsRefused() throws IOException {
    Path file = Files.write(folder.resolve("latin"), new byte[] {'a', (byte) 0xE4, 'b'});

    assertThatThrownBy(() -> ANY.read(file))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(file + ": the text must be UTF-8, but is not");
  }
}
