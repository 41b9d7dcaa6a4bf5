package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.input.JsonRecord;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A node in the output of {@code kubectl get nodes -o json}: its GPUs, whole ones and MIG slices,
 * CPU and memory are what is allocatable. Replicas of a shared GPU count as that one GPU.
 */
record KubernetesNode(JsonRecord record, Hardware hardware, TopologyWarnings warnings) {

  private static final List<String> MODEL_LABELS =
      List.of("nvidia.com/gpu.product", "cloud.google.com/gke-accelerator", "gpu.nvidia.com/model");
  private static final List<String> AMD_MODEL_LABELS =
      List.of("amd.com/gpu.product-name", "beta.amd.com/gpu.product-name");
  private static final List<String> AMD_MEMORY_LABELS =
      List.of("amd.com/gpu.vram", "beta.amd.com/gpu.vram");
  private static final String GPU = "nvidia.com/gpu";
  private static final String SHARED = "nvidia.com/gpu.shared";
  private static final String AMD_GPU = "amd.com/gpu";
  private static final String GPU_COUNT = "nvidia.com/gpu.count";
  private static final Pattern SLICE =
      Pattern.compile("nvidia\\.com/(mig-[0-9a-z.+-]+?)(?:\\.shared)?");
  private static final Predicate<String> SLICES = SLICE.asMatchPredicate();

  /** Taints of nodes that run no jobs; GPU nodes are often tainted for all but those that ask. */
  private static final Pattern UNFIT =
      Pattern.compile(
          "node\\.kubernetes\\.io/.*|node-role\\.kubernetes\\.io/(control-plane|master)");

  /** Returns the place of the node in its text. */
  String place() {
    return record.place();
  }

  String name() {
    return record.object("metadata").text("name");
  }

  JsonRecord labels() {
    return record.object("metadata").object("labels");
  }

  /** Returns why the node runs no jobs; empty if it does. */
  Optional<String> state() {
    if (record.object("spec").optionalText("unschedulable").filter("true"::equals).isPresent()) {
      return Optional.of("cordoned");
    }
    return notReady().or(this::unfit);
  }

  private Optional<String> notReady() {
    return record.object("status").objects("conditions").stream()
        .filter(condition -> condition.optionalText("type").filter("Ready"::equals).isPresent())
        .flatMap(condition -> condition.optionalText("status").stream())
        .filter(status -> !status.equals("True"))
        .map(status -> "not ready (" + status + ")")
        .findFirst();
  }

  private Optional<String> unfit() {
    return record.object("spec").objects("taints").stream()
        .filter(taint -> taint.optionalText("effect").filter(KubernetesNode::keepsAway).isPresent())
        .map(taint -> taint.text("key"))
        .filter(key -> UNFIT.matcher(key).matches())
        .map(key -> "tainted " + key)
        .findFirst();
  }

  private static boolean keepsAway(String effect) {
    return effect.equals("NoSchedule") || effect.equals("NoExecute");
  }

  Node.Builder node() {
    JsonRecord allocatable = record.object("status").object("allocatable");
    Node.Builder node = hardware.bareNode(name());
    sayWhatIsNotAllocatable(allocatable);
    int gpus = 0;
    for (String resource : allocatable.names()) {
      if (resource.indexOf('/') >= 0) {
        gpus += add(node, resource, allocatable);
        few(gpus);
      }
    }
    allocatable
        .quantity("cpu")
        .ifPresent(cores -> node.cpu(CpuCores.ofMillicores(whole(cores.movePointRight(3)))));
    allocatable.quantity("memory").ifPresent(bytes -> node.memory(Memory.ofBytes(whole(bytes))));
    for (String name : labels().names()) {
      labels().optionalText(name).ifPresent(value -> node.label(name, value));
    }
    return node;
  }

