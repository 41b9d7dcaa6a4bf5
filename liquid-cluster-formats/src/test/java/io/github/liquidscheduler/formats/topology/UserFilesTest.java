package io.github.liquidscheduler.formats.topology;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMultiset;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files as users have them: read rightly, with a word on what is left out, or refused by name. */
class UserFilesTest {

  private static final TopologyReader ANY =
      TopologyReader.any(Hardware.of(8, GpuModel.of("GPU"), Memory.ofGib(80)));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          F01.txt | node 8 GPU of 80 GiB, groups 00000000 at 3600 Gbit/s
          F02.txt | refused: F02.txt:1:1: the first column must be 'GPU0', but was 'Mon'
          F03.txt | refused: F03.txt:1:1: the first column must be 'GPU0', but was 'Topology'
          F04.txt | node 4 GPU of 80 GiB, groups 0011 at 800 Gbit/s
          F06.conf | refused: F06.conf:3:28: a switch must be the child of one other, and is the child of 'spine1', but was 'leaf1'
          F07.yaml | refused: F07.yaml:2:1: a topology.yaml of Slurm is not read, but a topology.conf is, but was '- topology: fabric'
          F08.conf | batch-st-small-1 1 t4 of 80 GiB; batch-st-small-2 1 t4 of 80 GiB; batch-st-large-1 8 a10g of 80 GiB; assumed 80 GiB of memory of each GPU of model t4, which is not told, on 2 nodes: batch-st-small-1, batch-st-small-2; assumed 80 GiB of memory of each GPU of model a10g, which is not told, on 1 node: batch-st-large-1; left out gres/mps of 1 node: batch-st-large-1
          F09.conf | gpu01 8 a100-80gb of 80 GiB, 128 cores, 976.6 GiB; gpu03 8 a100-80gb of 80 GiB, 62 cores, 975.6 GiB; login no GPU, 16 cores, 975.6 GiB; left out 1 node that is DRAIN: gpu02; left out 1 node that is FUTURE: new1
          F10.txt | n1 2 t4 of 80 GiB + 2 v100-32gb of 32 GiB, 64 cores, 250 GiB; n5 4 t4 of 80 GiB, 64 cores, 250 GiB; assumed 80 GiB of memory of each GPU of model t4, which is not told, on 2 nodes: n1, n5; left out 1 node that is DOWN*+DRAIN: n2; left out 1 node that is IDLE+MAINTENANCE+RESERVED: n3; left out 1 node that is IDLE+NOT_RESPONDING: n4
          F11.txt | b1 8 nvidia_b200_2g.45gb of 41.9 GiB + 6 nvidia_b200 of 80 GiB, 192 cores, 1937.5 GiB; assumed 80 GiB of memory of each GPU of model nvidia_b200, which is not told, on 1 node: b1
          F12a.conf | n1 4 a100-40gb of 40 GiB, 8 cores; left out gres/shard of 1 node: n1; left out gres/mps of 1 node: n1
          F12b.conf | refused: F12b.conf:1:25: GPUs must be as in Gres=gpu:a100:8, but was 'gpu:a100:no_consume:4'
          F13.json | n1 8 NVIDIA-H100-80GB-HBM3 of 79.6 GiB, 191.45 cores, 2000 GiB
          F14.json | n1 8 NVIDIA-H100-80GB-HBM3 of 79.6 GiB, 191.45 cores, 2000 GiB; n5 8 NVIDIA-H100-80GB-HBM3 of 79.6 GiB, 191.45 cores, 2000 GiB; left out 1 node that is cordoned: n2; left out 1 node that is not ready (Unknown): n3; left out 1 node that is tainted node.kubernetes.io/disk-pressure: n4; left out 1 node that is tainted node-role.kubernetes.io/control-plane: m1
          F15.json | n1 4 NVIDIA-H100-80GB-HBM3 of 79.6 GiB + 7 NVIDIA-H100-80GB-HBM3-MIG-1g.10gb of 9.8 GiB + 2 NVIDIA-H100-80GB-HBM3-MIG-3g.40gb of 37.3 GiB, 128 cores, 1000 GiB
          F16.json | n1 56 NVIDIA-H100-80GB-HBM3-MIG-1g.10gb of 9.6 GiB, 128 cores, 1000 GiB
          F18.json | n1 8 AMD_Instinct_MI300X_OAM of 192 GiB, 128 cores, 1000 GiB; n2 8 AMD_Instinct_MI250X of 80 GiB, 128 cores, 1000 GiB; assumed 80 GiB of memory of each GPU of model AMD_Instinct_MI250X, which is not told, on 1 node: n2
          F19a.json | refused: F19a.json:1: the JSON must be an array, or an object with the array 'items'
          F19b.json | refused: F19b.json:1: the JSON must be an array, or an object with the array 'items'
          F19c.yaml | refused: F19c.yaml: no known format
          F19d.txt | refused: F19d.txt: no known format
          F19e.xml | node 4 GPU of 80 GiB, groups 0000 at 3600 Gbit/s, NIC 800 Gbit/s
          M01.conf | c1 2 GPU of 80 GiB, 96 cores, 488.3 GiB; c2 2 GPU of 80 GiB, 96 cores, 488.3 GiB; c4 2 GPU of 80 GiB, 96 cores, 488.3 GiB; spec 1 GPU of 80 GiB, 92 cores, 488.3 GiB; did not read 'Include /etc/slurm/more-nodes.conf'
          M02.conf | n1 2 a100 of 80 GiB + 2 1g.5gb of 4.7 GiB; n2 2 a100 of 80 GiB + 2 t4 of 80 GiB; assumed 80 GiB of memory of each GPU of model a100, which is not told, on 2 nodes: n1, n2; assumed 80 GiB of memory of each GPU of model t4, which is not told, on 1 node: n2
          M03.conf | refused: M03.conf:1:28: GPUs must be told, for those of node 'n1' are found by the node itself; 'scontrol show nodes' tells them, but was 'nvml'
          M04.conf | refused: M04.conf:1:48: Count must be that of the files, which is 4, but was '2'
          M05.txt | n1 1 gh200 of 80 GiB, 72 cores, 468.8 GiB; assumed 80 GiB of memory of each GPU of model gh200, which is not told, on 1 node: n1; left out 1 node that is IDLE+REBOOT_ISSUED: n2; left out 2 nodes that are IDLE+DRAIN: n3, n4; left out 1 node that is INVAL: n5
          M06.json | n1 4 NVIDIA-A10 of 22.5 GiB, 64 cores, 500 GiB; left out replicas of nvidia.com/gpu of 1 node: n1
          M07.json | n1 2 nvidia-l4 of 80 GiB, 64 cores, 500 GiB; assumed 80 GiB of memory of each GPU of model nvidia-l4, which is not told, on 1 node: n1; left out rdma/hca_shared of 1 node: n1; left out vpc.amazonaws.com/efa of 1 node: n1
          M08.json | refused: M08.json: must have at least one node that runs jobs, but has none; left out 1 node that is cordoned: n1
          M13.xml | node 4 GPU of 80 GiB, groups 0011 at 2400 Gbit/s
          M14.xml | node 4 GPU of 80 GiB, groups 0011 at 96 Gbit/s
          M15.xml | refused: M15.xml:3: the XML must be well-formed, but is not
          M16.xml | refused: M16.xml:1: <system>: a file must be of one host, but is of 2
          M17.xml | refused: M17.xml:1: <nvidia_smi_log>: the outermost element must be <system>
          M18.xml | refused: M18.xml:2: the XML must be well-formed, but is not
          M21.json | n1 2 NVIDIA-A100-SXM4-40GB-MIG-1g.5gb of 4.8 GiB, 64 cores; left out smarter-devices/fuse of 1 node: n1; left out replicas of nvidia.com/mig-1g.5gb of 1 node: n1
          M22.xml | refused: M22.xml:1: the XML must be well-formed, but is not
          M19.json | n1 7 NVIDIA-L40S of 45.0 GiB, 64 cores; n2 no GPU, 64 cores; left out nvidia.com/gpu that is not allocatable of 1 node: n1; left out GPUs of the label nvidia.com/gpu.count of 1 node: n2
          M23.csv | n1 no GPU, 32 cores, 256 GiB; n2 8 V100M32 of 32 GiB, 96 cores, 768 GiB; n3 8 G3 of 80 GiB, 128 cores, 768 GiB; assumed 80 GiB of memory of each GPU of model G3, which is not told, on 1 node: n3
          M24.csv | m1 2 GPU of 12 GiB; m2 8 GPU of 24 GiB
          M25.csv | h1 8 GPU of 80 GiB; h3 8 GPU of 80 GiB; h2 8 GPU of 80 GiB
          """)
  void aFileOfUsersIsReadOrRefused(String file, String expected) throws Exception {
    assertThat(read(file)).isEqualTo(expected);
  }

  /** Returns the nodes and warnings, one after the other, or the message of the refusal. */
  private static String read(String file) throws IOException, URISyntaxException {
    Path path =
        Path.of(
            Objects.requireNonNull(UserFilesTest.class.getResource("user-files/" + file)).toURI());
    try {
      ReadTopology read = ANY.read(file, Files.readAllLines(path));
      return Stream.concat(
              read.cluster().nodes().stream().map(UserFilesTest::text),
              read.warnings().stream().map(TopologyWarning::toString))
          .collect(joining("; "));
    } catch (InputFormatException e) {
      return "refused: "
          + String.valueOf(e.getMessage())
              .replaceFirst("must be a topology.conf, .* but is none of these", "no known format");
    }
  }

  private static String text(Node node) {
    String gpus =
        node.gpus().stream()
            .map(gpu -> gpu.model() + " of " + gpu.memory())
            .collect(ImmutableMultiset.toImmutableMultiset())
            .entrySet()
            .stream()
            .map(each -> each.getCount() + " " + each.getElement())
            .collect(joining(" + "));
    String cpu = node.cpu().millicores() > 1_000_000_000 ? "" : ", " + node.cpu();
    String memory = node.memory().bytes() == Long.MAX_VALUE ? "" : ", " + node.memory();
    String nvlink =
        node.nvlink().isUnlimited()
            ? ""
            : ", groups %s at %s"
                .formatted(
                    node.gpus().stream().map(gpu -> "" + gpu.nvlinkGroup()).collect(joining()),
                    node.nvlink());
    String nic = node.nic().bandwidth().isUnlimited() ? "" : ", NIC " + node.nic().bandwidth();
    return node.id() + " " + (gpus.isEmpty() ? "no GPU" : gpus) + nvlink + nic + cpu + memory;
  }
}
