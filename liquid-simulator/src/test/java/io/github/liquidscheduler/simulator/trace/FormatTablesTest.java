package io.github.liquidscheduler.simulator.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.topology.Hardware;
import io.github.liquidscheduler.formats.topology.ReadTopology;
import io.github.liquidscheduler.formats.topology.TopologyReader;
import io.github.liquidscheduler.formats.topology.TopologyWarning;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of docs/formats.md say what the readers do with each line. */
class FormatTablesTest {

  private static final Pattern ROW =
      Pattern.compile("\\| `([^`]+)` \\| (read|left out|passed over|refused) \\|.*");

  @TempDir Path folder;

  /** A line of a table: the format by its heading, what may be in a file, and what it becomes. */
  record Row(String format, String example, String outcome) {}

  static Stream<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    String format = "";
    boolean isOfOthers = false;
    for (String line : Files.readAllLines(page())) {
      isOfOthers |= line.equals("## Files of other systems");
      if (line.startsWith("### ")) {
        format = line.substring(4);
      }
      Matcher row = ROW.matcher(line);
      if (isOfOthers && row.matches()) {
        rows.add(new Row(format, row.group(1), row.group(2)));
      }
    }
    return rows.stream();
  }

  @Test
  void everyTableHasRows() throws IOException {
    assertThat(rows().map(Row::format).distinct())
        .containsExactly(
            "slurm.conf",
            "scontrol show nodes",
            "gres.conf",
            "topology.conf",
            "nvidia-smi topo -m",
            "XML of NCCL",
            "kubectl get nodes -o json",
            "Hosts of Lingjun",
            "Nodes of openb",
            "Machines of Philly",
            "sacct",
            "kubectl get pods -o json",
            "swf",
            "csv",
            "tiresias",
            "gavel",
            "shockwave",
            "philly-json",
            "philly",
            "helios",
            "acme",
            "muri",
            "pollux",
            "alibaba-2020",
            "alibaba-2023");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aLineOfAFormatBecomesWhatThePageSays(Row row) {
    assertThat(outcome(row.format, row.example)).isEqualTo(row.outcome);
  }

  private String outcome(String format, String example) {
    return switch (format) {
      case "slurm.conf" ->
          ofCluster(
              """
              NodeName=n0 CPUs=1
              %sNodeName=n1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=1000 %s
              """,
              example);
      case "scontrol show nodes" ->
          ofCluster(
              """
              NodeName=n0 Arch=x86_64 CPUAlloc=0 CPUTot=1
              %sNodeName=n1 Arch=x86_64 %s
                 CPUAlloc=0 CPUTot=64 RealMemory=1000 State=IDLE ThreadsPerCore=2
              """,
              example);
      case "gres.conf" -> ofCluster("NodeName=n0 Name=gpu Count=1\n%s%s", example);
      case "topology.conf" -> ofCluster("%sSwitchName=s0 Nodes=n0 %s\n", example);
      case "nvidia-smi topo -m" -> ofClusters(matrix("NV1"), matrix(example));
      case "XML of NCCL" -> ofClusters(FormatTablesTest::nccl, example);
      case "kubectl get nodes -o json" -> ofClusters(FormatTablesTest::node, example);
      case "Hosts of Lingjun" -> ofClusters(FormatExamples::lingjun, example);
      case "Nodes of openb" -> ofClusters(FormatExamples::openbNodes, example);
      case "Machines of Philly" -> ofClusters(FormatExamples::phillyMachines, example);
      case "gavel" -> ofTrace(TraceFormat.GAVEL, FormatExamples::gavel, example);
      case "shockwave" -> ofTrace(TraceFormat.SHOCKWAVE, FormatExamples::shockwave, example);
      case "philly-json" -> ofTrace(TraceFormat.PHILLY_JSON, FormatExamples::phillyLog, example);
      case "alibaba-2020" -> ofTrace(this::alibaba2020, example);
      case "sacct" -> ofTrace(TraceFormat.SACCT, FormatTablesTest::sacct, example);
      case "kubectl get pods -o json" ->
          ofTrace(TraceFormat.KUBERNETES, FormatTablesTest::pods, example);
      case "swf" -> ofTrace(TraceFormat.SWF, FormatTablesTest::swf, example);
      default -> ofTrace(TraceFormat.named(format), each -> columns(format, each), example);
    };
  }

  /** Returns what becomes of an example that is a line, for the first place, or part of one. */
  private static String ofCluster(String text, String example) {
    boolean isLine =
        example.matches("(NodeName|DownNodes|Include|PartitionName|SwitchName|Name)[= ].*");
    return ofClusters(
        text.formatted("", ""),
        text.formatted(isLine ? example + "\n" : "", isLine ? "" : example));
  }

  private static String ofClusters(UnaryOperator<String> text, String example) {
    return ofClusters(text.apply(""), text.apply(example));
  }

  private static String ofClusters(String without, String with) {
    ReadTopology before = cluster(without);
    try {
      ReadTopology after = cluster(with);
      boolean isLeftOut =
          after.warnings().stream()
              .filter(warning -> warning.kind() != TopologyWarning.Kind.MEMORY_ASSUMED)
              .anyMatch(warning -> !before.warnings().contains(warning));
      return outcome(isLeftOut, !after.cluster().equals(before.cluster()));
    } catch (InputFormatException e) {
      return "refused";
    }
  }

  private static ReadTopology cluster(String text) {
    return TopologyReader.any(Hardware.of(1, GpuModel.of("GPU"), Memory.ofGib(80)))
        .read("file", text.lines().toList());
  }

  private static String outcome(boolean isLeftOut, boolean hasChanged) {
    return isLeftOut ? "left out" : hasChanged ? "read" : "passed over";
  }

  private static String ofTrace(TraceFormat format, UnaryOperator<String> text, String example) {
    return ofTrace(each -> trace(format, text.apply(each)), example);
  }

  private static String ofTrace(Function<String, Trace> reading, String example) {
    Trace before = reading.apply("");
    try {
      Trace after = reading.apply(example);
      return outcome(!after.warnings().isEmpty(), !jobs(after).equals(jobs(before)));
    } catch (InputFormatException e) {
      return "refused";
    }
  }

  private Trace alibaba2020(String example) {
    return TraceFormat.ALIBABA_2020.reader().read(FormatExamples.alibaba2020(folder, example));
  }

  private static Trace trace(TraceFormat format, String text) {
    return format.reader().read("file", new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  /** Returns the jobs without their lines. */
  private static String jobs(Trace trace) {
    return trace.jobs().stream()
        .map(job -> job.toBuilder().line(1).build())
        .map(job -> Arrays.toString(fields(job)))
        .collect(joining("\n"));
  }

  private static Object[] fields(TraceJob job) {
    return new Object[] {
      job.id(),
      job.submit(),
      job.duration(),
      job.timeLimit(),
      job.waited(),
      job.gpus(),
      job.request(),
      job.virtualCluster(),
      job.iterations(),
      job.model(),
      job.datasets(),
      job.labels()
    };
  }

  private static String matrix(String connection) {
    return "GPU0 GPU1 NIC0 CPU Affinity%nGPU0 X %s SYS 0-7%nGPU1 %s X SYS 0-7%nNIC0 SYS SYS X%n"
        .formatted(connection, connection);
  }

  private static String nccl(String example) {
    boolean isOfGpu = example.contains("nvlink") || example.contains("c2c");
    String link = isOfGpu ? example : "";
    return """
    <system version="1"><cpu numaid="0" host_hash="0x1">
    <pci busid="0000:a1:00.0"><gpu dev="0" sm="90">%s</gpu></pci>
    <pci busid="0000:b2:00.0"><gpu dev="1" sm="90">%s</gpu></pci>
    %s</cpu>%s</system>
    """
        .formatted(
            link,
            link,
            isOfGpu || example.contains("cpu") ? "" : example,
            example.contains("cpu") ? example : "");
  }

  private static String node(String example) {
    Map<String, String> places = places(example);
    return """
    {"items": [{"metadata": {"name": "n0"}, "status": {"allocatable": {"cpu": "1"}}},
    {"metadata": {"name": "n1", "labels": {%s}}, "spec": {%s, "taints": [%s]},
     "status": {"conditions": [{"type": "Ready", "status": "True"}%s], "capacity": {%s},
      "allocatable": {%s"nvidia.com/mig-1g.5gb": "1", "amd.com/gpu": "1"%s}}}]}
    """
        .formatted(
            member(places, "label", ""),
            places.containsKey("spec") ? member(places, "spec", "") : "\"podCIDR\": \"x\"",
            object(places, "taint", "key", "effect", ""),
            object(places, "condition", "type", "status", ", "),
            member(places, "capacity", ""),
            example.startsWith("allocatable cpu=") ? "" : "\"cpu\": \"8\", ",
            member(places, "allocatable", ", "));
  }

  private static String pods(String example) {
    Map<String, String> places = places(example);
    String job =
        """
        {"metadata": {"name": "%s", "creationTimestamp": "2025-03-01T10:00:00Z",
          "annotations": {%s}, "labels": {%s}},
         "spec": {"nodeSelector": {%s}, "containers": [{"resources": {"requests": {%s}}}]},
         "status": {"phase": "Succeeded", "containerStatuses": [{"state": {"terminated":
          {"startedAt": "2025-03-01T10:00:10Z", "finishedAt": "2025-03-01T11:00:10Z"}}}]}}\
        """;
    String gpu = "\"nvidia.com/gpu\": \"1\"";
    boolean hasOwn = example.contains("gpu=") || example.contains("gpu-");
    return "{\"items\": [%s,%n%s]}%n"
        .formatted(
            job.formatted("a", "", "", "", gpu),
            job.formatted(
                "b",
                member(places, "annotation", ""),
                member(places, "label", ""),
                member(places, "selector", ""),
                hasOwn ? member(places, "resource", "") : gpu + member(places, "resource", ", ")));
  }

  private static Map<String, String> places(String example) {
    String[] parts = example.split(" ", 2);
    return parts.length < 2 ? Map.of() : Map.of(parts[0], parts[1]);
  }

  private static String member(Map<String, String> places, String place, String before) {
    String[] pair = places.getOrDefault(place, "").split("=", 2);
    return pair.length < 2 ? "" : "%s\"%s\": \"%s\"".formatted(before, pair[0], pair[1]);
  }

  private static String object(
      Map<String, String> places, String place, String key, String value, String before) {
    String[] pair = places.getOrDefault(place, "").split("=", 2);
    return pair.length < 2
        ? ""
        : "%s{\"%s\": \"%s\", \"%s\": \"%s\"}".formatted(before, key, pair[0], value, pair[1]);
  }

  private static String sacct(String example) {
    Map<String, String> job = new LinkedHashMap<>();
    job.put("JobID", "7");
    job.put("State", "COMPLETED");
    job.put("Submit", "2025-03-01T10:00:00");
    job.put("Start", "2025-03-01T10:01:00");
    job.put("End", "2025-03-01T11:00:00");
    job.put("ReqTRES", "gres/gpu=1");
    job.put("AllocTRES", "gres/gpu=1");
    job.put("Partition", "gpu");
    job.put("User", "bob");
    job.put("Elapsed", "01:00:00");
    job.put("Eligible", "2025-03-01T09:00:00");
    job.put("Timelimit", "10:00:00");
    job.put("Account", "other");
    job.put("QOS", "normal");
    String header = String.join("|", job.keySet());
    String first = String.join("|", job.values()).replaceFirst("7", "1");
    boolean isStep = example.startsWith("JobID=7.");
    String whole = isStep ? String.join("|", job.values()) + "\n" : "";
    String[] pair = example.split("=", 2);
    if (pair.length == 2) {
      job.put(pair[0], pair[1]);
    }
    return header + "\n" + first + "\n" + whole + String.join("|", job.values()) + "\n";
  }

  /** Two jobs in columns, of which the example changes one cell of the second, or adds one. */
  private static String columns(String format, String example) {
    Map<String, String> job = new LinkedHashMap<>();
    String cells =
        switch (format) {
          case "csv" ->
              "job_id=b submit_time=5 start_time=6 end_time=66 duration=60 num_gpu=2 num_nodes=1"
                  + " num_cpu=4 memory_gib=8 gpu_models=A100 iterations=10 model_name=m"
                  + " batch_size=32 precision=fp32 dataset=d dataset_size=1GiB queue=q user=u"
                  + " status=DONE";
          case "tiresias" ->
              "job_id=7 num_gpu=2 submit_time=5 iterations=10 model_name=m duration=60 interval=9";
          case "philly" -> "timestamp=5 duration=60 num_gpus=2 cluster=q status=Pass";
          case "helios" ->
              "job_id=7 user=u vc=q gpu_num=2 cpu_num=8 node_num=1 state=DONE submit_time=5"
                  + " start_time=6 end_time=66 duration=60 queue=1";
          case "acme" ->
              "job_id=7 user=u node_num=1 gpu_num=2 cpu_num=8 type=t state=DONE submit_time=5"
                  + " start_time=6 end_time=66 duration=60 queue=1";
          case "muri" ->
              "job_id=7 num_gpu=2 submit_time=5 iterations=10 model_name=m duration=60000"
                  + " batch_size=32 interval=9";
          case "pollux" ->
              "time=5 name=b application=m num_replicas=2 requested_bsz=9 batch_size=32";
          default ->
              "name=b cpu_milli=8000 memory_mib=1024 num_gpu=1 gpu_milli=500 gpu_spec=T4 qos=LS"
                  + " pod_phase=Running creation_time=5 deletion_time=66 scheduled_time=6";
        };
    for (String cell : cells.split(" ", -1)) {
      job.put(cell.split("=", 2)[0], cell.split("=", 2)[1]);
    }
    String header = String.join(",", job.keySet());
    String second = String.join(",", job.values());
    String first =
        second.replaceFirst("(^|,)(b|7),", "$1" + (format.equals("csv") ? "a" : "6") + ",");
    String[] pair = example.split("=", 2);
    if (pair.length == 2) {
      job.put(pair[0], pair[1]);
    }
    boolean isNew = pair.length == 2 && !header.contains(pair[0]);
    return (isNew ? header + "," + pair[0] : header)
        + "\n"
        + first
        + (isNew ? "," : "")
        + "\n"
        + String.join(",", job.values())
        + "\n";
  }

  private static String swf(String example) {
    String first = "1 0 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n";
    String job = "2 5 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n";
    String[] pair = example.split("=", 2);
    if (pair.length < 2) {
      return first + job;
    }
    String[] fields = job.strip().split(" ");
    fields[Integer.parseInt(pair[0]) - 1] = pair[1];
    boolean isPart = pair[0].equals("11") && pair[1].equals("3");
    return first + (isPart ? job : "") + String.join(" ", fields) + "\n";
  }

  private static Path page() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(root.resolve(".mvn"))) {
      root = Objects.requireNonNull(root.getParent(), "no folder above has a .mvn");
    }
    return root.resolve("docs/formats.md");
  }
}