  /** Says which GPUs of the node no job can have, such as those that are broken. */
  private void sayWhatIsNotAllocatable(JsonRecord allocatable) {
    JsonRecord capacity = record.object("status").object("capacity");
    Stream.concat(Stream.of(GPU, SHARED, AMD_GPU), capacity.names().stream().filter(SLICES))
        .filter(resource -> amount(capacity, resource) > amount(allocatable, resource))
        .forEach(
            resource -> warnings.resourceLeftOut(resource + " that is not allocatable", name()));
    boolean hasGpus = Stream.of(GPU, SHARED).anyMatch(gpu -> amount(allocatable, gpu) > 0);
    if (!hasGpus
        && amount(labels(), GPU_COUNT) > amount(capacity, GPU)
        && allocatable.names().stream().noneMatch(SLICES)) {
      warnings.resourceLeftOut("GPUs of the label " + GPU_COUNT, name());
    }
  }

  private static int amount(JsonRecord amounts, String resource) {
    return amounts
        .quantity(resource)
        .map(amount -> amount.min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue())
        .orElse(0);
  }

  /** Adds an extended resource if it is GPUs, and returns their number. */
  private int add(Node.Builder node, String resource, JsonRecord allocatable) {
    int offered = amount(allocatable, resource);
    Matcher slice = SLICE.matcher(resource);
    if (offered <= 0) {
      return 0;
    }
    if (resource.equals(GPU) || resource.equals(SHARED)) {
      int count = few(devices(offered, GPU));
      node.gpus(count, model(), memory());
      return count;
    }
    if (resource.equals(AMD_GPU)) {
      node.gpus(few(offered), amdModel(), amdMemory());
      return offered;
    }
    if (slice.matches()) {
      int count = few(devices(offered, "nvidia.com/" + slice.group(1)));
      GpuModel model = sliceModel(slice.group(1));
      node.gpus(count, model, sliceMemory(slice.group(1), model));
      return count;
    }
    warnings.resourceLeftOut(resource, name());
    return 0;
  }

  private int few(int gpus) {
    if (gpus > Node.MAX_GPUS) {
      throw record.error(GPU, "must be at most " + Node.MAX_GPUS + ", but is " + gpus);
    }
    return gpus;
  }

  /** Returns the devices of which replicas are offered, if labels say that they are shared. */
  private int devices(int offered, String resource) {
    int replicas = Math.max(1, amount(labels(), resource + ".replicas"));
    if (replicas > 1) {
      warnings.resourceLeftOut("replicas of " + resource, name());
    }
    return offered / replicas;
  }

  private GpuModel model() {
    return labels()
        .firstText(MODEL_LABELS)
        .map(model -> GpuModel.of(model.replaceFirst("-SHARED$", "")))
        .orElse(hardware.model());
  }

  private Memory memory() {
    return labels()
        .quantity("nvidia.com/gpu.memory")
        .map(mib -> Memory.ofMib(whole(mib)))
        .orElseGet(() -> memoryOf(model()));
  }

  private GpuModel amdModel() {
    return labels().firstText(AMD_MODEL_LABELS).map(GpuModel::of).orElse(hardware.model());
  }

  /** Returns the memory by the label, whose unit is 2<sup>30</sup> bytes though it says G. */
  private Memory amdMemory() {
    return labels()
        .firstText(AMD_MEMORY_LABELS)
        .filter(text -> text.matches("[0-9]{1,5}G"))
        .map(text -> Memory.parse(text + "iB"))
        .orElseGet(() -> memoryOf(amdModel()));
  }

  private GpuModel sliceModel(String slice) {
    return labels()
        .optionalText("nvidia.com/" + slice + ".product")
        .map(GpuModel::of)
        .orElseGet(() -> GpuModel.of(model() + "-" + slice.replaceFirst("mig", "MIG")));
  }

  private Memory sliceMemory(String slice, GpuModel model) {
    return labels()
        .quantity("nvidia.com/" + slice + ".memory")
        .map(mib -> Memory.ofMib(whole(mib)))
        .orElseGet(() -> memoryOf(model));
  }

  private Memory memoryOf(GpuModel model) {
    return new GpuMemory(hardware, warnings).of(model, name());
  }

  private static long whole(BigDecimal amount) {
    return amount.setScale(0, RoundingMode.FLOOR).longValue();
  }
}
